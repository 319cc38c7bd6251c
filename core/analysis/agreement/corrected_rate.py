"""A pass rate corrected for the judge's measured error, from what people labelled.

A judge that is wrong in the same direction each time gives a rate that more samples
only make more surely wrong. Where people judged some of the same samples, the error is
known, and the rate of all samples can be put right; three ways are here.

`stratified_rate` is the one to read. Within what the machine passed, and within what it
failed, the share that people pass is measured on those they looked at, and both shares
are weighed by how many samples the machine passed and failed. People look at failures
first; that does no harm here, as long as they did not choose among the failures (or
among the passes) by what they expected to find. The other two assume that what people
looked at is a random sample of everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from claimscope.core.analysis.agreement.validation import Estimate, share
from claimscope.core.analysis.statistics.intervals import Z95, wilson
from claimscope.core.models import Model

LEAST_STRATUM = 10
"""Labels it takes of what the machine passed, and of what it failed: with fewer, one
more label could move the rate by a tenth of that part."""
LEAST_POWERED = 30
"""Labels a normal interval takes."""


@dataclass(frozen=True)
class RatedUnit:
    """A sample or a claim: what the machine says, and a person if one looked."""

    machine: bool
    human: bool | None = None


class CorrectedRate(Model):
    """One rate as the machine has it and put right; a figure without a value says
    why."""

    what: str
    """E.g. `samples passed`."""
    units: int
    """Those the machine judged."""
    left_out: int
    """Not counted: the machine, or a person, could not judge them."""
    labelled: int
    looked_at: dict[str, tuple[int, int]]
    """`good` and `bad` by the machine: (labelled, all)."""
    machine: Estimate
    """The rate as the machine has it, Wilson interval."""
    stratified: Estimate
    prediction_powered: Estimate
    rogan_gladen: Estimate


def corrected_rate(
    what: str,
    units: Sequence[RatedUnit],
    left_out: int = 0,
    words: tuple[str, str] = ("passed", "failed"),
) -> CorrectedRate:
    """All figures of a rate. Samples and claims are counted as independent.

    words: what the machine did with what it calls good, and bad.
    """
    good = [unit for unit in units if unit.machine]
    bad = [unit for unit in units if not unit.machine]
    labelled = [unit for unit in units if unit.human is not None]
    strata = Stratum.of(good), Stratum.of(bad)
    reason = refusal(*strata, words)
    human = [float(bool(unit.human)) for unit in labelled]
    machine = [float(unit.machine) for unit in labelled]
    rest = [float(unit.machine) for unit in units if unit.human is None]
    nothing = Estimate(n=len(labelled), reason=reason)
    return CorrectedRate(
        what=what,
        units=len(units),
        left_out=left_out,
        labelled=len(labelled),
        looked_at={
            name: (part.labelled, part.total)
            for name, part in zip(("good", "bad"), strata, strict=True)
        },
        machine=share([unit.machine for unit in units], f"no {what} to count"),
        stratified=nothing if reason else stratified_rate(strata),
        prediction_powered=nothing
        if reason
        else prediction_powered(human, machine, rest),
        rogan_gladen=nothing if reason else _rogan_gladen(*strata, len(labelled)),
    )


@dataclass(frozen=True)
class Stratum:
    """Units that the machine says the same of."""

    total: int
    labelled: int
    good: int
    """Of the labelled, those that people call good."""

    @classmethod
    def of(cls, units: Sequence[RatedUnit]) -> Stratum:
        said = [unit.human for unit in units if unit.human is not None]
        return cls(len(units), len(said), sum(said))


def refusal(
    good: Stratum, bad: Stratum, words: tuple[str, str] = ("passed", "failed")
) -> str:
    """Why nothing can be corrected; empty when it can.

    A judge is no better than chance when the share that people pass among what it
    passed may be no higher than among what it failed: the interval of the difference
    (Newcombe 1998, method 10, from Wilson's) is not above 0.
    """
    for name, part in zip(words, (good, bad), strict=True):
        least = min(LEAST_STRATUM, part.total)
        if part.labelled < least:
            return (
                f"people judged {part.labelled} of the {part.total} that the machine "
                f"{name}; it takes {least}"
            )
    if not good.labelled and not bad.labelled:
        return "nothing was judged"
    if good.labelled and bad.labelled:
        first, second = good.good / good.labelled, bad.good / bad.labelled
        low = wilson(good.good, good.labelled)
        high = wilson(bad.good, bad.labelled)
        assert low is not None and high is not None
        gap = first - second
        least_gap = gap - sqrt((first - low.low) ** 2 + (high.high - second) ** 2)
        if least_gap <= 0:
            return (
                "the machine is no better than chance: people agree with "
                f"{first:.0%} of what it {words[0]} and would put right "
                f"{second:.0%} of what it {words[1]} "
                f"(difference {gap:+.2f}, which may be {least_gap:+.2f})"
            )
    return ""


def stratified_rate(strata: Sequence[Stratum]) -> Estimate:
    """Sum over strata of (share of the stratum) x (share people call good in it).

    A. Tenenbein, A Double Sampling Scheme for Estimating from Binomial Data with
    Misclassifications (JASA 65, 1970); the same as prediction-powered inference with
    strata by the prediction, and as Rogan-Gladen with sensitivity and specificity
    corrected by Begg and Greenes (Biometrics 39, 1983). Interval: Wilson's of each
    stratum, combined as by Zou, Huang and Zhang (Computational Statistics and Data
    Analysis 53, 2009), with the spread between strata, which are a sample themselves.
    """
    parts = [part for part in strata if part.total]
    n = sum(part.total for part in parts)
    labelled = sum(part.labelled for part in parts)
    if any(not part.labelled for part in parts) or not parts:
        return Estimate(n=labelled, reason="a part of it was not looked at")
    weights = [part.total / n for part in parts]
    shares = [part.good / part.labelled for part in parts]
    value = sum(w * p for w, p in zip(weights, shares, strict=True))
    between = sum(w * (p - value) ** 2 for w, p in zip(weights, shares, strict=True))
    below = above = Z95**2 * between / n
    for part, weight, p in zip(parts, weights, shares, strict=True):
        interval = wilson(part.good, part.labelled)
        assert interval is not None
        below += (weight * (p - interval.low)) ** 2
        above += (weight * (interval.high - p)) ** 2
    return Estimate(
        value=value,
        low=max(0.0, value - sqrt(below)),
        high=min(1.0, value + sqrt(above)),
        n=labelled,
    )


def prediction_powered(
    human: Sequence[float], machine: Sequence[float], rest: Sequence[float]
) -> Estimate:
    """Mean of the machine where nobody looked, plus its mean error where people did.

    human, machine: of the labelled units, in the same order; rest: the machine's of
    all others. value = mean(rest) + mean(human - machine); variance = var(rest) / N +
    var(human - machine) / n; normal interval. A. N. Angelopoulos, S. Bates, C.
    Fannjiang, M. I. Jordan, T. Zrnic, Prediction-powered inference (Science 382,
    2023), mean estimation. Labelled units must be a random sample.
    """
    import numpy as np

    n = len(human)
    if n < LEAST_POWERED:
        return Estimate(n=n, reason=f"{n} labels; it takes {LEAST_POWERED}")
    error = np.sort(np.asarray(human, float) - np.asarray(machine, float))
    if not rest:
        return share([value > 0.5 for value in human], "nothing was judged")
    others = np.sort(np.asarray(rest, float))
    value = float(others.mean() + error.mean())
    half = Z95 * sqrt(float(others.var()) / len(rest) + float(error.var()) / n)
    return Estimate(
        value=min(1.0, max(0.0, value)),
        low=min(1.0, max(0.0, value - half)),
        high=max(0.0, min(1.0, value + half)),
        n=n,
    )


def _rogan_gladen(good: Stratum, bad: Stratum, n: int) -> Estimate:
    positive, negative = good.good + bad.good, n - good.good - bad.good
    for name, count in (("pass", positive), ("fail", negative)):
        if count < LEAST_STRATUM:
            return Estimate(
                n=n, reason=f"people {name} {count}; it takes {LEAST_STRATUM}"
            )
    return rogan_gladen(
        (good.total, good.total + bad.total),
        (good.good, positive),
        (bad.labelled - bad.good, negative),
    )


def rogan_gladen(
    positive: tuple[int, int],
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
) -> Estimate:
    """(p + specificity - 1) / (sensitivity + specificity - 1), each given as (count,
    of how many): what the machine calls good of all; of those people call good, those
    the machine does; of those people call bad, those the machine does.

    W. J. Rogan, B. Gladen, Estimating prevalence from the results of a screening test
    (American Journal of Epidemiology 107, 1978). Interval: Z. Lang, J. Reiczigel,
    Confidence limits for prevalence of disease adjusted for estimated sensitivity and
    specificity (Preventive Veterinary Medicine 113, 2014). No value where the
    machine is no better than chance. Labelled units must be a random sample.
    """
    (k, n), (k_se, n_se), (k_sp, n_sp) = positive, sensitivity, specificity
    labels = n_se + n_sp
    if not (n and n_se and n_sp):
        return Estimate(n=labels, reason="people called all good, or all bad")
    youden = k_se / n_se + k_sp / n_sp - 1
    z2 = Z95**2
    p = (k + z2 / 2) / (n + z2)
    se, sp = (k_se + 1) / (n_se + 2), (k_sp + 1) / (n_sp + 2)
    if youden <= 0 or se + sp <= 1:
        return Estimate(
            n=labels, reason=f"the machine is no better than chance ({youden:+.2f})"
        )
    value = (k / n + k_sp / n_sp - 1) / youden
    middle = (p + sp - 1) / (se + sp - 1)
    of_se, of_sp = se * (1 - se) / (n_se + 2), sp * (1 - sp) / (n_sp + 2)
    spread = sqrt(
        p * (1 - p) / (n + z2) + middle**2 * of_se + (1 - middle) ** 2 * of_sp
    )
    middle += 2 * z2 * (middle * of_se - (1 - middle) * of_sp)
    half = Z95 * spread / (se + sp - 1)
    low, high = (min(1.0, max(0.0, at)) for at in (middle - half, middle + half))
    value = min(1.0, max(0.0, value))
    return Estimate(value=value, low=min(low, value), high=max(high, value), n=labels)
