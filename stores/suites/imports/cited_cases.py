"""Test sets with the sentences that an answer should cite.

`{"version", "testCases": [{id, query, category, difficulty, expectedCitations: [{pmid,
sentenceIndex, keyPhrase}], rationale}]}`.
"""

from __future__ import annotations

from typing import Any

from claimscope.stores.suites.imports.collector import Collector, ImportedRow
from claimscope.stores.suites.imports.document import ToolFile

LISTS = ("testCases", "test_cases")


class CitedCases:
    """A bare PubMed number becomes the id `PMID:…` that its page has."""

    name = "test set with expected citations"
    order = 5
    lists: tuple[str, ...] = LISTS

    def fits(self, document: ToolFile) -> bool:
        rows = document.rows_in(*self.lists)
        return any("expectedCitations" in row for _, row in rows)

    def take(self, document: ToolFile, into: Collector) -> None:
        if isinstance(document.value, dict):
            into.note(document.value, "version", "created")
        for place, fields in document.rows_in(*self.lists):
            row = into.row(place, fields)
            row.case["id"] = row.text("id") or row.case["id"]
            row.take("question", "query", "question")
            row.take("category", "category")
            row.take("rationale", "rationale")
            row.take("reference", "expectedAnswer", "reference")
            row.take("domain", "domain")
            row.take_difficulty("difficulty")
            _refuse_other_difficulty(row)
            _citations(row)
            row.take_answer("response", "generatedResponse")
            row.close()


def _refuse_other_difficulty(row: ImportedRow) -> None:
    """The document knows three; a case with another one is malformed."""
    given = row.fields.get("difficulty")
    if given and "difficulty" not in row.used:
        row.refused = (
            f"field difficulty: {str(given)[:40]!r} is not easy, medium or hard"
        )


def _citations(row: ImportedRow) -> None:
    given = row.fields.get("expectedCitations")
    if not isinstance(given, list):
        return
    found: list[dict[str, Any]] = []
    for number, one in enumerate(given, start=1):
        name = one.get("pmid", one.get("pageId")) if isinstance(one, dict) else one
        if not isinstance(name, str | int) or not str(name).strip():
            row.into.problems.append(
                f"{row.place}: field expectedCitations[{number}] names no page"
            )
            continue
        page_id = f"PMID:{name}" if str(name).isdigit() else str(name)
        citation: dict[str, Any] = {"page_id": page_id}
        if isinstance(one, dict):
            citation["sentence"] = one.get("sentenceIndex")
            citation["key_phrase"] = one.get("keyPhrase")
        found.append(
            {key: value for key, value in citation.items() if value is not None}
        )
    row.used.add("expectedCitations")
    if found:
        row.case["citations"] = found
        row.into.took("expectedCitations", "case.citations")


IMPORTER = CitedCases()
