"""What differs between paired samples, figure by figure: how much, how sure.

p is of Fisher's randomisation test over cases: were both sides alike, the difference
of each case could as well have the other sign. With one sample a case, pass or fail
by it is McNemar's exact test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from claimscope.core.analysis.statistics.intervals import Z95, Interval, mean_interval
from claimscope.core.analysis.statistics.paired_tests import (
    ALPHA,
    cohen_dz,
    cohen_h,
    mcnemar,
    randomisation_test,
)
from claimscope.core.analysis.summary.iterations import PASS_RATE, Noise, noise_floors
from claimscope.core.models import Model, SampleResult

Pair = tuple[SampleResult, SampleResult]
"""The same sample before and after."""
Value = Callable[[SampleResult], float | None]


class FigureDifference(Model):
    """One figure before and after, over the pairs that have it on both sides."""

    name: str
    """`pass_rate`, or the id of a metric."""
    before: float | None
    after: float | None
    difference: float | None
    """after - before, in the figure's unit; None without a pair."""
    interval: Interval | None
    """95 %, of the difference, of this figure alone; None with too few cases or where
    all differences are alike."""
    effect: float | None
    """Cohen's h of a rate, Cohen's d_z of a metric; None without a spread."""
    n: int
    """Pairs with a value on both sides."""
    cases: int
    """Cases those pairs are of."""
    unscored: int
    """Pairs that lack a value on a side, though the metric applies to both."""
    not_applicable: int
    """Pairs to which the metric does not apply on a side."""
    p: float | None
    """Two-sided, by case; None without a pair."""
    p_holm: float | None
    """Corrected for all figures that were tested."""
    noise_floor: float | None
    """What the means differ by when the same answers are judged twice (95 %); None
    without iterations."""
    scale: tuple[float, float]
    within_noise: bool = True
    """No difference that chance, or judging anew, does not explain."""

    def with_p_holm(self, p_holm: float) -> FigureDifference:
        """With the p that its verdict goes by."""
        far = abs(self.difference or 0.0) > (self.noise_floor or 0.0)
        within = p_holm >= ALPHA or not far
        return self.model_copy(update={"p_holm": p_holm, "within_noise": within})


class PairedOutcomes(Model):
    """Pass and fail of the pairs: the table of McNemar's test."""

    both_passed: int
    lost: int
    """Passed before, failed after."""
    gained: int
    """Failed before, passed after."""
    both_failed: int
    unscored: int
    """Pairs with no outcome on a side."""
    mcnemar_p: float
    """Exact, over samples; with several samples a case it is too small, and the p of
    the figure, by case, counts."""


def _pass_value(sample: SampleResult) -> float | None:
    return None if sample.passed is None else float(sample.passed)


def pass_figure(pairs: Sequence[Pair]) -> FigureDifference:
    figure = _figure(PASS_RATE, pairs, _pass_value, (0.0, 1.0), None, 0)
    if figure.before is None or figure.after is None:
        return figure
    table = outcome_table(pairs)
    update: dict[str, float] = {"effect": cohen_h(figure.before, figure.after)}
    if figure.n == figure.cases:
        update["p"] = table.mcnemar_p
    return figure.model_copy(update=update)


def outcome_table(pairs: Sequence[Pair]) -> PairedOutcomes:
    both = [(a.passed, b.passed) for a, b in pairs]
    lost, gained = both.count((True, False)), both.count((False, True))
    return PairedOutcomes(
        both_passed=both.count((True, True)),
        lost=lost,
        gained=gained,
        both_failed=both.count((False, False)),
        unscored=sum(None in pair for pair in both),
        mcnemar_p=mcnemar(lost, gained),
    )


def metric_figures(
    before: Sequence[SampleResult], after: Sequence[SampleResult], pairs: Sequence[Pair]
) -> tuple[FigureDifference, ...]:
    names = [
        dict.fromkeys(score.metric for pair in pairs for score in pair[i].scores)
        for i in (0, 1)
    ]
    floors = [{n.metric: n for n in noise_floors(side)} for side in (before, after)]
    found = []
    for name in names[0]:
        if name not in names[1]:
            continue  # told by the change of `metrics`
        n = sum(None not in (_value(a, name), _value(b, name)) for a, b in pairs)
        floor = _difference_floor([floor[name] for floor in floors if name in floor], n)
        found.append(
            _figure(
                name,
                pairs,
                lambda sample, name=name: _value(sample, name),  # type: ignore[misc]
                _scale(name, pairs),
                floor,
                sum(_is_aside(a, name) or _is_aside(b, name) for a, b in pairs),
            )
        )
    return tuple(found)


def _difference_floor(noises: Sequence[Noise], n: int) -> float | None:
    """Of the difference of two means of n; a run without iterations is taken to be
    as noisy as the other."""
    if not noises or not n:
        return None
    variances = [noise.sd**2 for noise in noises]
    return float(Z95 * (2 * fmean(variances) / n) ** 0.5)


def _value(sample: SampleResult, metric: str) -> float | None:
    return next((s.value for s in sample.scores if s.metric == metric), None)


def _is_aside(sample: SampleResult, metric: str) -> bool:
    return any(s.metric == metric and not s.applicable for s in sample.scores)


def _scale(metric: str, pairs: Sequence[Pair]) -> tuple[float, float]:
    scored = (s for pair in pairs for sample in pair for s in sample.scores)
    known = (s.scale for s in scored if s.metric == metric and s.value is not None)
    return next(known, (0.0, 1.0))


def _figure(
    name: str,
    pairs: Sequence[Pair],
    value: Value,
    scale: tuple[float, float],
    noise_floor: float | None,
    not_applicable: int,
) -> FigureDifference:
    """Difference by cases; what is tested is the sum of the differences of each."""
    known = [(a.key.case_id, value(a), value(b)) for a, b in pairs]
    both = [(c, x, y) for c, x, y in known if x is not None and y is not None]
    clusters: dict[str, list[float]] = {}
    for case_id, x, y in both:
        clusters.setdefault(case_id, []).append(y - x)
    before = fmean(x for _, x, _ in both) if both else None
    after = fmean(y for _, _, y in both) if both else None
    return FigureDifference(
        name=name,
        before=before,
        after=after,
        difference=None if before is None or after is None else after - before,
        interval=mean_interval(clusters),
        effect=cohen_dz([fmean(part) for part in clusters.values()]),
        n=len(both),
        cases=len(clusters),
        unscored=len(pairs) - len(both) - not_applicable,
        not_applicable=not_applicable,
        p=randomisation_test(map(sum, clusters.values())) if both else None,
        p_holm=None,
        noise_floor=noise_floor,
        scale=scale,
    )
