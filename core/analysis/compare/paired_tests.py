"""Tests of paired figures: McNemar's, effects, and Holm's correction for several."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, exp, lgamma, log, sqrt
from statistics import fmean, stdev

ALPHA = 0.05


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
    if len(differences) < 2 or (spread := stdev(differences)) <= 1e-12:
        return None
    return fmean(differences) / spread
