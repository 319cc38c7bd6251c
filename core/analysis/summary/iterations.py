"""What a run comes to over its iterations: grades, pass rates, what flips, the trend.

Formulas are those of METRICS B: pass = both grades reach the threshold, overall =
(faithfulness + completeness) / 2. What has no grade is counted, never averaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from statistics import fmean, stdev

from claimscope.core.analysis.statistics.intervals import Z95
from claimscope.core.analysis.summary.summary import Summary
from claimscope.core.models import Model, RunStatus, SampleResult

PassGrade = float | tuple[float, float]
"""What both grades must reach, or faithfulness and completeness each."""
GRADES = ("faithfulness", "completeness")
PASS_RATE = "pass_rate"
"""The figure that decides, beside the ids of metrics."""


class GradeFigures(Model):
    """One grade, or the overall of both, over samples."""

    average: float | None
    """1-5; None without a grade."""
    pass_rate: float | None
    """Part of the graded samples that reach the threshold, [0, 1]."""
    passed: int
    n: int
    """Samples with the grade."""
    unscored: int
    """Samples without it."""


class GradeSummary(Model):
    """The grades of a group of samples."""

    samples: int
    faithfulness: GradeFigures
    completeness: GradeFigures
    overall: GradeFigures
    """Of samples with both grades; passes when both do."""


class IterationSpread(Model):
    """One figure over the iterations of a run."""

    name: str
    mean: float | None
    """Of the iterations that have the figure."""
    sd: float | None
    """Sample standard deviation (n - 1); None with fewer than two iterations."""
    per_iteration: tuple[float | None, ...]
    n: int


class Unstable(Model):
    """A case and provider whose pass or fail changes between iterations."""

    case_id: str
    provider: str
    passed: tuple[bool | None, ...]
    """By iteration; None = unscored, which is no flip."""


class Noise(Model):
    """How far a metric moves when the same answer is judged again."""

    metric: str
    sd: float
    """Within samples, pooled; in the metric's unit."""
    freedom: int
    """Degrees of freedom the sd is from."""
    n: int
    """Scores a mean of the run is over."""
    floor_one: float
    """Two scores of one sample that differ by less are within noise (95 %)."""
    floor_mean: float
    """The same for the means of two runs as large as this one."""


class Iterations(Model):
    """The final metrics of a run (seed 001)."""

    iterations: tuple[int, ...]
    figures: tuple[IterationSpread, ...]
    unstable: tuple[Unstable, ...]
    compared: int
    """Cases and providers with a verdict in two iterations or more."""
    noise: tuple[Noise, ...] = ()
    """By metric; none for a run of one iteration."""


class Delta(Model):
    """How one mean moved since the previous run of the same suite."""

    metric: str
    now: float
    before: float
    delta: float
    n_now: int
    n_before: int


def grade(sample: SampleResult, name: str) -> float | None:
    """The grade of that name, 1-5; None when unscored or not asked for."""
    return next((g.value for g in sample.grades if g.name == name), None)


def grade_summary(
    samples: Sequence[SampleResult], pass_grade: PassGrade = 4
) -> GradeSummary:
    """Average and pass rate of each grade and of both (METRICS B)."""
    least = pass_grade if isinstance(pass_grade, tuple) else (pass_grade, pass_grade)
    both = [(grade(s, GRADES[0]), grade(s, GRADES[1])) for s in samples]
    whole = [(f, c) for f, c in both if f is not None and c is not None]
    return GradeSummary(
        samples=len(samples),
        faithfulness=_figures_of_grade([f for f, _ in both], least[0]),
        completeness=_figures_of_grade([c for _, c in both], least[1]),
        overall=_grade_figures(
            [(f + c) / 2 for f, c in whole],
            sum(f >= least[0] and c >= least[1] for f, c in whole),
            len(samples),
        ),
    )


def _figures_of_grade(
    values: Sequence[float | None], pass_grade: float
) -> GradeFigures:
    known = [value for value in values if value is not None]
    return _grade_figures(known, sum(v >= pass_grade for v in known), len(values))


def _grade_figures(known: Sequence[float], passed: int, total: int) -> GradeFigures:
    return GradeFigures(
        average=fmean(known) if known else None,
        pass_rate=passed / len(known) if known else None,
        passed=passed,
        n=len(known),
        unscored=total - len(known),
    )


def by_iteration(samples: Iterable[SampleResult]) -> dict[int, list[SampleResult]]:
    found: dict[int, list[SampleResult]] = {}
    for sample in samples:
        found.setdefault(sample.key.iteration, []).append(sample)
    return dict(sorted(found.items()))


def over_iterations(
    samples: Sequence[SampleResult], pass_grade: PassGrade = 4
) -> Iterations:
    """Mean and spread of each figure over iterations, and the samples that flip."""
    parts = by_iteration(samples)
    rows = [_row(part, pass_grade) for part in parts.values()]
    names = sorted({name for row in rows for name in row})
    unstable, compared = _flips(samples)
    return Iterations(
        iterations=tuple(parts),
        figures=tuple(spread(name, [row.get(name) for row in rows]) for name in names),
        unstable=unstable,
        compared=compared,
        noise=noise_floors(samples),
    )


def noise_floors(samples: Iterable[SampleResult]) -> tuple[Noise, ...]:
    """Of each metric that a sample has in two iterations or more.

    The within-subject sd of Bland & Altman (1996, BMJ 312, 1654): the root of the
    pooled variance. Two measurements of one thing lie within 1.96 sqrt(2) sd of each
    other 95 times of 100 (repeatability, ISO 5725-6), two means of n within
    1.96 sqrt(2 / n) sd.
    """
    found: dict[str, dict[tuple[str, str], list[float]]] = {}
    for sample in samples:
        place = (sample.key.case_id, sample.key.provider)
        for score in sample.scores:
            if score.value is not None:
                parts = found.setdefault(score.metric, {})
                parts.setdefault(place, []).append(score.value)
    return tuple(
        noise
        for metric, parts in sorted(found.items())
        if (noise := _noise(metric, list(parts.values()))) is not None
    )


def _noise(metric: str, parts: Sequence[Sequence[float]]) -> Noise | None:
    freedom = sum(len(part) - 1 for part in parts)
    if not freedom:
        return None
    squares = fsum((v - fmean(part)) ** 2 for part in parts for v in part)
    sd, n = sqrt(squares / freedom), sum(map(len, parts))
    return Noise(
        metric=metric,
        sd=sd,
        freedom=freedom,
        n=n,
        floor_one=Z95 * sqrt(2) * sd,
        floor_mean=Z95 * sqrt(2 / n) * sd,
    )


def _row(
    samples: Sequence[SampleResult], pass_grade: PassGrade
) -> dict[str, float | None]:
    grades = grade_summary(samples, pass_grade)
    judged = [sample.passed for sample in samples if sample.passed is not None]
    row: dict[str, float | None] = {
        PASS_RATE: sum(judged) / len(judged) if judged else None
    }
    for name in (*GRADES, "overall"):
        figures: GradeFigures = getattr(grades, name)
        if figures.n:
            row[f"{name}_average"] = figures.average
            row[f"{name}_pass_rate"] = figures.pass_rate
    for metric in {score.metric for sample in samples for score in sample.scores}:
        values = [
            score.value
            for sample in samples
            for score in sample.scores
            if score.metric == metric and score.value is not None
        ]
        row[f"metric:{metric}"] = fmean(values) if values else None
    return row


def spread(name: str, values: Sequence[float | None]) -> IterationSpread:
    """Mean and standard deviation of what is known; order does not matter."""
    known = [value for value in values if value is not None]
    return IterationSpread(
        name=name,
        mean=fmean(known) if known else None,
        sd=stdev(known) if len(known) > 1 else None,
        per_iteration=tuple(values),
        n=len(known),
    )


def _flips(samples: Sequence[SampleResult]) -> tuple[tuple[Unstable, ...], int]:
    runs: dict[tuple[str, str], list[SampleResult]] = {}
    for sample in sorted(samples, key=lambda s: s.key.iteration):
        runs.setdefault((sample.key.case_id, sample.key.provider), []).append(sample)
    found, compared = [], 0
    for (case_id, provider), parts in sorted(runs.items()):
        words = tuple(part.passed for part in parts)
        said = [word for word in words if word is not None]
        compared += len(said) > 1
        if len(set(said)) > 1:
            found.append(Unstable(case_id=case_id, provider=provider, passed=words))
    return tuple(found), compared


def previous_run(runs: Iterable[RunStatus], status: RunStatus) -> RunStatus | None:
    """The newest finished run of the same suite that began before this one."""
    here = status.header
    earlier = [
        run
        for run in runs
        if run.state == "finished"
        and run.header.suite_id == here.suite_id
        and (run.header.created, run.header.run_id) < (here.created, here.run_id)
    ]
    return max(earlier, key=lambda r: (r.header.created, r.header.run_id), default=None)


def trend(now: Summary, before: Summary) -> tuple[Delta, ...]:
    """Delta of each mean that both runs have, with the n of each."""
    found = []
    for mean in now.overall.means:
        other = before.overall.mean_of(mean.metric)
        if mean.mean is None or other is None or other.mean is None:
            continue
        found.append(
            Delta(
                metric=mean.metric,
                now=mean.mean,
                before=other.mean,
                delta=mean.mean - other.mean,
                n_now=mean.n,
                n_before=other.n,
            )
        )
    return tuple(found)
