"""What a citation marker names: pages, their sentences, or places in a context list.

Grammar (METRICS C): `[PMID:12345, S:2]`, `[PMID:12345]`, `[PMID:1, S:2; PMID:2, S:1]`,
ranges `S:2-4`, lists `S:2,5`, the sentence id `[PMID:1:S:2]`, any page id of the corpus
in place of the PMID, and `[3]`, `[1, 3]`, `[2-4]` as positions in the context list.
Case and inner spaces do not matter. After `S:n` a number is a sentence, also where a
page has that number for its id.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

_TRAILING_SENTENCE = re.compile(r"(?is)^(.+?)\s*:\s*(S\s*:\s*\d.*)$")
_SENTENCE = re.compile(r"(?i)^S(?:entences?)?\s*[:.]?\s*(\d.*)$")
_NUMBER = re.compile(r"^(\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?$")
_ID_LIKE = re.compile(
    r"(?i)^(?:(?:PMID|PMC|DOI)\s*:?\s*[\w./-]*\d[\w./-]*|https?://\S+)$"
)
_WIDEST_RANGE = 100
_LONGEST_INDEX = 4
"""Digits of a sentence index; a longer number in a list is a page id."""


@dataclass(frozen=True)
class MarkerItem:
    """One thing a marker names: a page, a sentence of a page, or a position."""

    page_id: str | None = None
    """As the corpus spells it when known, else as written."""
    sentence: int | None = None
    """Sentence index from 0."""
    position: int | None = None
    """Place in the context list, from 1; 0 is never valid."""
    author: str | None = None
    """`Smith 2020`, where no page says who that is; the others are None then."""


class PageNames(tuple[str, ...]):
    """Page ids with what else their pages are called by: author and year."""

    authors: Mapping[tuple[str, str], str | int]
    """(surname in lower case, year) → page id, or position in the context list."""

    def __new__(
        cls, ids: Iterable[str], authors: Mapping[tuple[str, str], str | int]
    ) -> PageNames:
        names = super().__new__(cls, ids)
        names.authors = authors
        return names


def _normal(page_id: str) -> str:
    squeezed = re.sub(r"\s*([:/,;])\s*", r"\1", " ".join(page_id.casefold().split()))
    return re.sub(r"^(?:https?://)?(?:www\.)?|/$|\\$", "", squeezed)


class KnownPages:
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
def known_pages(page_ids: tuple[str, ...]) -> KnownPages:
    """Built once a corpus, not once an answer."""
    return KnownPages(page_ids)


def read_items(content: str, known: KnownPages) -> tuple[MarkerItem, ...]:
    """What the brackets name; empty when they are no citation."""
    whole = known.get(content)
    if whole is not None:
        return (MarkerItem(page_id=whole),)
    items: list[MarkerItem] = []
    page: str | None = None
    for segment in content.split(";"):
        found, page = _read_segment(segment.strip(), page, known)
        if not found:
            return ()
        items.extend(found)
    return tuple(items)


def read_positions(content: str) -> tuple[MarkerItem, ...]:
    """Places of a list of numbers, `1, 3-5`; empty when it is none."""
    items: list[MarkerItem] = []
    for token in re.split(r"[,;]", content):
        number = _NUMBER.match(token.strip())
        if number is None or len(number.group(1)) > _LONGEST_INDEX:
            return ()
        items.extend(MarkerItem(position=place) for place in _range(number))
    return tuple(items)


def _read_segment(
    segment: str, page: str | None, known: KnownPages
) -> tuple[list[MarkerItem], str | None]:
    """Items of one part between semicolons; `page` is inherited by a bare `S:n`."""
    tokens = segment.split(",")
    items: list[MarkerItem] = []
    sentences: list[int] | None = None
    at = 0
    while at < len(tokens):
        token = tokens[at].strip()
        place = _SENTENCE.match(token)
        number = _NUMBER.match(place.group(1).strip() if place else token)
        is_listed = bool(
            sentences and number and len(number.group(1)) <= _LONGEST_INDEX
        )
        used, page_id = (0, None) if is_listed else _page_at(tokens, at, known)
        glued = _TRAILING_SENTENCE.match(token)
        if page_id is not None:
            page, sentences = page_id, []
            items.append(MarkerItem(page_id=page))
            at += used
        elif glued and known.get(token) is None:
            tokens[at : at + 1] = [glued.group(1), glued.group(2)]
        elif number and page is not None and (place or sentences):
            if items and items[-1] == MarkerItem(page_id=page):
                items.pop()
            places = _range(number)
            sentences = places
            items.extend(_sentence(page, place) for place in places)
            at += 1
        elif number and not place and page is None:
            if len(token) == 4 and 1500 <= int(number.group(1)) <= 2100:
                return [], page
            items.extend(MarkerItem(position=place) for place in _range(number))
            at += 1
        elif _names_page(tokens, at, known):
            page, sentences = token, []
            items.append(MarkerItem(page_id=page))
            at += 1
        else:
            return [], page
    return items, page


@lru_cache(maxsize=4096)
def _sentence(page: str, place: int) -> MarkerItem:
    """One object a sentence, however many ranges hold it."""
    return MarkerItem(page_id=page, sentence=place)


def _page_at(tokens: list[str], at: int, known: KnownPages) -> tuple[int, str | None]:
    """The longest known page id that starts at a token, as ids may hold commas."""
    longest = min(len(tokens), at + known.commas + 1)
    for end in range(longest, at, -1):
        page_id = known.get(",".join(tokens[at:end]))
        if page_id is not None:
            return end - at, page_id
    return 0, None


def _names_page(tokens: list[str], at: int, known: KnownPages) -> bool:
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
