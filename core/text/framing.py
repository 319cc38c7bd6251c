"""What stands around a statement and says nothing of it: "The pages say that", "Yes,",
"Note that", the number of a label."""

from __future__ import annotations

import re

from claimscope.core.text.lead_ins import strip_number
from claimscope.core.text.non_factual import is_abstention
from claimscope.core.text.readable import MappedText

_FRAME = re.compile(
    r"(?i)^(?:(?:but|however|and)[, ]+)?(?:(?:they|it|(?:the"
    r"|these) (?:[\w’'-]+ )?(?:sources?"
    r"|pages?|documents?|passages?|texts?|web ?sites?|site|abstracts?))(?: do| does)?"
    r" (?:say|state|report|mention|note|show|confirm)s? that"
    r"|what (?:they|it) (?:do |does )?(?:say|report|state|mention)s? is that"
    r"|(?:please )?(?:note|remember|keep in mind|be aware|bear in mind) that"
    r"|it(?:['’]s| is) (?:also )?(?:worth|important to) not(?:e|ing) that"
    r"|i can (?:also )?confirm(?: to you)? that"
    r"|(?:based on|according to) (?:the|these) (?:[\w’'-]+ )?(?:sources?"
    r"|pages?|documents?|passages?|texts?|website|web site|site|context"
    r"|abstracts?)(?: provided)?,"
    # Smith and Lee (2020) report that; according to quay.example,
    r"|[a-z][\w’'-]+(?: (?:and|&) [a-z][\w’'-]+| et al\.?)? \(\d{4}[a-z]?\)"
    r" (?:says?|states?|reports?|writes?|shows?|notes?) that"
    r"|according to [\w-]+(?:\.[\w-]+)+,)\s+"
)
_SOURCE_LAST = re.compile(
    r"(?i),\s+(?:says|according to)\s+(?:(?:the|this) (?:[\w’'-]+ )?(?:sources?|page"
    r"|document|text|web ?site|site)|[\w-]+(?:\.[\w-]+)+?)\s*(?=[.!]?$)"
)
_SIGN = re.compile(
    r"(?i)(?:(?:please )?note|important|tip|warning|caution|n\.?b\.?|hint|reminder"
    r"|(?:short|quick|brief|final|direct) answer|in short|tl;?dr):\s+(?=\S+ \S+ \S+)"
    r"|(?:in (?:summary|short|conclusion|brief)|to sum up|to summari[sz]e|overall"
    r"|additionally|furthermore|moreover|in addition|however|therefore|thus|hence"
    r"|consequently|nevertheless|nonetheless|similarly|likewise|for example"
    r"|for instance|in fact|indeed|in other words|on the other hand|by contrast"
    r"|in contrast|finally|as a result|also),\s+(?=\S+ \S+)"
    # as little as "therefore": what "this" is stands in another sentence
    r"|(?:this|that) (?:is because|means that)\s+(?=\S+ \S+ \S+)"
)
_REPLY = re.compile(
    r"(?i)(?:yes|no|sure|certainly|of course)(?:[,:]| [–—-])\s+(?=\w+ \w+ \w+)"
)
_ANSWER = re.compile(r"The answer to [\"“].*?[\"”] is (.+?)\.?")


def answer_as_sentence(question: str, text: str) -> str:
    """A bare answer as a sentence that can be verified."""
    return f"The answer to “{question.strip()}” is {text.strip().rstrip('.')}."


def bare_answer(sentence: str) -> str:
    """The answer in a sentence of `answer_as_sentence`, which may have been brought to
    canonical form; any other sentence as it is."""
    match = _ANSWER.fullmatch(sentence)
    return match[1] if match else sentence


def strip_label(readable: MappedText) -> MappedText:
    """The sentence without the number of its label: "**3. Log in:** Enter it"."""
    text = readable.text
    left = len(text) - len(strip_number(text))
    return readable.part(left, len(text)) if left else readable


def strip_frame(readable: MappedText, *, keeps_reply: bool) -> MappedText:
    """Without "The pages say that", ", says quay.example" and, by default, "Yes,"."""
    last = _SOURCE_LAST.search(readable.text)
    if last is not None and last.start() > 0:
        readable = readable.part(0, last.start())
    sign = _SIGN.match(readable.text)
    if sign is not None:
        readable = readable.part(sign.end(), len(readable.text))
    frame = _FRAME.match(readable.text)
    if frame is None or is_abstention(readable.text):
        frame = None if keeps_reply else _REPLY.match(readable.text)
    if frame is None:
        return readable
    return readable.part(frame.end(), len(readable.text))
