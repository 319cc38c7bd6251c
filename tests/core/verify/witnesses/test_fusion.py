"""The support, label and band that a model's word and the evidence lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import Label, RuleFinding
from claimscope.core.verify.witnesses.fusion import (
    log_odds,
    mean_probability,
    weights,
)

PROBABILITY = st.floats(0, 1)
VETO = RuleFinding(
    rule="number",
    outcome="missing",
    claim_text="40",
    message="The pages do not say 40.",
    veto=True,
)


@given(PROBABILITY, PROBABILITY, PROBABILITY)
def test_more_support_on_either_side_never_lowers_it(
    one: float, other: float, beside: float
) -> None:
    low, high = sorted((one, other))
    found = weights()
    assert found.support(low, beside) <= found.support(high, beside)
    assert found.support(beside, low) <= found.support(beside, high)
    assert found.support(low, None) <= found.support(high, None)
    assert 0 < found.support(low, high) < 1


def test_without_any_word_there_is_no_support() -> None:
    assert weights().support(None, None) == 0.0
    assert weights().support(None, 0.7) == 0.7


@given(PROBABILITY)
def test_label_and_band_never_disagree(support: float) -> None:
    found = weights()
    for rules in ((), (VETO,)):
        label = found.label(support, rules, None)
        band = found.band(label, support)
        assert (label is Label.SUPPORTED) or band != "supported"
        assert (label is not Label.SUPPORTED) or band != "not_supported"
        assert not (rules and label is Label.SUPPORTED)


@given(st.lists(PROBABILITY, min_size=1, max_size=5))
def test_a_mean_lies_among_its_parts(probabilities: list[float]) -> None:
    mean = log_odds(mean_probability(probabilities))
    odds = [log_odds(one) for one in probabilities]
    assert min(odds) - 1e-6 <= mean <= max(odds) + 1e-6


def test_the_bands_surround_the_threshold() -> None:
    found = weights()
    assert 0 < found.low < found.threshold < found.high < 1
    assert found.model > 0 and found.evidence > 0
    assert found.threshold == pytest.approx(0.5, abs=0.3)
