"""Cells of a sheet as a person sees them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_CURRENCY = re.compile(r"\[\$([^\]-]{1,4})[^\]]*\]|\"([^\"]{1,4})\"|([$€£¥])")
_DECIMALS = re.compile(r"0\.(0+)")
MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class Sheet:
    """The shown rows of a sheet, without empty rows and columns at its edges."""

    title: str
    rows: list[list[str]]
    numbers: list[int]
    """The numbers of these rows in the sheet, from 1."""
    notes: list[str]


def sheets_of(book: Workbook) -> Iterator[Sheet]:
    """The sheets of a workbook that hold cells."""
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            yield Sheet(sheet.title, [], [], ["the sheet is hidden and was left aside"])
        elif sheet.max_row * sheet.max_column > MOST_CELLS:
            limit = f"more than {MOST_CELLS:,} cells"
            yield Sheet(sheet.title, [], [], [f"it has {limit} and was left aside"])
        else:
            yield _sheet(sheet)


def _sheet(sheet: Any) -> Sheet:
    hidden_columns = _hidden_columns(sheet)
    shown_columns = {*range(1, sheet.max_column + 1)} - hidden_columns
    merged = {
        place: (area.min_row, area.min_col)
        for area in sheet.merged_cells.ranges
        # A line across the whole sheet is one cell: a head of what is below it.
        if not shown_columns <= {*range(area.min_col, area.max_col + 1)}
        for place in area.cells
    }
    hidden = 0
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        if sheet.row_dimensions[number].hidden:
            hidden += any(cell.value is not None for cell in cells)
            continue
        row = []
        for cell in cells:
            if cell.column in hidden_columns:
                continue
            place = merged.get((cell.row, cell.column))
            row.append(cell_text(sheet.cell(*place) if place else cell))
        if any(row):
            rows.append(row)
            numbers.append(number)
    notes = []
    for count, noun in ((hidden, "row"), (len(hidden_columns), "column")):
        if count == 1:
            notes.append(f"1 hidden {noun} was left aside")
        elif count:
            notes.append(f"{count:,} hidden {noun}s were left aside")
    return Sheet(sheet.title, _trimmed(rows), numbers, notes)


def _hidden_columns(sheet: Any) -> set[int]:
    return {
        column
        for dimension in sheet.column_dimensions.values()
        if dimension.hidden and dimension.min and dimension.max
        for column in range(dimension.min, min(dimension.max, sheet.max_column) + 1)
    }


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    filled = [n for n in range(width) if any(row[n] for row in rows)]
    return [row[filled[0] : filled[-1] + 1] for row in rows] if filled else []


def cell_text(cell: Any) -> str:
    """A value in the form that its cell gives it."""
    value, form = cell.value, str(cell.number_format or "")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime):
        is_day = value.time() == datetime.time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "minutes")
    if isinstance(value, datetime.time):
        return value.isoformat("minutes")
    if isinstance(value, int | float):
        return _number(value, form)
    text = str(value).strip()
    font = cell.font
    return "" if font is not None and font.strike else text


def _number(value: float, form: str) -> str:
    places = _DECIMALS.search(form)
    digits = len(places[1]) if places else None
    if "%" in form:
        return f"{_plain(value * 100, digits)} %"
    text = _plain(value, digits)
    found = _CURRENCY.search(form)
    sign = next(filter(None, found.groups()), "").strip() if found else ""
    if not sign:
        return text
    return f"{sign}{text}" if form.find(sign) < form.find("0") else f"{text} {sign}"


def _plain(value: float, digits: int | None) -> str:
    if digits is not None:
        return f"{value:.{digits}f}"
    if isinstance(value, int) or value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10g}"
