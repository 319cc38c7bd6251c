"""Figures of a run from its light rows, for lists of any size.

The same figures as core/analysis/summary/summary.py makes of whole results; reading
100,000 of those for three lines above a table would take a minute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from claimscope.core.analysis.statistics.alpha import agreement
from claimscope.core.analysis.summary.summary import (
    Group,
    Mean,
    Summary,
    from_easy_to_hard,
    group_of,
    mean_of,
    placed_mean,
)
from claimscope.core.analysis.summary.tier_distribution import spreads_of_rows
from claimscope.core.models import Label, Placing, SampleResult, SampleRow
from claimscope.core.settings import Settings


def metrics_of(rows: Iterable[SampleRow]) -> tuple[str, ...]:
    """All metrics that any row was scored by, in the order they were asked for."""
    # Rows that were scored alike share one tuple.
    alike = dict.fromkeys(row.metrics for row in rows)
    return tuple(dict.fromkeys(metric for metrics in alike for metric in metrics))


def summarise(
    rows: Sequence[SampleRow],
    settings: Settings,
    samples: Iterable[SampleResult] = (),
) -> Summary:
    """As summary.summarise of the same samples. settings: those that the run was
    judged by. samples: read once, one at a time, for the agreement of several judges,
    which rows do not tell; nothing where one judged alone."""
    return Summary(
        overall=group("all", rows, settings=settings),
        by_provider=by_provider(rows, settings=settings),
        by_category=groups(rows, lambda row: row.category, settings=settings),
        by_difficulty=from_easy_to_hard(
            groups(rows, lambda row: row.difficulty, settings=settings)
        ),
        by_domain=groups(rows, lambda row: row.domain, settings=settings),
        agreement=agreement(samples),
        spreads=spreads_of_rows(rows, settings),
    )


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
    for row in rows:
        labels.update(row.labels)
        kinds.update(kind.value for kind in set(row.failures))
        if row.passed is not None:
            outcomes.setdefault(row.case_id, []).append(row.passed)
    asked = metrics_of(rows) if metrics is None else metrics
    return group_of(
        name,
        len(rows),
        outcomes,
        labels,
        kinds,
        abstained=sum(row.abstained for row in rows),
        likely=sum(row.likely for row in rows),
        passed_on_likely=sum(bool(row.passed and row.likely) for row in rows),
        means=tuple(mean(metric, rows, settings) for metric in asked),
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
    found = mean_of(metric, clusters, samples, aside, scale or (0.0, 1.0))
    return placed_mean(found, kind, settings)
