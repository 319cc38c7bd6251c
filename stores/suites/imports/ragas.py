"""Rows of ragas: `EvaluationDataset` as JSON, JSON lines or CSV, and its test sets.

Fields: `SingleTurnSample` of ragas 0.2 and later; question, answer, contexts and
ground_truth of 0.1.
"""

from __future__ import annotations

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
        rows = document.rows_in(*self.lists)
        return any(
            "user_input" in row or ("question" in row and _OLD & set(row))
            for _, row in rows
        )

    def take(self, document: ToolFile, into: Collector) -> None:
        for place, fields in document.rows_in(*self.lists):
            if isinstance(fields.get("user_input"), list):
                into.skip(place, "a conversation of several turns, not a question")
                continue
            row = into.row(place, fields)
            row.take("question", "user_input", "question")
            _reference(row)
            row.take_contexts(*_TRUTH)
            name = "reference_context_ids"
            row.take_texts(name, "citations", "page_id", row.texts(name))
            row.take("category", "synthesizer_name", "evolution_type")
            row.take_answer("response", "answer")
            for number, text in enumerate(row.texts("multi_responses"), 1):
                row.used.add("multi_responses")
                row.answer(text, "multi_responses", provider=f"response-{number}")
            row.close()


def _reference(row: ImportedRow) -> None:
    texts = row.texts("ground_truths")
    if not texts or row.text("reference", "ground_truth") is not None:
        row.take("reference", "reference", "ground_truth")
        return
    row.used.add("ground_truths")
    row.case["reference"] = texts[0]
    row.into.took("ground_truths", "case.reference")
    if len(texts) > 1:
        row.no_place("ground_truths", "only the first is the reference")


IMPORTER = Ragas()
