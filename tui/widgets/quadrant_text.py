"""Faithful by complete as the screen shows it."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.summary.quadrant import Quadrant, Quarter
from claimscope.core.report.views.quadrant import (
    failure_counts,
    quadrant_title,
    unplaced_words,
    which,
)
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs

NONE = """\
No sample can be placed: that takes both grades of a judge, or judged claims of an
answer whose case has required claims."""
ROLES = ("supported", "not_enough_info", "contradicted", "contradicted")
"""Of the quarters, in their order."""
BAR = 20
NAMED = 40
"""Samples of a quarter that are named."""


def quadrant_paragraphs(found: Quadrant, glyphs: Glyphs) -> Iterator[Paragraph]:
    """A bar a quarter, then each quarter that has samples: what failed, and which."""
    if not found.n:
        yield para(Piece(NONE))
        return
    yield para(said(quadrant_title(found), "strong"))
    yield para(Piece(""))
    width = max(len(quarter.name) for quarter in found.quarters)
    for quarter, role in zip(found.quarters, ROLES, strict=True):
        count = len(quarter.samples)
        yield para(
            Piece(f"{quarter.name:<{width}} "),
            Piece(glyphs.bar(count, found.n, BAR), role),
            Piece(f" {count} of {found.n} {count / found.n:.0%}"),
        )
    if found.unplaced:
        yield para(said(unplaced_words(found), "dim"))
    for quarter in found.quarters:
        if quarter.samples:
            yield para(Piece(""))
            yield from _quarter(quarter)


def _quarter(quarter: Quarter) -> Iterator[Paragraph]:
    yield para(Piece(quarter.name, "heading"), Piece(f"  {len(quarter.samples)}"))
    if quarter.failures:
        yield para(Piece("  failures: "), said(failure_counts(quarter)), hanging=4)
    yield para(Piece("  "), said(which(quarter, NAMED), "dim"), hanging=2)
