"""Suites as a table: one case a row, for people who keep questions in a spreadsheet.

A cell with several values is a JSON list, or has one value a line. Claims are required
unless their column says otherwise; a citation is a page id, or `PAGE:S:3`.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import PurePath
from typing import Any

from claimscope.core.errors import SuiteError
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.pages.parsing.missing_values import is_blank, missing_in_cell
from claimscope.stores.suites.formats.cell_lists import UnreadableList, parse_list
from claimscope.stores.suites.formats.contexts import passages
from claimscope.stores.suites.formats.suite_format import RawSuite

CLAIMS = {
    "claims": "required",
    "required_claims": "required",
    "expected_claims": "expected",
    "optional_claims": "optional",
}
"""Importance of the claims in a column."""
LISTS = ("brands", "contexts")
DELIMITERS = ",;\t|"
LONGEST_CELL = 64 * 1024 * 1024
_SENTENCE = re.compile(r"(.+):S:(\d{1,9})")


class CsvSuite:
    """Its id is the file's name; pages and answers are named by flags."""

    suffixes: tuple[str, ...] = (".csv", ".tsv")

    def read(self, text: str, name: str) -> RawSuite:
        rows, problems = csv_rows(text, name)
        cases: list[tuple[str, Any]] = []
        missing: list[str] = []
        for line, row in rows:
            for column, cell in row.items():
                shown = missing_in_cell(cell, column)
                if shown and not is_blank(shown):
                    missing.append(
                        f"{name}: line {line}, {column} is missing ({shown})"
                    )
            try:
                cases.append((f"line {line}", _case(row)))
            except UnreadableList as error:
                problems.append(f"{name}: line {line}, {error}")
        fields = {"id": PurePath(name).stem}
        return RawSuite(fields, tuple(cases), tuple(problems), tuple(missing))


def csv_rows(
    text: str, name: str
) -> tuple[list[tuple[int, dict[str, str]]], list[str]]:
    """(line on which a row ends, its cells by column) and what is wrong with others.

    Raises SuiteError when there is no first row, or it names a column twice.
    """
    csv.field_size_limit(LONGEST_CELL)
    head = text.lstrip("\ufeff\r\n ").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=head.count)
    stream = io.StringIO(text.removeprefix("\ufeff"), newline="")
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    columns: list[str] = []
    rows: list[tuple[int, dict[str, str]]] = []
    problems: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = _columns(cells, name)
            elif len(cells) > len(columns):
                problems.append(
                    f"{name}: line {reader.line_num}, it has "
                    f"{counted_noun(len(cells), 'cell')}, the"
                    f" first row {len(columns)}"
                )
            else:
                rows.append((reader.line_num, dict(zip(columns, cells, strict=False))))
    except csv.Error as error:
        problems.append(f"{name}: line {reader.line_num}, not CSV: {error}")
    if not columns:
        raise SuiteError(
            f"{name}: there is no row in it.",
            "The first row names the columns: id, question, reference …",
        )
    return rows, problems


def _columns(cells: list[str], name: str) -> list[str]:
    columns = [cell.strip() for cell in cells]
    for column in columns:
        if column and columns.count(column) > 1:
            raise SuiteError(
                f"{name}: line 1, column {column} stands there twice.",
                "Give each column a name of its own.",
            )
    return columns


def _case(row: dict[str, str]) -> dict[str, Any]:
    case: dict[str, Any] = {}
    claims: list[Any] = []
    for column, cell in row.items():
        if missing_in_cell(cell, column):
            continue
        if column in CLAIMS:
            claims += [_claim(value, CLAIMS[column]) for value in values(cell, column)]
        elif column == "citations":
            case[column] = [_citation(value) for value in values(cell, column)]
        elif column in LISTS:
            case[column] = values(cell, column)
        else:
            case[column] = cell.strip()
    return {**case, "claims": claims} if claims else case


def values(cell: str, column: str) -> list[Any]:
    """The values of a cell: of a list as programs write them, else its lines. Raises
    UnreadableList."""
    try:
        found = parse_list(cell)
    except UnreadableList as error:
        raise UnreadableList(f"{column}: {error}") from None
    if found is not None:
        if column != "contexts":
            return found
        return passages(found)
    return [line.strip() for line in cell.splitlines() if line.strip()]


def _claim(value: Any, importance: str) -> Any:
    return (
        {"text": value, "importance": importance} if isinstance(value, str) else value
    )


def _citation(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    match = _SENTENCE.fullmatch(value)
    if match is None:
        return {"page_id": value}
    return {"page_id": match.group(1), "sentence": int(match.group(2))}


FORMAT = CsvSuite()
