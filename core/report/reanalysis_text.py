"""A re-analysis as plain lines for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.report.terms import WORDS
from claimscope.core.report.text import one_line
from claimscope.core.run.reanalysis import Reanalysis
from claimscope.core.text.plurals import counted_noun


def reanalysis_lines(found: Reanalysis) -> Iterator[str]:
    """What was taken over, what was judged, and which claims have another verdict."""
    yield (
        f"of run {found.made_from}: {counted_noun(found.carried, 'sample')} taken "
        f"over, "
        f"{found.judged} judged again"
    )
    yield f"  claims judged again with the verdict they had: {found.same}"
    yield f"  claims with another verdict: {len(found.flips)}"
    if found.only_before or found.only_now:
        yield (
            f"  claims the answers were taken apart into only before: "
            f"{found.only_before}, only now: {found.only_now}"
        )
    for words, count in sorted(found.outcomes.items()):
        yield f"  samples {words}: {count}"
    for flip in found.flips:
        yield f"  {one_line(flip.sample)}: {WORDS[flip.old]} → {WORDS[flip.new]}"
        yield f"    {one_line(flip.claim)}"
        for page in flip.pages:
            yield f"    page {one_line(page.page_id)}: {page.what}"
        if not flip.pages:
            yield "    its pages are the same; others are found before or beside them"
