"""A suite over time: its runs in order, each with its figures and how far it moved
since the one before. Only runs of one suite are put side by side, and where suite,
pages or model are not the same as before, the step says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.analysis.compare.comparison import RunData, compare
from claimscope.core.analysis.compare.differences import FigureDifference
from claimscope.core.analysis.compare.header_differences import (
    HeaderDifference,
    trend_changes,
)
from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.analysis.summary.summary import Mean, group, rows_of
from claimscope.core.analysis.summary.tier_distribution import (
    ScoreDistribution,
    spreads,
)
from claimscope.core.errors import InputError
from claimscope.core.models import Model, RunStatus


class TrendStep(Model):
    """What became of the figures since the previous run, over the samples that both
    have; `within_noise` of each figure says whether it is a change at all."""

    before: str
    """Id of the previous run."""
    pairs: int
    """0 = no sample in common: nothing can be said."""
    pass_rate: FigureDifference | None
    metrics: tuple[FigureDifference, ...]
    changes: tuple[HeaderDifference, ...]
    """What makes the two runs less comparable."""
    answers_changed: int
    """Pairs with another answer."""


class Point(Model):
    """One run."""

    run_id: str
    created: str
    samples: int
    total_samples: int
    passed: int
    judged: int
    pass_rate: float | None
    """Of the judged, [0, 1]."""
    pass_interval: Interval | None
    coverage: float | None
    """Judged of the samples the run was to have, [0, 1]."""
    means: tuple[Mean, ...]
    spreads: tuple[ScoreDistribution, ...] = ()
    """Scores by tier, of metrics that have tiers."""
    step: TrendStep | None
    """None for the first run."""


class Trend(Model):
    """The runs of a suite, oldest first."""

    suite_id: str
    points: tuple[Point, ...]
    left_out: tuple[str, ...]
    """Runs of the suite that are not finished, and are not counted."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Of all runs, in the order they first appear."""
        found = (mean.metric for point in self.points for mean in point.means)
        return tuple(dict.fromkeys(found))


def runs_of(
    statuses: Iterable[RunStatus], suite_id: str | None
) -> tuple[str, list[RunStatus], tuple[str, ...]]:
    """(suite, its finished runs, ids of the others), oldest first; without a suite that
    of the newest finished run. Raises InputError when there is no such run."""
    ordered = sorted(statuses, key=lambda s: (s.header.created, s.header.run_id))
    done = [status for status in ordered if status.state == "finished"]
    if suite_id is None and done:
        suite_id = done[-1].header.suite_id
    mine = [status for status in done if status.header.suite_id == suite_id]
    if suite_id is None or not mine:
        known = ", ".join(sorted({status.header.suite_id for status in done}))
        named = f" of suite {suite_id!r}" if suite_id is not None else ""
        raise InputError(
            f"there is no finished run{named} in this workspace",
            f"there are runs of: {known}" if known else "claimscope run SUITE",
        )
    rest = tuple(
        status.header.run_id
        for status in ordered
        if status.header.suite_id == suite_id and status.state != "finished"
    )
    return suite_id, mine, rest


def trends(
    suite_id: str, runs: Iterable[RunData], left_out: Sequence[str] = ()
) -> Trend:
    """Of runs in order of time; two of them are held at once."""
    points: list[Point] = []
    before: RunData | None = None
    for run in runs:
        points.append(_point(run, before))
        before = run
    return Trend(suite_id=suite_id, points=tuple(points), left_out=tuple(left_out))


def of_domain(runs: Iterable[RunData], domain: str) -> Iterator[RunData]:
    """The runs that have samples of a domain, with these alone. Raises InputError that
    lists the domains there are when none has."""
    known: set[str] = set()
    is_there = False
    for run in runs:
        known |= {s.case.domain for s in run.samples if s.case.domain}
        part = [s for s in run.samples if s.case.domain == domain]
        if part:
            is_there = True
            header = run.header.model_copy(update={"total_samples": len(part)})
            yield RunData(run.name, header, part)
    if not is_there:
        raise InputError(
            f"no run of the suite has a sample of domain {domain!r}",
            f"they have: {', '.join(sorted(known)) or 'none'}",
        )


def _point(run: RunData, before: RunData | None) -> Point:
    rows, settings = rows_of(run.samples), settings_of(run.header)
    figures = group(run.name, rows, settings=settings)
    total = max(run.header.total_samples, figures.samples)
    return Point(
        run_id=run.header.run_id,
        created=run.header.created,
        samples=figures.samples,
        total_samples=total,
        passed=figures.passed,
        judged=figures.judged,
        pass_rate=figures.pass_rate,
        pass_interval=figures.pass_interval,
        coverage=figures.judged / total if total else None,
        means=figures.means,
        spreads=tuple(m for one in spreads(rows, settings)[:1] for m in one.metrics),
        step=_step(before, run) if before is not None else None,
    )


def _step(before: RunData, now: RunData) -> TrendStep:
    less_comparable = trend_changes(before.header, now.header)
    try:
        found = compare(before, now)
    except InputError:  # other cases, or other providers: a step without figures
        return TrendStep(
            before=before.header.run_id,
            pairs=0,
            pass_rate=None,
            metrics=(),
            changes=less_comparable,
            answers_changed=0,
        )
    return TrendStep(
        before=before.header.run_id,
        pairs=found.pairs,
        pass_rate=found.pass_rate,
        metrics=found.metrics,
        changes=less_comparable,
        answers_changed=len(found.answers_changed),
    )
