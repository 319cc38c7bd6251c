"""How many scores lie in each tier, of all samples and of each domain (METRICS A).

Tiers and levels are those of the scores: by the limits that a run was judged by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean, median

from claimscope.core.metrics.tiers import place, placing
from claimscope.core.models import Model, Placing, SampleResult, SampleRow
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


@dataclass
class _ScoreTally:
    """The scores of one metric, as they come."""

    metric: str
    values: list[float] = field(default_factory=list)
    places: Counter[str] = field(default_factory=Counter)
    unscored: int = 0
    has_tiers: bool = False

    def take(
        self, value: float | None, place: str | None, kind: Placing | None
    ) -> None:
        """One score that applies to its sample."""
        if value is None:
            self.unscored += 1
            return
        self.values.append(value)
        self.has_tiers = self.has_tiers or kind == "tier"
        if place is not None:
            self.places[place] += 1

    def spread(self) -> ScoreDistribution | None:
        """None for a metric that has neither tiers nor levels."""
        if not self.places:
            return None
        names = TIERS if self.has_tiers else LEVELS
        return ScoreDistribution(
            metric=self.metric,
            n=len(self.values),
            unscored=self.unscored,
            mean=fmean(self.values),
            median=median(self.values),
            low=min(self.values),
            high=max(self.values),
            distribution={name: self.places[name] for name in names},
        )


@dataclass
class _DomainTally:
    """The samples of a domain, as they come."""

    domain: str | None
    samples: int = 0
    failed: int = 0
    metrics: dict[str, _ScoreTally] = field(default_factory=dict)

    def metric(self, name: str) -> _ScoreTally:
        """Where scores of that metric go."""
        return self.metrics.setdefault(name, _ScoreTally(name))

    def spreads(self) -> Spreads:
        """What came."""
        found = (one.spread() for one in self.metrics.values())
        return Spreads(
            domain=self.domain,
            samples=self.samples,
            failed=self.failed,
            metrics=tuple(spread for spread in found if spread is not None),
        )


class _Domains:
    """All samples, and those of each domain."""

    def __init__(self) -> None:
        self._parts: dict[str | None, _DomainTally] = {None: _DomainTally(None)}

    def of(self, domain: str | None) -> list[_DomainTally]:
        """Where a sample of that domain counts."""
        names = [None, domain] if domain else [None]
        return [self._parts.setdefault(name, _DomainTally(name)) for name in names]

    def spreads(self) -> tuple[Spreads, ...]:
        """Of all samples, then of each domain by name; nothing without tiers."""
        names = sorted(name for name in self._parts if name is not None)
        found = (self._parts[name].spreads() for name in (None, *names))
        return tuple(one for one in found if one.metrics)


def spreads(samples: Iterable[SampleResult]) -> tuple[Spreads, ...]:
    """Of all samples, then of each domain by name; nothing without tiers. By tiers and
    levels as the scores have them."""
    domains = _Domains()
    for sample in samples:
        for part in domains.of(sample.case.domain):
            part.samples += 1
            part.failed += sample.passed is False
            for score in sample.scores:
                if score.applicable:
                    known = score.tier or score.level
                    one = part.metric(score.metric)
                    one.take(score.value, known, placing(score))
    return domains.spreads()


def spreads_of_rows(
    rows: Iterable[SampleRow], settings: Settings
) -> tuple[Spreads, ...]:
    """The same from light rows, by the settings that the run was judged by."""
    domains = _Domains()
    for row in rows:
        for part in domains.of(row.domain):
            part.samples += 1
            part.failed += row.passed is False
            for metric, score in zip(row.metrics, row.values, strict=True):
                if score.applicable:
                    known = place(score.value, score.placing, settings)
                    part.metric(metric).take(score.value, known, score.placing)
    return domains.spreads()
