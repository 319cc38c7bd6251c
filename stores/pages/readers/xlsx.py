"""Excel workbooks (XLSX): a sheet is a page with its table, or a table of pages.

A sheet whose first row names a text (`text`, `content` …) holds a page a row, as a CSV
does. Any other is read as people see it: values as they are shown (15 %, not 0.15),
each in the row and column where it stands.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from claimscope.core.errors import PageError, PageNote
from claimscope.core.models import Page
from claimscope.stores.pages.markup.tables import TableRow, written_table
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.records import record_page, summary, text_names
from claimscope.stores.pages.parsing.sheet_values import Sheet, sheets_of
from claimscope.stores.pages.parsing.zip_documents import (
    document_facts,
    library,
    text_parts,
)

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_KIND = "XLSX"
_EMPTY_FORMULA = re.compile(rb"(?:</f>|<f/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")


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
    openpyxl = library("openpyxl", path)
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
    blocks = [f"# {sheet.title}", *written_table(rows)]
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


READER = XlsxReader()
