"""How far metrics agree with people: correlations, kappas, and what overrules say.

A metric that does not go with human ratings measures something else, whatever its
name. No figure is given where it is not defined: the reason stands in its place.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from claimscope.core.analysis.agreement.overrides import words_that_count
from claimscope.core.analysis.statistics.alpha import Alpha, Level, alpha
from claimscope.core.analysis.statistics.intervals import wilson
from claimscope.core.models import HumanVerdict, Label, Model, SampleKey, SampleResult

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]

LEAST_PAIRS = 3
"""A correlation of two points is always 1."""
LEAST_INTERVAL = 10
"""Resamples of fewer pairs say nothing about the spread."""
RESAMPLES = 1000
SEED = 20110125
ROUNDING = 1e-12
AT_ONCE = 500_000
"""Values drawn at once: bounds memory."""


class Estimate(Model):
    """A coefficient or a share with its 95 % interval."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str = ""
    """Why there is no value; else empty."""


class Rating(Model):
    """What one person said of one sample."""

    case_id: str
    provider: str = "default"
    iteration: int = 1
    rater: str
    metric: str
    value: float = Field(allow_inf_nan=False)

    @property
    def key(self) -> SampleKey:
        return SampleKey(
            case_id=self.case_id, provider=self.provider, iteration=self.iteration
        )


class MetricValidation(Model):
    """One metric against the people who rated it."""

    metric: str
    pearson: Estimate
    spearman: Estimate
    unmatched: int
    """Rated samples the run has no score for."""
    raters: tuple[str, ...]
    cohen: dict[str, Estimate]
    """By pair of raters, `a / b`."""
    fleiss: Estimate
    krippendorff: Alpha


def pearson(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Product-moment correlation; interval by Fisher's z, for n > 3."""
    reason = _why_undefined(x, y)
    if reason:
        return Estimate(n=len(x), reason=reason)
    from scipy.stats import pearsonr

    n = len(x)
    with _no_warning_of_equal_values():
        found = pearsonr(*_sorted_pairs(x, y))
    r = float(found.statistic)
    if n <= 3 or 1 - abs(r) < ROUNDING:
        return Estimate(value=r, n=n)
    interval = found.confidence_interval()
    return Estimate(value=r, low=float(interval.low), high=float(interval.high), n=n)


def spearman(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Rank correlation, ties by mean rank; interval by a bootstrap over pairs."""
    reason = _why_undefined(x, y)
    if reason:
        return Estimate(n=len(x), reason=reason)
    import numpy as np
    from scipy.stats import bootstrap

    n, pairs = len(x), _sorted_pairs(x, y)
    value = float(_rank_correlation(*pairs))
    if n < LEAST_INTERVAL:
        return Estimate(value=value, n=n)
    with _no_warning_of_equal_values():
        drawn = bootstrap(
            pairs,
            _rank_correlation,
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=RESAMPLES,
            batch=max(1, AT_ONCE // n),
            rng=np.random.default_rng(SEED),
        ).bootstrap_distribution
    # Its own interval is NaN when one draw has no correlation.
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Estimate(value=value, low=float(low), high=float(high), n=n)


def _rank_correlation(x: Doubles, y: Doubles, axis: int = -1) -> Doubles:
    """Spearman's along an axis; NaN where all values are equal."""
    import numpy as np
    from scipy.stats import pearsonr, rankdata

    found = pearsonr(rankdata(x, axis=axis), rankdata(y, axis=axis), axis=axis)
    return np.asarray(found.statistic, dtype=np.float64)


@contextmanager
def _no_warning_of_equal_values() -> Iterator[None]:
    """scipy warns of what has no spread, which is met before or left out after."""
    from scipy import stats

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        warnings.simplefilter("ignore", stats.NearConstantInputWarning)
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        yield


def _sorted_pairs(x: Sequence[float], y: Sequence[float]) -> tuple[Doubles, Doubles]:
    """Pairs by value: the order in which they came must not choose what is drawn, nor
    how sums are rounded."""
    import numpy as np

    first, second = np.asarray(sorted(zip(x, y, strict=True)), float).T
    return first, second


def _why_undefined(x: Sequence[float], y: Sequence[float]) -> str:
    if len(x) < LEAST_PAIRS:
        return f"{len(x)} pairs of rating and score; it takes {LEAST_PAIRS}"
    if len(set(x)) == 1 or len(set(y)) == 1:
        return "all ratings or all scores are equal"
    return ""


def cohen(
    x: Sequence[float | str],
    y: Sequence[float | str],
    weights: Literal["none", "quadratic"] = "none",
) -> Estimate:
    """Cohen's kappa (1960), or weighted by squared distance (1968), of numbers."""
    import numpy as np

    if not x:
        return Estimate(reason="no sample that both rated")
    values = sorted({*x, *y}, key=lambda v: (isinstance(v, str), v))
    place = {value: n for n, value in enumerate(values)}
    table = np.zeros((len(values), len(values)))
    for one, two in zip(x, y, strict=True):
        table[place[one], place[two]] += 1
    if weights == "quadratic":
        at = np.array([float(value) for value in values])
        cost = (at[:, None] - at[None, :]) ** 2
    else:
        cost = 1 - np.eye(len(values))
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(x)
    expected = float((cost * chance).sum())
    if expected == 0:
        return Estimate(n=len(x), reason="both gave one and the same value throughout")
    return Estimate(value=1 - float((cost * table).sum()) / expected, n=len(x))


def fleiss(units: Sequence[Sequence[float | str]]) -> Estimate:
    """Fleiss' kappa (1971) of samples that all have the same number of ratings."""
    if not units or len(units[0]) < 2:
        return Estimate(reason="no samples with two ratings or more")
    raters = len(units[0])
    if any(len(unit) != raters for unit in units):
        return Estimate(reason="not every sample has the same number of ratings")
    counts = [Counter(unit) for unit in units]
    shares = sum(counts, Counter[float | str]())
    total = len(units) * raters
    chance = sum((count / total) ** 2 for count in shares.values())
    if len(shares) < 2:
        return Estimate(n=len(units), reason="all raters gave one and the same value")
    seen = fmean(
        (sum(c * c for c in unit.values()) - raters) / (raters * (raters - 1))
        for unit in counts
    )
    return Estimate(value=(seen - chance) / (1 - chance), n=len(units))


def validate(
    ratings: Sequence[Rating], samples: Iterable[SampleResult], level: Level = "ordinal"
) -> tuple[MetricValidation, ...]:
    """Each rated metric against the scores of a run, and the raters against one
    another. A sample's rating is the mean of its raters."""
    scores = {
        (sample.key, score.metric): score.value
        for sample in samples
        for score in sample.scores
    }
    return tuple(
        _validate_metric(
            metric, [r for r in ratings if r.metric == metric], scores, level
        )
        for metric in sorted({rating.metric for rating in ratings})
    )


def _validate_metric(
    metric: str,
    ratings: Sequence[Rating],
    scores: dict[tuple[SampleKey, str], float | None],
    level: Level,
) -> MetricValidation:
    units: dict[SampleKey, dict[str, float]] = {}
    for rating in ratings:
        units.setdefault(rating.key, {})[rating.rater] = rating.value
    people, machine = [], []
    for key, said in units.items():
        score = scores.get((key, metric))
        if score is not None:
            people.append(fmean(said.values()))
            machine.append(score)
    raters = tuple(sorted({rating.rater for rating in ratings}))
    return MetricValidation(
        metric=metric,
        pearson=pearson(people, machine),
        spearman=spearman(people, machine),
        unmatched=len(units) - len(people),
        raters=raters,
        cohen={
            f"{one} / {two}": _pair_kappa(one, two, units.values(), level)
            for one, two in combinations(raters, 2)
        },
        fleiss=fleiss([list(said.values()) for said in units.values()]),
        krippendorff=alpha(list(units.values()), level),
    )


def _pair_kappa(
    one: str, two: str, units: Iterable[dict[str, float]], level: Level
) -> Estimate:
    both = [(u[one], u[two]) for u in units if one in u and two in u]
    return cohen(
        [a for a, _ in both],
        [b for _, b in both],
        "quadratic" if level == "ordinal" else "none",
    )


# --- what people said of verdicts ---------------------------------------------


class LabelFigures(Model):
    """One label of the judge, people taken as right."""

    precision: Estimate
    """Of the claims the judge gave it, those people gave it."""
    recall: Estimate
    """Of the claims people gave it, those the judge gave it."""


class JudgeValidation(Model):
    """The judge against the people who looked at its verdicts."""

    claims: int
    kappa: Estimate
    labels: dict[str, LabelFigures]
    claim_detection: Estimate
    """Share of looked-at claims that state a fact, as people see it."""


def validate_judge(words: Sequence[HumanVerdict]) -> JudgeValidation:
    """Of the word that counts on each claim of an answer. What person or machine could
    not judge is in none of the figures on verdicts."""
    last = words_that_count(word for word in words if not word.required).values()
    said = [(w.machine, w.human) for w in last if w.human is not None and w.is_claim]
    judged = [(m, h) for m, h in said if Label.UNSCORED not in (m, h)]
    return JudgeValidation(
        claims=len(judged),
        kappa=cohen([m.value for m, _ in judged], [h.value for _, h in judged]),
        labels={
            label.value: LabelFigures(
                precision=share([h == label for m, h in judged if m == label]),
                recall=share([m == label for m, h in judged if h == label]),
            )
            for label in Label
            if label != Label.UNSCORED
        },
        claim_detection=share([word.is_claim for word in last]),
    )


def share(
    words: Sequence[bool], nothing: str = "no such claim was looked at"
) -> Estimate:
    """Share of true ones with Wilson's interval; `nothing`: the reason without any."""
    interval = wilson(sum(words), len(words))
    if interval is None:
        return Estimate(reason=nothing)
    n = len(words)
    return Estimate(value=sum(words) / n, low=interval.low, high=interval.high, n=n)
