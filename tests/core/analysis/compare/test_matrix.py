"""Cells that gain quality at the cost of correctness; differences by hand."""

from __future__ import annotations

import pytest

from claimscope.core.analysis.compare.matrix import TradeOff, figures_beside, trade_offs
from claimscope.core.report.renderers.plain import text
from claimscope.core.report.views.lab import trade_line

CASES = [f"c{n}" for n in range(10)]


def same(value: float) -> dict[str, float]:
    return dict.fromkeys(CASES, value)


def found(
    right: list[dict[str, float]], prose: list[dict[str, float]]
) -> tuple[TradeOff, ...]:
    cells = [f"cell{n}" for n in range(len(right))]
    return trade_offs(cells, {"claim_support": right, "overall_quality": prose})


def test_a_gain_at_a_cost_is_found_with_both_differences() -> None:
    (one,) = found([same(0.9), same(0.6)], [same(0.5), same(0.7)])
    assert (one.better_prose, one.other) == ("cell1", "cell0")
    assert (one.quality, one.correctness) == ("overall_quality", "claim_support")
    assert one.gain == pytest.approx(0.2) and one.loss == pytest.approx(0.3)
    # All ten signs alike: p = 2 / 2^10, twice that by Holm over both tests.
    assert one.beyond_noise and one.cases == 10
    assert text(trade_line(one).spans) == (
        "cell1 gains 0.20 overall_quality on cell0, and loses 0.30 claim_support: "
        "beyond noise (of 10 cases)"
    )


def test_the_order_of_the_cells_means_nothing() -> None:
    assert found([same(0.6), same(0.9)], [same(0.7), same(0.5)])[0].better_prose == (
        "cell0"
    )


def test_better_in_both_is_no_trade() -> None:
    assert found([same(0.9), same(0.6)], [same(0.7), same(0.5)]) == ()
    assert found([same(0.9), same(0.9)], [same(0.7), same(0.5)]) == ()


def test_a_difference_of_few_cases_is_within_noise() -> None:
    """Five cases that differ: p is 2 / 2^5 = 0.0625 at best."""
    some = {case: 0.9 if n < 5 else 0.6 for n, case in enumerate(CASES)}
    (one,) = found([some, same(0.6)], [same(0.5), same(0.7)])
    assert one.loss == pytest.approx(0.15) and not one.beyond_noise


def test_what_is_beyond_noise_comes_first() -> None:
    some = {case: 1.0 if n < 5 else 0.6 for n, case in enumerate(CASES)}
    pairs = found([same(0.61), same(0.6), some], [same(0.5), same(0.51), same(0.1)])
    assert [(t.better_prose, t.other, t.beyond_noise) for t in pairs] == [
        ("cell1", "cell0", True),
        ("cell1", "cell2", False),
        ("cell0", "cell2", False),
    ]


def test_only_cases_of_both_are_compared_and_none_is_no_trade() -> None:
    half = {case: 0.6 for case in CASES[:6]}
    (one,) = found([same(0.9), half], [same(0.5), same(0.7)])
    assert one.cases == 6
    assert found([same(0.9), {"other": 0.6}], [same(0.5), same(0.7)]) == ()


def test_a_lab_without_quality_has_none() -> None:
    assert trade_offs(["a", "b"], {"claim_support": [same(0.9), same(0.6)]}) == ()
    assert trade_offs(["a"], {}) == ()


def test_the_preset_has_correctness_then_quality() -> None:
    columns = ("pass_rate", "length", "claim_support", "citation_f1", "coherence")
    assert figures_beside(columns) == (
        "claim_support",
        "pass_rate",
        "coherence",
        "length",
    )
