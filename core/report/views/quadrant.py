"""Faithful by complete: how many samples are in each quarter, and what failed there."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.summary.quadrant import Quadrant, Quarter
from claimscope.core.models import FailureKind
from claimscope.core.report.terms import FAILURES
from claimscope.core.report.view import Column, Part, Section, Span, Table, line, row
from claimscope.core.text.plurals import counted_noun

LISTED = 5
"""Samples of a quarter that are named."""
COLUMNS = (
    Column("quarter"),
    Column("samples", "right"),
    Column("share", "right"),
    Column("failures"),
    Column("which"),
)


def quadrant_section(found: Quadrant) -> Iterator[Section]:
    """A row a quarter; nothing where no sample has both."""
    if not found.n:
        return
    rows = tuple(
        row(
            quarter.name,
            str(len(quarter.samples)),
            f"{len(quarter.samples) / found.n:.0%}",
            failure_counts(quarter),
            which(quarter) if quarter.failures else "",
        )
        for quarter in found.quarters
    )
    parts: tuple[Part, ...] = (Table(COLUMNS, rows),)
    if found.unplaced:
        parts = (*parts, line(Span(unplaced_words(found), "faint")))
    title = quadrant_title(found)
    yield Section(line(title[0].upper() + title[1:]), parts)


def quadrant_title(found: Quadrant) -> str:
    """`faithful and complete, by grades: 40 samples`."""
    samples = counted_noun(found.n, "sample")
    return f"faithful and complete, by {found.by}: {samples}"


def failure_counts(quarter: Quarter) -> str:
    """`contradicted claim 3, low grade 1`: samples by kind of failure."""
    return ", ".join(
        f"{FAILURES[FailureKind(kind)]} {count}"
        for kind, count in quarter.failures.items()
    )


def which(quarter: Quarter, most: int = LISTED) -> str:
    """The first samples by name, and how many more there are."""
    more = len(quarter.samples) - most
    rest = f" and {more:,} more" if more > 0 else ""
    return ", ".join(quarter.samples[:most]) + rest


def unplaced_words(found: Quadrant) -> str:
    """Of how many samples one of the two is not known; empty for none."""
    if not found.unplaced:
        return ""
    return f"not placed, as one of the two is not known: {found.unplaced}"
