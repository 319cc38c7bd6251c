"""Inputs and results of RAGChecker: query, gt_answer, response, retrieved_context.

Its meta-evaluation compares two models in a row: `model1` and `model2`, each with a
name and a response.
"""

from __future__ import annotations

import re
from typing import Any

from claimscope.stores.pages.parsing.missing_values import missing_as_written
from claimscope.stores.suites.imports.collector import Collector, ImportedRow
from claimscope.stores.suites.imports.document import ToolFile

_MODEL = re.compile(r"model_?\d+")
LISTS = ("results", "input_data")


class RagChecker:
    """Claims that it took from the reference answer become required claims."""

    name = "RAGChecker"
    order = 10
    lists: tuple[str, ...] = LISTS

    def fits(self, document: ToolFile) -> bool:
        rows = document.rows_in(*self.lists)
        return any("gt_answer" in row and "query" in row for _, row in rows)

    def take(self, document: ToolFile, into: Collector) -> None:
        rows = document.rows_in(*self.lists)
        for (place, fields), case_id in zip(rows, _ids(rows), strict=True):
            row = into.row(place, fields, case_id)
            row.used.add("query_id")
            row.take("domain", "dataset")
            row.take("question", "query")
            row.take("reference", "gt_answer")
            row.take_contexts("retrieved_context")
            _claims(row)
            row.take_answer("response")
            for name in fields:
                if _MODEL.fullmatch(str(name)):
                    _model(row, str(name))
            if any("doc_id" in one for one in _dicts(fields.get("retrieved_context"))):
                row.no_place("retrieved_context.doc_id", "passages have no ids")
            row.close()


def _ids(rows: tuple[tuple[str, dict[str, Any]], ...]) -> list[str | None]:
    """The ids of the queries; where those of two data sets are equal, with the data set
    before them."""
    given: list[str | None] = []
    queries: dict[str, set[str]] = {}
    for _, fields in rows:
        query_id = fields.get("query_id")
        named = isinstance(query_id, str | int) and str(query_id).strip()
        given.append(str(query_id) if named else None)
        if named:
            queries.setdefault(str(query_id), set()).add(str(fields.get("query")))
    return [
        f"{fields['dataset']}/{one}"
        if one is not None and len(queries[one]) > 1 and fields.get("dataset")
        else one
        for one, (_, fields) in zip(given, rows, strict=True)
    ]


def _model(row: ImportedRow, name: str) -> None:
    """What one of several models said."""
    fields = row.fields.get(name)
    if not isinstance(fields, dict):
        return
    row.used.add(name)
    text = fields.get("response")
    if isinstance(text, str) and not missing_as_written(text):
        row.answer(
            text, f"{name}.response", provider=str(fields.get("model_name") or name)
        )
    else:
        row.into.miss(
            f"{name}.response", row.place, missing_as_written(text) or "no text"
        )
    for key, value in fields.items():
        if key not in ("response", "model_name") and value not in (None, "", [], {}):
            row.no_place(f"{name}.{key}"[:60], "no field of a suite")


def _claims(row: ImportedRow) -> None:
    texts: list[str] = []
    for claim in row.fields.get("gt_answer_claims") or ():
        words = claim if isinstance(claim, list) else [claim]
        if words and all(isinstance(word, str) for word in words):
            texts.append(" ".join(words))
    if texts:
        row.used.add("gt_answer_claims")
        row.case["claims"] = [{"text": text} for text in texts if text.strip()]
        row.into.took("gt_answer_claims", "case.claims")


def _dicts(value: Any) -> list[dict[str, Any]]:
    return (
        [one for one in value if isinstance(one, dict)]
        if isinstance(value, list)
        else []
    )


IMPORTER = RagChecker()
