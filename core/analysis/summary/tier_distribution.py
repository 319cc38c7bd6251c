"""How many scores lie in each tier, of all samples and of each domain (METRICS A).

Tiers and levels are those of the scores: by the limits that a run was judged by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median

from claimscope.core.models import Model, SampleResult, Score

TIERS = ("excellent", "good", "fair", "poor")
"""Of scores from 0 to 100, best first."""
LEVELS = ("excellent", "good", "moderate", "poor")
"""Of scores from 0 to 1, best first."""


class Spread(Model):
    """The scores of one metric of a group."""

    metric: str
    n: int
    unscored: int
    mean: float
    median: float
    low: float
    high: float
    distribution: dict[str, int]
    """Scores by tier or level, best first; each is there."""


class Spreads(Model):
    """Those of a domain."""

    domain: str | None
    """None = all samples."""
    samples: int
    failed: int
    metrics: tuple[Spread, ...]
    """Of metrics that have tiers or levels, in the order they were asked for."""


def spreads(samples: Sequence[SampleResult]) -> tuple[Spreads, ...]:
    """Of all samples, then of each domain by name; nothing without tiers."""
    domains = sorted({s.case.domain for s in samples if s.case.domain})
    parts: list[tuple[str | None, list[SampleResult]]] = [(None, list(samples))]
    parts += [(d, [s for s in samples if s.case.domain == d]) for d in domains]
    found = (_spreads(domain, part) for domain, part in parts)
    return tuple(one for one in found if one.metrics)


def _spreads(domain: str | None, samples: Sequence[SampleResult]) -> Spreads:
    metrics: dict[str, list[Score]] = {}
    for sample in samples:
        for score in sample.scores:
            if score.applicable:
                metrics.setdefault(score.metric, []).append(score)
    return Spreads(
        domain=domain,
        samples=len(samples),
        failed=sum(sample.passed is False for sample in samples),
        metrics=tuple(
            spread for scores in metrics.values() if (spread := _spread(scores))
        ),
    )


def _spread(scores: Sequence[Score]) -> Spread | None:
    known = [(s.value, s.tier or s.level, s) for s in scores if s.value is not None]
    placed = [place for _, place, _ in known if place is not None]
    if not placed:
        return None
    counts = Counter(placed)
    names = TIERS if any(score.tier for _, _, score in known) else LEVELS
    values = [value for value, _, _ in known]
    return Spread(
        metric=scores[0].metric,
        n=len(values),
        unscored=len(scores) - len(values),
        mean=fmean(values),
        median=median(values),
        low=min(values),
        high=max(values),
        distribution={name: counts[name] for name in names},
    )
