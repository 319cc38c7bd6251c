"""Figures of a run as shapes for a page without scripts: bars of charts.

Only numbers are made here; the page draws them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.analysis.summary.summary import Group, Summary
from claimscope.core.models import SampleResult

BINS = 10
WIDTH, HEIGHT = 240.0, 72.0
"""Of the plot of a distribution, in units of its own."""


@dataclass(frozen=True)
class Bar:
    """One bar of a distribution: samples from low to high."""

    x: float
    y: float
    width: float
    height: float
    count: int
    low: float
    high: float


@dataclass(frozen=True)
class Distribution:
    """How the values of one metric lie on its scale."""

    metric: str
    bars: tuple[Bar, ...]
    n: int
    unscored: int
    low: float
    high: float
    mean: float
    mean_x: float


@dataclass(frozen=True)
class Outcomes:
    """A group's outcomes as parts of one bar, each 0 to 100."""

    group: Group
    passed: float
    failed: float
    unscored: float


def distributions(
    summary: Summary, samples: Sequence[SampleResult]
) -> Iterator[Distribution]:
    """One for each metric that has a value at all."""
    for mean in summary.overall.means:
        if mean.mean is None or mean.low is None or mean.high is None:
            continue
        # A metric of another package may give values outside its scale.
        low, high = min(mean.scale[0], mean.low), max(mean.scale[1], mean.high)
        span = (high - low) or 1.0
        values = [
            score.value
            for sample in samples
            for score in sample.scores
            if score.metric == mean.metric and score.value is not None
        ]
        yield Distribution(
            metric=mean.metric,
            bars=tuple(_bars(values, low, span)),
            n=mean.n,
            unscored=mean.unscored,
            low=low,
            high=high,
            mean=mean.mean,
            mean_x=round((mean.mean - low) / span * WIDTH, 2),
        )


def _bars(values: Sequence[float], low: float, span: float) -> Iterator[Bar]:
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int((value - low) / span * BINS))] += 1
    step, most = WIDTH / BINS, max(counts)
    for place, count in enumerate(counts):
        if count:
            height = round(max(2.0, count / most * HEIGHT), 2)
            yield Bar(
                x=round(place * step + 1, 2),
                y=round(HEIGHT - height, 2),
                width=round(step - 2, 2),
                height=height,
                count=count,
                low=low + place * span / BINS,
                high=low + (place + 1) * span / BINS,
            )


def outcomes(groups: Sequence[Group]) -> Iterator[Outcomes]:
    """Shares of passed, failed and unscored samples of each group."""
    for group in groups:
        if group.samples:
            part = 100 / group.samples
            yield Outcomes(
                group=group,
                passed=round(group.passed * part, 3),
                failed=round(group.failed * part, 3),
                unscored=round(group.unscored * part, 3),
            )
