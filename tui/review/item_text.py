"""The texts of an item: what is shown of it, what a search looks into, and the pages it
rests on."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import Evidence, SampleResult
from claimscope.core.report.view import Prose
from claimscope.core.report.views.citations import citation_view
from claimscope.core.report.views.claim import claim_view
from claimscope.core.report.views.coverage import missing_claim_view
from claimscope.core.report.views.grade import grade_view
from claimscope.core.report.views.sample import failure_view, reference, skipped_view
from claimscope.tui.review.items import Item, Words


def item_view(
    sample: SampleResult, item: Item, words: Words, calls_key: str
) -> Iterator[Prose]:
    """Its verdict first. calls_key: what shows the model calls behind it."""
    word = words.on(sample, item)
    n = item.index
    match item.kind:
        case "claim":
            yield from claim_view(sample, sample.claims[n], word, calls_key)
        case "citation":
            yield from citation_view(sample, sample.citations[n])
        case "skipped":
            yield from skipped_view(sample.skipped[n])
        case "missing":
            yield from missing_claim_view(sample.required_claims[n], word)
            yield from reference(sample)
        case "grade":
            grade = sample.grades[n]
            yield from grade_view(grade, is_low=item.is_failure, calls_key=calls_key)
            yield from reference(sample)
        case "finding":
            yield from failure_view(sample, sample.failures[n])
            yield from reference(sample)


def texts_of(sample: SampleResult, item: Item) -> Iterator[str]:
    """All texts that are shown of an item, but for its neighbours on the page."""
    n = item.index
    if item.kind == "claim":
        claim, verdict = sample.claims[n].claim, sample.claims[n].verdict
        yield from (claim.text, verdict.reason, verdict.unscored_reason or "")
        for one in (*verdict.evidence, *verdict.conflicting):
            yield from _evidence(one)
        for vote in verdict.votes:
            yield from (vote.judge, vote.reason)
        for rule in verdict.rules:
            yield rule.message
    elif item.kind == "finding":
        yield from (sample.failures[n].message, sample.error or "")
    elif item.kind == "missing":
        wanted = sample.required_claims[n]
        yield from (wanted.text, wanted.matched_text or "", wanted.conflicts_with or "")
    elif item.kind == "citation":
        citation = sample.citations[n]
        yield from (citation.text, citation.page_id or "", citation.reason)
        yield citation.supported_by or ""
    elif item.kind == "grade":
        grade = sample.grades[n]
        yield from (grade.name, grade.reason, grade.unscored_reason or "")
    else:
        yield sample.skipped[n].text


def _evidence(one: Evidence) -> Iterator[str]:
    yield from (one.text, one.title or "", one.sentence_id, one.url or "")


def contains_text(sample: SampleResult, item: Item, needle: str) -> bool:
    """Whether a folded text stands in one of its texts."""
    return any(needle in text.casefold() for text in texts_of(sample, item))


def pages(sample: SampleResult, item: Item) -> Iterator[str]:
    """Ids of the pages that an item rests on, the one that counts most first."""
    if item.kind == "claim":
        verdict = sample.claims[item.index].verdict
        for one in (*verdict.evidence, *verdict.conflicting):
            yield one.page_id
    elif item.kind == "citation":
        page_id = sample.citations[item.index].page_id
        if page_id is not None:
            yield page_id


def main_page(sample: SampleResult, item: Item) -> str | None:
    """The page of its best evidence, or that it cites; None when there is none."""
    return next(pages(sample, item), None)


def rests_on(sample: SampleResult, item: Item, page_id: str) -> bool:
    """Whether a claim has evidence on that page."""
    return item.kind == "claim" and page_id in pages(sample, item)
