"""Citation markers of an answer: what they name, where they stand, whose they are.

Grammar (METRICS C): `[PMID:12345, S:2]`, `[PMID:12345]`, `[PMID:1, S:2; PMID:2, S:1]`,
ranges `S:2-4`, lists `S:2,5`, the sentence id `[PMID:1:S:2]`, any page id of the corpus
in place of the PMID, and `[3]`, `[1, 3]`, `[2-4]` as positions in the context list.
Case and inner spaces do not matter. What looks like a citation but names nothing known
(`[PMID:999, S:1]`, `[0]`) is returned as written, so that it can be called broken.

Not citations: Markdown links and images, link definitions, footnotes, task boxes,
anything in code, indexing (`rows[0]`), years, remarks (`[sic]`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from claimscope.core.text.sentences import Span, sentence_at

_BRACKET = re.compile(r"\\?\[([^\[\]]{1,400}?)\\?\]")
_CODE = re.compile(
    r"(?ms)^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1|\Z)|(?<!`)(`{1,2})(?!`)"
    r"[^`\n]+\2(?!`)"
)
# Repeats give nothing back (`*+`): what follows each begins with what it cannot hold.
_LINK = re.compile(r"!?\[[^\[\]\n]*+\]\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+[^()]*+\)")
_TRAILING_SENTENCE = re.compile(r"(?is)^(.+?)\s*:\s*(S\s*:\s*\d.*)$")
_SENTENCE = re.compile(r"(?i)^S(?:entences?)?\s*[:.]?\s*(\d.*)$")
_LIST_NUMBER = re.compile(r"\d{1,3}[.)]\s")
_SOLID = re.compile(r"\S")
_NUMBER = re.compile(r"^(\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?$")
_ID_LIKE = re.compile(
    r"(?i)^(?:(?:PMID|PMC|DOI)\s*:?\s*[\w./-]*\d[\w./-]*|https?://\S+)$"
)
_WIDEST_RANGE = 100
_PAIRS = (("**", "**"), ("(", ")"))


@dataclass(frozen=True)
class Item:
    """One thing a marker names: a page, a sentence of a page, or a position."""

    page_id: str | None = None
    """As the corpus spells it when known, else as written."""
    sentence: int | None = None
    """Sentence index from 0."""
    position: int | None = None
    """Place in the context list, from 1; 0 is never valid."""


@dataclass(frozen=True)
class Marker:
    """A citation marker: `answer[start:end] == text`."""

    text: str
    start: int
    end: int
    items: tuple[Item, ...]


def find(text: str, known_page_ids: Collection[str] = ()) -> tuple[Marker, ...]:
    """Markers of `text` in order. Known ids may hold spaces, colons and slashes."""
    if "[" not in text:
        return ()
    known = _known(tuple(known_page_ids))
    closed = [_Spans(m.span() for m in one.finditer(text)) for one in (_CODE, _LINK)]
    markers: list[Marker] = []
    for match in _BRACKET.finditer(text):
        start, end = match.span()
        if any(start in spans for spans in closed):
            continue
        content = match.group(1)
        if _is_markup(text, start, end, content):
            continue
        items = _items(content, known)
        if items and not _is_indexing(text, start, end, items):
            markers.append(Marker(match.group(), start, end, items))
    return tuple(markers)


def attach(
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


def strip(text: str, markers: Iterable[Marker] | None = None) -> str:
    """`text` without its markers and the blanks, brackets and stops left by them."""
    chosen = find(text) if markers is None else markers
    kept: list[str] = []
    last = 0
    for start, end in removals(text, chosen):
        kept.append(text[last:start])
        if text[end : end + 1].isalnum():
            kept.append(" ")
        last = end
    return "".join([*kept, text[last:]])


def removals(text: str, markers: Iterable[Marker]) -> list[Span]:
    """Spans to leave out, in order and apart, for a text without its markers."""
    return without(text, sorted((marker.start, marker.end) for marker in markers))


def without(text: str, places: Iterable[Span]) -> list[Span]:
    """As `removals`, for the places of markers, in order."""
    spans: list[Span] = []
    for left_end, right_end in places:
        start, end = _widened(text, left_end), right_end
        for left, right in _PAIRS:
            if text.endswith(left, 0, start) and text.startswith(right, end):
                start, end = _widened(text, start - len(left)), end + len(right)
        if spans and start <= spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, _after_stop(text, start, end)))
    return spans


def _widened(text: str, start: int) -> int:
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


class _Spans:
    """Spans that lie in order and apart."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = list(spans)

    def __contains__(self, place: int) -> bool:
        at = bisect_right(self._spans, place, key=lambda span: span[0]) - 1
        return at >= 0 and place < self._spans[at][1]


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
    """Footnotes, task boxes, link definitions and the ends of reference links."""
    if content.startswith("^") or not content.strip(" xX"):
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


def _is_indexing(text: str, start: int, end: int, items: tuple[Item, ...]) -> bool:
    """`rows[0]`, `m[1].name`, the interval [0, 1]."""
    numbers = [item.position for item in items if item.position is not None]
    if len(numbers) < len(items):
        return False
    if 0 in numbers and len(numbers) > 1:
        return True
    word = re.search(r"\w+$", text[max(start - 40, 0) : start])
    if word is None:
        return False
    name = word.group()
    is_prose = len(name) > 1 and name.isalpha() and name[1:].islower()
    return not is_prose or 0 in numbers or text[end : end + 1] in {"=", "("}


# --- what stands inside the brackets ----------------------------------------


def _normal(page_id: str) -> str:
    squeezed = re.sub(r"\s*([:/,;])\s*", r"\1", " ".join(page_id.casefold().split()))
    return re.sub(r"^(?:https?://)?(?:www\.)?|/$|\\$", "", squeezed)


class _Known:
    """Page ids of the corpus, found whatever their case and inner spaces."""

    def __init__(self, page_ids: Collection[str]) -> None:
        self.by_form: dict[str, str] = {}
        self.prefixes: set[str] = set()
        self.commas = max((page_id.count(",") for page_id in page_ids), default=0)
        for page_id in page_ids:
            form = _normal(page_id)
            self.by_form.setdefault(form, page_id)
            prefix = re.match(r".+?[:/]", form)
            if prefix:
                self.prefixes.add(prefix.group())
            if form.startswith("pmid:"):
                self.by_form.setdefault(form[5:], page_id)
            elif form.isdigit():
                self.by_form.setdefault("pmid:" + form, page_id)

    def get(self, written: str) -> str | None:
        form = _normal(written)
        return self.by_form.get(form) or self.by_form.get(form.replace(" ", ":"))

    def resembles(self, written: str) -> bool:
        """Whether it starts as the ids of the corpus do."""
        form = _normal(written)
        return any(form.startswith(prefix) for prefix in self.prefixes)


@lru_cache(maxsize=4)
def _known(page_ids: tuple[str, ...]) -> _Known:
    """Built once a corpus, not once an answer."""
    return _Known(page_ids)


def _items(content: str, known: _Known) -> tuple[Item, ...]:
    """What the brackets name; empty when they are no citation."""
    whole = known.get(content)
    if whole is not None:
        return (Item(page_id=whole),)
    items: list[Item] = []
    page: str | None = None
    for segment in content.split(";"):
        found, page = _segment(segment.strip(), page, known)
        if not found:
            return ()
        items.extend(found)
    return tuple(items)


def _segment(
    segment: str, page: str | None, known: _Known
) -> tuple[list[Item], str | None]:
    """Items of one part between semicolons; `page` is inherited by a bare `S:n`."""
    tokens = segment.split(",")
    items: list[Item] = []
    sentences: list[int] | None = None
    at = 0
    while at < len(tokens):
        used, page_id = _page_at(tokens, at, known)
        token = tokens[at].strip()
        place = _SENTENCE.match(token)
        number = _NUMBER.match(place.group(1).strip() if place else token)
        glued = _TRAILING_SENTENCE.match(token)
        if page_id is not None:
            page, sentences = page_id, []
            items.append(Item(page_id=page))
            at += used
        elif glued and known.get(token) is None:
            tokens[at : at + 1] = [glued.group(1), glued.group(2)]
        elif number and page is not None and (place or sentences):
            if items and items[-1] == Item(page_id=page):
                items.pop()
            places = _range(number)
            sentences = places
            items.extend(_sentence(page, place) for place in places)
            at += 1
        elif number and not place and page is None:
            if len(token) == 4 and 1500 <= int(number.group(1)) <= 2100:
                return [], page
            items.extend(Item(position=place) for place in _range(number))
            at += 1
        elif _names_page(tokens, at, known):
            page, sentences = token, []
            items.append(Item(page_id=page))
            at += 1
        else:
            return [], page
    return items, page


@lru_cache(maxsize=4096)
def _sentence(page: str, place: int) -> Item:
    """One object a sentence, however many ranges hold it."""
    return Item(page_id=page, sentence=place)


def _page_at(tokens: list[str], at: int, known: _Known) -> tuple[int, str | None]:
    """The longest known page id that starts at a token, as ids may hold commas."""
    longest = min(len(tokens), at + known.commas + 1)
    for end in range(longest, at, -1):
        page_id = known.get(",".join(tokens[at:end]))
        if page_id is not None:
            return end - at, page_id
    return 0, None


def _names_page(tokens: list[str], at: int, known: _Known) -> bool:
    """Whether an unknown token is meant as a page id."""
    token = tokens[at].strip()
    if not token or _SENTENCE.match(token):
        return False
    if _ID_LIKE.match(token) or known.resembles(token):
        return True
    return at + 1 < len(tokens) and _SENTENCE.match(tokens[at + 1].strip()) is not None


def _range(number: re.Match[str]) -> list[int]:
    first = int(number.group(1))
    last = int(number.group(2) or first)
    if last < first or last - first > _WIDEST_RANGE:
        return [first, last]
    return list(range(first, last + 1))
