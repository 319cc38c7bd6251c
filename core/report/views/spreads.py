"""How scores lie in their tiers, of all samples and by domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.summary.tier_distribution import (
    ScoreDistribution,
    Spreads,
)
from claimscope.core.report.view import Column, Section, Table, line, row
from claimscope.core.report.words import figure

COLUMNS = (
    Column("of"),
    Column("samples", "right"),
    Column("failed", "right"),
    Column("metric"),
    Column("mean", "right"),
    Column("median", "right"),
    Column("least", "right"),
    Column("most", "right"),
    Column("by tier"),
)


def tier_section(found: Sequence[Spreads]) -> Iterator[Section]:
    """A row for each metric of all samples and of each domain; nothing without
    tiers."""
    rows = tuple(
        row(
            "all" if one.domain is None else one.domain,
            str(one.samples),
            str(one.failed),
            spread.metric,
            *map(figure, (spread.mean, spread.median, spread.low, spread.high)),
            counts_text(spread),
        )
        for one in found
        for spread in one.metrics
    )
    if rows:
        yield Section(line("Scores by tier"), (Table(COLUMNS, rows),))


def counts_text(spread: ScoreDistribution) -> str:
    """`excellent 2, good 0, fair 1, poor 4`."""
    return ", ".join(f"{name} {n}" for name, n in spread.distribution.items())
