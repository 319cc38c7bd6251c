"""Tables of AsciiDoc as HTML; cells may stand on one line or on lines of their own."""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_CELL = re.compile(
    r"(?:(?:(\d+)(?:\.(\d+))?|\.(\d+))([+*]))?[<^>]?(?:\.[<^>])?([aehlmsvd])?(?<!\\)\|"
)
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|([^,\]]*))")
_REPEATED = re.compile(r"\s*(\d+)\*")
_ITEM = re.compile(r"^[*-]{1,6} +")
MOST_COLUMNS = 100


@dataclass(frozen=True)
class _Cell:
    text: str
    across: int = 1
    down: int = 1
    is_head: bool = False


def table_html(
    lines: Sequence[str], style: str, title: str, inline: Callable[[str], str]
) -> str:
    """`<table>` of the lines between two delimiters."""
    is_csv = "format=csv" in style or 'format="csv"' in style
    cells = list(_csv_cells(lines) if is_csv else _cells(lines))
    width = _width(style) or _first_row(lines, cells, is_csv)
    rows = list(_rows(cells, max(1, width)))
    first_filled = next((n for n, line in enumerate(lines) if line.strip()), 0)
    is_implicit = first_filled + 1 < len(lines) and not lines[first_filled + 1].strip()
    has_head = "header" in style or (
        is_implicit and first_filled == 0 and "noheader" not in style and len(rows) > 1
    )
    caption = f"<caption>{inline(title)}</caption>" if title else ""
    body = []
    for number, row in enumerate(rows):
        tag = "th" if has_head and number == 0 else "td"
        body.append(
            f"<tr>{''.join(_cell_html(cell, tag, inline) for cell in row)}</tr>"
        )
    return f"<table>{caption}{''.join(body)}</table>"


def _cell_html(cell: _Cell, tag: str, inline: Callable[[str], str]) -> str:
    tag = "th" if cell.is_head else tag
    lines = [line.strip() for line in cell.text.strip().split("\n")]
    is_list = any(_ITEM.match(line) for line in lines)
    lines = [_ITEM.sub("", line) for line in lines if line]
    text = ("; " if is_list else " ").join(lines)
    spans = f' colspan="{cell.across}"' if cell.across > 1 else ""
    spans += f' rowspan="{cell.down}"' if cell.down > 1 else ""
    return f"<{tag}{spans}>{inline(text)}</{tag}>"


def _cells(lines: Sequence[str]) -> Iterator[_Cell]:
    text = "\n".join(lines)
    found = list(_CELL.finditer(text))
    for match, after in zip(found, [*found[1:], None], strict=False):
        words = text[match.end() : after.start() if after else len(text)]
        words = words.replace("\\|", "|")
        count = min(int(match[1] or 1), MOST_COLUMNS)
        down = min(int(match[2] or match[3] or 1), 1000)
        if match[4] == "*":
            yield from [_Cell(words, is_head=match[5] == "h")] * count
        else:
            yield _Cell(words, count, down, match[5] == "h")


def _csv_cells(lines: Sequence[str]) -> Iterator[_Cell]:
    try:
        for row in csv.reader(line for line in lines if line.strip()):
            yield from (_Cell(text) for text in row)
    except csv.Error:
        yield from (_Cell(html.unescape(line)) for line in lines)


def _width(style: str) -> int:
    """Columns that the attributes of a table say; 0 when they do not."""
    found = _COLUMNS.search(style)
    if found is None:
        return 0
    value = (found[1] if found[1] is not None else found[2]).strip()
    count = 0
    for part in re.split("[,;]", value):
        repeated = _REPEATED.match(part)
        count += int(repeated[1]) if repeated else 1
    return min(count, MOST_COLUMNS)


def _first_row(lines: Sequence[str], cells: Sequence[_Cell], is_csv: bool) -> int:
    first = next((line for line in lines if line.strip()), "")
    if is_csv:
        return len(next(csv.reader([first]), []))
    return sum(cell.across for cell in _cells([first]))


def _rows(cells: Sequence[_Cell], width: int) -> Iterator[list[_Cell]]:
    """Cells in rows as wide as the table; spans from above take their places."""
    pending = [0] * width
    row: list[_Cell] = []
    place = 0

    def skip(place: int) -> int:
        while place < width and pending[place]:
            pending[place] -= 1
            place += 1
        return place

    place = skip(place)
    for cell in cells:
        row.append(cell)
        for column in range(place, min(place + cell.across, width)):
            pending[column] = cell.down - 1
        place = skip(place + cell.across)
        if place >= width:
            yield row
            row = []
            place = skip(0)
    if row:
        yield row
