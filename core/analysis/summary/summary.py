"""What the samples of a run add up to, overall and by group.

A mean is over the scored samples and always carries its n of N: what is unscored or
not applicable is counted beside it, never taken for 0. Intervals draw cases, not
samples (core/analysis/statistics/intervals.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median, stdev

from claimscope.core.analysis.statistics.alpha import (
    Agreement,
    agreement,
    grade_disputed,
)
from claimscope.core.analysis.statistics.intervals import (
    Interval,
    mean_interval,
    rate_interval,
)
from claimscope.core.analysis.summary.tier_distribution import Spreads, spreads
from claimscope.core.metrics.tiers import place, placing
from claimscope.core.models import (
    Label,
    Model,
    Placing,
    RowScore,
    SampleResult,
    SampleRow,
)
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
    """Figures of samples. settings: those that the run was judged by, for tiers."""
    return summarise_rows(rows_of(samples), settings, samples)


def summarise_rows(
    rows: Sequence[SampleRow],
    settings: Settings | None,
    samples: Iterable[SampleResult] = (),
) -> Summary:
    """The same from light rows: to read 100,000 results for three lines above a table
    would take a minute. Groups are sorted by name, difficulties from easy to hard.
    samples: read once, one at a time, for the agreement of several judges, which rows
    do not tell; nothing where one judged alone."""
    by_difficulty = groups(rows, lambda row: row.difficulty, settings=settings)
    return Summary(
        overall=group("all", rows, settings=settings),
        by_provider=by_provider(rows, settings=settings),
        by_category=groups(rows, lambda row: row.category, settings=settings),
        by_difficulty=tuple(
            sorted(by_difficulty, key=lambda one: DIFFICULTIES.index(one.name))
        ),
        by_domain=groups(rows, lambda row: row.domain, settings=settings),
        agreement=agreement(samples),
        spreads=spreads(rows, settings or Settings()),
    )


def rows_of(samples: Iterable[SampleResult]) -> list[SampleRow]:
    """The light rows of results, as a store makes them (stores/runs/sample_rows.py)."""
    return [
        SampleRow(
            case_id=sample.key.case_id,
            provider=sample.key.provider,
            iteration=sample.key.iteration,
            category=sample.case.category,
            difficulty=sample.case.difficulty,
            domain=sample.case.domain,
            question=sample.case.question,
            passed=sample.passed,
            abstained=sample.abstained,
            error=sample.error,
            labels=Counter(result.verdict.label for result in sample.claims),
            failures=tuple(failure.kind for failure in sample.failures),
            is_disputed=any(result.verdict.is_disputed for result in sample.claims)
            or any(map(grade_disputed, sample.grades)),
            metrics=tuple(score.metric for score in sample.scores),
            values=tuple(
                RowScore(score.value, score.scale, score.applicable, placing(score))
                for score in sample.scores
            ),
            prompt_tokens=sample.usage.prompt_tokens,
            completion_tokens=sample.usage.completion_tokens,
            seconds=sample.usage.wall_seconds,
            finished=sample.finished,
            likely=sum(result.verdict.is_likely for result in sample.claims),
        )
        for sample in samples
    ]


def metrics_of(rows: Iterable[SampleRow]) -> tuple[str, ...]:
    """All metrics that any row was scored by, in the order they were asked for."""
    # Rows that were scored alike share one tuple.
    alike = dict.fromkeys(row.metrics for row in rows)
    return tuple(dict.fromkeys(metric for metrics in alike for metric in metrics))


def by_provider(
    rows: Iterable[SampleRow],
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> tuple[Group, ...]:
    """One group a provider, sorted by name; metrics: only the means of these."""
    return groups(rows, lambda row: row.provider, metrics, settings)


def groups(
    rows: Iterable[SampleRow],
    key: Callable[[SampleRow], str | None],
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> tuple[Group, ...]:
    """One group for each value of key, sorted by name; rows without a value are in
    none."""
    found: dict[str, list[SampleRow]] = {}
    for row in rows:
        if (named := key(row)) is not None:
            found.setdefault(named, []).append(row)
    return tuple(
        group(name, part, metrics, settings) for name, part in sorted(found.items())
    )


def group(
    name: str,
    rows: Sequence[SampleRow],
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> Group:
    """Figures of some rows; metrics: only the means of these, None = of all; settings:
    for the tiers of means."""
    labels: Counter[Label] = Counter()
    kinds: Counter[str] = Counter()
    outcomes: dict[str, list[bool]] = {}
    """Passes of the judged, by case."""
    for row in rows:
        labels.update(row.labels)
        kinds.update(kind.value for kind in set(row.failures))
        if row.passed is not None:
            outcomes.setdefault(row.case_id, []).append(row.passed)
    judged = sum(map(len, outcomes.values()))
    passed = sum(map(sum, outcomes.values()))
    asked = metrics_of(rows) if metrics is None else metrics
    return Group(
        name=name,
        samples=len(rows),
        passed=passed,
        failed=judged - passed,
        unscored=len(rows) - judged,
        abstained=sum(row.abstained for row in rows),
        claims={label.value: labels.get(label, 0) for label in Label},
        failures=dict(sorted(kinds.items())),
        means=tuple(mean(metric, rows, settings) for metric in asked),
        likely=sum(row.likely for row in rows),
        passed_on_likely=sum(bool(row.passed and row.likely) for row in rows),
        judged=judged,
        pass_rate=passed / judged if judged else None,
        pass_interval=rate_interval(outcomes),
        coverage=judged / len(rows) if rows else None,
    )


def mean(
    metric: str, rows: Iterable[SampleRow], settings: Settings | None = None
) -> Mean:
    """Figures of one metric. A sample that ended before it was scored counts as
    unscored."""
    clusters: dict[str, list[float]] = {}
    scale: tuple[float, float] | None = None
    kind: Placing | None = None
    samples = aside = 0
    for row in rows:
        samples += 1
        score = row.score(metric)
        if score is None:
            continue
        aside += not score.applicable
        if score.value is not None:
            clusters.setdefault(row.case_id, []).append(score.value)
            # A score without a value carries the default scale, not its metric's.
            scale = scale or score.scale
            kind = kind or score.placing
    values = [value for part in clusters.values() for value in part]
    total = samples - aside
    middle = fmean(values) if values else None
    return Mean(
        metric=metric,
        mean=middle,
        median=median(values) if values else None,
        low=min(values, default=None),
        high=max(values, default=None),
        n=len(values),
        total=total,
        unscored=total - len(values),
        not_applicable=aside,
        scale=scale or (0.0, 1.0),
        sd=stdev(values) if len(values) > 1 else None,
        interval=mean_interval(clusters),
        coverage=len(values) / total if total else None,
        tier=None if settings is None else place(middle, kind, settings),
    )
