"""Corrected rates against published examples, another package, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.agreement.corrected_rate import (
    RatedUnit,
    Stratum,
    corrected_rate,
    prediction_powered,
    refusal,
    rogan_gladen,
    stratified_rate,
)
from claimscope.core.analysis.agreement.validation import Estimate


def rounded(figure: Estimate, digits: int = 4) -> tuple[float, float, float]:
    assert figure.value is not None, figure.reason
    assert figure.low is not None and figure.high is not None
    return (
        round(figure.value, digits),
        round(figure.low, digits),
        round(figure.high, digits),
    )


def test_prediction_powered_is_that_of_the_authors_package() -> None:
    # ppi_mean_pointestimate and ppi_mean_ci of ppi-python 0.2.3, lam=1, alpha=0.05.
    human = [1.0, 1, 1, 0, 0, 1, 0, 1, 1, 0] * 4
    machine = [1.0, 1, 0, 0, 1, 1, 0, 1, 1, 1] * 4
    rest = [1.0, 1, 0, 1, 1, 0, 1, 1] * 25
    found = prediction_powered(human, machine, rest)
    assert rounded(found, 8) == (0.65, 0.47265304, 0.82734696)
    human = [1.0] * 30 + [0] * 25 + [1] * 5
    machine = [1.0] * 40 + [0] * 20
    rest = [1.0] * 180 + [0] * 120
    found = prediction_powered(human, machine, rest)
    assert rounded(found, 8) == (0.51666667, 0.38015794, 0.65317539)


def test_rogan_gladen_is_that_of_the_worked_example() -> None:
    # 23 of 150 cows test positive; sensitivity 96 %, specificity 89 %: the true
    # prevalence is 5.1 in 100 (documentation of epiR's epi.prev). Sensitivity and
    # specificity of a huge study are as good as known.
    known = 10**7
    found = rogan_gladen(
        (23, 150), (96 * known, 100 * known), (89 * known, 100 * known)
    )
    value, low, high = rounded(found, 3)
    assert value == 0.051
    # Its exact interval is 0 to 0.13, this one is approximate.
    assert low == 0.0 and high == pytest.approx(0.13, abs=0.005)
    # 6 of 151, sensitivity 96.4 %, specificity 92.7 %: none.
    none = rogan_gladen(
        (6, 151), (964 * known, 1000 * known), (927 * known, 1000 * known)
    )
    assert rounded(none, 3)[:2] == (0.0, 0.0)


def test_strata_are_those_of_the_liver_scans() -> None:
    # 650 patients, 429 with a positive scan, of whom 263 were verified (231 ill), 221
    # negative, of whom 81 were verified (27 ill). Begg and Greenes (1983): sensitivity
    # 0.836, specificity 0.738; with them Rogan-Gladen gives the same prevalence.
    found = stratified_rate([Stratum(429, 263, 231), Stratum(221, 81, 27)])
    ill = 429 * 231 / 263 + 221 * 27 / 81
    sensitivity = 429 * 231 / 263 / ill
    specificity = 221 * 54 / 81 / (650 - ill)
    assert (round(sensitivity, 3), round(specificity, 3)) == (0.836, 0.738)
    again = (429 / 650 + specificity - 1) / (sensitivity + specificity - 1)
    assert found.value == pytest.approx(ill / 650) == pytest.approx(again)
    # Tenenbein's variance for large samples.
    p, w = np.array([231 / 263, 27 / 81]), np.array([429, 221]) / 650
    variance = (w**2 * p * (1 - p) / [263, 81]).sum()
    variance += (w * (p - ill / 650) ** 2).sum() / 650
    half = 1.959964 * variance**0.5
    assert found.low == pytest.approx(ill / 650 - half, abs=0.004)
    assert found.high == pytest.approx(ill / 650 + half, abs=0.004)


def test_the_interval_holds_the_truth_where_people_look_at_failures_first() -> None:
    """A judge with sensitivity 0.9 and specificity 0.4; a third of what it passed is
    labelled and nine tenths of what it failed. The machine's own rate misses."""
    draw = np.random.default_rng(20110125)
    truth, held, machine_held, naive_held, rounds = 0.7, 0, 0, 0, 300
    for _ in range(rounds):
        human = draw.random(300) < truth
        machine = np.where(human, draw.random(300) < 0.9, draw.random(300) < 0.6)
        looked = draw.random(300) < np.where(machine, 1 / 3, 0.9)
        units = [
            RatedUnit(bool(m), bool(h) if at else None)
            for m, h, at in zip(machine, human, looked, strict=True)
        ]
        found = corrected_rate("samples passed", units)
        held += holds(found.stratified, truth)
        machine_held += holds(found.machine, truth)
        naive_held += holds(found.rogan_gladen, truth)
    assert held / rounds >= 0.93
    assert machine_held / rounds < 0.5
    assert naive_held / rounds < 0.9  # it takes a random sample, and says so


def holds(figure: Estimate, truth: float) -> bool:
    return (
        figure.low is not None
        and figure.high is not None
        and figure.low <= truth <= figure.high
    )


def test_rogan_gladen_holds_the_truth_on_a_random_sample() -> None:
    draw = np.random.default_rng(20110125)
    held, powered, rounds = 0, 0, 300
    for _ in range(rounds):
        human = draw.random(400) < 0.6
        machine = np.where(human, draw.random(400) < 0.85, draw.random(400) < 0.25)
        units = [
            RatedUnit(bool(m), bool(h) if n < 120 else None)
            for n, (m, h) in enumerate(zip(machine, human, strict=True))
        ]
        found = corrected_rate("samples passed", units)
        held += holds(found.rogan_gladen, 0.6)
        powered += holds(found.prediction_powered, 0.6)
    assert held / rounds >= 0.93
    assert powered / rounds >= 0.92


def test_too_few_labels_are_refused_with_the_number_it_takes() -> None:
    units = (
        [RatedUnit(True, True)] * 3
        + [RatedUnit(True)] * 50
        + [RatedUnit(False, False)] * 20
    )
    found = corrected_rate("samples passed", units)
    assert found.stratified.value is None
    assert found.stratified.reason == (
        "people judged 3 of the 53 that the machine passed; it takes 10"
    )
    assert found.looked_at == {"good": (3, 53), "bad": (20, 20)}
    assert found.machine.value == pytest.approx(53 / 73)
    assert corrected_rate("claims supported", []).stratified.reason == (
        "nothing was judged"
    )


def test_a_judge_no_better_than_chance_is_refused() -> None:
    half = [RatedUnit(m, h) for m in (True, False) for h in (True, False)] * 10
    found = corrected_rate("samples passed", half)
    assert "no better than chance: people agree with 50%" in found.stratified.reason
    assert found.rogan_gladen.value is None
    assert rogan_gladen((5, 10), (5, 10), (5, 10)).reason.startswith(
        "the machine is no"
    )
    assert refusal(Stratum(40, 20, 19), Stratum(40, 20, 2)) == ""


def test_few_of_a_kind_are_enough_when_all_of_them_were_looked_at() -> None:
    units = [RatedUnit(True, n > 2) for n in range(30)] + [RatedUnit(False, False)] * 4
    found = corrected_rate("samples passed", units)
    assert found.stratified.value == pytest.approx(27 / 34)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 40), st.integers(0, 40))
def test_all_labelled_is_the_rate_that_people_give(
    a: int, b: int, c: int, d: int
) -> None:
    units = [RatedUnit(True, True)] * a + [RatedUnit(True, False)] * b
    units += [RatedUnit(False, True)] * c + [RatedUnit(False, False)] * d
    found = corrected_rate("samples passed", units).stratified
    if found.value is None:
        assert found.reason
        return
    assert found.value == pytest.approx((a + c) / len(units))
    assert found.low is not None and found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
