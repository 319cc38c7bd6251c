"""Tables that are no text: Parquet, Arrow, Excel, folders of `datasets`."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from claimscope.core.errors import PageError, SuiteError
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.imports.document import ToolFile, read_document
from claimscope.stores.workspace.regular_files import read_regular

ARROW = (".parquet", ".pq", ".arrow", ".feather")
EXCEL = (".xlsx", ".xlsm")
TEXTS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
"""Files of rows in a folder that holds neither Arrow nor Parquet."""
MOST_ROWS = 1_000_000
MOST_BYTES = 1_000_000_000
"""Of all values of a table in memory: a small file may hold the same text a million
times."""
_DICT, _INFO, _STATE = "dataset_dict.json", "dataset_info.json", "state.json"

PlacedRow = tuple[str, dict[str, Any]]


def is_table(path: Path) -> bool:
    """Whether a file, or a folder, is read here."""
    if path.is_dir():
        return bool(_members(path))
    return path.suffix.lower() in (*ARROW, *EXCEL)


def read_table(path: Path) -> ToolFile:
    """The rows of such a file or folder. Raises SuiteError."""
    if path.is_dir():
        return _folder(path)
    if path.suffix.lower() in EXCEL:
        return _workbook(path)
    rows = tuple(_numbered_rows(_arrow_rows([path], path.name)))
    return ToolFile(path.name, "json", [row for _, row in rows], rows)


def _numbered_rows(
    rows: Iterator[dict[str, Any]], noun: str = "row"
) -> Iterator[PlacedRow]:
    return ((f"{noun} {number}", row) for number, row in enumerate(rows, start=1))


# --- Arrow and Parquet ----------------------------------------------------------


def _arrow_rows(paths: Sequence[Path], name: str) -> Iterator[dict[str, Any]]:
    count = size = 0
    for path in paths:
        try:
            for batch in _batches(path):
                count += batch.num_rows
                size += batch.nbytes
                if count > MOST_ROWS or size > MOST_BYTES:
                    raise SuiteError(
                        f"{name}: more than {MOST_ROWS:,} rows or"
                        f" {MOST_BYTES / 1e9:,.0f} GB of values.",
                        "Write the rows to be judged into a file of their own.",
                    )
                yield from (
                    {key: _json_value(value) for key, value in row.items()}
                    for row in batch.to_pylist()
                )
        except (ValueError, OSError, TypeError, NotImplementedError) as error:
            # The errors of pyarrow are these, or are derived from them.
            problem = " ".join(str(error).split())[:160].rstrip(".")
            raise SuiteError(
                f"{path.name}: the table cannot be read: {problem}.",
                "Write it again, as Parquet or JSON lines.",
            ) from error


def _batches(path: Path) -> Iterator[Any]:
    pyarrow = _library("pyarrow", path.name)
    if path.suffix.lower() in (".parquet", ".pq"):
        parquet = _library("pyarrow.parquet", path.name)
        with parquet.ParquetFile(path) as file:
            yield from file.iter_batches(batch_size=1024)
        return
    ipc = _library("pyarrow.ipc", path.name)
    # `datasets` writes streams, Feather is the format of files.
    with path.open("rb") as begun:
        is_file = begun.read(6) == b"ARROW1"
    with pyarrow.OSFile(str(path)) as source:
        if is_file:
            reader = ipc.open_file(source)
            yield from map(reader.get_batch, range(reader.num_record_batches))
        else:
            yield from ipc.open_stream(source)


def _json_value(value: Any) -> Any:
    """A value as JSON has it; bytes (pictures, sounds) are none."""
    if isinstance(value, dict):
        return {str(key): _json_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(inner) for inner in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool) else None


def _library(name: str, file: str) -> Any:
    from claimscope.stores.pages.parsing.zip_documents import import_library

    try:
        return import_library(name, file)
    except PageError as error:
        raise SuiteError(
            error.message, "pip install 'claimscope[formats]', or save it as CSV."
        ) from error


# --- folders ---------------------------------------------------------------------


def _members(folder: Path) -> list[tuple[str, list[Path]]]:
    """(split, its files) of a folder of `datasets`, saved by it or fetched; empty when
    it is none."""
    if (folder / _DICT).is_file():
        splits = _read_object(folder / _DICT).get("splits")
        names = [n for n in splits if isinstance(n, str)] if splits else []
        inside = [(n, folder / n) for n in names if "/" not in n and n[:1] != "."]
        return [(name, _dataset_files(one)) for name, one in inside if one.is_dir()]
    if (folder / _STATE).is_file() and (folder / _INFO).is_file():
        return [("", _dataset_files(folder))]
    for suffixes in ((".parquet",), TEXTS):
        files = sorted(
            path
            for place in (folder, folder / "data")
            if place.is_dir()
            for path in place.iterdir()
            if path.suffix.lower() in suffixes
            and path.is_file()
            and path.name not in (_INFO, _STATE, "dataset_infos.json")
        )
        if files and (suffixes == (".parquet",) or (folder / "README.md").is_file()):
            return [("", files)]
    return []


def _dataset_files(folder: Path) -> list[Path]:
    """The files of a dataset as its state names them."""
    state = _read_object(folder / _STATE)
    if state.get("_indices_files") or state.get("_indices_data_files"):
        raise SuiteError(
            f"{folder.name}: its rows are chosen by a list of indices.",
            "Save it after dataset.flatten_indices().",
        )
    found = []
    for one in state.get("_data_files") or ():
        name = one.get("filename") if isinstance(one, dict) else None
        if isinstance(name, str) and Path(name).name == name:
            found.append(folder / name)
    for path in found:
        if not path.is_file():
            raise SuiteError(
                f"{folder.name}: its file {path.name} is missing.",
                "Copy the whole folder, or save the dataset again.",
            )
    return found


def _read_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError) as error:
        raise SuiteError(
            f"{path.parent.name}/{path.name}: cannot be read: {error}.",
            "Save the dataset again.",
        ) from error
    return value if isinstance(value, dict) else {}


def _folder(folder: Path) -> ToolFile:
    rows: list[PlacedRow] = []
    problems: list[str] = []
    name = folder.absolute().name
    members = _members(folder)
    for split, files in members:
        noun = f"{split} row" if split else "row"
        if files and files[0].suffix.lower() in TEXTS:
            for file in files:
                found = read_document(text_of(file), file.name)
                problems += found.problems
                rows += [(f"{file.name}, {place}", row) for place, row in found.rows]
        else:
            rows += _numbered_rows(_arrow_rows(files, name), noun)
    if not rows and not problems:
        raise SuiteError(f"{name}: there is no row in it.", "Save the dataset again.")
    values = [row for _, row in rows]
    return ToolFile(name, "json", values, tuple(rows), tuple(problems))


# --- Excel -----------------------------------------------------------------------


def _workbook(path: Path) -> ToolFile:
    """The rows below the first line of the first sheet, and of those with the same
    first line."""
    from claimscope.stores.pages.parsing.zip_documents import text_parts
    from claimscope.stores.pages.readers.xlsx import sheets_of, workbook

    try:
        data = read_regular(path)
        text_parts(data, path.name, "XLSX")
        sheets = [one for one in sheets_of(workbook(data, path.name)) if one.rows]
    except PageError as error:
        raise SuiteError(error.message, error.hint) from error
    except OSError as error:
        raise SuiteError(
            f"{path.name}: cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
    if not sheets:
        raise SuiteError(f"{path.name}: there is no row in it.", "Fill its sheet.")
    columns = [cell.strip() for cell in sheets[0].rows[0]]
    for column in columns:
        if column and columns.count(column) > 1:
            raise SuiteError(
                f"{path.name}: sheet {sheets[0].title}, column {column} stands there"
                " twice.",
                "Give each column a name of its own.",
            )
    rows: list[PlacedRow] = []
    left: list[tuple[str, str]] = []
    for sheet in sheets:
        if [cell.strip() for cell in sheet.rows[0]] != columns:
            left.append((f"sheet {sheet.title}", "other columns than the first sheet"))
            continue
        for number, row in islice(
            zip(sheet.numbers, sheet.rows, strict=True), 1, MOST_ROWS
        ):
            place = f"sheet {sheet.title}, row {number}"
            rows.append((place, dict(zip(columns, row, strict=True))))
    values = [row for _, row in rows]
    return ToolFile(path.name, "csv", values, tuple(rows), left=tuple(left))
