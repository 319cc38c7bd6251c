"""What stands side by side on pages: rows and columns of tables, terms of lists and of
paragraphs, sections.

Not all of it are things with facts of their own. Rows are, where the values of a
column are of one kind (a price each, a number of days each); columns, where those of a
row are; sections, where they have the same terms or rows under them. Else what they are
called has to be a name: written with a capital in running text, a code name, a kind
with a figure or letter. "Delivery" and "Returns" are topics.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

from claimscope.core.text.languages import language_of
from claimscope.core.verify.page_kinds import SHARE, SHARED
from claimscope.core.verify.peers.labels import (
    BRACKETS,
    Label,
    Peers,
    label_of,
    split_words,
)
from claimscope.core.verify.statements import Statement, statements

MOST = 60
"""Things side by side; what is more is a listing."""
TABLE, TERMS, SECTIONS = "table", "terms", "sections"
"""Kinds of places."""
TEXT = "text"
"""Kind of a value that is of no other; two texts are not alike for that."""
_SEE = re.compile(
    r"(?i)\b(?:see|sections?|chapters?|pages?|under|parts?)\W+(?:the\W+)?$"
)
"""Before a cross reference."""
_LISTED = re.compile(r",\s+|\s+or\s+")
_NUMBERED = re.compile(r"^(?:§\s*)?[A-Za-z]?\d+(?:\.\d+)*[.)]?\s+(?=[^\W\d])")
"""Before the title of a section."""
_BOLD = re.compile(r"(?:\*\*|__)([^*_\n]{1,60})(?:\*\*|__)")
_NUMBER = re.compile(r"(?i)(?:no|nr|number|pos|#)?\.?")
"""Head of a column that only counts the rows."""
FAMILY = 3
"""Labels that share a first or last word, at least: "meadow pitch", "river pitch" …"""
_VALUES = (
    ("money", re.compile(r"[€$£¥]\s?\d.*|\d[\d.,]*\s?(?:[€$£¥]|euros?|EUR|USD)\b.*")),
    ("sign", re.compile(r"(?i)yes|no|none|–|-|—|✓|✗")),
    ("time", re.compile(r"\d{1,2}[:.]\d\d.*")),
    ("measure", re.compile(r"(?i)(?:[a-z]+ ){0,2}\d[\d.,]*\s?([^\W\d]+|%|°C).*")),
    ("number", re.compile(r"\d[\d.,]*")),
)


@dataclass(frozen=True)
class Group:
    """What stands side by side in one place."""

    labels: tuple[Label, ...]
    kind: str
    are_things: bool
    """By what is said of them, whatever they are called."""
    by: frozenset[str] = frozenset()
    """Terms by which sections are alike, in lower case."""

    @cached_property
    def stems(self) -> frozenset[tuple[str, ...]]:
        """Of its labels."""
        return frozenset(label.stems for label in self.labels)

    @cached_property
    def texts(self) -> frozenset[str]:
        """Of its labels, in lower case."""
        return frozenset(label.text.casefold() for label in self.labels)


def peers_on(texts: Sequence[str]) -> tuple[Peers, ...]:
    """The things side by side on some pages; places with two labels in common are of
    the same things."""
    return _peers_on(tuple(texts))


@lru_cache(maxsize=4)
def _peers_on(texts: tuple[str, ...]) -> tuple[Peers, ...]:
    groups = [one for text in texts for one in groups_of(text)]
    index = _Index(groups)
    names = _names_of(texts)
    things = _merged([index.things_of(one) for one in groups])
    known = {label.stems for group in things for label in group}
    named = [
        tuple(
            label
            for label in one.labels
            if label.stems in known or _is_name(label, names, one.kind)
        )
        for one in groups
    ]
    found = [group for group in _merged([*things, *named]) if len(group) > 1]
    every = dict.fromkeys(label for group in found for label in group)
    by_stem: dict[str, list[Label]] = {}
    for label in every:
        by_stem.setdefault(label.stems[0], []).append(label)
    return tuple(
        Peers(
            group,
            [one.stems for one in index.sharing(group)],
            [label for label in group if _is_name(label, names, TERMS)],
            [
                shorter
                for stem in {stem for label in group for stem in label.stems}
                for shorter in by_stem.get(stem, ())
            ],
        )
        for group in found
    )


class _Index:
    """Groups by their labels, so that none is compared with all others."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._by_stems: dict[tuple[str, ...], list[Group]] = {}
        self._by_text: dict[str, list[Group]] = {}
        for one in groups:
            for stems in one.stems:
                self._by_stems.setdefault(stems, []).append(one)
            for text in one.texts:
                self._by_text.setdefault(text, []).append(one)

    def sharing(self, labels: Sequence[Label]) -> list[Group]:
        """The groups that have two labels, or more, of some."""
        return [one for one, count in self._counted(labels) if count > 1]

    def _counted(self, labels: Sequence[Label]) -> list[tuple[Group, int]]:
        found = [one for x in labels for one in self._by_stems.get(x.stems, ())]
        counts = Counter(id(one) for one in found)
        return [(one, counts[id(one)]) for one in {id(x): x for x in found}.values()]

    def things_of(self, one: Group) -> tuple[Label, ...]:
        """The labels that are things by what is said of them, by their form, or by
        having both sections and a row. Sections that each speak of all the things of
        another place are topics."""
        if (one.are_things and not self._speaks_of_things(one)) or _are_family(one):
            return one.labels
        shared = [
            other.stems
            for other, count in self._counted(one.labels)
            if (one.kind == TABLE) != (other.kind == TABLE)
            and count > max(1, min(len(one.stems), len(other.stems)) / 2)
        ]
        return tuple(
            label
            for label in one.labels
            if any(label.stems in stems for stems in shared)
        )

    def _speaks_of_things(self, one: Group) -> bool:
        found = [other for term in one.by for other in self._by_text.get(term, ())]
        counts = Counter(id(other) for other in found)
        return any(
            counts[id(other)] > 1
            and (other.kind == SECTIONS or (other.kind == TABLE and other.are_things))
            for other in found
        )


def lead_of(page: str, one: Statement) -> str:
    """What the first sentence of a paragraph has in bold: "The **Chapel House** is in
    the middle of the island"; "" for nothing, or for several."""
    begins = not page[page.rfind("\n", 0, one.start) + 1 : one.start].strip()
    # "**Salt bath.**" is a sentence without its last mark.
    found = _BOLD.findall(page, one.start, one.end + 2) if begins else []
    return found[0] if len(found) == 1 else ""


def row_label(one: Statement) -> str:
    """What a row of a table is of; "" of what is no row."""
    if not one.row:
        return ""
    kind, cell = one.row[_label_column(one.row)]
    return f"{kind} {cell}" if _is_mark(cell) else cell


def _label_column(row: Sequence[tuple[str, str]]) -> int:
    """Where a row says what it is of: its first cell, unless that only counts the rows
    or the next one says what it is called."""
    if len(row) < 3 or not _is_mark(row[0][1]):
        return 0
    is_counted = _NUMBER.fullmatch(row[0][0]) is not None
    return int(is_counted or row[1][0].casefold() == "name")


def _is_mark(cell: str) -> bool:
    return cell.isdigit() or (len(cell) == 1 and cell.isalpha())


@lru_cache(maxsize=1024)
def groups_of(page: str) -> tuple[Group, ...]:
    """What stands side by side on a page, place by place."""
    read = [one for one in statements(page) if not one.is_head]
    found = (*_of_tables(read), *_of_terms_and_sections(page, read))
    return tuple(one for one in found if 1 < len(one.labels) <= MOST)


def _of_tables(read: Sequence[Statement]) -> Iterator[Group]:
    for columns, rows in groupby(read, lambda one: tuple(h for h, _ in one.row)):
        table = [one.row for one in rows]
        if len(columns) < 2 or len(table) < 2:
            continue
        cells = [[_kind_of(value) for _, value in row[1:]] for row in table]
        in_columns = _likeness(zip(*cells, strict=False))
        in_rows = _likeness(cells)
        named = [row[_label_column(row)] for row in table]
        heads = _labels((cell, kind) for kind, cell in named)
        yield Group(heads, TABLE, in_columns > in_rows)
        if len(columns) > 2:
            heads = _labels((head, "") for head in columns[1:])
            yield Group(heads, TABLE, in_rows > in_columns)


def _of_terms_and_sections(page: str, read: Sequence[Statement]) -> Iterator[Group]:
    terms: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    heads: dict[tuple[str, ...], dict[str, None]] = {}
    under: dict[tuple[str, ...], set[str]] = {}
    for one in read:
        term = one.term or lead_of(page, one)
        if term:
            terms.setdefault(one.heads, []).append((term, ""))
        said = {text.casefold() for text in (term, row_label(one)) if text}
        for depth in range(1, len(one.heads)):
            heads.setdefault(one.heads[:depth], {})[one.heads[depth]] = None
            under.setdefault(one.heads[: depth + 1], set()).update(said)
    for named in terms.values():
        yield Group(_labels(named), TERMS, are_things=False)
    for path, titles in heads.items():
        by = _alike({title: under[(*path, title)] for title in titles})
        alike = [(_NUMBERED.sub("", one), "") for one in titles if one in by]
        other = [(_NUMBERED.sub("", one), "") for one in titles if one not in by]
        shared = frozenset(term for terms_ in by.values() for term in terms_)
        yield Group(_labels(alike), SECTIONS, are_things=True, by=shared)
        yield Group(_labels(other), SECTIONS, are_things=False)


def _labels(said: Iterable[tuple[str, str]]) -> tuple[Label, ...]:
    """The labels of some cells or titles, each with what they are; each of "Invoices,
    credit notes", but not of "Lost, Basic" beside "Lost, Plus"."""
    plain = dict.fromkeys((BRACKETS.sub("", text), kind) for text, kind in said)
    texts = [(_LISTED.split(text), text, kind) for text, kind in plain]
    counts = Counter(part for parts, _, _ in texts for part in parts)
    are_lists = all(
        count == 1 and not any(char.isdigit() for char in part)
        for part, count in counts.items()
    )
    found: dict[tuple[str, ...], Label] = {}
    for parts, text, kind in texts:
        for one in parts if are_lists else [text]:
            label = label_of(one, kind)
            if label is not None:
                found.setdefault(label.stems, label)
    return tuple(found.values())


def _alike(sections: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The sections that have the terms of another one, with those terms."""
    found: dict[str, set[str]] = {}
    if len(sections) > MOST:
        return found
    for title, one in sections.items():
        for beside, other in sections.items():
            least = max(SHARED, SHARE * min(len(one), len(other)))
            if beside != title and len(one & other) >= least:
                found[title] = one & other
                break
    return found


def _likeness(lines: Iterable[Sequence[str]]) -> float:
    """How often two neighbours in a line of a table are values of one kind."""
    pairs = [one == other != TEXT for line in lines for one, other in pairwise(line)]
    return sum(pairs) / len(pairs) if pairs else 0.0


def _kind_of(value: str) -> str:
    for name, pattern in _VALUES:
        match = pattern.fullmatch(value.strip())
        if match is not None:
            unit = match[1].rstrip("s").lower() if name == "measure" else ""
            return f"{name} {unit}"
    return TEXT


def _are_family(one: Group) -> bool:
    """Whether nearly all are called by one word with another: "river pitch"."""
    for place in (0, -1):
        words = Counter(label.stems[place] for label in one.labels if label.stems[1:])
        most = max(words.values(), default=0)
        if most >= FAMILY and most >= 0.75 * len(one.labels):
            return True
    return False


def _names_of(texts: Iterable[str]) -> frozenset[str]:
    """Stems that running text writes as names: with a capital though not first."""
    capital: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for text in texts:
        names, others = _capitals(text)
        capital.update(names)
        plain.update(others)
    return frozenset(one for one, count in capital.items() if count > plain[one])


@lru_cache(maxsize=1024)
def _capitals(page: str) -> tuple[Counter[str], Counter[str]]:
    """How often stems stand with a capital though not first, and in lower case."""
    capital: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    if language_of(page) != "en":
        return capital, plain  # German writes every noun with a capital.
    for one in statements(page):
        own = one.own.removeprefix(f"{one.term}: ")
        if one.is_head or one.row or own[-1:] not in ".!?":
            continue
        for number, word in enumerate(split_words(own)):
            if word.text[0].islower():
                plain[word.stem] += 1
            elif word.is_name and not _is_reference(own, number):
                capital[word.stem] += 1
    return capital, plain


def _is_reference(text: str, number: int) -> bool:
    """Whether a word of a text is what it refers to: "see Returns"."""
    before = [word.text for word in split_words(text)[:number][-2:]]
    return _SEE.search(" ".join([*before, ""])) is not None


def _is_name(label: Label, names: frozenset[str], kind: str) -> bool:
    """Whether a label is a name. Titles of sections are only where every word is."""
    are_names = [one in names for one in label.stems]
    is_named = all(are_names) if kind == SECTIONS else any(are_names)
    return label.is_code or label.has_figure or is_named


def _merged(groups: Sequence[tuple[Label, ...]]) -> list[tuple[Label, ...]]:
    """Groups with two labels in common are one."""
    found: dict[int, dict[tuple[str, ...], Label]] = {}
    places: dict[tuple[str, ...], set[int]] = {}
    for number, group in enumerate(groups):
        own = {label.stems: label for label in group}
        counts = Counter(place for stems in own for place in places.get(stems, ()))
        for place in [place for place, count in counts.items() if count > 1]:
            for stems in found[place]:
                places[stems].discard(place)
            own |= found.pop(place)
        found[number] = own
        for stems in own:
            places.setdefault(stems, set()).add(number)
    return [tuple(one.values()) for one in found.values()]
