"""Which sentences of a page are to be marked for an item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.core.models import Evidence, SampleResult
from claimscope.tui.review.items import Item


@dataclass(frozen=True)
class Sought:
    """A sentence to mark: by number, or by its text where there is no number."""

    page_id: str
    index: int | None = None
    text: str | None = None
    start: int | None = None


def sought_by(sample: SampleResult, item: Item) -> Iterator[Sought]:
    """Sentences to show in their page: those of the first page only."""
    if item.kind == "citation":
        citation = sample.citations[item.index]
        if citation.page_id is not None:
            yield Sought(citation.page_id, citation.sentence)
        return
    if item.kind != "claim":
        for expected in sample.case.citations:
            yield Sought(expected.page_id, expected.sentence)
        return
    verdict = sample.claims[item.index].verdict
    found: tuple[Evidence, ...] = (*verdict.evidence, *verdict.conflicting)
    for evidence in found:
        if evidence.page_id == found[0].page_id:
            index = evidence.index if evidence.index >= 0 else None
            yield Sought(evidence.page_id, index, evidence.text, evidence.start)
