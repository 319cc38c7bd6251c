"""CSV and TSV: a table of pages, its first row the names of the fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.missing_values import missing_in_cell
from claimscope.stores.pages.parsing.records import (
    TEXT_FIELDS,
    good_pages,
    record_page,
    text_names,
)

DELIMITERS = ",;\t|"
LONGEST_CELL = 64 * 1024 * 1024
"""Characters; Python's own limit of 131,072 is less than an article."""


class CsvReader:
    """Delimiter found by its count in the first row; quotes as RFC 4180 has them."""

    suffixes: tuple[str, ...] = (".csv", ".tsv")

    holds_records = True

    def read(
        self, data: bytes, path: str, text_name: str | None = None
    ) -> Iterator[Page]:
        def page_of(line: tuple[int, dict[str, Any]]) -> Page:
            number, row = line
            place = f"{path}, line {number}"
            if None in row:
                raise PageError(
                    f"{place}: it has more cells than the first row.",
                    'Put cells with the delimiter in "quotation marks".',
                )
            return record_page(row, place, f"{path}#{number}", path, text_name)

        rows = table(decode(data, path), path, text_name)
        yield from good_pages(rows, page_of, "more rows")


def table(
    text: str, path: str, text_name: str | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line on which a row ends, its cells by name). Raises PageError when the first
    row names no text, and where the quotes break off."""
    csv.field_size_limit(LONGEST_CELL)
    head = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] | None = None
    try:
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            if names is None:
                names = _names(cells, path, text_names(text_name))
                continue
            row: dict[Any, Any] = {
                name: "" if missing_in_cell(cell, name) else cell
                for name, cell in zip(names, cells, strict=False)
            }
            if len(cells) > len(names):
                row[None] = cells[len(names) :]
            yield rows.line_num, row
    except csv.Error as error:
        raise PageError(
            f"{path}, line {rows.line_num}: not CSV: {error}.",
            "Look there, and above, for a quotation mark that is not closed.",
        ) from error


def _names(cells: list[str], path: str, wanted: tuple[str, ...]) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if not set(names) & set(wanted):
        shown = ", ".join(name[:40] for name in names[:12])
        raise PageError(
            f"{path}, line 1: no column is named {wanted[0]} (columns: {shown}).",
            f"Say which holds the text (--text-field NAME), or name it one of: "
            f"{', '.join(TEXT_FIELDS)}.",
        )
    return names


READER = CsvReader()
