"""Tables as rows of cells into tables of Markdown: heads, spans, sections.

A value must stay with its row and its column. So a cell that spans several is said in
each of them, heads of two lines become one, and a line across a table, under which
its rows stand, opens a table of its own below that line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

WIDEST = 200
"""Columns that a span may give; more is a mistake of the page."""
LONGEST_HEAD = 60
"""Characters of a head that is not marked as one."""
_DIGIT = re.compile(r"\d")
_STRONG = re.compile(r"\*\*[^*]+\*\*")


@dataclass(frozen=True)
class TableRow:
    """A line of a table, as wide as all others."""

    cells: tuple[str, ...]
    is_head: bool = False
    is_section: bool = False
    """One cell across the whole table, in the middle of it."""


def grid_of(rows: Sequence[Any], written: Callable[[Any], str]) -> list[TableRow]:
    """The rows of `<tr>` elements, spans filled in."""
    pending: dict[int, tuple[int, str]] = {}
    """Cells from above that go on: column to (rows left, text)."""
    found: list[tuple[list[str], bool, int]] = []
    for row in rows:
        cells: list[str] = []
        own = [cell for cell in row if cell.tag in ("td", "th")]
        is_head = bool(own) and (
            all(cell.tag == "th" for cell in own) or row.getparent().tag == "thead"
        )
        for cell in own:
            _take_over(pending, cells)
            text = written(cell).strip()
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for _ in range(min(across, WIDEST - len(cells))):
                if down > 1:
                    pending[len(cells)] = (down - 1, text)
                cells.append(text)
        _take_over(pending, cells)
        found.append((cells, is_head, _span(own[0], "colspan") if len(own) == 1 else 0))
    width = max((len(cells) for cells, _, _ in found), default=0)
    return [
        TableRow((*cells, *[""] * (width - len(cells))), is_head, alone >= width > 1)
        for cells, is_head, alone in found
        if any(cells)
    ]


def _take_over(pending: dict[int, tuple[int, str]], cells: list[str]) -> None:
    while (place := len(cells)) in pending:
        left, text = pending.pop(place)
        cells.append(text)
        if left > 1:
            pending[place] = (left - 1, text)


def _span(cell: Any, name: str) -> int:
    value = cell.get(name) or ""
    return max(1, min(int(value), 1000)) if value.isdecimal() else 1


def write_table(rows: Sequence[TableRow], title: str = "") -> list[str]:
    """Tables of Markdown; the title stands as their head on the line above."""
    rows = [*rows]
    top = 0
    while top < len(rows) and rows[top].is_head and not rows[top].is_section:
        top += 1
    if top == 0 and (_is_bold(rows[:2]) or _are_heads(rows)):
        top = 1
    top = top if top < len(rows) else max(0, len(rows) - 1)
    heads = _merge_heads(rows[:top], len(rows[0].cells) if rows else 0)
    found: list[str] = []
    section = title
    body: list[TableRow] = []

    def end() -> None:
        if body:
            found.append(markdown_table(heads, [row.cells for row in body], section))
            body.clear()
        elif section != title:
            found.append(section)  # nothing stands under it

    for row in rows[top:]:
        if row.is_section:
            end()
            section = " - ".join(filter(None, (title, row.cells[0].strip("*"))))
        else:
            body.append(row)
    end()
    if len(rows) == top + sum(row.is_section for row in rows[top:]):
        return [text for text in (title, *heads, *found) if text]  # no row of values
    return found


def markdown_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], title: str = ""
) -> str:
    """One table of Markdown; without heads a list, "Monday: closed"."""
    lines = [title] if title else []
    if not any(heads):
        return "\n".join([*lines, *filter(None, map(_list_item, rows))])
    lines.append(_table_row(heads))
    lines.append("|" + " --- |" * max(1, len(heads)))
    lines += [_table_row(row) for row in rows]
    return "\n".join(lines)


def _table_row(cells: Sequence[str]) -> str:
    plain = (re.sub(r"\s+", " ", cell).replace("|", "\\|").strip() for cell in cells)
    return f"| {' | '.join(plain)} |"


def _list_item(row: Sequence[str]) -> str:
    first, *rest = [
        re.sub(r"\s+", " ", cell).strip() for cell in row if cell.strip()
    ] or [""]
    return f"- {first}: {'; '.join(rest)}" if rest else f"- {first}"


def _merge_heads(rows: Sequence[TableRow], width: int) -> list[str]:
    """Heads of several lines as one: "Price - adults"."""
    columns = [[row.cells[place] for row in rows] for place in range(width)]
    return [" - ".join(dict.fromkeys(filter(None, parts))) for parts in columns]


def _is_bold(rows: Sequence[TableRow]) -> bool:
    """Whether the first of two lines is bold throughout, and the second is not."""
    bold = [
        all(_STRONG.fullmatch(cell) for cell in row.cells if cell) and any(row.cells)
        for row in rows
    ]
    return bold == [True, False]


def _are_heads(rows: Sequence[TableRow]) -> bool:
    """Whether a first line that nobody marked is one of heads: words in every column,
    where below them, in one column at least, stand figures alone. Three columns and
    more are a table even without figures."""
    if len(rows) < 2 or not all(rows[0].cells):
        return False
    if any(_DIGIT.search(cell) or len(cell) > LONGEST_HEAD for cell in rows[0].cells):
        return False
    body = [row.cells for row in rows[1:] if not row.is_section]
    figures = (
        body and all(_DIGIT.search(cell) for cell in column)
        for column in zip(*body, strict=True)
    )
    return any(figures) or len(rows[0].cells) > 2
