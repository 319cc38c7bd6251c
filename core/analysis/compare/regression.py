"""Is a run worse than another, beyond noise? For the gate.

What `compare` says counts: samples paired by case, provider and iteration, p values
corrected for all figures that were tested, differences below the noise floor passed
over. The randomisation test behind its p values is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimscope.core.analysis.compare.comparison import RunData, compare
from claimscope.core.analysis.compare.differences import Figure
from claimscope.core.analysis.gate import PASS_RATE, Check, is_covered
from claimscope.core.errors import InputError
from claimscope.core.metrics.overall import is_low_good

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

EXACT = 12
"""Up to so many cases that differ, all ways to set the signs are gone through."""
DRAWS = 4000
SEED = 7
AT_ONCE = 2_000_000
"""Signs drawn at once: bounds memory."""


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


def is_worse(figure: Figure) -> bool:
    """Did it move to the bad side, beyond noise?"""
    if figure.within_noise or not figure.difference:
        return False
    return (figure.difference > 0) == is_low_good(figure.name)


def _check(
    before: RunData,
    now: RunData,
    figure: Figure | None,
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


def p_value(values: Floats) -> float:
    """Two-sided p of the randomisation test; 1 without a difference.

    Exact up to EXACT cases that differ, else estimated from DRAWS ways to set the
    signs, (1 + as far) / (1 + DRAWS), which is never too small.
    """
    import numpy as np

    values = np.sort(values[values != 0])  # the order they came in means nothing
    if not len(values):
        return 1.0
    far = abs(values.sum()) * (1 - 1e-9)
    if len(values) <= EXACT:
        numbers = np.arange(2 ** len(values))[:, None]
        signs = (numbers >> np.arange(len(values)) & 1) * 2 - 1
        return float((abs(signs @ values) >= far).mean())
    rng = np.random.default_rng(SEED)
    at_once = max(1, min(DRAWS, AT_ONCE // len(values)))
    hits, done = 0, 0
    while done < DRAWS:
        rows = min(at_once, DRAWS - done)
        signs = rng.integers(0, 2, size=(rows, len(values)), dtype=np.int8) * 2 - 1
        hits += int((abs(signs @ values) >= far).sum())
        done += rows
    return (1 + hits) / (1 + DRAWS)
