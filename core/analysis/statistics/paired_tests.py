"""Tests of paired figures: Fisher's randomisation test, McNemar's, effects, and Holm's
correction for several.

By the standard library and numpy: scipy.stats and statsmodels have the same tests, and
cost a screen of comparisons more than a second and 90 MB (CONTRIBUTING, own code)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import asin, exp, lgamma, log, sqrt
from statistics import fmean, stdev

ALPHA = 0.05
EXACT = 12
"""Up to so many differences, all ways to set the signs are gone through."""
DRAWS = 4000
SEED = 7
AT_ONCE = 2_000_000
"""Signs drawn at once: bounds memory."""
ROUNDING = 1e-12
"""A difference as small is none."""


def randomisation_test(differences: Iterable[float]) -> float:
    """Two-sided p that paired differences lie around 0: were both sides alike, each
    could as well have the other sign (Good 2005, Permutation, Parametric and Bootstrap
    Tests, 3.7). 1 without a difference.

    Exact up to EXACT differences that are not 0, else estimated from DRAWS ways to set
    the signs, (1 + as far) / (1 + DRAWS), which is never too small.
    """
    import numpy as np

    # Sorted: the order they came in means nothing.
    values = np.array(sorted(d for d in differences if abs(d) >= ROUNDING))
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


def mcnemar(lost: int, gained: int) -> float:
    """Exact two-sided p that as many samples went from pass to fail as the reverse:
    twice the binomial tail of the smaller number at 1/2 (McNemar 1947, exact form in
    Fagerland et al. 2013, BMC Med. Res. Methodol. 13:91). 1 without flips."""
    n, least = lost + gained, min(lost, gained)
    logs = (lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in range(least + 1))
    return min(1.0, 2 * sum(exp(part - n * log(2)) for part in logs))


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for their number, in the order given (Holm 1979, Scand. J.
    Statist. 6, 65-70): the k-th smallest times (m - k + 1), never falling."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    adjusted = [1.0] * len(values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[i]))
        adjusted[i] = highest
    return adjusted


def cohen_h(before: float, after: float) -> float:
    """Effect of a change of a rate: 2 asin(sqrt(after)) - 2 asin(sqrt(before)); 0.2
    small, 0.5 medium, 0.8 large (Cohen 1988, Statistical Power Analysis, 6.2)."""
    return 2 * asin(sqrt(after)) - 2 * asin(sqrt(before))


def cohen_dz(differences: Sequence[float]) -> float | None:
    """Effect of paired differences: mean / sd (Cohen 1988, 2.3.5, d'z); None without
    a spread."""
    if len(differences) < 2 or (spread := stdev(differences)) <= ROUNDING:
        return None
    return fmean(differences) / spread
