"""What a fragment stands under: headings, lead-ins, and how both are read with an item.

"The club meets" and "on Fridays" are one statement; "Fees" and "20 marks" need one
another too. A heading that says nothing ("Overview") is lent to no fragment.
"""

from __future__ import annotations

import re

from claimscope.core.text.linguistics import has_clause, is_phrase, last_part
from claimscope.core.text.quantities.dates import HOURS

_NUMBERED = re.compile(
    r"(?i)(?:(?:step|part|section|option|tip)\s+\d{1,3}\s*[:.)–-]|\(?\d{1,3}[.)]"
    r"|\(?[a-z]\))\s+(?=\S)"
)
_ANNOUNCED = re.compile(
    r"(?i)(?:(?:sure|certainly|of course|yes|okay|ok)[,!.]?\s+)?(?:here(?:['’]s| is"
    r"| are)|these are|this is|below (?:is|are)|the following (?:is|are)|in (?:short"
    r"|summary|brief)\b,?)\s*"
)
_SAYS_NOTHING = re.compile(
    r"(?i)(?:(?:a|an|the|my|your|some|our|its|their|brief|quick|short|full|more|further"
    r"|detailed|key|main|important|following|other|next|additional|few|several|common"
    r"|possible|relevant|different|useful|best|easiest|simplest|quickest|fastest"
    r"|step-by-step|one|two|three|four|five|six|\d+)"
    r"\s+)*(?:answers?|aspects?|breakdown|conclusion|details?|examples?|explanation|facts?"
    r"|features?|findings?|highlights?|information|items?|introduction|list|methods?"
    r"|notes?|options?|overview|points?|reasons?|results?|sources?|references?|steps?"
    r"|summary|takeaways?|things?|tips?|ways?|what(?:\s.*)?|how(?:\s.*)?|why(?:\s.*)?"
    r"|(?:then |now |next,? |finally,? )?(?:run|use|execute|add|type|enter|try"
    r"|do)(?: (?:it|this|that|these|the following|(?:the|this|these) (?:following )?"
    r"(?:commands?|code|lines?|settings?|snippet)))?"
    r"|i(?:['’]\w+)?\s.*|you(?:['’]\w+)?\s.*|follows?|as follows|tl;?dr"
    r"|things? to\s.*|good to know|keep in mind|please note)?"
)
_SCOPE = re.compile(
    r"(?i)(?:for|in|on|at|with|without|under|during|from|until|before|after|as of|since"
    r"|if|when|unless|outside)\s"
)
"""A lead-in that says for what its items hold: "For members:"."""
_LINK = frozenset(
    """about above across after against along among around as at before behind below
    between beyond by during for from in inside into near of off on onto out outside
    over per since through throughout to toward towards under until up upon via with
    within without and or because if when where that which who whose""".split()
)
_CONJUNCTIONS = frozenset("and or because if when where that which who whose".split())
_NUMBER_WORDS = {word: number for number, word in enumerate(HOURS, 1)}
_COUNT = re.compile(
    rf"(?i)(?<![\w.,-])(\d{{1,2}}|{'|'.join(HOURS)})\s+(?:[a-z-]+\s+){{0,2}}?[a-z]+s?\b"
)
_FIGURE = re.compile(rf"(?i)\d|\b(?:{'|'.join(_NUMBER_WORDS)})\b")
_STOPPED = re.compile(r"(?:The|An?|This|These|It|They|You|We|There)\s[\s\S]*[.!]$")
"""A sentence by its first word and its stop, whatever the parser makes of it."""
_FOLLOW = re.compile(
    r",?\s*(?:just |simply |please |you can )?(?:follow|do|use|take|try"
    r"|run) (?:these|this|the)(?: following)?(?: \w+)?(?: (?:steps?|commands?))?$"
)
_AFTER_LABEL = re.compile(r"\w(?::| [–—-]) ")
_DIGIT = re.compile(r"\d")
_LABELLED = re.compile(r"([A-Z][\w/&'’() -]{0,60}?):\s+(?=\S)")
_STARTER = re.compile(
    r"""(?:The|An?|This|These|Those|It|Its|They|You|Your|There|If|When|For|In|On|At
    |To|With|Without|By|From|Under|After|Before|During|Until|Every|Each|All|No|Not
    |Only|Up|About|Between|Near|Enter|Click|Open|Select|Choose|Run|Install|Set|Use|Add
    |Create|Go|Press|Type|Pass|Copy|Download|Upload|Start|Stop|Restart|Call|Check|Close
    |Configure|Connect|Delete|Disable|Edit|Enable|Execute|Export|Import|Log|Make|Move
    |Navigate|Paste|Pick|Pull|Push|Put|Read|Remove|Rename|Replace|Return|Review|Save|Send
    |Sign|Specify|Submit|Switch|Take|Tap|Test|Turn|Update|Upgrade|Verify|Visit|Wait|Write
    |Confirm|Apply|Attach|Bring|Clean|Drag|Fill|Find|Heat|Hold|Leave|Let|Look|Mix|Stir
    |Unplug|Insert|Keep|Plug|Pour|Provide|Store|Request|Reset|Scan)
    (?=\s|$)""",
    re.X,
)
"""Words that have their capital from where they stand."""
LONGEST = 300
"""Characters of a lead-in that is lent to its items."""


def strip_number(text: str) -> str:
    """A heading or label without its number: "3. Log in", "Step 3: Log in"."""
    match = _NUMBERED.match(text)
    return text[match.end() :] if match else text


def topic_of(head: str) -> str | None:
    """What a heading or a lead-in without a verb says; None when it says nothing."""
    text = strip_number(head.strip()).rstrip(": ")
    announced = _ANNOUNCED.match(text)
    if announced is not None:
        text = text[announced.end() :]
    if len(text) <= LONGEST:
        text = _FOLLOW.sub("", text)
    if not text or len(text) > LONGEST or _SAYS_NOTHING.fullmatch(text):
        return None
    return text[:1].upper() + text[1:] if announced else text


def is_announced(text: str) -> bool:
    """Whether a lead-in only announces: "Here are the fees:"."""
    return _ANNOUNCED.match(text) is not None


def counts_only(text: str, items: int) -> bool:
    """Whether the figures of a lead-in say no more than how many items follow."""
    figures = _FIGURE.findall(text)
    if not figures:
        return True
    count = _COUNT.search(text)
    if count is None or len(figures) != 1:
        return False
    said = count[1].casefold()
    return _NUMBER_WORDS.get(said, int(said) if said.isdigit() else 0) == items


def read_under(lead: str, item: str) -> str:
    """An item read with its lead-in: as one sentence where one goes on in the other
    ("The club meets", "on Fridays"), else one behind the other."""
    stands = _STOPPED.match(item) is not None or (
        has_clause(item) and not (_AFTER_LABEL.search(item) and is_phrase(item))
    )
    joins = not stands or item[:1].islower() or last_part(lead) in _HELPING
    if joins and is_open_ended(lead):
        return f"{lead} {lower_first(item)}"
    if stands and (is_sentence(item) or not continues_sentence(item)):
        # It stands alone, but where the lead-in says for what it holds.
        scopes = _SCOPE.match(lead) and not has_clause(lead)
        return f"{lead}: {lower_first(item)}" if scopes else item
    if continues_sentence(item) and has_clause(lead):
        return f"{lead} {lower_first(item)}"
    if has_clause(lead) and _AFTER_LABEL.search(item) and not _DIGIT.search(item):
        # A page that says the lead-in would seem to say all that is put behind it.
        return item
    return f"{lead}: {lower_first(item)}"


def is_sentence(item: str) -> bool:
    """Whether an item has a main clause: not "when it rains"."""
    first = item.partition(" ")[0].casefold()
    return first not in _CONJUNCTIONS and not is_phrase(item)


def is_open_ended(lead: str) -> bool:
    """Whether a lead-in cannot end where it does: "Kestrel reads", "You can"."""
    ends = last_part(lead) in _OPEN_ENDS and not lead.casefold().endswith("following")
    return ends and has_clause(lead)


_HELPING = frozenset({"AUX", "PART"})
_OPEN_ENDS = frozenset({"VERB", "ADP", *_HELPING})
"""Kinds of words that a lead-in ends with only when its items go on."""


def continues_sentence(item: str) -> bool:
    """Whether an item continues a sentence: "on Fridays"."""
    first = item.partition(" ")[0]
    return first.casefold() in _LINK and (first.islower() or first.istitle())


def lower_first(text: str) -> str:
    """The text as it reads behind other words; names and identifiers stay."""
    match = _STARTER.match(text)
    return text[0].lower() + text[1:] if match else text


def lower_after_label(text: str) -> str:
    """ "Log in: Enter the token" with its second capital taken back: that a word opens
    the part behind a label makes it no name."""
    match = _LABELLED.match(text)
    if match is None:
        return text
    return text[: match.end()] + lower_first(text[match.end() :])
