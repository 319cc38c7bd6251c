"""Sentences that state no fact: greetings, offers, opinions, abstentions, orders.

Patterns, not a model, so that the same answer is always read in the same way. A
pattern errs on the side of a claim: a remark taken for a claim is seen by a person,
a claim taken for a remark would be a mistake nobody sees.
"""

from __future__ import annotations

import re
from typing import Literal

Remark = Literal["greeting", "offer", "question", "opinion", "abstention", "other"]

_NUMBER = re.compile(
    r"(?i)(?<![A-Za-z-])\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|half"
    r"|hundred|thousand|million|dozen)\b"
)
_CODE_IN_BRACKETS = re.compile(r"\([^()]*\)")

_GREETING = re.compile(
    r"(?i)^(?:hello|hi|hey|dear|greetings|welcome|good (?:morning|afternoon|evening|day"
    r"|news|luck|question|idea)|thanks|thank you|sure|certainly|of course|absolutely"
    r"|great|excellent|nice|you(?:['’]re| are) welcome|(?:best|kind(?:est)?|warm)"
    r" (?:regards|wishes)|regards|cheers|yours (?:sincerely|truly)|enjoy|have a (?:good"
    r"|nice|great|lovely|safe)|see you|take care)\b[^:;]{0,60}$"
)
_OFFER = re.compile(
    r"(?i)^(?:(?:please|do|and|so|but)\s+)?(?:let me know\b|feel free\b|(?:do not"
    r"|don['’]t)"
    r" hesitate\b|ask (?:me|us|away|if|for)\b|just ask\b|if you (?:have|need|want"
    r"|(?:would|['’]d) like|tell me|let me)\b.{0,80}\b(?:let me know|ask|i can|i could"
    r"|i will|i['’]ll|i['’]m happy|happy to|tell me|feel free)\b|i (?:can"
    r"|could) (?:also|gladly"
    r"|help|give|send|explain|look|show|provide)\b|i(?:['’]m| am|['’]d be| would be)"
    r" (?:happy|glad)\b|happy to help\b|i hope (?:this|that|it)\b|hope (?:this|that)"
    r" helps\b|would you like\b|shall i\b)"
)
_SOURCE_NOUNS = (
    r"(?:sources?|(?:course |web )?pages?|documents?|context|passages?|texts?|website"
    r"|web site|material|materials|excerpts?|abstracts?|corpus|knowledge base"
    r"|search results|references?|information|records|(?:\S+ )?site)"
)
_TELLING = (
    r"(?:say|state|mention|specify|tell|indicate|reveal|name|describe|discuss|address"
    r"|answer|report|list|give|contain|include|provide|cover|explain|show|confirm)"
)
_ABSTENTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # The sources do not say …; the pages of the college do not name …
        rf"\b(?:the|these|those|my|our|any|provided|given|available|this"
        rf"|your) (?:[\w’'-]+"
        rf" ){{0,2}}?{_SOURCE_NOUNS}(?: (?:[\w.’'-]+ ){{0,7}}?|\s)(?:(?:do|does|did"
        rf"|can) ?not"
        rf"|don['’]t|doesn['’]t|didn['’]t) (?:\w+ly )?{_TELLING}\b",
        rf"\b(?:none|neither) of the (?:[\w’'-]+ )?{_SOURCE_NOUNS}"
        rf"\b.{{0,40}}?\b(?:{_TELLING}"
        r"|says|mentions|states|gives|names|contains|covers|tells)\b",
        rf"\bno(?:thing| information| mention"
        rf"| details?)\b.{{0,60}}\bin the (?:[\w’'-]+ )?"
        rf"{_SOURCE_NOUNS}\b",
        rf"\bnothing in (?:the|these) (?:[\w’'-]+ )?{_SOURCE_NOUNS}\b",
        # The pages give no dose; not "the abstract reports no deaths", a finding.
        rf"\b(?:the|these|those|my|our) (?:[\w’'-]+ ){{0,2}}?{_SOURCE_NOUNS}"
        r" (?:give|gives|contain|contains|offer|offers|provide|provides|hold|holds"
        r"|name|names|mention|mentions|state|states|have|has) (?:no|nothing)\b",
        # It is not stated in the sources.
        r"\b(?:is|are|was|were) (?:not|never|nowhere) (?:\w+ly )?(?:stated|given"
        r"|mentioned"
        r"|specified|provided|named|listed|covered|available|found|answered|included|"
        rf"described)\b.{{0,20}}\b(?:in|by|on|from) (?:the|these|any|my) (?:[\w’'-]+ )?"
        rf"{_SOURCE_NOUNS}\b",
        r"\b(?:cannot|can not|can['’]t|could not|couldn['’]t) be (?:determined|answered"
        r"|established|inferred)\b",
        # I could not find …; I do not know …
        r"\bI (?:could not|couldn['’]t|can ?not|can['’]t|was (?:not able|unable) to"
        r"|am (?:not able|unable) to|['’]m (?:not able|unable) to|did not|didn['’]t)"
        r" (?:find|tell|say|determine|answer|confirm|locate|see|give you|recommend"
        r"|point you|verify|provide)\b",
        r"\bI (?:do not|don['’]t) (?:know|have (?:any |enough "
        r"|that )?(?:\w+ )?information)\b",
        r"\bI (?:found|have|see) (?:no|nothing)\b",
        r"^(?:sorry|unfortunately|i am sorry"
        r"|i['’]m sorry)?,? ?there is no (?:information"
        r"|mention) (?:about|regarding|concerning|of|available|on (?:how|when"
        r"|whether|what"
        r"|who|this|that|its))\b",
        r"\bI (?:would|['’]d) rather not (?:guess|say)\b",
        r"\b(?:it is|it['’]s) (?:not clear|unclear|unknown) from\b",
        r"^(?:that|this|it) is not known(?: to me)?\b",
        r"^(?:unknown|no answer|not known|i am not sure|i['’]m not sure)\W*$",
        # The plainest ones of other languages.
        r"\b(?:weiß|weiss) ich (?:das |es |leider )*nicht\b",
        r"\bich (?:weiß|weiss) (?:das |es |leider )*nicht\b",
        r"\b(?:Quellen?|Seiten?|Dokumenten?|Texten?|Unterlagen)\b.{0,40}\b(?:nicht"
        r" (?:hervor|erwähnt|angegeben|genannt)|keine (?:Angaben?|Informationen?))\b",
        r"\b(?:yo )?no lo sé\b",
        r"\b(?:fuentes?|documentos?|páginas?|textos?)\b.{0,30}\bno (?:lo )?(?:dicen?"
        r"|indican?|mencionan?|especifican?)\b",
        r"\bje ne (?:le )?sais pas\b",
        r"(?:分|わ)かりません|(?:記載|情報)[はが](?:ありません|ない)",
    )
)
_OPINION = re.compile(
    r"(?i)\b(?:I (?:think|believe|feel|suggest|recommend|(?:would"
    r"|['’]d) (?:\w+ )?(?:choose"
    r"|go for|recommend|suggest|say|pick|start|not suggest))|in my (?:opinion|view)"
    r"|it is best to|it(?:['’]s| is) (?:a good idea|worth)|(?:it|that|which|this)"
    r" pays off|(?:the )?(?:one|ones) to (?:look at|take)|look(?:s)? right"
    r"|what you(?:['’]re| are) looking for|the next step)\b"
)
_FITS = re.compile(
    r"(?i)\b(?:suits?|fits?|choice|match(?:es)?|ideal|perfect|right for|obstacle|help"
    r"|helps|matters?|limit|cover|need|better|best|task|two evenings|start|goes for"
    r"|would not do)\b"
)
_YOU = re.compile(r"(?i)\byou(?:rs?)?\b")
_ABOUT_ASKER = re.compile(
    r"(?i)^(?:since |as |because )?you (?:said|mentioned|asked|told|finished|want"
    r"|wanted"
    r"|are looking|wrote|described)\b|\byou (?:have|describe|want|mention)\W*$"
    r"|\byour (?:\w+ ){0,3}(?:years?|week|evenings?|budget|limit|situation|goals?|case"
    r"|plans?|schedule|wish(?:es)?|experience)\b|\bleaves you\b"
)
_ADVICE = re.compile(
    r"(?i)^(?:(?:yes|no|sure|well),? )?(?:please )?(?:take|choose|try|pick|consider"
    r"|go for|opt for|have a look|look at"
    r"|start with|visit|book|contact|ask|check|call)\b"
)
_POINTER = re.compile(
    r"(?i)^\W*+(?:for (?:more|further|details)\b.{0,40}\b(?:see|visit|go|read)\b"
    r"|(?:please )?"
    r"(?:see|visit|read|check|consult)\b|more (?:on|about|details|information)\b"
    r"|sources?\b"
    r"|references?\b|there is more\b|(?:more|further|full) (?:details|information)\b"
    r"|the \w+ (?:is|are) listed (?:at|on)\b|read more\b|further reading\b)"
)
# Repeats give nothing back (`*+`), or a long row of dashes is tried at each of them.
_LINK_ONLY = re.compile(
    r"(?i)^\W*+(?:(?:https?://|www\.)\S++|[a-z0-9-]++\.[a-z0-9-][!-~]*+)\W*+$"
)
_SHORT_REPLY = re.compile(
    r"(?i)^(?:yes|no|not (?:all|quite|really|entirely|exactly|always)|maybe|perhaps"
    r"|it depends|n/?a|none)\b(?:[^\w].*|$)"
)
_REGRET = re.compile(
    r"(?i)^(?:i am|i['’]m|we are)? ?(?:sorry|afraid|unfortunately)\W*$"
)


def remark(text: str, *, cited: bool = False, linked: bool = False) -> Remark | None:
    """Why a readable sentence states no fact; None when it is to be judged.

    `cited`: it carries a citation, so its author claims evidence for it. `linked`: it
    holds a link or an address, as pointers to further reading do.
    """
    words = text.split()
    has_number = _NUMBER.search(_CODE_IN_BRACKETS.sub("", text)) is not None
    if is_abstention(text):
        return "abstention"
    if text.rstrip('"”’)* ').endswith("?"):
        return "question"
    if cited:
        return None
    if _OFFER.search(text):
        return "offer"
    if _GREETING.match(text) and not has_number:
        return "greeting"
    if _LINK_ONLY.match(text) or (_POINTER.match(text) and (linked or len(words) < 9)):
        return "other"
    if _REGRET.match(text):
        return "other"
    if _ABOUT_ASKER.search(text) and len(words) <= 18:
        return "opinion"
    if _SHORT_REPLY.match(text) and len(words) <= 5 and not has_number:
        return "opinion" if len(words) > 2 else "other"
    return "opinion" if _is_opinion(text, len(words), has_number) else None


def is_abstention(text: str) -> bool:
    """Whether the author says that the sources, or they themselves, do not know.

    A negative fact ("The drug did not reduce deaths") is not one.
    """
    return any(pattern.search(text) for pattern in _ABSTENTIONS)


def _is_opinion(text: str, words: int, has_number: bool) -> bool:
    if has_number:
        return False
    if _OPINION.search(text):
        return True
    if _ADVICE.match(text) and words <= 12 and ":" not in text:
        return True
    return bool(words <= 14 and _YOU.search(text) and _FITS.search(text))
