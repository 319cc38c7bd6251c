"""Leaves of a PDF as words, rules and ruled tables, by pdfplumber."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Any

from claimscope.stores.pages.layout.words import (
    PITCH,
    SPACE,
    Line,
    Style,
    Word,
    lines_of,
    room_for,
)

MOST_EDGES = 4_000
"""Edges of drawings and boxes among which ruled tables are looked for."""
SMALL = 0.85
"""Times the usual size that the figures of a fraction have, less than."""
DOUBLED = 0.2
"""Of a letter's width between two strokes of it, less than."""
MOST_SAME = 200
"""Equal words among which one printed twice is looked for."""
STROKE = 2.5
"""Points; a box is a stroke if it is no thicker."""
MOST_LINES = 8
"""Lines of a cell on an average; boxes of more are columns of text."""
_BOLD = re.compile(r"(?i)bold|black|heavy|cmbx|sfbx|[-,]bd\b|medi(?!um)")
_NO_SIGN = re.compile(r"^\(cid:\d+\)$")
"""What stands alone and is no letter: a bullet."""
_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf076\uf0d8\u25cf\u25cb", "•"))
"""Of fonts of symbols, which have places of their own for them."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A level stroke, or the upper or lower edge of a box."""

    x0: float
    x1: float
    top: float


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one cell of a table, from some column to another."""

    first: int
    last: int
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True)
class Grid:
    """A table: its rows from above, the cells of each from the left."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: int
    heads: int = 0
    """Rows over a stroke that sets them off from all others."""


@dataclass(frozen=True)
class Leaf:
    """What is printed on a leaf in the order in which it was written there."""

    parts: tuple[Line | Grid, ...]
    rules: tuple[Rule, ...] = ()
    is_picture: bool = False
    """It shows pictures and no text."""


def read_leaf(leaf: Any) -> Leaf:
    """`leaf`: a page of pdfplumber. What is printed twice to look bold is read once;
    slanted letters, as of a watermark, are not read."""
    again = _doubled(leaf.chars)
    if again:
        leaf = leaf.filter(lambda one: id(one) not in again)
    slanted = sum(map(_is_slanted, leaf.chars))
    if 0 < 2 * slanted < len(leaf.chars):
        leaf = leaf.filter(lambda one: not _is_slanted(one))
    upright = sum(1 for char in leaf.chars if char["upright"])
    is_turned = 2 * upright < len(leaf.chars)
    turned = _turned_words(leaf) if is_turned else []
    words = _once([*turned, *_with_fractions(_words(leaf))])
    if not words:
        return Leaf((), is_picture=bool(leaf.images))
    edges = [] if is_turned else leaf.horizontal_edges[:MOST_EDGES]
    rules = tuple(Rule(edge["x0"], edge["x1"], edge["top"]) for edge in edges)
    ruled = [] if is_turned else _ruled(leaf, words)
    parts: list[Line | Grid] = []
    free: list[Word] = []
    placed: set[int] = set()
    for word in words:
        inside = next((n for n, one in enumerate(ruled) if one.holds(word)), None)
        if inside is None:
            free.append(word)
        elif inside not in placed:
            placed.add(inside)
            parts += lines_of(free)
            free = []
            parts.append(ruled[inside].grid)
    parts += lines_of(free)
    return Leaf(tuple(parts), rules)


def _doubled(chars: Sequence[dict[str, Any]]) -> set[int]:
    """Ids of letters that are printed a second time right after the first."""
    return {
        id(other)
        for one, other in pairwise(chars)
        if one["text"] == other["text"] and _is_at(one, other)
    }


def _is_at(one: dict[str, Any], other: dict[str, Any]) -> bool:
    away = max(abs(one["x0"] - other["x0"]), abs(one["top"] - other["top"]))
    return bool(away < DOUBLED * min(one["width"], one["height"]))


def _with_fractions(words: Sequence[Word]) -> list[Word]:
    """A small figure right over another one as a fraction: "1/2"."""
    if not words:
        return []
    usual = median(word.style.size for word in words)
    found: list[Word] = []
    for word in words:
        before = found[-1] if found else None
        if (
            before is not None
            and before.text.isdigit()
            and word.text.isdigit()
            and max(before.style.size, word.style.size) < SMALL * usual
            and abs(before.x0 + before.x1 - word.x0 - word.x1) < word.style.size
            and 0 < word.top - before.top < 1.5 * usual
        ):
            found[-1] = replace(
                before,
                text=f"{before.text}/{word.text}",
                x0=min(before.x0, word.x0),
                x1=max(before.x1, word.x1),
                bottom=word.bottom,
            )
        else:
            found.append(word)
    return found


def _once(words: Sequence[Word]) -> list[Word]:
    """Without words that were printed again at the same place."""
    found: list[Word] = []
    places: dict[str, list[Word]] = {}
    for word in words:
        same = places.setdefault(word.text, [])
        if not any(
            max(abs(one.x0 - word.x0), abs(one.top - word.top))
            < DOUBLED * word.style.size / 2
            for one in same[-MOST_SAME:]
        ):
            same.append(word)
            found.append(word)
    return found


def _is_slanted(one: dict[str, Any]) -> bool:
    if one["object_type"] != "char":
        return False
    across, up = abs(one["matrix"][0]), abs(one["matrix"][1])
    return bool(min(across, up) > 0.1 * max(across, up))


def _is_filling(one: dict[str, Any]) -> bool:
    """A box that is only a colour behind what is printed."""
    is_box = one["object_type"] == "rect" and one["fill"] and not one["stroke"]
    return bool(is_box) and min(one["width"], one["height"]) > STROKE


def _words(leaf: Any) -> list[Word]:
    """The words that are not turned: what runs up a margin is no part of the text. A
    leaf that stands on its head is read as if it did not."""
    left, _, right, _ = leaf.bbox
    heads_down = sum(char["matrix"][0] < 0 for char in leaf.chars)
    if 2 * heads_down > len(leaf.chars):
        found = _extract(leaf, char_dir="rtl", line_dir="btt")
        places = [
            (-one["x1"], -one["x0"], -one["bottom"], -one["top"]) for one in found
        ]
        return [_word(one, *place) for one, place in zip(found, places, strict=True)]
    return [
        _word(one, one["x0"], one["x1"], one["top"], one["bottom"])
        for one in _extract(leaf)
        if one["upright"] and one["x0"] < right and one["x1"] > left
    ]


def _turned_words(leaf: Any) -> list[Word]:
    """The words of a leaf that is printed up or down, as if it were laid level."""
    goes_up = sum(char["matrix"][1] > 0 for char in leaf.chars) * 2 > len(leaf.chars)
    if goes_up:
        words = _extract(leaf, char_dir_rotated="btt", line_dir_rotated="ltr")
    else:
        words = _extract(leaf, char_dir_rotated="ttb", line_dir_rotated="rtl")
    found: list[Word] = []
    for one in words:
        if one["upright"]:
            continue
        if goes_up:
            place = (-one["bottom"], -one["top"], one["x0"], one["x1"])
        else:
            place = (one["top"], one["bottom"], -one["x1"], -one["x0"])
        # The height of a turned letter is what pdfplumber calls its width.
        word = _word({**one, "size": one["x1"] - one["x0"]}, *place)
        if found and _is_one_word(found[-1], word):
            word = replace(word, text=found[-1].text + word.text, x0=found[-1].x0)
            found.pop()
        found.append(word)
    return found


def _is_one_word(before: Word, word: Word) -> bool:
    """Letters that touch: turned ones are given one by one."""
    gap = word.x0 - before.x1
    is_near = before.top == word.top and abs(gap) < SPACE * word.style.size
    return is_near and not word.is_apart


def _extract(leaf: Any, **directions: str) -> list[dict[str, Any]]:
    """Words of pdfplumber, each with whether a space stands before it."""
    behind_space = {
        id(char) for before, char in pairwise(leaf.chars) if before["text"].isspace()
    }
    found: list[dict[str, Any]] = leaf.extract_words(
        use_text_flow=True,
        x_tolerance_ratio=0.15,
        extra_attrs=["size", "fontname", "non_stroking_color"],
        return_chars=True,
        **directions,
    )
    for one in found:
        one["is_apart"] = id(one.pop("chars")[0]) in behind_space
    return found


def _word(one: dict[str, Any], x0: float, x1: float, top: float, bottom: float) -> Word:
    size = round(2 * float(one["size"])) / 2
    style = _style(size, str(one["fontname"]), str(one["non_stroking_color"]))
    text = _NO_SIGN.sub("•", str(one["text"])).translate(_BULLETS)
    return Word(text, x0, x1, top, bottom, style, one["is_apart"])


@lru_cache(maxsize=1024)
def _style(size: float, font: str, color: str) -> Style:
    return Style(size, _BOLD.search(font) is not None, color)


@dataclass(frozen=True)
class _Ruled:
    """A table whose cells are boxes, and where it stands."""

    box: Box
    grid: Grid

    def holds(self, word: Word) -> bool:
        return _is_in(word, self.box)


def _is_in(word: Word, box: Box) -> bool:
    x, y = word.middle
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _ruled(leaf: Any, words: Sequence[Word]) -> list[_Ruled]:
    if len(leaf.edges) > MOST_EDGES:
        return []
    found = []
    if any(map(_is_filling, leaf.rects)):
        leaf = leaf.filter(lambda one: not _is_filling(one))
    for table in leaf.find_tables():
        grid = _grid(table.cells, [word for word in words if _is_in(word, table.bbox)])
        if grid is not None:
            found.append(_Ruled(table.bbox, grid))
    return found


def _grid(boxes: Sequence[Box], words: Sequence[Word]) -> Grid | None:
    """None for a box around text, and for a drawing."""
    starts = sorted({round(box[0]) for box in boxes})
    tops = sorted({round(box[1]) for box in boxes})
    if len(starts) < 2 or len(tops) < 2:
        return None
    spans = [_span(box, starts, tops) for box in boxes]
    owner = {
        (row, column): number
        for number, (rows, columns) in enumerate(spans)
        for row in rows
        for column in columns
    }
    own: list[list[Word]] = [[] for _ in boxes]
    for word in words:
        x, y = word.middle
        place = bisect_right(tops, y) - 1, bisect_right(starts, x) - 1
        if place in owner:
            own[owner[place]].append(word)
    rows: list[list[Cell]] = [[] for _ in tops]
    for (down, across), inside in zip(spans, own, strict=True):
        if across:
            cell = Cell(across[0], across[-1], tuple(lines_of(inside)))
            for row in down:
                # A cell that goes over several rows is said in each of them.
                rows[row].append(cell)
    ordered = tuple(tuple(sorted(row, key=_first)) for row in rows if row)
    filled = [cell for row in ordered for cell in row if cell.lines]
    lines = sum(len(cell.lines) for cell in filled)
    if len({cell.first for cell in filled}) < 2:
        return None
    if 2 * len(filled) < sum(map(len, ordered)) or lines > MOST_LINES * len(filled):
        return None
    right = max(box[2] for box in boxes)
    widths = [after - start for start, after in pairwise([*starts, right])]
    if len(ordered) < 2 or _is_framed(ordered, widths) or _are_two(words, ordered):
        return None
    return Grid(ordered, len(starts))


def _span(box: Box, starts: Sequence[int], tops: Sequence[int]) -> tuple[range, range]:
    """Numbers of the rows and of the columns that a box covers."""
    rows = range(bisect_left(tops, box[1] - 1), bisect_left(tops, box[3] - 1))
    columns = range(bisect_left(starts, box[0] - 1), bisect_left(starts, box[2] - 1))
    return rows, columns


def _is_framed(rows: Sequence[Sequence[Cell]], widths: Sequence[float]) -> bool:
    """Whether several rows stand in one row of boxes: of two cells at least, lines that
    are far apart, or end though the next word had room in their column."""
    return any(
        sum(_has_rows(cell, sum(widths[cell.first : cell.last + 1])) for cell in row)
        > 1
        for row in rows
    )


def _has_rows(cell: Cell, width: float) -> bool:
    for line, after in pairwise(cell.lines):
        is_apart = after.top - line.top > PITCH * line.size
        needs = line.x1 - line.x0 + room_for(after, line.size)
        if is_apart or needs < 0.75 * width:
            return True
    return False


def _are_two(words: Sequence[Word], rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether two tables stand side by side, of which one was written after the
    other."""
    places = {
        word: (number, cell.first)
        for number, row in enumerate(rows)
        for cell in row
        for line in cell.lines
        for word in line.words
    }
    order = [places[word] for word in words if word in places]
    ends = [n for n, (one, other) in enumerate(pairwise(order), 1) if other < one]
    if len(ends) != 1:
        return False
    left = {column for _, column in order[: ends[0]]}
    right = {column for _, column in order[ends[0] :]}
    return len(left) > 1 and len(right) > 1 and left.isdisjoint(right)


def _first(cell: Cell) -> int:
    return cell.first
