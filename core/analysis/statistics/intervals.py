"""How far a mean or a rate would move on other cases: intervals clustered by case.

Answers to one case (its providers and iterations) are not independent, so cases are
drawn, not samples: whatever belongs to a case is drawn with it. Without a spread, or
with fewer than LEAST_CASES cases, there is no interval: a narrow one would be a lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from statistics import NormalDist
from typing import TypeVar

from claimscope.core.models import Model

RESAMPLES = 2000
SEED = 7
"""Fixed: the same samples have the same interval."""
LEAST_CASES = 5
"""Below, resamples of the few cases are all alike."""
MANY_CASES = 500
"""From here on the normal interval is used: it is the bootstrap's to a twentieth of
its width, and costs nothing where a screen waits for many."""
Z95 = NormalDist().inv_cdf(0.975)

T = TypeVar("T")
Clusters = Mapping[str, Sequence[float]]
"""Values by case."""


class Interval(Model):
    """95 % interval."""

    low: float
    high: float


def mean_interval(clusters: Clusters) -> Interval | None:
    """Of the mean over all values, in their unit; None with fewer than LEAST_CASES
    cases or without a spread.

    Cluster bootstrap (Davison & Hinkley 1997, Bootstrap Methods, 3.8) with the
    expanded percentile interval of Hesterberg (2015, The American Statistician 69,
    371-386, sec. 4.3), which is as wide as Student's t for few cases; from MANY_CASES
    on the linearised ratio estimator (Cochran 1977, Sampling Techniques, 6.4).
    """
    groups = _in_order_of_case(clusters)
    if len(groups) < LEAST_CASES or len({v for g in groups for v in g}) < 2:
        return None
    sums, sizes = [fsum(group) for group in groups], [len(group) for group in groups]
    if len(groups) < MANY_CASES:
        return _bootstrap(sums, sizes)
    middle, half = fsum(sums) / sum(sizes), Z95 * _ratio_error(sums, sizes)
    return Interval(low=middle - half, high=middle + half)


def _bootstrap(sums: Sequence[float], sizes: Sequence[int]) -> Interval:
    """By the bootstrap; sums and sizes of each case."""
    import numpy as np

    cases = len(sums)
    drawn = np.random.default_rng(SEED).integers(0, cases, size=(RESAMPLES, cases))
    of_values = np.array(sums, dtype=np.float64)[drawn].sum(axis=1)
    means = of_values / np.array(sizes, dtype=np.float64)[drawn].sum(axis=1)
    tail = expanded_tail(cases)
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(low=float(low), high=float(high))


def _in_order_of_case(clusters: Mapping[str, Sequence[T]]) -> list[Sequence[T]]:
    """Cases with values, by name: the order in which samples were finished, which
    another run of the same would not repeat, must not choose what is drawn."""
    return [clusters[case] for case in sorted(clusters) if len(clusters[case])]


def _ratio_error(sums: Sequence[float], sizes: Sequence[int]) -> float:
    """Standard error of sum(sums) / sum(sizes) over independent cases. Without numpy,
    which a screen of many rows would load for this alone: 13 MB."""
    n, cases = sum(sizes), len(sums)
    middle = fsum(sums) / n
    squares = ((s - middle * size) ** 2 for s, size in zip(sums, sizes, strict=True))
    return sqrt(fsum(squares) * cases / (cases - 1)) / n


def expanded_tail(cases: int) -> float:
    """The share cut off each side so that a percentile interval is as wide as that of
    Student's t: Phi(-sqrt(n / (n - 1)) t) (Hesterberg 2015, sec. 4.3)."""
    return NormalDist().cdf(-sqrt(cases / (cases - 1)) * student95(cases - 1))


def student95(freedom: int) -> float:
    """The 97.5 % point of Student's t, by the expansion of Abramowitz & Stegun
    26.7.5; off by less than 0.01 from 4 degrees of freedom on."""
    x, n = Z95, freedom
    first = (x**3 + x) / 4
    second = (5 * x**5 + 16 * x**3 + 3 * x) / 96
    third = (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384
    fourth = (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160
    return x + first / n + second / n**2 + third / n**3 + fourth / n**4


def wilson_share(share: float, n: float) -> Interval:
    """95 % interval of a share over n, which need not be whole (Wilson 1927)."""
    scale = 1 + Z95**2 / n
    middle = (share + Z95**2 / (2 * n)) / scale
    half = Z95 * sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n)) / scale
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return Interval(low=low, high=high)


def wilson(successes: int, n: int) -> Interval | None:
    """95 % interval of successes / n (Wilson 1927); None for n = 0."""
    return wilson_share(successes / n, n) if n else None


def rate_interval(clusters: Mapping[str, Sequence[bool]]) -> Interval | None:
    """Of a pass rate, [0, 1]: Wilson's; None without a judged sample.

    Where cases have several samples, n is divided by the design effect (Kish 1965):
    forty answers that stand or fall case by case are worth fewer than forty (Franco
    et al. 2019, J. Survey Statistics and Methodology 7, 334-364). The effect is
    between 1 and the samples of a case, the latter where all passed or failed and
    nothing can be measured.
    """
    groups = _in_order_of_case(clusters)
    if not groups:
        return None
    sums, sizes = [sum(group) for group in groups], [len(group) for group in groups]
    n, share = sum(sizes), sum(sums) / sum(sizes)
    widest = n / len(groups)
    effect = widest
    if len(groups) > 1 and 0 < share < 1:
        effect = _ratio_error(sums, sizes) ** 2 / (share * (1 - share) / n)
    return wilson_share(share, n / min(max(effect, 1.0), widest))
