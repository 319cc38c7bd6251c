"""The table witness on claims in sentences: "The ferry to Skell costs 14 euros".

A sentence that names one row of a table and gives it the value that another row has in
that column is contradicted, though all its words and figures stand on the page. Where
the sentence says nothing but row, column and the row's own value, the cell proves it. A
sentence that reads several cells of a row ("Guild has 50 users and support by chat") is
held against each of them, if it says nothing else. One that names two rows, compares or
denies is left to those who read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
    rows_of,
    table_words,
    tables,
)

FEW = 2
"""Rows of a table, cells that are several: at least so many."""
LONGEST = 40
"""Words of a claim: longer ones say more than a cell."""
_LEFT_OPEN = frozenset(
    "than more less fewer over under above below between together total sum both all"
    " each every only except unless if until most least half twice double"
    " difference respectively outside besides".split()
)
"""Words of claims that do more than read a cell."""
_OPEN_VALUE = re.compile(
    r"(?i)[\W_]*(?:to be (?:confirmed|announced|decided)|tb[acd]|n/?a|unknown|varies"
    r"|pending|not (?:known|given|stated|yet known)|open|\?+)?[\W_]*"
)
_UNIT = re.compile(r"\(([^()\d]{1,12})\)\s*$")
_NUMBER = re.compile(r"[\d.,' ]*\d")
_PER = frozenset(("per", "a", "an", "each", "every"))
_SPAN = re.compile(r"\d\s*(?:[-–—]|to)\s*\d")
_SAYING = frozenset(
    table_words(
        "is are was were has have had be been cost costs take takes took last lasts get"
        " gets give gives given go goes come comes open opens close closes measure"
        " measures weigh weighs hold holds include includes included allow allows"
        " begin begins began start starts taught pay pays need needs there it its"
        " grow grows grew keep keeps kept sell sells sold run runs ran at"
        " across long high wide deep tall up"
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
    if any(word.text.lower() in _LEFT_OPEN for word in side.words):
        return None
    is_plain = not any(one.bound or one.is_range for one in side.quantities)
    return _Claim(text, table_words(text), side, is_plain)


def _matches(claim: _Claim, page: str) -> Iterator[tuple[bool, TableCell, str]]:
    """(is it so, the cell of the row and column that the claim names, the value that
    the claim gives it), one a table at most."""
    homes = {
        table[0].table
        for table in tables(page)
        if any(_is_named(row[0].key, claim) for row in rows_of(table))
    }
    # Of two tables that have the row one may be of another month.
    is_only = len([home for home in homes if home > 0]) < FEW
    for table in tables(page):
        rows = [list(map(_with_unit, row)) for row in rows_of(table)]
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
        match = None
        if claim.is_plain:
            match = _other_period(claim, row)
            match = match or _against(claim, row, others) or _for(claim, row)
        if is_only:
            match = match or _several(claim, row, others)
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
            if _is_of_kind(cell.value, x)
            and not _is_part(cell.value, x)
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


def _several(
    claim: _Claim, row: Sequence[TableCell], others: Sequence[Sequence[TableCell]]
) -> tuple[bool, TableCell, str] | None:
    """A claim that names several columns of a row and says nothing else: so it is where
    each has the row's own value, not so where one has another row's."""
    named = [cell for cell in row if _is_head_named(cell, claim)]
    if len(named) < FEW or any(map(_says_more, claim.side.quantities)):
        return None
    said: dict[str, str] = {}
    wrong: list[tuple[bool, TableCell, str]] = []
    for cell in named:
        value = _value_in(claim, cell.value, _are_equal)
        other = "" if value else _value_of_other(claim, cell, others)
        if not (value or other) or _OPEN_VALUE.fullmatch(canonical(cell.value)):
            return None
        if value and not _is_whole(claim, cell.value):
            return None
        said[cell.head] = value or other
        if other:
            wrong.append((False, cell, other))
    words = " ".join(f"{x.head} {x.value} {said[x.head]}" for x in named)
    if _rest(claim, named[0], words) or not _are_in_order(claim, named, said):
        return None
    if not wrong:
        return (True, named[0], said[named[0].head]) if claim.is_plain else None
    is_one = len(wrong) == 1 and _is_written(named[0].key, claim)
    return wrong[0] if is_one else None


def _is_head_named(cell: TableCell, claim: _Claim) -> bool:
    """The claim has a word of the column's head that is none of the row."""
    taken = {*table_words(cell.key), *table_words(cell.kind)}
    free = [word for word in claim.words if word not in taken]
    return any(is_near(a, b) for a in table_words(cell.head) for b in free)


def _says_more(figure: Quantity) -> bool:
    """A figure that is no value of a cell: "by 5", "from 5", "5 a week", "5 each"."""
    is_rate = figure.unit is not None and figure.unit.per is not None
    return bool(figure.role) or is_rate or figure.noun.split(" ")[0] in _PER


def _value_of_other(
    claim: _Claim, cell: TableCell, others: Sequence[Sequence[TableCell]]
) -> str:
    """What the claim says that stands in a cell's column in another row, where nothing
    near the cell's own value is said."""
    if _value_in(claim, cell.value, _may_say):
        return ""
    bounded = {x.text for x in claim.side.quantities if x.bound or x.is_range}
    for other in others:
        for one in other:
            if one.head != cell.head or not _is_of_kind(cell.value, one.value):
                continue
            value = _value_in(claim, one.value, _are_equal)
            is_part = _is_part(cell.value, one.value)
            if value and value not in bounded and not is_part:
                return value
    return ""


def _is_part(own: str, other: str) -> bool:
    """ "Email" of the row's own "Chat and email"."""
    left, right = {*table_words(own)}, {*table_words(other)}
    return left <= right or right <= left


def _are_in_order(
    claim: _Claim, named: Sequence[TableCell], said: Mapping[str, str]
) -> bool:
    """Values of one kind come in the order of their columns' names: "Quay and Mill have
    12 and 48 seats" has all values of "Seats: Quay 48, Mill 12"."""
    for cell in named:
        alike = [one for one in named if _is_of_kind(cell.value, one.value)]
        if len(alike) < FEW:
            continue
        heads = [{*table_words(one.head)} for one in alike]
        shared = heads[0].intersection(*heads)
        places = [
            (_place_of(head - shared, claim), _place_of_value(said[one.head], claim))
            for one, head in zip(alike, heads, strict=True)
        ]
        by_head = sorted(places)
        is_clear = len({head for head, _ in places}) == len(places)
        in_order = by_head == sorted(places, key=lambda one: one[1])
        if not (is_clear and in_order and by_head[0][0] >= 0):
            return False
    return True


def _place_of(words: Collection[str], claim: _Claim) -> int:
    """Where the claim first has one of some words; -1: nowhere."""
    return next(
        (
            word.start
            for word in claim.side.words
            if any(is_near(a, b) for a in words for b in table_words(word.text))
        ),
        -1,
    )


def _place_of_value(value: str, claim: _Claim) -> int:
    found = re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)", claim.text, re.I)
    return found.start() if found else -1


def _with_unit(cell: TableCell) -> TableCell:
    """The cell with the unit of its column: 12 under "Price (€)" is 12 €."""
    unit = _UNIT.search(cell.head)
    if unit is None or not _NUMBER.fullmatch(cell.value.strip()):
        return cell
    value = f"{cell.value.strip()} {unit[1]}"
    figures = aligned_text(canonical(value)).quantities
    is_known = len(figures) == 1 and figures[0].unit is not None
    return replace(cell, value=value) if is_known else cell


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
        known = (a.text for a in mine.days if any(a.agrees(b) for b in side.days))
        return next(known, "")
    if side.quantities:
        figures = side.quantities
        known = (a.text for a in mine.quantities if any(agrees(b, a) for b in figures))
        return next(known, "")
    words = table_words(value)
    return value if words and all(word in claim.words for word in words) else ""


def _is_whole(claim: _Claim, value: str) -> bool:
    """The claim has each figure and time of a value: of "9:00-17:00", or of "€10 (€8
    for students)", one end says too little."""
    side, mine = aligned_text(canonical(value)), claim.side
    if side.clocks:
        return all(any(a.agrees(b) for a in mine.clocks) for b in side.clocks)
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
    """Equal, or one of them without a unit; not of one "a month", nor of "up to 50"."""
    if theirs.bound and theirs.bound != mine.bound:
        return False
    is_rate = mine.unit is not None and mine.unit.per is not None
    is_bare = None in (theirs.unit, mine.unit) and mine.kind == theirs.kind
    is_bare = is_bare and not is_rate
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
