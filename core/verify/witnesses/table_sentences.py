"""The table witness on claims in sentences: "The ferry to Skell costs 14 euros".

A sentence that names one row of a table and gives it the value that another row has in
that column is contradicted, though all its words and figures stand on the page. Where
the sentence says nothing but row, column and the row's own value, the cell proves it.
A sentence that names two rows, compares or denies is left to those who read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from claimscope.core.ports import Question
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.text.quantities.units import unit_named
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.rules.quantity_relations import FAR, says
from claimscope.core.verify.token_alignment import AlignedText, aligned_text
from claimscope.core.verify.witnesses.table import (
    CellClaim,
    Settled,
    TableCell,
    evidence_of,
    is_near,
    is_part,
    rows_of,
    table_words,
    tables,
)

FEW = 2
"""Rows that a table has at least."""
LONGEST = 40
"""Words of a claim: longer ones say more than a cell."""
_LEFT_OPEN = frozenset(
    "than more less fewer over under above below between together total sum both all"
    " each every only except unless if until most least half twice double"
    " difference respectively outside besides times compared unlike like".split()
)
"""Words of claims that do more than read a cell."""
_OPEN_VALUE = re.compile(
    r"(?i)[\W_]*(?:to be (?:confirmed|announced|decided)|tb[acd]|n/?a|unknown|varies"
    r"|pending|not (?:known|given|stated|yet known)|open|\?+)?[\W_]*"
)
_ENDS = {
    0: frozenset(table_words("open opens opening start starts begin begins")),
    -1: frozenset(table_words("close closes closing end ends until")),
}
"""Words for the first and the last time of a span."""
_POLAR = re.compile(r"(?i)(?:yes|no|none)\b")
_BARE_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_SPAN = re.compile(r"\d\s*(?:[-–—]|to)\s*\d")
_SAYING = frozenset(
    table_words(
        "is are was were has have had be been cost costs take takes took last lasts get"
        " gets give gives given go goes come comes open opens close closes measure"
        " measures weigh weighs hold holds include includes included allow allows"
        " begin begins began start starts taught pay pays need needs there it its"
        " grow grows grew keep keeps kept sell sells sold run runs ran at"
        " across long high wide deep tall"
    )
)
"""Verbs that say no more than that a thing has a value."""


@dataclass(frozen=True)
class _Claim:
    """A sentence taken apart."""

    text: str
    words: tuple[str, ...]
    side: AlignedText


def settling_cell_of_sentence(question: Question) -> Settled | None:
    """The cell that settles a claim in a sentence; None where none does, or two
    differ."""
    claim = _claim(canonical(question.claim))
    if claim is None:
        return None
    found = [
        (page_id, text, match)
        for page_id, text in question.documents
        for match in _matches(claim, text)
    ]
    if len({(says, cell.value) for _, _, (says, cell, _) in found}) != 1:
        return None
    page_id, text, (says, cell, value) = found[0]
    asked = CellClaim("", "", cell.key, cell.head, value)
    place = evidence_of(page_id, text, cell, question)
    return Settled("entails" if says else "contradicts", place, cell, asked)


@lru_cache(maxsize=2048)
def _claim(text: str) -> _Claim | None:
    side = AlignedText(text)
    if len(side.words) > LONGEST or any(word.is_negator for word in side.words):
        return None
    if any(word.text.lower() in _LEFT_OPEN for word in side.words):
        return None
    if any(one.bound or one.is_range for one in side.quantities):
        return None
    return _Claim(text, table_words(text), side)


def _matches(claim: _Claim, page: str) -> Iterator[tuple[bool, TableCell, str]]:
    """(is it so, the cell of the row and column that the claim names, the value that
    the claim gives it), one a table at most."""
    for table in tables(page):
        rows = rows_of(table)
        named = [row for row in rows if _is_named(row[0], claim)]
        keys = [{*table_words(row[0].key)} for row in named]
        # "Pro Max" names the row "Pro Max", not "Pro".
        named = [
            row
            for row, key in zip(named, keys, strict=True)
            if not any(key < other for other in keys)
        ]
        if len(rows) < FEW or len(named) != 1:
            continue
        others = [row for row in rows if row is not named[0]]
        over = _line_over(page, named[0][0].start)
        row = [replace(one, lead=f"{one.lead} {over}") for one in named[0]]
        match = _other_period(claim, row)
        match = match or _against(claim, row, others) or _for(claim, row)
        if match is not None:
            yield match


def _line_over(page: str, start: int) -> str:
    """The last line before a table: what its rows are of."""
    lines = page[:start].splitlines()
    return next((x for x in reversed(lines) if x.strip() and x.lstrip()[0] != "|"), "")


def _is_named(cell: TableCell, claim: _Claim) -> bool:
    """The claim has the words of the row's head; the "second" of "3 seconds" is no
    row. One that is only a figure needs the word for what it counts: "Line 2"."""
    words = table_words(cell.key)
    if not words or any(word not in claim.words for word in words):
        return False
    kinds = table_words(cell.kind)
    is_figure = all(word.isdigit() for word in words)
    if is_figure and kinds and not any(word in claim.words for word in kinds):
        return False
    figures = {word for one in claim.side.quantities for word in table_words(one.text)}
    return not figures >= {*words} or any(word[0].isdigit() for word in words)


def _is_written(key: str, claim: _Claim) -> bool:
    """As the table writes it: "free" is no plan "Free"."""
    first = next((one for one in key.split() if one[:1].isalpha()), "")
    return not first or len(table_words(key)) > 1 or first in claim.text


def _against(
    claim: _Claim, row: Sequence[TableCell], others: Sequence[Sequence[TableCell]]
) -> tuple[bool, TableCell, str] | None:
    """A value of another row where the row's own should stand."""
    heads = _heads(claim, row)
    own = {table_words(one.value) for one in row}
    found = []
    for cell in row:
        is_named = heads == [cell.head]
        if (heads and not is_named) or _value_in(claim, cell.value, _may_say):
            continue
        if _has_figures(claim, cell.value):
            continue
        if _OPEN_VALUE.fullmatch(canonical(cell.value)):
            continue  # what is not settled yet rules nothing out
        rivals = (x.value for other in others for x in other if x.head == cell.head)
        if not is_named and not _is_written(cell.key, claim):
            continue
        if not is_named:
            rivals = (x for x in rivals if _is_telling(x) and table_words(x) not in own)
        # The "pear" of "Flint pears are picked in October" is no kind of fruit.
        names = {*table_words(f"{cell.key} {cell.head}")}
        said = (
            mine
            for x in rivals
            if _is_of_kind(cell.value, x)
            and not is_part(cell.value, x)
            and not names >= {*table_words(x)}
            and (mine := _value_in(claim, x, _are_equal))
        )
        value = next(said, None)
        # "In full for twelve weeks and at 80 % after that" names two spans of a table.
        is_plain = is_named and not _SPAN.search(cell.key)
        if value and (is_plain or not _rest(claim, cell, value)):
            found.append((False, cell, value))
    return found[0] if len(found) == 1 else None


def _other_period(
    claim: _Claim, row: Sequence[TableCell]
) -> tuple[bool, TableCell, str] | None:
    """The row's own value "per day", where the column's head says per hour."""
    heads = _heads(claim, row)
    for cell in row:
        periods = [x for x in map(unit_named, cell.head.lower().split()) if x]
        times = {x.factor for x in periods if x.dimension == "time"}
        figures = aligned_text(canonical(cell.value)).quantities
        if heads != [cell.head] or len(times) != 1 or len(figures) != 1:
            continue
        for mine in claim.side.quantities:
            per = mine.unit.per if mine.unit is not None else None
            is_same = mine.low == figures[0].low and not mine.is_range
            if per is not None and is_same and per.factor not in times:
                return False, cell, mine.text
    return None


def _for(claim: _Claim, row: Sequence[TableCell]) -> tuple[bool, TableCell, str] | None:
    """The row's own value, where the claim says nothing else."""
    heads = _heads(claim, row)
    found = [
        (True, cell, value)
        for cell in row
        if heads == [cell.head]
        and (value := _value_in(claim, cell.value, _are_equal))
        and _is_whole(claim, cell.value)
        and not _rest(claim, cell, f"{value} {cell.value}")
    ]
    return found[0] if len(found) == 1 else None


def _rest(claim: _Claim, cell: TableCell, value: str) -> list[str]:
    """Words of the claim that are none of the row, the column, the value or what a
    table stands under."""
    said = table_words(" ".join((cell.key, cell.kind, cell.head, cell.lead, value)))
    rest = [w for w in claim.words if not any(is_near(w, x) for x in said)]
    return [word for word in rest if word not in _SAYING]


def _heads(claim: _Claim, row: Sequence[TableCell]) -> list[str]:
    """The column heads of which the claim has most words that are none of the row; the
    "days" of "14 days" count only where no other word names a column."""
    taken = {*table_words(row[0].key), *table_words(row[0].kind)}
    measures = {
        word
        for one in claim.side.quantities
        if one.unit is not None
        for word in table_words(one.text)
    }
    free = [word for word in claim.words if word not in taken]
    plain = _most_shared([word for word in free if word not in measures], row)
    return plain or _most_shared(free, row)


def _most_shared(words: Sequence[str], row: Sequence[TableCell]) -> list[str]:
    """The heads with most of some words. The 14 of "Child 4 to 14" alone names none."""
    shared = {}
    for cell in row:
        own = set(table_words(cell.head))
        found = [a for a in own if any(is_near(a, b) for b in words)]
        is_named = any(not a.isdigit() for a in found) or all(a.isdigit() for a in own)
        shared[cell.head] = len(found) if is_named else 0
    most = max(shared.values(), default=0)
    return [head for head, count in shared.items() if count == most > 0]


def _value_in(
    claim: _Claim, value: str, agrees: Callable[[Quantity, Quantity], bool]
) -> str:
    """What the claim says of a cell's value, or of one of its figures and times; empty
    when it has none of them. `agrees`: of (a figure of the cell, one of the claim)."""
    side, mine = aligned_text(canonical(value)), claim.side
    if side.clocks:
        known = (a.text for a in mine.clocks if any(a.agrees(b) for b in side.clocks))
        return next(known, "")
    if side.days:
        known = (
            a.text
            for a in mine.days
            for b in side.days
            if (a.day, a.month) == (b.day, b.month) and a.agrees(b)
        )
        return next(known, "")
    if side.quantities:
        figures = side.quantities
        known = (a.text for a in mine.quantities if any(agrees(b, a) for b in figures))
        return next(known, "")
    words = table_words(value)
    if _POLAR.match(value):
        return ""  # no sentence says "yes" or "no"
    return value if words and all(word in claim.words for word in words) else ""


def _has_figures(claim: _Claim, value: str) -> bool:
    """The claim has all figures of a value, if not as the cell has them: "four 100 mL
    tubes" for "4 x 100 mL"."""
    theirs = {float(x) for x in _BARE_FIGURE.findall(value)}
    mine = {x for one in claim.side.quantities for x in (one.low, one.high)}
    return len(theirs) > 1 and theirs <= mine


def _is_whole(claim: _Claim, value: str) -> bool:
    """The claim has each figure and time of a value: of "€10 (€8 for students)" one
    says too little. Of "9:00-17:00" the first is when it opens, the last when it
    closes."""
    side, mine = aligned_text(canonical(value)), claim.side
    if side.clocks:
        ends = [one for one, words in _ENDS.items() if words & {*claim.words}]
        asked = [side.clocks[one] for one in ends] or side.clocks
        return all(any(a.agrees(b) for a in mine.clocks) for b in asked)
    return all(any(_are_equal(b, a) for a in mine.quantities) for b in side.quantities)


def _may_say(theirs: Quantity, mine: Quantity) -> bool:
    """A figure that says the claim's, or that "about" may stand for; the unit of a cell
    may stand in its column's head."""
    if says(theirs, mine):
        return True
    if not mine.is_about or not (theirs.unit is None or mine.comparable(theirs)):
        return False
    is_bare = theirs.unit is None
    own = mine.low if is_bare else mine.base(mine.low)
    ends = (theirs.low, theirs.high)
    known = ends if is_bare else tuple(map(theirs.base, ends))
    return min(abs(own - end) for end in known) <= FAR * abs(own)


def _are_equal(theirs: Quantity, mine: Quantity) -> bool:
    """Equal, or the figure of a cell without a unit; not of one "a month"."""
    is_rate = mine.unit is not None and mine.unit.per is not None
    is_bare = theirs.unit is None and mine.kind == theirs.kind and not is_rate
    return mine.same(theirs) or (is_bare and mine.low == theirs.low)


def _is_telling(value: str) -> bool:
    """A value that is of no other kind of thing, so that the column need not be named:
    with a unit, a date, a time, a year or a name."""
    side = aligned_text(canonical(value))
    if side.clocks or side.days:
        return True
    if side.quantities:
        return all(x.unit is not None or x.kind == "year" for x in side.quantities)
    words = value.split()
    return all(word[:1].isupper() for word in words) and len(words) > 1


def _is_of_kind(own: str, other: str) -> bool:
    """Both times, both dates, both figures of one dimension, or both words."""
    a, b = aligned_text(canonical(own)), aligned_text(canonical(other))
    if a.clocks or b.clocks or a.days or b.days:
        return bool(a.clocks) == bool(b.clocks) and bool(a.days) == bool(b.days)
    if a.quantities and b.quantities:
        return a.quantities[0].comparable(b.quantities[0])
    are_alike = bool(_POLAR.match(own)) == bool(_POLAR.match(other))
    are_words = not a.quantities and not b.quantities and len(table_words(own)) > 0
    return are_alike and are_words
