"""Goldens and test cases of DeepEval, as JSON, JSON lines or CSV.

Fields: `Golden` (input, expected_output, context …), in snake case as it saves them
or in camel case as its platform does.
"""

from __future__ import annotations

import re
from typing import Any

from claimscope.stores.suites.imports.collector import Collector
from claimscope.stores.suites.imports.document import ToolFile

LISTS = ("goldens", "test_cases", "testCases")
_MARKS = set(
    """expected_output actual_output retrieval_context context additional_metadata
    source_file scenario turns""".split()
)
_RULE = re.compile(r"^\s*\|(?:\s*:?-{2,}:?\s*\|)+", re.M)
_CSV_SEPARATOR = "|"
"""Between the passages of a cell, as `save_as` writes them."""


class DeepEval:
    """The ideal context is the case's ground truth, else the retrieved one is."""

    name = "DeepEval"
    order = 40
    lists: tuple[str, ...] = LISTS

    def fits(self, document: ToolFile) -> bool:
        return any(
            ("input" in row and _MARKS & set(row)) or {"scenario", "turns"} <= set(row)
            for row in map(_snake, (row for _, row in document.rows_in(*self.lists)))
        )

    def take(self, document: ToolFile, into: Collector) -> None:
        separator = _CSV_SEPARATOR if document.kind == "csv" else None
        for place, fields in document.rows_in(*self.lists):
            fields = _snake(fields)
            if "input" not in fields and {"scenario", "turns"} & set(fields):
                into.skip(place, "a conversation of several turns, not a question")
                continue
            metadata = fields.get("additional_metadata")
            more = metadata if isinstance(metadata, dict) else {}
            row = into.row(place, {**more, **fields})
            if more:
                row.used.add("additional_metadata")
            given = row.text("case_id")
            if given is not None:
                row.case["id"] = given
            row.take("question", "input")
            row.take("reference", "expected_output")
            if separator is not None:
                for name in ("context", "retrieval_context"):
                    row.fields[name] = without_tables_cut(row.fields.get(name))
            row.take_contexts("context", "retrieval_context", separator=separator)
            row.take("rationale", "comments")
            row.take("category", "category")
            row.take_difficulty("difficulty")
            row.take_answer("actual_output", provider=row.text("provider"))
            row.close()


def without_tables_cut(cell: Any) -> Any:
    """The passages of a cell in which a table of Markdown stands, whose pipes are no
    separators; other cells as they are."""
    if not isinstance(cell, str) or not _RULE.search(cell):
        return cell
    found: list[str] = []
    text = ""
    for line in cell.splitlines(keepends=True):
        if line.lstrip().startswith("|") and line.count("|") > 1:
            row, sign, rest = line.partition("||")
            if not sign or rest.rstrip().endswith("|"):
                text += line
                continue
            found.append(f"{text}{row}|")
            text, line = "", rest
        first, *others = line.split(_CSV_SEPARATOR)
        text += first
        for other in others:
            found.append(text)
            text = other
    return [part for part in (*found, text) if part.strip()]


def _snake(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(name)).lower(): value
        for name, value in fields.items()
    }


IMPORTER = DeepEval()
