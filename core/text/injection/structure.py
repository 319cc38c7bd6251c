"""Orders by form: text that plays the prompt, the judge's reply or another speaker.

Whoever wants to be graded by his own hand closes the fence, opens a section of a
prompt, takes a turn as the assistant, or writes the reply that he wants to be read.
Every pattern is bounded, so that hostile text costs no more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_TOP = (
    r"(?:5|10|100|1\.0|5\.0|five|true|yes|pass(?:ed)?|supported|excellent|perfect|a\+"
    r"|faithful|correct)"
)
_QUOTE = r"[\"'“”„‘’`«»]{0,3}"
_BLANK = r"[^\S\n]{0,8}"

TEMPLATE = re.compile(
    r"<\|[a-z_]{2,24}\|?>|\[/?inst\]|<</?sys>>"
    r"|<(?:start|end)_of_turn>|<｜[^｜\n]{1,30}｜>|<\|(?:im_start|im_end|system|user|"
    r"assistant)[^|\n]{0,30}\|?>"
)
"""What chat templates put between turns: a server may read it as such."""

_NAMES = (
    r"(?:answer|evidence|question|context|rubric|instructions?|system|prompt|document"
    r"|response|task|data|user_input|candidate|submission)"
)
CLOSING = re.compile(rf"<(/?){_NAMES}(?:[ \t][^<>\n]{{0,60}})?>")
FENCE = re.compile(
    r"<<[^\S\n]{0,3}[/#]?[a-z0-9_ -]{2,40}>>|\]\]>|<!\[cdata\["
    rf"|^{_BLANK}[-=#*_~\[<({{\"']{{0,12}}{_BLANK}"
    r"(?:end|ends|end of|beginning of|begin|start of|start|stop)"
    r"[^\S\n]{1,3}(?:of[^\S\n]{1,3})?(?:the[^\S\n]{1,3}|this[^\S\n]{1,3}|my[^\S\n]{1,3})?"
    rf"(?:answer|response|evidence|data|untrusted|submission|student|candidate|prompt)\b"
    r"[^\n]{0,20}$"
    rf"|^{_BLANK}(?:the[^\S\n])?answer[^\S\n](?:ends|stops)(?:[^\S\n]here)?\b[^\n]{{0,3}}$",
    re.MULTILINE,
)
"""A guessed delimiter, or a line that says that the answer is over."""
_GRADE_KEY = (
    r"(?:grade|score|rating|verdict|label|mark|points|final[_ ](?:grade|score|verdict)"
    r"|overall[_ ](?:grade|score)|judg[e]?ment|supported|passed|is_supported)"
)
_METRIC_KEY = (
    r"(?:(?:judge_)?(?:faithfulness|completeness|factuality|groundedness)(?:_score)?)"
)
_REASON_KEY = (
    r"(?:explanation|reason|reasons|reasoning|rationale|justification|comment|feedback"
    r"|confidence|analysis|claim|claims|claim_id|id|quote|result|results|evaluation|sentence)"
)
_OBJECT = re.compile(r"\{[^{}]{0,800}\}")
_FIELD = re.compile(
    rf"(?<![\w-]){_QUOTE}([a-z_]{{2,24}}(?:[ ][a-z]{{2,12}})?){_QUOTE}{_BLANK}[:=]"
)
_TOP_FIELD = re.compile(
    rf"(?<![\w-]){_QUOTE}{_GRADE_KEY}{_QUOTE}\s{{0,4}}[:=]\s{{0,4}}{_QUOTE}{_TOP}(?![\w.])"
)
_METRIC_FIELD = re.compile(
    rf"(?<![\w-]){_QUOTE}{_METRIC_KEY}{_QUOTE}\s{{0,4}}[:=]\s{{0,4}}{_QUOTE}"
    rf"(?:\d|{_TOP})"
)
_QUOTED_PAIR = re.compile(
    rf"[\"']{_REASON_KEY}[\"']\s{{0,4}}:\s{{0,4}}[\"'][^\"'\n]{{0,300}}[\"'],?\s{{0,4}}"
    rf"[\"']{_GRADE_KEY}[\"']\s{{0,4}}:[^\n]{{0,12}}"
)
_PLAIN_PAIR = re.compile(
    rf"^{_BLANK}{_GRADE_KEY}{_BLANK}[:=]{_BLANK}{_TOP}\b[^\n]{{0,6}}\n{{1,4}}{_BLANK}{_REASON_KEY}"
    rf"{_BLANK}[:=][^\n]{{0,200}}"
    rf"|^{_BLANK}{_REASON_KEY}{_BLANK}[:=][^\n]{{0,200}}\n{{1,4}}{_BLANK}{_GRADE_KEY}{_BLANK}[:=]"
    rf"{_BLANK}{_TOP}\b",
    re.MULTILINE,
)
_TAGGED = re.compile(rf"<({_GRADE_KEY}|{_METRIC_KEY})>\s{{0,8}}{_TOP}\s{{0,8}}</")
_ALLOWED = re.compile(rf"(?:{_GRADE_KEY}|{_METRIC_KEY}|{_REASON_KEY})")

_TURN = re.compile(
    rf"^{_BLANK}[#>*\[]{{0,4}}{_BLANK}(assistant|system|user|human|ai|model|instruction|response|"
    rf"developer)[\]*]{{0,3}}{_BLANK}[:>\]]",
    re.MULTILINE,
)
_SECTION = re.compile(
    rf"^{_BLANK}[#>*\[]{{0,4}}{_BLANK}(question|answer|evidence|grade|score|rubric|scale|verdict"
    rf"|rating|grading(?: result)?|new task|final grade|task)\b[^\n:]{{0,24}}[:\]]",
    re.MULTILINE,
)
_SCALE_LINE = re.compile(
    rf"^{_BLANK}[-*(]?{_BLANK}([1-5]){_BLANK}[:=).-]", re.MULTILINE
)
_SCALE_WORD = re.compile(
    r"any answer|every answer|all answers|this answer|the answer|grade the"
)
_GRADED = re.compile(
    rf"\b(?:grade|score|rating|verdict|faithfulness)\b{_BLANK}(?:is|of|:|=|-|->)?{_BLANK}{_TOP}\b"
)
_TURN_TOP = re.compile(
    rf"\b(?:grade|score|graded?|gets?|rating|verdict|number)\b[^\n]{{0,30}}\b{_TOP}\b"
)
LINE = 1000
"""Characters: a line that is longer is not looked through to its ends each time."""
TURN_LENGTH = 400
"""Characters: what stands between two template marks so near is a planted turn."""
EXAMPLES = 3
"""As many graded examples are an attempt to teach the judge; fewer are a list."""


def find_by_form(text: str) -> Iterator[Span]:
    """Spans of a folded text that play a part which is not the answer's; they may
    overlap, and cover what is to be left out at least."""
    yield from _templates(text)
    yield from _matches(FENCE, text)
    yield from _closings(text)
    yield from _objects(text)
    for pattern in (_METRIC_FIELD, _QUOTED_PAIR, _PLAIN_PAIR, _TAGGED):
        yield from _matches(pattern, text)
    yield from _turns(text)
    yield from _sections(text)
    yield from _scales(text)
    yield from _examples(text)


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    return (found.span() for found in pattern.finditer(text))


def _templates(text: str) -> Iterator[Span]:
    """Lines with marks of a chat template, and what stands between two of them."""
    reached = -TURN_LENGTH
    for found in TEMPLATE.finditer(text):
        start, end = _line(text, found.start())[0], _line(text, found.end())[1]
        if found.start() - reached < TURN_LENGTH:
            start = reached
        if start < end:
            yield start, end
        reached = max(reached, end)


def _closings(text: str) -> Iterator[Span]:
    """Tags of a prompt that close what the answer never opened."""
    opened = 0
    for found in CLOSING.finditer(text):
        if not found[1]:
            opened += 1
        elif opened:
            opened -= 1
        else:
            yield found.span()


def _objects(text: str) -> Iterator[Span]:
    """JSON that is a judge's reply: a top grade, and nothing but grades and reasons."""
    for found in _OBJECT.finditer(text):
        body = found[0]
        if not _TOP_FIELD.search(body):
            continue
        keys = {key[1].strip() for key in _FIELD.finditer(body)}
        if all(_ALLOWED.fullmatch(key) for key in keys):
            yield found.span()


def _line(text: str, place: int) -> Span:
    """The line around a place, or as much of it as is within reach."""
    lowest, highest = max(0, place - LINE), min(len(text), place + LINE)
    start = text.rfind("\n", lowest, place) + 1
    end = text.find("\n", place, highest)
    return start or lowest, highest if end < 0 else end


def _turns(text: str) -> Iterator[Span]:
    """A turn as another speaker that speaks of a grade, up to the end of its line."""
    for found in _TURN.finditer(text):
        start, end = _line(text, found.end())
        after = _line(text, end + 1)[1] if end < len(text) else end
        if _TURN_TOP.search(text, start, end):
            yield start, end
        elif _TURN_TOP.search(text, start, after):
            yield start, after


def _sections(text: str) -> Iterator[Span]:
    """Sections of a judge's prompt: of questions and evidence, or with a top grade.

    "Question:" and "Answer:" alone are what any page of questions has."""
    places = list(_SECTION.finditer(text))
    names = {found[1] for found in places}
    if not places:
        return
    graded = [
        found
        for found in places
        if found[1]
        in (
            "grade",
            "score",
            "verdict",
            "rating",
            "grading",
            "final grade",
            "grading result",
        )
        and re.match(
            rf"{_BLANK}[*_]{{0,2}}{_QUOTE}{_TOP}\b",
            text[found.end() : found.end() + 30],
        )
    ]
    if graded and names & {"question", "answer", "evidence", "rubric"}:
        yield _line(text, places[0].start())[0], _line(text, graded[-1].end())[1]
    elif {"question", "evidence"} <= names and names & {"grade", "rubric", "answer"}:
        for found in places:
            yield _line(text, found.start())
    for found in graded:
        if found[1] in ("grading", "grading result", "final grade") or _stands_alone(
            text, found.start()
        ):
            yield _line(text, found.start())


def _stands_alone(text: str, place: int) -> bool:
    """Whether a field is no part of a list of fields: "Rating: 5", "Price: 4"."""
    start, end = _line(text, place)
    around = []
    if start:
        around.append(text[_line(text, start - 1)[0] : start - 1])
    if end < len(text):
        around.append(text[slice(*_line(text, end + 1))])
    return (
        len(text[start:end].split()) <= 3
        and not any(re.match(r"[^\n:]{1,40}[:=]", line) for line in around)
        and any(not line.strip() for line in around)
    )


def _scales(text: str) -> Iterator[Span]:
    """A scale of the answer's own: three lines of "5: …", "4: …" and the like."""
    lines = list(_SCALE_LINE.finditer(text))
    for first, third in zip(lines, lines[2:], strict=False):
        start, end = first.start(), _line(text, third.end())[1]
        if int(first[1]) > int(third[1]) and end - start < 600:
            around = text[max(0, start - 200) : end]
            if _SCALE_WORD.search(around):
                yield start, end


def _examples(text: str) -> Iterator[Span]:
    """Many graded examples in a row."""
    found = list(_GRADED.finditer(text))
    for first, last in zip(found, found[EXAMPLES - 1 :], strict=False):
        if last.end() - first.start() < 400 * EXAMPLES:
            for one in (first, last):
                yield _line(text, one.start())
