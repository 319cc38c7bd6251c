"""Tables without boxes: what stands in columns, row below row.

The order in which a leaf was written tells a table from columns of running text: a
table goes from the left to the right again and again, a text down one column first.
What cannot be told is left as lines: a value in the wrong row is worse than one in
none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from claimscope.stores.pages.layout.leaves import Cell, Grid, Rule
from claimscope.stores.pages.layout.words import (
    PITCH,
    YEAR,
    Line,
    Word,
    joined,
    room_for,
    top_of,
)

Span = tuple[int, int]
"""The first and the last column of a cell."""
GUTTER = 0.45
"""Font sizes between two columns, at least."""
FAR = 4
"""Font sizes below a line; what is farther down is no part of a table."""
WIDEST = 100
"""Columns of a table."""
AWAY = 1.2
"""Font sizes below a table from which on what begins in none of its columns is no part
of it."""
PROSE = 5
"""Words on most lines of a column of running text."""
LATE = 3
"""Parts of a leaf that were written last."""
INDENT = 3
"""Font sizes between a bullet or number and the text of its item, at most."""
WORD_SPACE = 0.3
"""Font sizes of white space before a word."""
RULED = 0.6
"""Share of a table's width that a stroke between two of its rows has."""
MOST_HEADS = 3
"""Rows of heads."""
TALLEST_HEAD = 3
"""Lines of the first cell of a table."""
MOST_ALONE = 3
"""Lines one after the other in a table that have nothing beside them."""
EVEN = 1.5
"""Points by which the spaces of a line of justified text differ, less than."""
LARGER = 1.1
"""Times the size of a table that a heading below it has."""
SPANNING = 4
"""Of so many rows one may have a cell over several columns."""
_FIGURE = re.compile(r"\d")
HYPHENS = "-\u2010\u00ad"
_MARKER = re.compile(r"[•‣◦▪·–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]")
"""What a list item begins with."""


def with_tables(
    parts: Sequence[Line | Grid], rules: Sequence[Rule]
) -> Iterator[Line | Grid]:
    """The parts of a leaf, with lines that make a table as one, and others that stand
    on one line of the leaf joined."""
    parts = _with_markers(_from_above(parts))
    number = 0
    while number < len(parts):
        end = max(_end_of_table(parts, number), number + 1)
        run = parts[number:end]
        lines = [part for part in run if isinstance(part, Line)]
        found = _table(lines, rules) if len(lines) > 1 else None
        if found is not None:
            before, grid, after = found
            yield from (*_joined(before), grid, *_joined(after))
        else:
            yield from _joined(run)
        number = end


def _joined(parts: Sequence[Line | Grid]) -> Iterator[Line | Grid]:
    last: Line | None = None
    for part in parts:
        if last is None:
            pass
        elif isinstance(part, Line) and _is_right_of(part, last):
            part = joined(last, part)
        else:
            yield last
        last = part if isinstance(part, Line) else None
        if last is None:
            yield part
    if last is not None:
        yield last


# --- what was written out of order -----------------------------------------------


def _from_above(parts: Sequence[Line | Grid]) -> list[Line | Grid]:
    """With a line above all others first, though it was written among the last."""
    lines = [one for one in parts if isinstance(one, Line)]
    for late in reversed(lines[-LATE:]):
        if all(late.bottom <= one.top for one in lines if one is not late):
            return [late, *(one for one in parts if one is not late)]
    return [*parts]


def _with_markers(parts: Sequence[Line | Grid]) -> list[Line | Grid]:
    """The bullets and numbers of lists before what they stand beside, though they were
    written after all of it."""
    places = {id(one): n for n, one in enumerate(parts)}
    free = sorted(
        (one for one in parts if isinstance(one, Line) and _is_marker(one)), key=top_of
    )
    if not free:
        return [*parts]
    found: list[Line | Grid] = []
    used: set[int] = set()
    for number, part in enumerate(parts):
        if isinstance(part, Line) and not _is_marker(part):
            low = bisect_left(free, part.top - part.size, key=top_of)
            high = bisect_right(free, part.bottom, key=top_of)
            beside = [
                one
                for one in free[low:high]
                if places[id(one)] > number + 1 and _is_marker_of(one, part)
            ]
            if beside:
                free.remove(beside[0])
                used.add(id(beside[0]))
                part = joined(beside[0], part)
        found.append(part)
    return [part for part in found if id(part) not in used]


def _is_marker(line: Line) -> bool:
    return _MARKER.fullmatch(line.text) is not None


def _is_marker_of(marker: Line, line: Line) -> bool:
    gap = line.x0 - marker.x1
    return marker.is_beside(line) and -0.5 * line.size < gap < INDENT * line.size


# --- how far a table goes --------------------------------------------------------


def _is_right_of(after: Line, before: Line) -> bool:
    return before.is_beside(after) and after.x0 >= before.x1 - 0.5 * before.size


def _is_below(after: Line, before: Line) -> bool:
    """Whether a line may go on in the cell of another one."""
    distance = after.top - before.top
    return 0 < distance < PITCH * max(after.size, before.size) and (
        after.x0 < before.x1 and before.x0 < after.x1
    )


@dataclass(frozen=True)
class _Column:
    """From where to where a column reaches, and the tops of what stands in it."""

    x0: float
    x1: float
    tops: frozenset[int] = frozenset()


def _end_of_table(parts: Sequence[Line | Grid], start: int) -> int:
    """The end of the lines from one on that stand in two columns or more; `start` if
    nothing stands beside it."""
    if not _has_beside(parts, start):
        return start
    columns: list[_Column] = []
    end = last_beside = start
    first = parts[start]
    first_size = first.size if isinstance(first, Line) else 0.0
    above = bottom = 0.0
    """The bottoms of the rows before the last one, and of all."""
    while end < len(parts) and isinstance(line := parts[end], Line):
        before = parts[end - 1] if end > start else line
        assert isinstance(before, Line)
        is_first = bool(columns) and line.x0 <= columns[0].x1
        if is_first and line.top > before.top and not _is_below(line, before):
            above = bottom
        gap = line.top - bottom
        is_far = end > start and gap > FAR * line.size
        is_heading = end > start and line.size > LARGER * first_size and gap > 0
        is_elsewhere = gap > AWAY * line.size and not any(
            abs(line.x0 - one.x0) < line.size or one.x0 < line.x0 < one.x1
            for one in columns
        )
        is_other = line.bottom < above  # it stands in another column of the leaf
        wider = _with_line(columns, line)
        if is_far or is_other or is_heading or (columns and is_elsewhere):
            break
        if _lose_gutter(columns, wider) or end - last_beside > MOST_ALONE:
            break
        if len(wider) > WIDEST:
            return end
        is_beside = end > start and line.bottom <= bottom + 0.3 * line.size
        if (is_beside and not is_first) or _is_right_of(line, before):
            last_beside = end + 1
        elif end == last_beside and _ends_cell(before, line, columns):
            last_beside = end + 1
        columns = wider
        bottom = max(bottom, line.bottom)
        end += 1
    return last_beside


def _has_beside(parts: Sequence[Line | Grid], start: int) -> bool:
    """Whether the next line, or the one after those of the same cell, stands right of
    a line."""
    first = parts[start]
    if not isinstance(first, Line):
        return False
    right, bottom, last = first.x1, first.bottom, first
    for line in parts[start + 1 : start + 1 + TALLEST_HEAD]:
        if not isinstance(line, Line):
            return False
        if not _is_below(line, last):
            is_beside = line.top < bottom - 0.2 * line.size and line.bottom > first.top
            return is_beside and line.x0 >= right - 0.5 * line.size
        right, bottom, last = max(right, line.x1), line.bottom, line
    return False


def _ends_cell(before: Line, line: Line, columns: Sequence[_Column]) -> bool:
    """Whether a line that stands below the last one goes on in its cell."""
    if not _is_below(line, before):
        return False
    is_first = line.x0 < columns[0].x1
    return not is_first or _is_cut(before, line)


def _is_cut(before: Line, line: Line) -> bool:
    """Whether a sentence or a word goes on in the next line."""
    return line.text[:1].islower() or before.text[-1:] in HYPHENS


def _with_line(columns: Sequence[_Column], line: Line) -> list[_Column]:
    """Columns with a line more: those that it reaches into become one with it."""
    gutter = GUTTER * line.size
    low, high = line.x0, line.x1
    tops = frozenset([round(line.top)])
    apart = []
    for one in columns:
        if one.x1 + gutter <= low or high + gutter <= one.x0:
            apart.append(one)
        else:
            low, high = min(low, one.x0), max(high, one.x1)
            tops |= one.tops
    return sorted([*apart, _Column(low, high, tops)], key=_left)


def _left(column: _Column) -> float:
    return column.x0


def _lose_gutter(columns: Sequence[_Column], wider: Sequence[_Column]) -> bool:
    """Whether all columns became one, or so many of them that have several lines that
    no table is left. A head may span some."""
    if len(wider) < 2 <= len(columns):
        return True
    firm = sum(len(one.tops) > 1 for one in columns)
    left = sum(len(one.tops) > 1 for one in wider)
    return firm > 1 and left < 2


# --- columns ---------------------------------------------------------------------


def _table(
    lines: Sequence[Line], rules: Sequence[Rule]
) -> tuple[list[Line], Grid, list[Line]] | None:
    """The lines above a table, the table, and those below; None where lines make no
    table of which it is clear what stands where."""
    cores = _cores(lines)
    if not 1 < len(cores) < WIDEST:
        return None
    strokes = _strokes(cores, rules)
    placed = [(line, _columns_of(line, cores)) for line in lines]
    rows, heads = _rows(_blocks(placed, cores, strokes), strokes)
    full = [n for n, row in enumerate(rows) if len({span for _, span in row}) > 1]
    is_marked = bool(strokes) or len(cores) > 3
    if len(full) < (2 if is_marked and len(cores) > 2 else 3):
        return None
    first, end = full[0], full[-1] + 1
    above = [line for row in rows[:first] for block, _ in row for line in block.lines]
    below = [line for row in rows[end:] for block, _ in row for line in block.lines]
    table = [_cells(row) for row in rows[first:end]]
    if 2 * len(full) < len(table) or _is_justified(lines):
        return None
    if len(cores) == 2 and (_is_list(table) or _is_prose(table)):
        return None
    grid = Grid(tuple(table), len(cores), max(0, heads - first))
    return above, grid, below


def _strokes(cores: Sequence[_Column], rules: Sequence[Rule]) -> list[float]:
    """The tops of the strokes across a table, from above."""
    low, high = cores[0].x0, cores[-1].x1
    return sorted(
        rule.top
        for rule in rules
        if min(rule.x1, high) - max(rule.x0, low) > RULED * (high - low)
    )


def _is_between(strokes: Sequence[float], above: float, below: float) -> bool:
    return bisect_left(strokes, below) > bisect_right(strokes, above)


def _cores(lines: Sequence[Line]) -> list[_Column]:
    """The columns: where most rows of several cells have something. A head that spans
    columns, one of several rows, does not make them one."""
    levels = [level for level in _levels(lines) if len(level) > 1]
    allowed = max(1, len(levels) // SPANNING) if len(levels) > 2 else 0
    edges: list[tuple[float, int]] = []
    for level in levels:
        for low, high in _covered(level):
            edges += [(low, 1), (high, -1)]
    found: list[_Column] = []
    depth, start = 0, None
    for place, step in sorted(edges):
        depth += step
        if depth > allowed and start is None:
            start = place
        elif depth <= allowed and start is not None:
            found.append(_Column(start, place))
            start = None
    merged: list[_Column] = []
    gutter = GUTTER * median(line.size for line in lines)
    for one in found:
        if merged and one.x0 - merged[-1].x1 < gutter:
            merged[-1] = _Column(merged[-1].x0, one.x1)
        else:
            merged.append(one)
    return _with_single(merged, lines, gutter)


def _covered(level: Sequence[Line]) -> list[tuple[float, float]]:
    """What the lines of a level cover, each place once."""
    found: list[tuple[float, float]] = []
    for line in sorted(level, key=lambda one: one.x0):
        if found and line.x0 <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], line.x1))
        else:
            found.append((line.x0, line.x1))
    return found


def _with_single(
    cores: Sequence[_Column], lines: Sequence[Line], gutter: float
) -> list[_Column]:
    """With a column for what stands apart from all others, if only in one row; not
    for a head in the middle over two columns."""
    found = [*cores]
    if len(cores) < 2:
        return found
    first = min(line.top for line in lines)
    for line in lines:
        is_apart = all(
            one.x1 + gutter <= line.x0 or line.x1 + gutter <= one.x0 for one in found
        )
        is_outside = line.x0 > found[-1].x1 or line.x1 < found[0].x0
        if is_apart and (is_outside or line.top > first + line.size):
            found.append(_Column(line.x0, line.x1))
            found.sort(key=_left)
    return found


def _columns_of(line: Line, cores: Sequence[_Column]) -> Span:
    """The first and the last column that a line stands in."""
    inside = [n for n, one in enumerate(cores) if line.x0 < one.x1 and one.x0 < line.x1]
    if inside:
        return inside[0], inside[-1]
    after = bisect_left(cores, line.x0, key=_left)
    if 0 < after < len(cores):
        gaps = line.x0 - cores[after - 1].x1, cores[after].x0 - line.x1
        if abs(gaps[0] - gaps[1]) < line.size:
            return after - 1, after  # a head in the middle over two columns
        return (after - 1,) * 2 if gaps[0] < gaps[1] else (after,) * 2
    return (min(after, len(cores) - 1),) * 2


# --- rows ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Block:
    """The lines of a cell."""

    lines: tuple[Line, ...]

    @property
    def top(self) -> float:
        return self.lines[0].top

    @property
    def bottom(self) -> float:
        return max(line.bottom for line in self.lines)


Placed = tuple[_Block, Span]
"""A cell, and the columns that it stands in."""


def _blocks(
    placed: Sequence[tuple[Line, Span]],
    cores: Sequence[_Column],
    strokes: Sequence[float],
) -> list[Placed]:
    """The lines of each cell together. Where they were written one after the other,
    the first word of the one had no room on the other; where each line of a row was
    written by itself, the first column has nothing on that level."""
    reach: dict[int, float] = {}
    for line, (first, end) in placed:
        if first == end:
            reach[first] = max(reach.get(first, line.x1), line.x1)
    edges = [reach.get(n, one.x1) for n, one in enumerate(cores)]
    going_on = _going_on(placed)
    found: list[tuple[list[Line], Span]] = []
    last: dict[Span, int] = {}
    newest = -1
    for line, span in placed:
        number = last.get(span, -1)
        before = found[number][0][-1] if number >= 0 else None
        if before is not None and (
            (before.is_beside(line) and _is_right_of(line, before))
            or (
                (number == newest or id(line) in going_on)
                and _goes_on(before, line, edges[span[1]])
                and not _is_between(strokes, before.top, line.top)
            )
        ):
            found[number][0].append(line)
        else:
            number = last[span] = len(found)
            found.append(([line], span))
        newest = number
    return [(_Block(tuple(lines)), span) for lines, span in found]


def _goes_on(before: Line, line: Line, edge: float) -> bool:
    """Whether a line goes on in the cell of the one above it."""
    if not _is_below(line, before):
        return False
    if _is_cut(before, line):
        return True
    had_room = before.x1 + room_for(line, WORD_SPACE * line.size) < edge
    return not had_room and before.text[-1:] not in ".!?:"


def _going_on(placed: Sequence[tuple[Line, Span]]) -> set[int]:
    """Which lines stand on a level that only goes on in cells of the row above: it has
    nothing in the first column, or only lower case where rows begin with a capital."""
    spans = {id(line): span for line, span in placed}
    levels = _levels([line for line, _ in placed])
    firsts = [
        next((one for one in level if spans[id(one)][0] == 0), None) for level in levels
    ]
    texts = [one.text for one in firsts if one is not None]
    have_capitals = 2 * sum(not text[:1].islower() for text in texts) > len(texts)
    found: set[int] = set()
    above: dict[Span, Line] = {}
    for level, first in zip(levels, firsts, strict=True):
        here = {spans[id(one)]: one for one in level}
        is_lower = have_capitals and all(one.text[:1].islower() for one in level)
        both = [one for span, one in here.items() if span in above]
        are_values = len(both) > 1 and any(_FIGURE.search(one.text) for one in both)
        if (first is None and not are_values) or is_lower:
            found |= {id(one) for one in level}
        above = here
    return found


def _rows(
    blocks: Sequence[Placed], strokes: Sequence[float]
) -> tuple[list[list[Placed]], int]:
    """The cells of each row, and the number of rows that are heads: what stands beside
    one another, and between two strokes, where each row is between two."""
    rows: list[list[Placed]] = []
    bottom = 0.0
    for block, span in sorted(blocks, key=lambda one: one[0].top):
        height = min(block.bottom - block.top, block.lines[0].size)
        if rows and bottom - block.top > 0.2 * height:
            rows[-1].append((block, span))
            bottom = max(bottom, block.bottom)
        else:
            rows.append([(block, span)])
            bottom = block.bottom
    bands: list[list[list[Placed]]] = []
    ended = 0.0
    for row in rows:
        middles = [(block.top + block.bottom) / 2 for block, _ in row]
        if not bands or _is_between(strokes, ended, min(middles)):
            bands.append([])
        bands[-1].append(row)
        ended = max(middles)
    if 2 * len(bands) > len(rows) and not any(map(_are_rows, bands)):
        return [[cell for row in band for cell in row] for band in bands], 0
    heads = bands[0]
    is_set_off = 1 < len(bands) < len(rows) and len(heads) <= MOST_HEADS
    rest = [row for band in bands[1:] for row in band]
    if is_set_off and not _have_values(heads, rest):
        return rows, len(heads)
    return rows, 0


def _have_values(
    heads: Sequence[Sequence[Placed]], rest: Sequence[Sequence[Placed]]
) -> bool:
    """Whether rows over a stroke have figures where those below it have some: they are
    items, and the stroke stands over a sum. Years may head columns."""
    figures = {
        span
        for row in rest
        for block, span in row
        if span[0] and _FIGURE.search(block.lines[0].text)
    }
    return any(
        span in figures
        and _FIGURE.search(block.lines[0].text)
        and not YEAR.fullmatch(block.lines[0].text)
        for row in heads
        for block, span in row
    )


def _are_rows(band: Sequence[Sequence[Placed]]) -> bool:
    """Whether two rows between two strokes each have a first cell and another one."""
    full = [
        row for row in band if len(row) > 1 and min(span[0] for _, span in row) == 0
    ]
    return len(full) > 1


def _cells(row: Sequence[Placed]) -> tuple[Cell, ...]:
    found: dict[Span, list[Line]] = {}
    for block, span in row:
        found.setdefault(span, []).extend(block.lines)
    return tuple(
        Cell(first, last, tuple(_in_order(lines)))
        for (first, last), lines in sorted(found.items())
    )


def _in_order(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a cell, what stands beside one another as one."""
    for level in _levels(lines):
        first, *rest = sorted(level, key=lambda one: one.x0)
        for line in rest:
            first = joined(first, line)
        yield first


def _levels(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that stand beside one another, from above."""
    found: list[list[Line]] = []
    for line in sorted(lines, key=top_of):
        if found and any(line.is_beside(one) for one in found[-1]):
            found[-1].append(line)
        else:
            found.append([line])
    return found


# --- what is no table ------------------------------------------------------------


def _is_justified(lines: Sequence[Line]) -> bool:
    """Whether lines are running text whose words stand far apart, all of a line
    equally."""
    levels = [
        [word for line in sorted(level, key=lambda one: one.x0) for word in line.words]
        for level in _levels(lines)
    ]
    even = [_is_even(level) for level in levels if len(level) > 2]
    return 2 * sum(even) > len(even) > 0


def _is_even(words: Sequence[Word]) -> bool:
    gaps = [after.x0 - before.x1 for before, after in pairwise(words)]
    letters = sum(word.text[:1].isalpha() for word in words)
    return (
        max(gaps) - min(gaps) < EVEN
        and max(gaps) < FAR * words[0].style.size
        and 2 * letters > len(words)
    )


def _is_list(table: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first column has only the bullets or numbers of a list."""
    firsts = [row[0].text for row in table if row and row[0].first == 0]
    marked = sum(_MARKER.fullmatch(text) is not None for text in firsts)
    return 2 * marked > len(firsts)


def _is_prose(table: Sequence[Sequence[Cell]]) -> bool:
    """Whether both columns are running text, written line by line across them."""
    for number in (0, 1):
        counts = [
            len(line.words)
            for row in table
            for cell in row
            if cell.first == number
            for line in cell.lines
        ]
        if not counts or median(counts) < PROSE:
            return False
    texts = [row[0].text for row in table if row and row[0].first == 0]
    return any(after[:1].islower() for _, after in pairwise(texts))
