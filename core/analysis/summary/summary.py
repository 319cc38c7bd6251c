"""What the samples of a run add up to, overall and by group.

A mean is over the scored samples and always carries its n of N: what is unscored or
not applicable is counted beside it, never taken for 0. Intervals draw cases, not
samples (core/analysis/statistics/intervals.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median, stdev

from claimscope.core.analysis.statistics.alpha import Agreement, agreement
from claimscope.core.analysis.statistics.intervals import (
    Interval,
    mean_interval,
    rate_interval,
)
from claimscope.core.analysis.summary.tier_distribution import Spreads, spreads
from claimscope.core.metrics.tiers import place, placing
from claimscope.core.models import Label, Model, Placing, SampleResult
from claimscope.core.settings import Settings


class Mean(Model):
    """One metric over a group of samples."""

    metric: str
    mean: float | None
    """None when no sample was scored."""
    median: float | None
    low: float | None
    high: float | None
    n: int
    """Scored samples: what the mean is over."""
    total: int
    """Samples the metric applies to."""
    unscored: int
    not_applicable: int
    scale: tuple[float, float]
    sd: float | None = None
    """Between samples (n - 1); None with fewer than two scored."""
    interval: Interval | None = None
    """95 %, of the mean; None with too few cases, or where all values are alike."""
    coverage: float | None = None
    """n / total, [0, 1]; None where it applies to no sample."""
    tier: str | None = None
    """Tier (of 0-100) or level (of 0-1) that the mean lies in, by the limits of the
    run; None where the metric has neither, or no value."""


class Group(Model):
    """A group of samples: all of them, or those of one provider, category …"""

    name: str
    samples: int
    passed: int
    failed: int
    unscored: int
    abstained: int
    claims: dict[str, int]
    """Claims by verdict label; every label is there. What is only likely counts as
    supported."""
    failures: dict[str, int]
    """Samples by kind of failure; a sample counts once for each kind it has."""
    means: tuple[Mean, ...]
    likely: int = 0
    """Of the supported claims, those that are only likely."""
    passed_on_likely: int = 0
    """Of the passed samples, those with a claim that is only likely."""
    judged: int = 0
    """Samples that passed or failed."""
    pass_rate: float | None = None
    """Passed of the judged samples, [0, 1]; None when none was judged."""
    pass_interval: Interval | None = None
    """95 %, of `pass_rate`."""
    coverage: float | None = None
    """judged / samples, [0, 1]; None without samples."""

    def mean_of(self, metric: str) -> Mean | None:
        """The figures of one metric."""
        return next((mean for mean in self.means if mean.metric == metric), None)


class Summary(Model):
    """A run in figures."""

    overall: Group
    by_provider: tuple[Group, ...]
    by_category: tuple[Group, ...]
    by_difficulty: tuple[Group, ...]
    by_domain: tuple[Group, ...]
    agreement: Agreement | None = None
    """Of the judges, when there are several."""
    spreads: tuple[Spreads, ...] = ()
    """Scores by tier, of all samples and of each domain."""


DIFFICULTIES = ("easy", "medium", "hard")


def summarise(
    samples: Sequence[SampleResult], settings: Settings | None = None
) -> Summary:
    """Figures of samples; groups are sorted by name, difficulties from easy to hard.
    settings: those that the run was judged by, for the tiers of means."""
    by_difficulty = groups(samples, lambda s: s.case.difficulty, settings)
    return Summary(
        overall=group("all", samples, settings),
        by_provider=groups(samples, lambda s: s.key.provider, settings),
        by_category=groups(samples, lambda s: s.case.category, settings),
        by_difficulty=from_easy_to_hard(by_difficulty),
        by_domain=groups(samples, lambda s: s.case.domain, settings),
        agreement=agreement(samples),
        spreads=spreads(samples),
    )


def from_easy_to_hard(found: Iterable[Group]) -> tuple[Group, ...]:
    """Groups that are named by a difficulty, in its order."""
    return tuple(sorted(found, key=lambda one: DIFFICULTIES.index(one.name)))


def groups(
    samples: Iterable[SampleResult],
    key: Callable[[SampleResult], str | None],
    settings: Settings | None = None,
) -> tuple[Group, ...]:
    """One group for each value of key; samples without a value are in none."""
    found: dict[str, list[SampleResult]] = {}
    for sample in samples:
        name = key(sample)
        if name is not None:
            found.setdefault(name, []).append(sample)
    return tuple(
        group(name, members, settings) for name, members in sorted(found.items())
    )


def group(
    name: str, samples: Sequence[SampleResult], settings: Settings | None = None
) -> Group:
    """Figures of one group; settings: for the tiers of means."""
    labels = Counter(r.verdict.label for sample in samples for r in sample.claims)
    kinds = Counter(
        kind for sample in samples for kind in {f.kind.value for f in sample.failures}
    )
    metrics = dict.fromkeys(s.metric for sample in samples for s in sample.scores)
    return group_of(
        name,
        len(samples),
        outcomes_by_case(samples),
        labels,
        kinds,
        abstained=sum(sample.abstained for sample in samples),
        likely=sum(map(_likely, samples)),
        passed_on_likely=sum(bool(s.passed and _likely(s)) for s in samples),
        means=tuple(mean(metric, samples, settings) for metric in metrics),
    )


def _likely(sample: SampleResult) -> int:
    return sum(result.verdict.is_likely for result in sample.claims)


def group_of(
    name: str,
    samples: int,
    outcomes: Mapping[str, Sequence[bool]],
    claims: Mapping[Label, int],
    kinds: Mapping[str, int],
    *,
    abstained: int,
    likely: int,
    passed_on_likely: int,
    means: tuple[Mean, ...],
) -> Group:
    """A group from what was counted; outcomes: passes of the judged, by case."""
    judged = sum(map(len, outcomes.values()))
    passed = sum(map(sum, outcomes.values()))
    return Group(
        name=name,
        samples=samples,
        passed=passed,
        failed=judged - passed,
        unscored=samples - judged,
        abstained=abstained,
        claims={label.value: claims.get(label, 0) for label in Label},
        failures=dict(sorted(kinds.items())),
        means=means,
        likely=likely,
        passed_on_likely=passed_on_likely,
        judged=judged,
        pass_rate=passed / judged if judged else None,
        pass_interval=rate_interval(outcomes),
        coverage=judged / samples if samples else None,
    )


def outcomes_by_case(samples: Iterable[SampleResult]) -> dict[str, list[bool]]:
    """Pass or fail of the judged samples of each case."""
    found: dict[str, list[bool]] = {}
    for sample in samples:
        if sample.passed is not None:
            found.setdefault(sample.key.case_id, []).append(sample.passed)
    return found


def mean(
    metric: str, samples: Sequence[SampleResult], settings: Settings | None = None
) -> Mean:
    """Figures of one metric over samples. A sample that ended before it was scored
    counts as unscored."""
    scores = [
        next((s for s in sample.scores if s.metric == metric), None)
        for sample in samples
    ]
    aside = sum(score is not None and not score.applicable for score in scores)
    clusters: dict[str, list[float]] = {}
    for sample, score in zip(samples, scores, strict=True):
        if score is not None and score.value is not None:
            clusters.setdefault(sample.key.case_id, []).append(score.value)
    # A score without a value carries the default scale, not its metric's.
    known = [s for s in scores if s is not None and s.value is not None]
    scale = known[0].scale if known else (0.0, 1.0)
    found = mean_of(metric, clusters, len(samples), aside, scale)
    return placed_mean(found, next(filter(None, map(placing, known)), None), settings)


def placed_mean(found: Mean, kind: Placing | None, settings: Settings | None) -> Mean:
    """The mean with its tier or level."""
    if settings is None or kind is None:
        return found
    return found.model_copy(update={"tier": place(found.mean, kind, settings)})


def mean_of(
    metric: str,
    clusters: Mapping[str, Sequence[float]],
    samples: int,
    aside: int,
    scale: tuple[float, float],
) -> Mean:
    """A mean from the values of each case; aside: samples it does not apply to."""
    values = [value for part in clusters.values() for value in part]
    total = samples - aside
    return Mean(
        metric=metric,
        mean=fmean(values) if values else None,
        median=median(values) if values else None,
        low=min(values, default=None),
        high=max(values, default=None),
        n=len(values),
        total=total,
        unscored=total - len(values),
        not_applicable=aside,
        scale=scale,
        sd=stdev(values) if len(values) > 1 else None,
        interval=mean_interval(clusters),
        coverage=len(values) / total if total else None,
    )
