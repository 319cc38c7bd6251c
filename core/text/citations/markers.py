"""Citation markers of an answer: what they name, where they stand, whose they are.

What stands in brackets is read by `marker_content`, other dialects by `dialects`. What
looks like a citation but names nothing known (`[PMID:999, S:1]`, `[0]`) is returned as
written, so that it can be called broken; what nobody can read is unread text.

Not citations: Markdown links and images, link definitions, the list of references at
the end, task boxes, anything in code, indexing (`rows[0]`), intervals, years, powers,
remarks (`[sic]`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from claimscope.core.text.citations.dialects import (
    FOLDED,
    FoundMarker,
    bracketed_items,
    is_interval,
    looks_like_marker,
    parenthesised_markers,
    raised_markers,
    unknown_signs,
)
from claimscope.core.text.citations.marker_content import (
    KnownPages,
    MarkerItem,
    known_pages,
    read_items,
)
from claimscope.core.text.citations.reference_list import (
    closing_list_start,
    reference_entries,
)
from claimscope.core.text.sentences import Span, sentence_at

_BRACKET = re.compile(r"\\?\[([^\[\]]{1,400}?)\\?\]")
_CODE = re.compile(
    r"(?ms)^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1|\Z)|(?<!`)(`{1,2})(?!`)"
    r"[^`\n]+\2(?!`)"
)
# Repeats give nothing back (`*+`): what follows each begins with what it cannot hold.
_LINK = re.compile(r"!?\[[^\[\]\n]*+\]\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+[^()]*+\)")
_LIST_NUMBER = re.compile(r"\d{1,3}[.)]\s")
_SOLID = re.compile(r"\S")
_PAIRS = (("**", "**"), ("(", ")"))
_SIGNS = frozenset("[［〔【〖(<{⁽⁰¹²³⁴⁵⁶⁷⁸⁹")
"""One of these is in every marker."""


@dataclass(frozen=True)
class Marker:
    """A citation marker: `answer[start:end] == text`."""

    text: str
    start: int
    end: int
    items: tuple[MarkerItem, ...]


@dataclass(frozen=True)
class UnreadText:
    """What looks like a marker, and why it is taken for none."""

    text: str
    start: int
    end: int
    reason: str


def find_markers(text: str, known_page_ids: Collection[str] = ()) -> tuple[Marker, ...]:
    """Markers of `text` in order. Known ids may hold spaces, colons and slashes; given
    as PageNames, author and year name a page too."""
    return tuple(
        Marker(text[one.start : one.end], one.start, one.end, one.items)
        for one in _find_all(text, known_page_ids)
        if one.items
    )


def find_unread(
    text: str, known_page_ids: Collection[str] = ()
) -> tuple[UnreadText, ...]:
    """What looks like a marker and cites nothing, in order, for people."""
    found = _find_all(text, known_page_ids)
    strangers = [one for one in found if not one.items]
    if not found:
        strangers = list(_listed_only(text, known_page_ids))
    return tuple(
        UnreadText(text[one.start : one.end], one.start, one.end, one.problem)
        for one in strangers
    )


def _find_all(text: str, known_page_ids: Collection[str]) -> list[FoundMarker]:
    """All that looks like a marker, in order and apart; with items what is one."""
    if _SIGNS.isdisjoint(text):
        return []
    known = known_pages(tuple(known_page_ids))
    closed = [[m.span() for m in one.finditer(text)] for one in (_CODE, _LINK)]
    begins = closing_list_start(text)
    pages = reference_entries(text, begins, known)
    every = [
        *_in_brackets(text, known, pages),
        *raised_markers(text),
        *parenthesised_markers(text, known_page_ids),
        *unknown_signs(text, known_page_ids),
    ]
    every.sort(key=lambda one: (one.start, -one.end, not one.items))
    found: list[FoundMarker] = []
    last = 0
    for one in every:
        if one.start >= begins:
            break
        if one.start >= last and not any(_covers(spans, one.start) for spans in closed):
            found.append(one)
            last = one.end
    return found


def _in_brackets(
    text: str, known: KnownPages, pages: dict[str, str]
) -> Iterator[FoundMarker]:
    """Markers in brackets. `pages`: what a list of references says of a label."""
    folded = text.translate(FOLDED)
    for match in _BRACKET.finditer(folded):
        start, end = match.span()
        content = match.group(1)
        if _is_markup(folded, start, end, content):
            continue
        label = content.strip("^ ")
        items = read_items(content, known) or bracketed_items(content, known)
        if label in pages and all(one.page_id is None for one in items):
            yield FoundMarker(start, end, (MarkerItem(page_id=pages[label]),))
        elif items:
            if content[:1].isdigit() and _is_indexing(text, start, end, items):
                continue
            if not is_interval(folded, start, end, items):
                items = tuple(_resolve_label(one, pages) for one in items)
                yield FoundMarker(start, end, items)
        elif looks_like_marker(content) and (
            content[0] == "^" or not _word_before(folded, start)
        ):
            yield FoundMarker(start, end, problem="a marker of unknown kind")


def _resolve_label(item: MarkerItem, pages: dict[str, str]) -> MarkerItem:
    page = pages.get(str(item.position))
    return MarkerItem(page_id=page) if page is not None else item


def _listed_only(text: str, known_page_ids: Collection[str]) -> Iterator[FoundMarker]:
    """The markers of a closing list, when the text itself has none."""
    begins = closing_list_start(text)
    known = known_pages(tuple(known_page_ids))
    for one in _in_brackets(text[begins:], known, {}):
        reason = "it stands in the list at the end, which cites nothing"
        yield FoundMarker(begins + one.start, begins + one.end, problem=reason)


def attach_markers(
    text: str, spans: Sequence[Span], markers: Iterable[Marker]
) -> tuple[int | None, ...]:
    """For each marker the index of the sentence it belongs to: the one before it, on
    either side of the full stop. None only when there is no sentence."""
    ordered = tuple(markers)
    words = _Words(text, ordered)
    bare = [words.any(start, end) for start, end in spans]
    owners: list[int | None] = []
    before = _last_before(bare)
    for marker in ordered:
        index = sentence_at(spans, marker.start)
        if index is None:
            owners.append(0 if spans else None)
            continue
        start, _ = spans[index]
        opens_line = text.find("\n", spans[index - 1][1], start) >= 0 if index else True
        if not words.any(start, marker.start) and not (opens_line and bare[index]):
            found = before[index]
            index = index if found is None else found
        owners.append(index)
    return tuple(owners)


def strip_markers(text: str, markers: Iterable[Marker] | None = None) -> str:
    """`text` without its markers and the blanks, brackets and stops left by them."""
    chosen = find_markers(text) if markers is None else markers
    kept: list[str] = []
    last = 0
    for start, end in marker_removals(text, chosen):
        kept.append(text[last:start])
        if text[end : end + 1].isalnum():
            kept.append(" ")
        last = end
    return "".join([*kept, text[last:]])


def marker_removals(text: str, markers: Iterable[Marker]) -> list[Span]:
    """Spans to leave out, in order and apart, for a text without its markers."""
    return removal_spans(text, sorted((marker.start, marker.end) for marker in markers))


def removal_spans(text: str, places: Iterable[Span]) -> list[Span]:
    """As `marker_removals`, for the places of markers, in order."""
    spans: list[Span] = []
    for left_end, right_end in places:
        start, end = _before_blanks(text, left_end), right_end
        for left, right in _PAIRS:
            if text.endswith(left, 0, start) and text.startswith(right, end):
                start, end = _before_blanks(text, start - len(left)), end + len(right)
        if spans and start <= spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, _after_stop(text, start, end)))
    return spans


def _before_blanks(text: str, start: int) -> int:
    """Takes in the white space before a marker."""
    while start and text[start - 1].isspace():
        start -= 1
    return start


def _after_stop(text: str, start: int, end: int) -> int:
    """Takes in a stop that would follow another stop."""
    doubled = text[start - 1 : start] in {".", "!", "?"} and text[end : end + 1] in {
        ".",
        ";",
        ",",
    }
    return end + 1 if start and doubled else end


class _Words:
    """Where a text has letters or digits outside markers and list numbers: counted
    once, since an answer of many markers asks for each."""

    def __init__(self, text: str, markers: Sequence[Marker]) -> None:
        pieces: list[str] = []
        last = 0
        for start, end in sorted((marker.start, marker.end) for marker in markers):
            if end > last:
                pieces += (text[last:start], " " * (end - max(start, last)))
                last = end
        self._text = "".join((*pieces, text[last:]))
        self._before = [0, *accumulate(char.isalnum() for char in self._text)]
        self._opens: dict[int, int] = {}

    def any(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` has one."""
        begin = self._opens.get(start)
        if begin is None:
            solid = _SOLID.search(self._text, start)
            begin = self._opens[start] = solid.start() if solid else len(self._text)
        number = _LIST_NUMBER.match(self._text, begin, max(begin, end))
        if number:
            begin = number.end()
        return begin < end and self._before[end] > self._before[begin]


def _covers(spans: Sequence[Span], place: int) -> bool:
    """Whether one of some spans, in order and apart, holds a place."""
    at = sentence_at(spans, place)
    return at is not None and place < spans[at][1]


def _last_before(flags: Sequence[bool]) -> list[int | None]:
    """For each place the nearest one before it with a flag."""
    found: list[int | None] = []
    last: int | None = None
    for place, flag in enumerate(flags):
        found.append(last)
        if flag:
            last = place
    return found


def _is_markup(text: str, start: int, end: int, content: str) -> bool:
    """Task boxes, link definitions and the ends of reference links."""
    if not content.strip(" xX"):
        return True
    if text[end : end + 1] == ":" and _opens_line(text, start):
        return True
    if text[start - 1 : start] == "]":
        opening = text.rfind("[", 0, start - 1)
        label = text[opening + 1 : start - 1] if opening >= 0 else ""
        return not any(char.isdigit() for char in label)
    return False


def _opens_line(text: str, start: int) -> bool:
    while start and text[start - 1].isspace() and text[start - 1] != "\n":
        start -= 1
    return not start or text[start - 1] == "\n"


def _is_indexing(
    text: str, start: int, end: int, items: tuple[MarkerItem, ...]
) -> bool:
    """`rows[0]`, `m[1].name`, the interval [0, 1]."""
    numbers = [item.position for item in items if item.position is not None]
    if len(numbers) < len(items):
        return False
    if 0 in numbers and len(numbers) > 1:
        return True
    name = _word_before(text, start)
    if not name:
        return False
    is_acronym = len(name) > 1 and name.isalpha() and name.isupper()
    is_prose = is_acronym or name.isdigit() or (len(name) > 1 and name[1:].islower())
    is_prose = is_prose and (name.isalpha() or name.isdigit())
    return not is_prose or 0 in numbers or text[end : end + 1] in {"=", "("}


def _word_before(text: str, start: int) -> str:
    word = re.search(r"\w+$", text[max(start - 40, 0) : start])
    return word.group() if word else ""
