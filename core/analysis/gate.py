"""Is a run good enough to go on with? Demands, what was reached, and on how much.

A figure over the few samples that could be judged says little of the others, so each
demand needs coverage too. What lacks it is not judged, which is neither a pass nor a
failure, and has an exit code of its own. A run may also have to be no worse than
another: what `compare` finds beyond noise counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from claimscope.core.analysis.compare.comparison import RunData, compare
from claimscope.core.analysis.compare.differences import FigureDifference
from claimscope.core.analysis.summary.iterations import GRADES, PASS_RATE, grade
from claimscope.core.analysis.summary.summary import mean, rows_of
from claimscope.core.errors import InputError
from claimscope.core.metrics.overall import is_low_good
from claimscope.core.models import Model, RunStatus, SampleResult

COVERAGE = "coverage"
DEFAULT_COVERAGE = 0.9
"""Part of the samples that must have been judged when nothing else is demanded: one
in ten may be unscored."""
PASSED, FAILED, NOT_JUDGED = 0, 1, 3
"""Exit codes of a gate."""
ROUNDING = 1e-9
"""A mean of 0.8 is computed as 0.7999999999999999 now and then."""

State = Literal["passed", "failed", "not_judged"]


class Demand(Model):
    """A figure that must be at least (or at most) so high."""

    metric: str
    """`pass_rate`, the name of a grade, or the id of a metric, whose mean is meant."""
    bound: float
    at_most: bool = False
    """For figures where low is good."""

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='} {self.bound:g}"


class Check(Model):
    """One demand and what became of it."""

    name: str
    demanded: str
    """In signs: `>= 0.8`, `no worse than RUN`."""
    reached: float | None
    """None when there is no figure."""
    n: int
    """Samples the figure is over."""
    total: int
    """Samples it should be over: those it applies to and those not judged yet."""
    state: State
    reason: str = ""
    """Why it was not passed; empty when it was."""


class Gate(Model):
    """All checks of a run."""

    run_id: str
    min_coverage: float
    checks: tuple[Check, ...]

    @property
    def state(self) -> State:
        """A demand that failed outweighs one that could not be judged."""
        states = {check.state for check in self.checks}
        if "failed" in states:
            return "failed"
        return "not_judged" if "not_judged" in states else "passed"

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 could not be judged."""
        return {"passed": PASSED, "failed": FAILED, "not_judged": NOT_JUDGED}[
            self.state
        ]


def gate(
    status: RunStatus,
    samples: Sequence[SampleResult],
    demands: Iterable[Demand],
    *,
    min_coverage: float = DEFAULT_COVERAGE,
    regressions: Iterable[Check] = (),
) -> Gate:
    """Holds a run to demands. Samples the run never came to count as unscored."""
    absent = max(0, status.header.total_samples - len(samples))
    checks = [_coverage(samples, absent, min_coverage)]
    checks += [_check(d, samples, absent, min_coverage) for d in demands]
    return Gate(
        run_id=status.header.run_id,
        min_coverage=min_coverage,
        checks=(*checks, *regressions),
    )


def _coverage(
    samples: Sequence[SampleResult], absent: int, min_coverage: float
) -> Check:
    n, total = _count_judged(samples), len(samples) + absent
    return Check(
        name=COVERAGE,
        demanded=f">= {min_coverage:g}",
        reached=n / total if total else None,
        n=n,
        total=total,
        state="passed" if is_covered(n, total, min_coverage) else "not_judged",
        reason=_why_uncovered(n, total, min_coverage),
    )


def _check(
    demand: Demand, samples: Sequence[SampleResult], absent: int, min_coverage: float
) -> Check:
    reached, n, applicable = figure(demand.metric, samples)
    total = applicable + absent
    state: State = "passed"
    reason = _why_uncovered(n, total, min_coverage)
    if reason or reached is None:
        state = "not_judged"
    elif not meets(demand, reached):
        state = "failed"
        side = "above" if demand.at_most else "below"
        reason = f"{reached:.4g} is {side} {demand.bound:g}"
        low, high = scale_of(demand.metric, samples)
        if not low <= demand.bound <= high:
            reason += f", and {demand.metric} goes from {low:g} to {high:g}"
    return Check(
        name=demand.metric,
        demanded=str(demand),
        reached=reached,
        n=n,
        total=total,
        state=state,
        reason=reason,
    )


def meets(demand: Demand, reached: float) -> bool:
    """Is the figure on the demanded side of the bound, the bound included?"""
    if demand.at_most:
        return reached <= demand.bound + ROUNDING
    return reached >= demand.bound - ROUNDING


def figure(name: str, samples: Sequence[SampleResult]) -> tuple[float | None, int, int]:
    """(value, samples it is over, samples it applies to) of a rate, grade or metric;
    no value, 0 of 0 for a metric the run does not have."""
    if name == PASS_RATE:
        judged = [s.passed for s in samples if s.passed is not None]
        value = sum(judged) / len(judged) if judged else None
        return value, len(judged), len(samples)
    if name in GRADES:
        known = [g for s in samples if (g := grade(s, name)) is not None]
        return sum(known) / len(known) if known else None, len(known), len(samples)
    found = mean(name, rows_of(samples))
    if not any(score.metric == name for s in samples for score in s.scores):
        return None, 0, 0
    return found.mean, found.n, found.total


def scale_of(name: str, samples: Sequence[SampleResult]) -> tuple[float, float]:
    """From where to where a figure goes."""
    if name in GRADES:
        return 1.0, 5.0
    return (0.0, 1.0) if name == PASS_RATE else mean(name, rows_of(samples)).scale


def is_covered(n: int, total: int, min_coverage: float) -> bool:
    """Were enough samples judged, and one at least?"""
    return n > 0 and n / total >= min_coverage - ROUNDING


def _why_uncovered(n: int, total: int, min_coverage: float) -> str:
    if not total:
        return "the run has no such figure"
    if is_covered(n, total, min_coverage):
        return ""
    return f"only {n} of {total} judged ({n / total:.0%}, demanded {min_coverage:.0%})"


def _count_judged(samples: Iterable[SampleResult]) -> int:
    return sum(sample.passed is not None for sample in samples)


def no_baseline(samples: int) -> Check:
    """There is nothing to compare with: neither a pass nor a failure."""
    return Check(
        name="regression",
        demanded="no worse than the previous run",
        reached=None,
        n=0,
        total=samples,
        state="not_judged",
        reason="the suite has no earlier finished run; this one can be the next's",
    )


def regressions(before: RunData, now: RunData, min_coverage: float) -> Iterator[Check]:
    """The pass rate always; of the metrics those that are worse. `reached` is the
    difference, now - before, in the figure's own unit."""
    try:
        found = compare(before, now)
    except InputError as error:
        yield _regression_check(before, now, None, min_coverage, error.message)
        return
    yield _regression_check(before, now, found.pass_rate, min_coverage)
    for metric in found.metrics:
        if is_worse(metric):
            yield _regression_check(before, now, metric, min_coverage)


def is_worse(figure: FigureDifference) -> bool:
    """Did it move to the bad side, beyond noise?"""
    if figure.within_noise or not figure.difference:
        return False
    return (figure.difference > 0) == is_low_good(figure.name)


def _regression_check(
    before: RunData,
    now: RunData,
    figure: FigureDifference | None,
    min_coverage: float,
    reason: str = "",
) -> Check:
    n, total = figure.n if figure else 0, len(now.samples)
    is_failed = figure is not None and is_worse(figure)
    covered = is_covered(n, total, min_coverage)
    if figure is not None and is_failed:
        p = figure.p if figure.p_holm is None else figure.p_holm
        reason = f"worse beyond noise (corrected p {p:.2g}, {figure.cases} cases)"
    elif not covered and not reason:
        reason = f"only {n} of {total} samples have a verdict in both runs"
    return Check(
        name=f"regression: {figure.name if figure else PASS_RATE}",
        demanded=f"no worse than {before.name}",
        reached=figure.difference if figure else None,
        n=n,
        total=total,
        state="failed" if is_failed else "passed" if covered else "not_judged",
        reason=reason,
    )
