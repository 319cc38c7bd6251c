"""A file of another tool, parsed: its value, and the rows that may be in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal

from claimscope.stores.suites.formats import json_suite, yaml_suite
from claimscope.stores.suites.formats.csv_suite import csv_rows
from claimscope.stores.suites.formats.jsonl_suite import json_lines

Kind = Literal["json", "jsonl", "yaml", "csv"]
_KINDS: dict[str, Kind] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".csv": "csv",
    ".tsv": "csv",
}


@dataclass(frozen=True)
class ToolFile:
    """What a file holds; nothing checked yet."""

    name: str
    kind: Kind
    value: Any
    """The whole value of JSON or YAML; of other kinds the list of the rows."""
    rows: tuple[tuple[str, dict[str, Any]], ...]
    """(place, row) when the value is a list of objects."""
    problems: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    """(part of the file, why it has no place)."""

    def rows_in(self, *keys: str) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The rows, or those of the first of these lists inside the object."""
        if self.rows or not isinstance(self.value, dict):
            return self.rows
        for key in keys:
            if isinstance(self.value.get(key), list):
                return objects(self.value[key], key)
        return ()


def read_document(text: str, name: str) -> ToolFile:
    """Parses a file by its suffix; one without a known suffix as JSON, else as JSON
    lines. Raises SuiteError."""
    kind = _KINDS.get(PurePath(name).suffix.lower())
    if kind is None:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            kind = "jsonl"
        else:
            kind = "json"
    if kind == "csv":
        rows, problems = csv_rows(text, name)
        placed = tuple((f"line {line}", dict(row)) for line, row in rows)
        return ToolFile(name, kind, [row for _, row in placed], placed, tuple(problems))
    if kind == "jsonl":
        lines, problems = json_lines(text, name)
        placed = tuple((f"line {line}", row) for line, row in lines)
        return ToolFile(name, kind, [row for _, row in placed], placed, tuple(problems))
    value = (json_suite if kind == "json" else yaml_suite).load(text, name)
    found = objects(value, "row") if isinstance(value, list) else ()
    return ToolFile(name, kind, value, found)


def objects(values: Iterable[Any], noun: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """(place, object) of those values that are objects, counted from 1."""
    noun = noun.removesuffix("s")
    return tuple(
        (f"{noun} {number}", value)
        for number, value in enumerate(values, start=1)
        if isinstance(value, dict)
    )
