"""A re-analysis: what was taken over, what was judged again, and what came out
another way."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.report.view import Prose, Section, label_span, line, list_section
from claimscope.core.run.reanalysis import Reanalysis
from claimscope.core.text.plurals import counted_noun


def reanalysis_view(found: Reanalysis) -> Section:
    """Counts, then the claims that have another verdict with the pages behind them."""
    carried = counted_noun(found.carried, "sample")
    head = (
        f"of run {found.made_from}: {carried} taken over, {found.judged} judged again"
    )
    return list_section(head, _lines(found))


def _lines(found: Reanalysis) -> Iterator[Prose]:
    yield line(f"claims judged again with the verdict they had: {found.same}")
    yield line(f"claims with another verdict: {len(found.flips)}")
    if found.only_before or found.only_now:
        yield line(
            f"claims the answers were taken apart into only before: "
            f"{found.only_before}, only now: {found.only_now}"
        )
    for words, count in sorted(found.outcomes.items()):
        yield line(f"samples {words}: {count}")
    for flip in found.flips:
        turned = (label_span(flip.old), " → ", label_span(flip.new))
        yield line(f"{flip.sample}: ", *turned)
        yield line(flip.claim, level=1)
        for page in flip.pages:
            yield line(f"page {page.page_id}: {page.what}", level=1)
        if not flip.pages:
            text = "its pages are the same; others are found before or beside them"
            yield line(text, level=1)
