"""How many scores lie in each tier, of all samples and of each domain (METRICS A).

Tiers and levels are those of the scores: by the limits that a run was judged by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from claimscope.core.metrics.tiers import place
from claimscope.core.models import Model, RowScore, SampleRow
from claimscope.core.settings import Settings

TIERS = ("excellent", "good", "fair", "poor")
"""Of scores from 0 to 100, best first."""
LEVELS = ("excellent", "good", "moderate", "poor")
"""Of scores from 0 to 1, best first."""


class ScoreDistribution(Model):
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
    metrics: tuple[ScoreDistribution, ...]
    """Of metrics that have tiers or levels, in the order they were asked for."""


def spreads(rows: Iterable[SampleRow], settings: Settings) -> tuple[Spreads, ...]:
    """Of all samples, then of each domain by name; nothing without tiers. settings:
    those that the run was judged by."""
    parts: dict[str | None, list[SampleRow]] = {None: []}
    for row in rows:
        parts[None].append(row)
        if row.domain:
            parts.setdefault(row.domain, []).append(row)
    names = sorted(name for name in parts if name is not None)
    found = (_spreads_of(name, parts[name], settings) for name in (None, *names))
    return tuple(one for one in found if one.metrics)


def _spreads_of(
    domain: str | None, rows: Sequence[SampleRow], settings: Settings
) -> Spreads:
    scores: dict[str, list[RowScore]] = {}
    for row in rows:
        for metric, score in zip(row.metrics, row.values, strict=True):
            if score.applicable:
                scores.setdefault(metric, []).append(score)
    found = (_distribution(metric, part, settings) for metric, part in scores.items())
    return Spreads(
        domain=domain,
        samples=len(rows),
        failed=sum(row.passed is False for row in rows),
        metrics=tuple(one for one in found if one is not None),
    )


def _distribution(
    metric: str, scores: Sequence[RowScore], settings: Settings
) -> ScoreDistribution | None:
    """None for a metric that has neither tiers nor levels."""
    scored = [score for score in scores if score.value is not None]
    values = [score.value for score in scored if score.value is not None]
    places = Counter(place(one.value, one.placing, settings) for one in scored)
    if not places.keys() - {None}:
        return None
    names = TIERS if any(one.placing == "tier" for one in scored) else LEVELS
    return ScoreDistribution(
        metric=metric,
        n=len(values),
        unscored=len(scores) - len(values),
        mean=fmean(values),
        median=median(values),
        low=min(values),
        high=max(values),
        distribution={name: places[name] for name in names},
    )
