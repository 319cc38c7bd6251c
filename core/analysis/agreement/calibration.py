"""Is a support of 0.8 right eight times in ten? The judge's probabilities against what
people said of the same claims."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from claimscope.core.analysis.agreement.labels import RunLabels
from claimscope.core.analysis.statistics.intervals import Interval, wilson_share
from claimscope.core.models import Label, Model

BINS = 10


class Bin(Model):
    """Claims whose support lies in one tenth of [0, 1]."""

    support: float
    """Mean of what the judge gave."""
    share: float
    """Of them, those that people called supported, [0, 1]."""
    interval: Interval
    """95 %, of the share (Wilson)."""
    n: int


class Calibration(Model):
    """Bins that have a claim, lowest support first."""

    bins: tuple[Bin, ...]
    n: int
    """Claims with a support that people gave a verdict."""
    without_support: int
    """Claims that people gave a verdict, and the judge no probability."""
    error: float | None
    """Expected calibration error, [0, 1]: the mean distance of support and share,
    weighed by claims (Naeini et al. 2015, AAAI). None without a claim."""


def calibration(labels: Sequence[RunLabels]) -> Calibration:
    """Of the claims of one run or many that people looked at."""
    judged = [claim for run in labels for claim in run.claims if claim.is_judged]
    known = [
        (claim.support, claim.human is Label.SUPPORTED)
        for claim in judged
        if claim.support is not None
    ]
    groups: dict[int, list[tuple[float, bool]]] = {}
    for support, right in known:
        groups.setdefault(min(int(support * BINS), BINS - 1), []).append(
            (support, right)
        )
    bins = tuple(_bin(groups[place]) for place in sorted(groups))
    distance = sum(one.n * abs(one.support - one.share) for one in bins)
    return Calibration(
        bins=bins,
        n=len(known),
        without_support=len(judged) - len(known),
        error=distance / len(known) if known else None,
    )


def _bin(claims: Sequence[tuple[float, bool]]) -> Bin:
    share = fmean(right for _, right in claims)
    return Bin(
        support=fmean(support for support, _ in claims),
        share=share,
        interval=wilson_share(share, len(claims)),
        n=len(claims),
    )
