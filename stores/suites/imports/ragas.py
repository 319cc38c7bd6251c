"""Rows of ragas: `EvaluationDataset` as JSON, JSON lines or CSV, and its test sets.

Fields: `SingleTurnSample` of ragas 0.2 and later; question, answer, contexts and
ground_truth of 0.1.
"""

from __future__ import annotations

from typing import Any

from claimscope.stores.suites.formats.cell_lists import UnreadableList
from claimscope.stores.suites.formats.contexts import passages
from claimscope.stores.suites.imports.collector import Collector, ImportedRow
from claimscope.stores.suites.imports.document import ToolFile

LISTS = ("samples", "rows", "data", "examples")
_OLD = {"ground_truth", "ground_truths", "contexts"}
_TRUTH = ("reference_contexts", "retrieved_contexts", "contexts")


class Ragas:
    """Reference contexts are the case's ground truth, else the retrieved ones are."""

    name = "ragas"
    order = 20
    lists: tuple[str, ...] = LISTS

    def fits(self, document: ToolFile) -> bool:
        rows = document.listed(*self.lists)
        return any(
            "user_input" in row or ("question" in row and _OLD & set(row))
            for _, row in rows
        )

    def take(self, document: ToolFile, into: Collector) -> None:
        for place, fields in document.listed(*self.lists):
            if isinstance(fields.get("user_input"), list):
                into.skip(place, "a conversation of several turns, not a question")
                continue
            row = into.row(place, fields)
            row.take("question", "user_input", "question")
            _reference(row)
            row.take_contexts(*_TRUTH)
            _citations(row)
            row.take("category", "synthesizer_name", "evolution_type")
            row.take_answer("response", "answer")
            for number, text in enumerate(_texts(row, "multi_responses"), 1):
                row.used.add("multi_responses")
                row.answer(text, "multi_responses", provider=f"response-{number}")
            row.close()


def _reference(row: ImportedRow) -> None:
    texts = _texts(row, "ground_truths")
    if not texts or row.text("reference", "ground_truth") is not None:
        row.take("reference", "reference", "ground_truth")
        return
    row.used.add("ground_truths")
    row.case["reference"] = texts[0]
    row.into.took("ground_truths", "case.reference")
    if len(texts) > 1:
        row.no_place("ground_truths", "only the first is the reference")


def _citations(row: ImportedRow) -> None:
    ids = _texts(row, "reference_context_ids")
    if ids:
        row.used.add("reference_context_ids")
        row.case["citations"] = [{"page_id": page_id} for page_id in ids]
        row.into.took("reference_context_ids", "case.citations")


def _texts(row: ImportedRow, name: str) -> list[str]:
    """The texts of a field that holds several; a list that cannot be read is the end
    of the row."""
    value: Any = row.fields.get(name)
    try:
        return passages(value) if isinstance(value, str | list) else []
    except UnreadableList as error:
        row.refused = f"field {name}: {error}"
        return []


IMPORTER = Ragas()
