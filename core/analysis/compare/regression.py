"""Is a run worse than another, beyond noise? For the gate.

What `compare` says counts: samples paired by case, provider and iteration, p values
corrected for all figures that were tested, differences below the noise floor passed
over.
"""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.compare.comparison import RunData, compare
from claimscope.core.analysis.compare.differences import FigureDifference
from claimscope.core.analysis.gate import Check, is_covered
from claimscope.core.analysis.summary.iterations import PASS_RATE
from claimscope.core.errors import InputError
from claimscope.core.metrics.overall import is_low_good


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
        yield _check(before, now, None, min_coverage, error.message)
        return
    yield _check(before, now, found.pass_rate, min_coverage)
    for metric in found.metrics:
        if is_worse(metric):
            yield _check(before, now, metric, min_coverage)


def is_worse(figure: FigureDifference) -> bool:
    """Did it move to the bad side, beyond noise?"""
    if figure.within_noise or not figure.difference:
        return False
    return (figure.difference > 0) == is_low_good(figure.name)


def _check(
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
