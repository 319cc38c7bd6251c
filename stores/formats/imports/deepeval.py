"""Goldens and test cases of DeepEval, as JSON, JSON lines or CSV.

Fields: `Golden` (input, expected_output, context …), in snake case as it saves them
or in camel case as its platform does.
"""

from __future__ import annotations

import re
from typing import Any

from claimscope.stores.formats.imports.collecting import Collector
from claimscope.stores.formats.imports.document import Document

LISTS = ("goldens", "test_cases", "testCases")
_MARKS = {
    "expected_output",
    "actual_output",
    "retrieval_context",
    "context",
    "additional_metadata",
    "source_file",
    "scenario",
    "turns",
}
_CSV_SEPARATOR = "|"
"""Between the passages of a cell, as `save_as` writes them."""


class DeepEval:
    """The ideal context is the case's ground truth, else the retrieved one is."""

    name = "DeepEval"
    order = 40
    lists: tuple[str, ...] = LISTS

    def fits(self, document: Document) -> bool:
        return any(
            ("input" in row and _MARKS & set(row)) or {"scenario", "turns"} <= set(row)
            for row in map(_snake, (row for _, row in document.listed(*self.lists)))
        )

    def take(self, document: Document, into: Collector) -> None:
        separator = _CSV_SEPARATOR if document.kind == "csv" else None
        for place, fields in document.listed(*self.lists):
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
            row.take_contexts("context", "retrieval_context", separator=separator)
            row.take("rationale", "comments")
            row.take("category", "category")
            row.take_difficulty("difficulty")
            row.take_answer("actual_output")
            row.close()


def _snake(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(name)).lower(): value
        for name, value in fields.items()
    }


IMPORTER = DeepEval()
