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
    r"|twelve|half|hundred|thousand|million|dozen)\b"
)
_CODE_IN_BRACKETS = re.compile(r"\([^()]*\)")

_GREETING = re.compile(
    r"(?i)^(?:hello|hi|hey|dear|greetings|welcome|good (?:morning|afternoon|evening|day"
    r"|news|luck|question|idea)|thanks|thank you|sure|certainly|of course|absolutely"
    # Not "Great Britain is an island".
    r"|(?:great|excellent|nice)(?=\s*(?:[,!.…–—-]|$)|\s+(?:question|idea|choice|point"
    r"|job|work|to\b|talking|catch|one\b|stuff|thinking|ask\b))"
    r"|you(?:['’]re| are) welcome|(?:best|kind(?:est)?|warm)"
    r" (?:regards|wishes)|regards|cheers|yours (?:sincerely|truly)|enjoy|have a (?:good"
    r"|nice|great|lovely|safe)|see you|take care)\b[^:;]{0,60}$"
)
_OFFER = re.compile(
    r"(?i)^(?:(?:please|do|and|so|but|just)\s+)?(?:let me know\b|feel free\b|(?:do not"
    r"|don['’]t)"
    r" hesitate\b|ask (?:me|us|away|if|for)\b|just ask\b|if you(?:(?: would|['’]d)"
    r" like| (?:have|need|want|prefer|tell me|let me))\b.{0,80}\b(?:let me know|ask"
    r"|i can|i could|i will|i['’]ll|i['’]m happy|happy to|tell me|feel free)\b|i (?:can"
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
        rf"|can) ?not|don['’]t|doesn['’]t|didn['’]t) (?:\w+ly )?{_TELLING}\b",
        rf"\b(?:none|neither) of the (?:[\w’'-]+ )?{_SOURCE_NOUNS}"
        rf"\b.{{0,40}}?\b(?:{_TELLING}"
        r"|says|mentions|states|gives|names|contains|covers|tells)\b",
        rf"\bno(?:thing| information| mention"
        rf"| details?)\b.{{0,60}}\bin the (?:[\w’'-]+ )?{_SOURCE_NOUNS}\b",
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
        r"^(?:sorry, |unfortunately,? )?I(?:['’]m| am) not (?:sure|certain|aware)\b",
        r"^(?:sorry|unfortunately|i am sorry"
        r"|i['’]m sorry)?,? ?there is no (?:information"
        r"|mention) (?:about|regarding|concerning|of|available|on (?:how|when"
        r"|whether|what|who|this|that|its))\b",
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
    r"(?i)\b(?:I (?:think|believe|feel|suggest|recommend|advise)"
    r"|(?:I|we)(?: would|['’]d) (?:\w+ )?(?:choose"
    r"|go for|recommend|suggest|advise|say|pick|start|not suggest|test|check|consider)"
    r"|my (?:advice|recommendation|suggestion)|in my (?:opinion|view)"
    r"|you (?:may|might|could) (?:also )?(?:want|wish|like|prefer|consider|need) "
    r"|you(?: would|['’]d) be better off"
    r"|it is best to|it(?:['’]s| is) (?:a good idea|worth)|(?:it|that|which|this)"
    r" pays off|(?:the )?(?:one|ones) to (?:look at|take)|look(?:s)? right"
    r"|what you(?:['’]re| are) looking for|is the next step)\b"
)
_TASTE = re.compile(
    r"(?i)^(?:[\w'’.&-]+ ){1,6}(?:is|are|was|were|looks?|feels?|seems?)"
    r"(?: (?:really|very|so|simply|just|quite|truly|absolutely|pretty|always)){0,2}"
    r" (?:great|wonderful|amazing|awesome|fantastic|lovely|brilliant|marvell?ous"
    r"|terrific|superb|delightful|nice|gorgeous|cool|fun|boring|terrible|awful|horrible"
    r"|dreadful|magnificent|stunning|adorable|the (?:very )?best)[.!…\s]*$"
)
"""Praise or blame and nothing else: no page can show that a thing is great."""
_FITS = re.compile(
    r"(?i)\b(?:(?:suits?|fits?|match(?:es)?|(?:right|better|best) for)"
    r"(?: (?:because|what|as|since))? (?:you|your)"
    r"|(?:good|great|right|safe|better|best|natural|obvious) choice|ideal|perfect"
    r"|obstacle|goes for|would not do)\b"
)
"""What fits whom. "You need a photo" is a rule that pages tell."""
_SERVICE = re.compile(
    r"""(?ix)^(?:(?:and|but|so|well|okay|ok|yes|sure|hi|hello)[,!]?\s+)?(?:
    i(?:['’]m|\s+am)\s+(?:always\s+)?(?:here|ready)\b
    |(?:i(?:['’]m|\s+am|['’]d\s+be|\s+would\s+be)\s+)?(?:always\s+|more\s+than\s+
      |very\s+)?(?:happy|glad|pleased|delighted)\s+to\s+(?:help|assist|explain|clarify
      |answer|share|be\s+of|walk|go|provide|support)\b
    |(?:i\s+)?hope\s+(?:this|that|it|you|these|i)\b|got\s+it\W*$
    |(?:so\s+)?glad\s+you\s+asked\b
    |(?:it['’]s\s+|it\s+is\s+)?(?:so\s+)?(?:glad|good|great|nice|lovely|sorry)\s+to\s+
      (?:hear|know|see|learn|read)\b|no\s+(?:problem|worries)\W*$|(?:it['’]s\s+)?my\s+pleasure\b
    |that(?:['’]s|\s+is)\s+an?\s+(?:great|good|fair|excellent|interesting)\s+question\b
    |(?:i\s+)?apologi[sz]e\s+for\b|my\s+apologies\b|sorry\s+(?:for|about)\s+the\b
    )"""
)
"""What is said for courtesy."""
_ABOUT_ITSELF = re.compile(
    r"""(?ix)^(?:(?:and|but|so|well|okay|ok|yes|sure|hi|hello)[,!]?\s+)?(?:
    # I'm an AI assistant; as an AI language model, I can tell you this
    (?:as|i(?:['’]m|\s+am)(?:\s+just|\s+only)?)\s+an?\s+(?:\w+\s+)?(?:ai|a\.i\.|llm
      |(?:virtual|digital|automated|helpful|language|chat)\s+(?:\w+\s+)?(?:assistant
      |model|bot|agent)|chatbot)\b(?!.*\bthat\b)
    # what was done to answer
    |(?:i(?:['’]ve|\s+have)?|let\s+me(?:\s+just)?|i(?:['’]ll|\s+will)|i(?:['’]m|\s+am)
      \s+going\s+to)\s+(?:also\s+|now\s+|just\s+|quickly\s+|carefully\s+|already\s+)?
      (?:check(?:ed)?|look(?:ed)?|read|review(?:ed)?|search(?:ed)?|go(?:ne)?|went
      |walk(?:ed)?|explain(?:ed)?|summari[sz]ed?|break|clarif(?:y|ied)|answer(?:ed)?
      |double-check(?:ed)?|verif(?:y|ied)|consult(?:ed)?|understand|compiled?|outlined?
      |provided?|listed?|gathered?|group(?:ed)?|sort(?:ed)?|organi[sz]ed?|arranged?
      |collect(?:ed)?|put|based|help|show|give|tell)\s+(?:the|your|you|this|that
      |these|those|all|through|over|at|for|up|into|it|what|each|every|both|some|how
      |my)\b
    |i\s+(?:can|will|['’]ll)\s+(?:tell\s+you|do\s+my\s+best)\b(?!\s+that)
    |let(?:['’]s|\s+us)\s+(?:break|take|look|start|begin|go|dive|walk|see|explore|think
      |get|unpack|consider|clarify|summari[sz]e)\b
    # what no summary is
    |(?:this|that|it|these|the|a|my)\s[^\d]{0,90}\b(?:does\s+not|doesn['’]t|do\s+not|don['’]t
      |cannot|can['’]t)\s+(?:replace|substitute\s+for)\s[^\d]{0,30}\b(?:advice|consultation)\b
    # what the answer is like
    |(?:the|this|that|your|my)\s+(?:answer|question|response|explanation|reply|summary)
      \s+(?:is|was|can\s+be|should\s+be|seems|depends|follows|comes)\b(?!\s*:)[^\d]{0,60}
      \b(?:clear|simple|easy|straightforward|obvious|found|based|below|above|here|text
      |context|passage|sources?|documents?|pages?|helpful|useful|good|great|short)\b
    |(?:this|that|it)\s+is\s+(?:clear|stated|clearly\s+stated|explained|described)\s+
      (?:from|in|by)\s+the\s+(?:\w+\s+)?(?:text|context|passage|sources?|documents?|pages?)
      \W*$
    |(?:this|that)\s+(?:should|will|ought\s+to)\s+(?:help|answer|do\s+(?:it|the\s+trick)
      |clear|give\s+you|get\s+you)\b
    |that(?:['’]s|\s+is)\s+(?:it|all)\W*$
    )"""
)
"""Talk of an assistant about itself, its work and its answer."""
_ANNOUNCES = re.compile(
    r"""(?ix)^(?:(?:okay|ok|yes|sure|certainly)[,!.]?\s+)?
    (?:here(?:['’]s|\s+is|\s+are)|below\s+(?:is|are)|below,?\s+you(?:['’]ll|\s+will)\s+find
      |the\s+following\s+(?:is|are))\s+(?:what\b|how\b|why\b|everything\b
      |(?:[\w’'-]+\s+){0,4}?(?:summary|overview|answers?|explanation|breakdown|list|details?
      |information|rundown|guide|steps|comparison|facts|points|notes|basics)\b)
      [^\d:;,]{0,70}$"""
)
"""Says that the answer follows."""
_COUNSEL = re.compile(
    r"""(?ix)^(?:please\s+|always\s+|just\s+|also,?\s+|finally,?\s+)*(?:
    (?:be\s+sure|make\s+sure|remember|don['’]t\s+forget|do\s+not\s+forget)\b
    |it(?:['’]s|\s+is)\s+(?:always\s+|also\s+)?(?:best|wise|advisable|a\s+good\s+idea)\s+to\b
    |(?:check|consult|confirm|verify|double-check|ask|contact|review|test|consider|talk
      |speak|reach|seek)\s+(?:with|the|your|a|an|this|that|these|those|whether|if|for|it
      |them|all|any|each|every|before|out|to|on|about|how|regularly|first|again)\b
    )"""
)
"""Orders that a careful adviser gives whatever the question was."""
_STATES = re.compile(
    r"^\w+(?:-\w+)*(?: [\w-]+){0,2} (?:is|are|was|were|has|have|can|will|costs?"
    r"|includes|takes|starts|runs|opens|closes|needs|lasts)\b"
)
"""A noun that looks like an order: "Call centres are closed"."""
_ORDERED = re.compile(r"(?i)(?:see|visit|read|check|consult)\b")
_CODE_SIGN = re.compile(r"\w[_=]\w|(?<!\S)--?[a-z]|\w\(")
_QUOTED = re.compile(r"[\"“][^\"“”]{0,200}[\"”]")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_CONCRETE = re.compile(r"\w[_=/@]\w|(?<!\S)--?[a-z]|\b[a-z]+[A-Z]|\w\(|[\"“”]")
"""Identifiers, calls, options, paths and quoted words: pages can tell of them."""
_YOU = re.compile(r"(?i)\byou(?:rs?)?\b")
_ABOUT_ASKER = re.compile(
    r"(?i)^(?:since |as |because )?you (?:said|mentioned|asked|told|finished|want"
    r"|wanted|are looking|wrote|described)\b|\byou (?:have|describe|want|mention)\W*$"
    r"|\byour (?:\w+ ){0,3}(?:budget|situation|goals?|case|schedule|wish(?:es)?)\b"
    # "That is within your limit"; "In your first years you get 25 days" is a rule.
    r"|^(?:that|this|it)\b.{0,40}\byour (?:[\w-]+ ){0,3}(?:years?|weeks?|evenings?"
    r"|limit|plans?|experience)\b|^(?:that|this|it) (?:matters|helps|leaves you)\b"
    r"|^your (?:[\w-]+ ){1,5}(?:should|will) (?:cover|help)\b"
)
_ADVICE = re.compile(
    r"(?i)^(?:(?:yes|no|sure|well),? )?(?:please )?(?:take(?! (?:the|an?|your|one|it"
    r"|with|them)\b)|choose|try|pick|consider|go for|opt for|have a look|look at"
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
    r"(?i)^(?:(?:yes|no)(?=\W*$|[^\w\s])|not (?:all|quite|really|entirely|exactly"
    r"|always)|maybe|perhaps|it depends|n/?a|none)\b(?:[^\w].*|$)"
)
_REGRET = re.compile(
    r"(?i)^(?:i am|i['’]m|we are)? ?(?:sorry|afraid|unfortunately)\W*$"
)


def classify_remark(
    text: str, *, cited: bool = False, linked: bool = False, coded: bool = False
) -> Remark | None:
    """Why a readable sentence states no fact; None when it is to be judged.

    `cited`: it carries a citation, so its author claims evidence for it. `linked`: it
    holds a link or an address, as pointers to further reading do. `coded`: it holds a
    piece of code, of which a page can tell.
    """
    words = text.split()
    has_number = _NUMBER.search(_CODE_IN_BRACKETS.sub("", text)) is not None
    if is_abstention(text):
        return "abstention"
    if text.rstrip('"”’)* ').endswith("?"):
        return "question"
    if cited:
        return None
    if not has_number and len(words) <= 30:
        if _SERVICE.match(text):
            return "offer"
        if _ABOUT_ITSELF.match(text):
            return "other"
    if _ANNOUNCES.match(text):
        return "other"
    if _OFFER.search(text):
        return "offer"
    if _GREETING.match(text) and not has_number:
        return "greeting"
    is_coded = coded or _CODE_SIGN.search(text) is not None
    if _LINK_ONLY.match(text) or _points_on(text, len(words), linked, is_coded):
        return "other"
    if _REGRET.match(text):
        return "other"
    if _ABOUT_ASKER.search(text) and len(words) <= 18:
        return "opinion"
    if _SHORT_REPLY.match(text) and len(words) <= 5 and not has_number:
        return "opinion" if len(words) > 2 else "other"
    if is_coded:
        return None
    return "opinion" if _is_opinion(text, len(words), has_number) else None


def _points_on(text: str, words: int, linked: bool, is_coded: bool) -> bool:
    """A pointer to further reading; "Check `max_connections`" is an order."""
    if not _POINTER.match(text) or (_ORDERED.match(text) and _STATES.match(text)):
        return False
    return linked or (words < 9 and not is_coded)


def is_abstention(text: str) -> bool:
    """Whether the author says that the sources, or they themselves, do not know.

    A negative fact ("The drug did not reduce deaths") is not one.
    """
    return any(pattern.search(text) for pattern in _ABSTENTIONS)


def _is_opinion(text: str, words: int, has_number: bool) -> bool:
    if has_number:
        return False
    if _TASTE.match(text):
        return True
    if _OPINION.search(_QUOTED.sub("", text)):
        return True
    if _CONCRETE.search(_ADDRESS.sub("", text)):
        return False
    if _STATES.match(text):
        return bool(words <= 14 and _YOU.search(text) and _FITS.search(text))
    if _ADVICE.match(text) and words <= 12 and ":" not in text:
        return True
    if _COUNSEL.match(text) and words <= 20 and ":" not in text:
        return True
    return bool(words <= 14 and _YOU.search(text) and _FITS.search(text))
