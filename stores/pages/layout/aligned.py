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
from claimscope.stores.pages.layout.words import Line, joined

Span = tuple[int, int]
"""The first and the last column of a cell."""
GUTTER = 0.45
"""Font sizes between two columns, at least."""
FAR = 4
"""Font sizes below a line; what is farther down is no part of a table."""
PITCH = 1.45
"""Font sizes from a line to the next one of a cell, at most."""
PROSE = 5
"""Words on most lines of a column of running text."""
LATE = 3
"""Parts of a leaf that were written last."""
INDENT = 3
"""Font sizes between a bullet or number and the text of its item, at most."""
ROOM = 0.3
"""Font sizes of white space before a word."""
RULED = 0.6
"""Share of a table's width that a stroke between two of its rows has."""
MOST_HEADS = 3
"""Rows of heads, and lines of one."""
SPANNING = 4
"""Of so many rows one may have a cell over several columns."""
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
        grid = _grid(lines, rules) if len(lines) > 1 else None
        if grid is not None:
            yield grid
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
        (one for one in parts if isinstance(one, Line) and _is_marker(one)), key=_top
    )
    if not free:
        return [*parts]
    found: list[Line | Grid] = []
    used: set[int] = set()
    for number, part in enumerate(parts):
        if isinstance(part, Line) and not _is_marker(part):
            low = bisect_left(free, part.top - part.size, key=_top)
            high = bisect_right(free, part.bottom, key=_top)
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
    above = bottom = 0.0
    """The bottoms of the rows before the last one, and of all."""
    while end < len(parts) and isinstance(line := parts[end], Line):
        before = parts[end - 1] if end > start else line
        assert isinstance(before, Line)
        is_first = bool(columns) and line.x0 <= columns[0].x1
        if is_first and line.top > before.top and not _is_below(line, before):
            above = bottom
        is_far = end > start and line.top - bottom > FAR * line.size
        is_other = line.bottom < above  # it stands in another column of the leaf
        wider = _with_line(columns, line)
        if is_far or is_other or _lose_gutter(columns, wider):
            break
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
    for line in parts[start + 1 : start + 1 + MOST_HEADS]:
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
    return not is_first or line.text[:1].islower() or before.text[-1:] in HYPHENS


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


def _grid(lines: Sequence[Line], rules: Sequence[Rule]) -> Grid | None:
    """None where lines make no table of which it is clear what stands where."""
    cores = _cores(lines)
    if len(cores) < 2:
        return None
    placed = [(line, _columns_of(line, cores)) for line in lines]
    rows, heads = _rows(_blocks(placed, cores), cores, rules)
    table = [_cells(row) for row in rows]
    filled = [row for row in table if len(row) > 1]
    if len(filled) < (3 if len(cores) == 2 else 2) or 2 * len(filled) < len(table):
        return None
    if len(cores) == 2 and (_is_list(table) or _is_prose(table)):
        return None
    return Grid(tuple(table), len(cores), heads)


def _cores(lines: Sequence[Line]) -> list[_Column]:
    """The columns: where most rows of several cells have something. A head that spans
    columns, one of several rows, does not make them one."""
    levels = [level for level in _levels(lines) if len(level) > 1]
    allowed = len(levels) // SPANNING if len(levels) > 2 else 0
    allowed = max(allowed, 1 if len(levels) > 2 else 0)
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
    placed: Sequence[tuple[Line, Span]], cores: Sequence[_Column]
) -> list[Placed]:
    """The lines of each cell together. Where they were written one after the other,
    the first word of the one had no room on the other; where each line of a row was
    written by itself, the first column has nothing on that level."""
    edges = [
        max((line.x1 for line, span in placed if span == (n, n)), default=one.x1)
        for n, one in enumerate(cores)
    ]
    going_on = _going_on([line for line, _ in placed], cores)
    found: list[tuple[list[Line], Span]] = []
    last: dict[Span, int] = {}
    newest = -1
    for line, span in placed:
        number = last.get(span, -1)
        before = found[number][0][-1] if number >= 0 else None
        if before is not None and (
            (before.is_beside(line) and _is_right_of(line, before))
            or (number == newest and _goes_on(before, line, edges[span[1]]))
            or (id(line) in going_on and _is_below(line, before))
        ):
            found[number][0].append(line)
        else:
            number = last[span] = len(found)
            found.append(([line], span))
        newest = number
    return [(_Block(tuple(lines)), span) for lines, span in found]


def _goes_on(before: Line, line: Line, edge: float) -> bool:
    if not _is_below(line, before):
        return False
    first = line.words[0]
    had_room = before.x1 + ROOM * line.size + (first.x1 - first.x0) < edge
    return not had_room or line.text[:1].islower() or before.text[-1:] in HYPHENS


def _going_on(lines: Sequence[Line], cores: Sequence[_Column]) -> set[int]:
    """Which lines stand on a level that only goes on in cells of the row above: it has
    nothing in the first column, or only lower case where rows begin with a capital."""
    levels = _levels(lines)
    firsts = [
        next((one for one in level if _columns_of(one, cores)[0] == 0), None)
        for level in levels
    ]
    texts = [one.text for one in firsts if one is not None]
    have_capitals = 2 * sum(not text[:1].islower() for text in texts) > len(texts)
    found: set[int] = set()
    for level, first in zip(levels, firsts, strict=True):
        is_lower = have_capitals and all(one.text[:1].islower() for one in level)
        if first is None or is_lower:
            found |= {id(one) for one in level}
    return found


def _rows(
    blocks: Sequence[Placed], cores: Sequence[_Column], rules: Sequence[Rule]
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
    bands = _bands(rows, cores, rules)
    if 2 * len(bands) > len(rows) and not any(map(_are_rows, bands)):
        return [[cell for row in band for cell in row] for band in bands], 0
    is_set_off = 1 < len(bands) < len(rows) and len(bands[0]) <= MOST_HEADS
    return rows, len(bands[0]) if is_set_off else 0


def _bands(
    rows: Sequence[list[Placed]], cores: Sequence[_Column], rules: Sequence[Rule]
) -> list[list[list[Placed]]]:
    """The rows between two strokes each."""
    low, high = cores[0].x0, cores[-1].x1
    strokes = sorted(
        rule.top
        for rule in rules
        if min(rule.x1, high) - max(rule.x0, low) > RULED * (high - low)
    )
    bands: list[list[list[Placed]]] = []
    ended = 0.0
    for row in rows:
        middle = min((block.top + block.bottom) / 2 for block, _ in row)
        above = bisect_left(strokes, middle)
        if not bands or (above and strokes[above - 1] > ended):
            bands.append([])
        bands[-1].append(row)
        ended = max((block.top + block.bottom) / 2 for block, _ in row)
    return bands


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


def _top(line: Line) -> float:
    return line.top


def _levels(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that stand beside one another, from above."""
    found: list[list[Line]] = []
    for line in sorted(lines, key=_top):
        if found and any(line.is_beside(one) for one in found[-1]):
            found[-1].append(line)
        else:
            found.append([line])
    return found


# --- what is no table ------------------------------------------------------------


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
