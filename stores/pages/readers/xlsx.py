"""Excel workbooks (XLSX): a sheet is a page with its table, or a table of pages.

A sheet whose first row names a text (`text`, `content` …) holds a page a row, as a CSV
does. Any other is read as people see it: values as they are shown (15 %, not 0.15),
each in the row and column where it stands.
"""

from __future__ import annotations

import datetime
import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from claimscope.core.errors import PageError, PageNote
from claimscope.core.models import Page
from claimscope.stores.pages.markup.tables import TableRow, write_table
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.records import record_page, summary, text_names
from claimscope.stores.pages.parsing.zip_documents import (
    document_facts,
    import_library,
    text_parts,
)

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_KIND = "XLSX"
_EMPTY_FORMULA = re.compile(rb"(?:</f>|<f/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_CURRENCY = re.compile(r"\[\$([^\]-]{1,4})[^\]]*\]|\"([^\"]{1,4})\"|([$€£¥])")
_DECIMALS = re.compile(r"0\.(0+)")
MOST_CELLS = 2_000_000


class XlsxReader:
    """Hidden sheets, rows and columns are left aside, with a note."""

    suffixes: tuple[str, ...] = (".xlsx", ".xlsm")

    holds_records = True

    def read(
        self, data: bytes, path: str, text_name: str | None = None
    ) -> Iterator[Page]:
        parts = text_parts(data, path, _KIND)
        facts = document_facts(parts.get("docProps/core.xml"), path)
        notes = list(_empty_formulas(parts, path))
        problems: list[PageError] = []
        for sheet in sheets_of(workbook(data, path)):
            notes += [f"{path}, sheet {sheet.title}: {note}" for note in sheet.notes]
            names = [cell.strip().lower() for cell in (sheet.rows or [[""]])[0]]
            if set(names) & set(text_names(text_name)):
                for place, default_id, fields in _records(sheet, names, path):
                    try:
                        yield record_page(fields, place, default_id, path, text_name)
                    except PageError as error:
                        problems.append(error)
            elif sheet.rows:
                yield _table(sheet, path, facts)
        if problems:
            raise summary(problems, "more rows")
        if notes:
            raise PageNote(
                "\n".join(notes), "Show it and save the file, to have it read."
            )


def _empty_formulas(parts: Mapping[str, bytes], path: str) -> Iterator[str]:
    """What a program wrote that does not calculate: formulas without their values."""
    sheets = (part for name, part in parts.items() if "/worksheets/" in name)
    if count := sum(len(_EMPTY_FORMULA.findall(sheet)) for sheet in sheets):
        noun = "cell holds a formula" if count == 1 else "cells hold formulas"
        yield f"{path}: {count:,} {noun} that no program has worked out; left empty"


def workbook(data: bytes, path: str) -> Workbook:
    """The workbook of a file, its formulas as the values last worked out. Raises
    PageError."""
    openpyxl = import_library("openpyxl", path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that it does not keep
            book: Workbook = openpyxl.load_workbook(
                io.BytesIO(data), data_only=True, keep_links=False
            )
            return book
    except Exception as error:
        # openpyxl fails in its own ways on broken workbooks.
        raise PageError(
            f"{path}: the workbook cannot be read: {error}.",
            f"Save it again as {_KIND}.",
        ) from error


def _records(
    sheet: Sheet, names: Sequence[str], path: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(place, default id, fields) of the rows of a sheet."""
    for number, row in zip(sheet.numbers[1:], sheet.rows[1:], strict=True):
        place = f"{path}, sheet {sheet.title}, row {number}"
        yield (
            place,
            f"{path}#{sheet.title}!{number}",
            dict(zip(names, row, strict=True)),
        )


def _table(sheet: Sheet, path: str, facts: dict[str, Any]) -> Page:
    rows = [TableRow(tuple(row), is_section=_is_section(row)) for row in sheet.rows]
    blocks = [f"# {sheet.title}", *write_table(rows)]
    return page(
        f"{path}, sheet {sheet.title}",
        {
            **facts,
            "page_id": f"{path}#{sheet.title}",
            "text": "\n\n".join(blocks) + "\n",
            "markup": "markdown",
            "path": path,
            "title": sheet.title,
            "source": facts.get("title"),
        },
    )


def _is_section(row: Sequence[str]) -> bool:
    """A line in a table with one cell alone, at its left."""
    return len(row) > 1 and bool(row[0]) and not any(row[1:])


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
    return Sheet(sheet.title, _trim_columns(rows), numbers, notes)


def _hidden_columns(sheet: Any) -> set[int]:
    return {
        column
        for dimension in sheet.column_dimensions.values()
        if dimension.hidden and dimension.min and dimension.max
        for column in range(dimension.min, min(dimension.max, sheet.max_column) + 1)
    }


def _trim_columns(rows: list[list[str]]) -> list[list[str]]:
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
        return f"{_format_number(value * 100, digits)} %"
    text = _format_number(value, digits)
    found = _CURRENCY.search(form)
    sign = next(filter(None, found.groups()), "").strip() if found else ""
    if not sign:
        return text
    return f"{sign}{text}" if form.find(sign) < form.find("0") else f"{text} {sign}"


def _format_number(value: float, digits: int | None) -> str:
    if digits is not None:
        return f"{value:.{digits}f}"
    if isinstance(value, int) or value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10g}"


READER = XlsxReader()
