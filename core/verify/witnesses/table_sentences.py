"""The table witness on claims in sentences: "The ferry to Skell costs 14 euros".

A sentence that names one row of a table and gives it the value that another row has in
that column is contradicted, though all its words and figures stand on the page. Where
the sentence says nothing but row, column and the row's own value, the cell proves it.
A sentence that names two rows, compares or denies is left to those who read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

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
    " difference respectively outside besides".split()
)
"""Words of claims that do more than read a cell."""
_RATE = frozenset(("every",))
_OPEN_VALUE = re.compile(
    r"(?i)[\W_]*(?:to be (?:confirmed|announced|decided)|tb[acd]|n/?a|unknown|varies"
    r"|pending|not (?:known|given|stated|yet known)|open|\?+)?[\W_]*"
)
_SPAN = re.compile(r"\d\s*(?:[-–—]|to)\s*\d")
_SAYING = frozenset(
    table_words(
        "is are was were has have had be been cost costs take takes took last lasts get"
        " gets give gives given go goes come comes open opens close closes measure"
        " measures weigh weighs hold holds include includes included allow allows"
        " begin begins began start starts taught pay pays need needs there it its"
        " grow grows grew keep keeps kept sell sells sold run runs ran at"
        " across long high wide deep tall make makes made leave leaves leaving depart"
        " departs"
    )
)
"""Verbs that say no more than that a thing has a value."""


@dataclass(frozen=True)
class _Claim:
    """A sentence taken apart."""

    text: str
    words: tuple[str, ...]
    side: AlignedText
    is_plain: bool
    """No figure is a bound or a range."""


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
    figures = {one.start for one in side.quantities}
    for word, after in zip_longest(side.words, side.words[1:]):
        # "Every 25 minutes" reads a cell, "every room" does more.
        is_rate = after is not None and after.start in figures
        if word.text.lower() in _LEFT_OPEN - (_RATE if is_rate else frozenset()):
            return None
    is_plain = not any(one.bound or one.is_range for one in side.quantities)
    return _Claim(text, table_words(text), side, is_plain)


def _matches(claim: _Claim, page: str) -> Iterator[tuple[bool, TableCell, str]]:
    """(is it so, the cell of the row and column that the claim names, the value that
    the claim gives it), one a table at most."""
    for table in tables(page):
        rows = rows_of(table)
        named = [row for row in rows if _is_named(row[0].key, claim)]
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
        match = _several(claim, row, others)
        if claim.is_plain:
            match = match or _other_period(claim, row)
            match = match or _against(claim, row, others) or _for(claim, row)
        if match is not None:
            yield match


def _line_over(page: str, start: int) -> str:
    """The last line before a table: what its rows are of."""
    lines = page[:start].splitlines()
    return next((x for x in reversed(lines) if x.strip() and x.lstrip()[0] != "|"), "")


def _is_named(key: str, claim: _Claim) -> bool:
    """The claim has the words of the row's head; the "second" of "3 seconds" is no
    row."""
    words = table_words(key)
    if not words or any(word not in claim.words for word in words):
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
        if _OPEN_VALUE.fullmatch(canonical(cell.value)):
            continue  # what is not settled yet rules nothing out
        rivals = (x.value for other in others for x in other if x.head == cell.head)
        if not is_named and not _is_written(cell.key, claim):
            continue
        if not is_named:
            rivals = (x for x in rivals if _is_telling(x) and table_words(x) not in own)
        said = (
            mine
            for x in rivals
            if _is_of_kind(cell.value, x) and (mine := _value_in(claim, x, _are_equal))
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
        and not _rest(claim, cell, f"{value} {cell.value}")
    ]
    return found[0] if len(found) == 1 else None


def _several(
    claim: _Claim, row: Sequence[TableCell], others: Sequence[Sequence[TableCell]]
) -> tuple[bool, TableCell, str] | None:
    """A claim that reads several cells of a row: "Guild has 50 users and support by
    chat". It is so where each column that it names has the row's own value and it says
    nothing else; it is not where one has a value of another row."""
    named = _named_heads(claim, row)
    said: dict[str, str] = {}
    for cell in row:
        value = _value_in(claim, cell.value, _are_equal)
        if value and (cell.head in named or _is_telling(cell.value)):
            said[cell.head] = value
    own = {table_words(value) for value in said.values()}
    figures = claim.side.quantities
    wrong = [
        (False, cell, value)
        for cell in row
        if cell.head not in said
        and not _OPEN_VALUE.fullmatch(canonical(cell.value))
        and (value := _value_of_other(claim, cell, others, cell.head in named))
        and table_words(value) not in own
        and not any(x.text == value and (x.bound or x.is_range) for x in figures)
    ]
    if len(said) + len(wrong) < FEW or not _are_in_order(claim, row, said):
        return None
    if wrong:
        # A column that is not named may be one of two of a kind.
        first = next((x for x in wrong if x[1].head in named), None)
        return first if len(wrong) == 1 or not said else None
    if any(head not in said for head in named) or not claim.is_plain:
        return None
    cells = [cell for cell in row if cell.head in said]
    words = " ".join(f"{x.head} {x.value} {said[x.head]}" for x in cells)
    is_all = not _rest(claim, cells[0], words)
    return (True, cells[0], said[cells[0].head]) if is_all else None


def _are_in_order(
    claim: _Claim, row: Sequence[TableCell], said: Mapping[str, str]
) -> bool:
    """Values of one kind come in the order of their columns' names: "Quay and Mill have
    12 and 48 seats" has all values of "Seats: Quay 48, Mill 12"."""
    for cell in row:
        alike = [
            one
            for one in row
            if one.head in said and _is_of_kind(cell.value, one.value)
        ]
        if cell.head not in said or len(alike) < FEW:
            continue
        places = [
            (_place_of(one.head, claim), claim.text.find(said[one.head]))
            for one in alike
        ]
        by_head = sorted(places)
        if any(head < 0 for head, _ in places) or by_head != sorted(
            places, key=lambda one: one[1]
        ):
            return False
    return True


def _place_of(head: str, claim: _Claim) -> int:
    """Where the claim first has a word of a column's head; -1: nowhere."""
    own = table_words(head)
    return next(
        (
            word.start
            for word in claim.side.words
            if any(is_near(a, b) for a in own for b in table_words(word.text))
        ),
        -1,
    )


def _named_heads(claim: _Claim, row: Sequence[TableCell]) -> set[str]:
    """The column heads of which the claim has a word that is none of the row."""
    taken = {*table_words(row[0].key), *table_words(row[0].kind)}
    free = [word for word in claim.words if word not in taken]
    return {
        cell.head
        for cell in row
        if any(is_near(a, b) for a in table_words(cell.head) for b in free)
    }


def _value_of_other(
    claim: _Claim,
    cell: TableCell,
    others: Sequence[Sequence[TableCell]],
    is_named: bool,
) -> str:
    """What the claim says that stands in a cell's column in another row."""
    for other in others:
        for one in other:
            if one.head != cell.head or not _is_of_kind(cell.value, one.value):
                continue
            if table_words(one.value) == table_words(cell.value):
                continue
            if (is_named or _is_telling(one.value)) and (
                value := _value_in(claim, one.value, _are_equal)
            ):
                return value
    return ""


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
    """The heads with most of some words."""
    shared = {
        cell.head: sum(
            any(is_near(a, b) for b in words) for a in set(table_words(cell.head))
        )
        for cell in row
    }
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
        days = {(one.day, one.month) for one in side.days}
        return next((a.text for a in mine.days if (a.day, a.month) in days), "")
    if side.quantities:
        figures = side.quantities
        known = (a.text for a in mine.quantities if any(agrees(b, a) for b in figures))
        return next(known, "")
    words = table_words(value)
    return value if words and all(word in claim.words for word in words) else ""


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
    return not a.quantities and not b.quantities and len(table_words(own)) > 0
