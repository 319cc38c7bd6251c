"""Inputs and results of RAGChecker: query, gt_answer, response, retrieved_context."""

from __future__ import annotations

from typing import Any

from claimscope.stores.formats.imports.collecting import Collector, Row
from claimscope.stores.formats.imports.document import Document

LISTS = ("results", "input_data")


class RagChecker:
    """Claims that it took from the reference answer become required claims."""

    name = "RAGChecker"
    order = 10
    lists: tuple[str, ...] = LISTS

    def fits(self, document: Document) -> bool:
        rows = document.listed(*self.lists)
        return any("gt_answer" in row and "query" in row for _, row in rows)

    def take(self, document: Document, into: Collector) -> None:
        for place, fields in document.listed(*self.lists):
            query_id = fields.get("query_id")
            named = isinstance(query_id, str | int) and str(query_id).strip()
            row = into.row(place, fields, str(query_id) if named else None)
            row.used.add("query_id")
            row.take("question", "query")
            row.take("reference", "gt_answer")
            row.take_contexts("retrieved_context")
            _claims(row)
            row.take_answer("response")
            if any("doc_id" in one for one in _dicts(fields.get("retrieved_context"))):
                row.no_place("retrieved_context.doc_id", "passages have no ids")
            row.close()


def _claims(row: Row) -> None:
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
