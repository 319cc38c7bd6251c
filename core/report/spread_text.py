"""Scores by tier, of all samples and by domain, as lines and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.summary.tier_distribution import Spread, Spreads
from claimscope.core.report.text import one_line

HEADS = ("of", "metric", "mean", "median", "least", "most", "by tier")


def spread_lines(found: Sequence[Spreads]) -> Iterator[str]:
    """A block for all samples and for each domain; nothing without tiers."""
    for one in found:
        yield ""
        name = "all" if one.domain is None else f"domain {one_line(one.domain)}"
        yield f"scores by tier, {name}: {one.samples} samples, {one.failed} failed"
        for spread in one.metrics:
            yield (
                f"  {spread.metric:<26} {counts_text(spread)}; mean "
                f"{spread.mean:.2f}, median {spread.median:.2f}, "
                f"{spread.low:.2f} to {spread.high:.2f}"
            )


def spread_rows(found: Sequence[Spreads]) -> list[tuple[object, ...]]:
    """As `HEADS`."""
    return [
        (
            "all" if one.domain is None else one.domain,
            spread.metric,
            *(f"{v:.4g}" for v in (spread.mean, spread.median)),
            *(f"{v:.4g}" for v in (spread.low, spread.high)),
            counts_text(spread),
        )
        for one in found
        for spread in one.metrics
    ]


def counts_text(spread: Spread) -> str:
    """`excellent 2, good 0, fair 1, poor 4`."""
    return ", ".join(f"{name} {n}" for name, n in spread.distribution.items())
