"""Is a run worse than another, beyond noise? For the gate.

Samples are paired by case, provider and iteration, and their differences averaged by
case, since answers to one case are not independent. Then Fisher's randomisation test:
were the runs alike, each difference could as well have the other sign; p is the part
of all ways to set the signs that gives a mean as far from 0. With one sample a case,
pass or fail by it is McNemar's exact test. It needs no distribution, and so few cases
that no p can be small are never called a regression.

The pass rate is tested at 5 %; the metrics share another 5 % (Bonferroni), because a
gate that cries wolf is switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from claimscope.core.analysis.gate import PASS_RATE, Check, is_covered
from claimscope.core.metrics.overall import rescaled
from claimscope.core.models import SampleKey, SampleResult

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

ALPHA = 0.05
EXACT = 12
"""Up to so many cases that differ, all ways to set the signs are gone through."""
DRAWS = 4000
SEED = 7
AT_ONCE = 2_000_000
"""Signs drawn at once: bounds memory."""
Value = Callable[[SampleResult], float | None]
"""A figure of a sample, from 0 (bad) to 1 (good)."""


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


def regressions(
    baseline: str,
    before: Sequence[SampleResult],
    now: Sequence[SampleResult],
    min_coverage: float,
) -> Iterator[Check]:
    """The pass rate always; of the metrics those that are worse. `reached` is the mean
    difference, now - before, of a figure turned and scaled to 0 (bad) to 1 (good)."""
    yield _pass_check(baseline, before, now, min_coverage)
    names = sorted(
        {score.metric for sample in before for score in sample.scores}
        & {score.metric for sample in now for score in sample.scores}
    )
    for name in names:
        values, n = differences(before, now, _of_metric(name))
        change = _mean(values)
        if change < 0 and (p := p_value(values)) < ALPHA / len(names):
            yield Check(
                name=f"regression: {name}",
                demanded=f"no worse than {baseline}",
                reached=change,
                n=n,
                total=len(now),
                state="failed",
                reason=f"worse beyond noise (p {p:.2g}, {len(values)} cases)",
            )


def _pass_check(
    baseline: str,
    before: Sequence[SampleResult],
    now: Sequence[SampleResult],
    min_coverage: float,
) -> Check:
    values, n = differences(before, now, _passed)
    change = _mean(values) if n else None
    p = p_value(values)
    is_worse = change is not None and change < 0 and p < ALPHA
    covered = is_covered(n, len(now), min_coverage)
    reason = ""
    if is_worse:
        reason = f"worse beyond noise (p {p:.2g}, {len(values)} cases)"
    elif not covered:
        reason = f"only {n} of {len(now)} samples have a verdict in both runs"
    return Check(
        name=f"regression: {PASS_RATE}",
        demanded=f"no worse than {baseline}",
        reached=change,
        n=n,
        total=len(now),
        state="failed" if is_worse else "passed" if covered else "not_judged",
        reason=reason,
    )


def differences(
    before: Sequence[SampleResult], now: Sequence[SampleResult], value: Value
) -> tuple[Floats, int]:
    """(now - before, one mean a case; number of pairs) over samples with the figure in
    both runs."""
    import numpy as np

    known: dict[SampleKey, float] = {}
    for sample in before:
        if (old := value(sample)) is not None:
            known[sample.key] = old
    cases: dict[str, list[float]] = {}
    for sample in now:
        new = value(sample)
        if new is not None and sample.key in known:
            change = new - known[sample.key]
            cases.setdefault(sample.key.case_id, []).append(change)
    means = [sum(changes) / len(changes) for changes in cases.values()]
    return np.array(means, dtype=np.float64), sum(map(len, cases.values()))


def p_value(values: Floats) -> float:
    """Two-sided p of the randomisation test; 1 without a difference.

    Exact up to EXACT cases that differ, else estimated from DRAWS ways to set the
    signs, (1 + as far) / (1 + DRAWS), which is never too small.
    """
    import numpy as np

    values = values[values != 0]
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


def _passed(sample: SampleResult) -> float | None:
    return None if sample.passed is None else float(sample.passed)


def _of_metric(name: str) -> Value:
    def value(sample: SampleResult) -> float | None:
        for score in sample.scores:
            if score.metric == name and score.value is not None:
                return rescaled(score)
        return None

    return value


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
