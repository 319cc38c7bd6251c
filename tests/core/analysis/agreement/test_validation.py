"""Correlations and kappas against their definitions and published examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from claimscope.core.analysis.agreement.validation import (
    Rating,
    cohen,
    fleiss,
    pearson,
    spearman,
    validate,
    validate_judge,
)
from claimscope.core.models import HumanVerdict, Label, SampleKey, Score
from tests.doubles import fakes

pairs = st.lists(
    st.tuples(st.integers(1, 5).map(float), st.integers(0, 100).map(float)),
    min_size=4,
    max_size=40,
)


def mean_ranks(values: list[float]) -> list[float]:
    """By counting: how many are less, and the middle of those that are equal."""
    return [
        sum(other < value for other in values) + (values.count(value) + 1) / 2
        for value in values
    ]


@given(pairs)
def test_correlations_are_those_of_their_definition(
    rows: list[tuple[float, float]],
) -> None:
    x, y = [a for a, _ in rows], [b for _, b in rows]
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    r = float(np.corrcoef(x, y)[0, 1])
    mine = pearson(x, y)
    assert mine.value == pytest.approx(r, abs=1e-9)
    if mine.low is not None and mine.high is not None and abs(r) < 0.999:
        # Fisher's z has the standard error 1 / sqrt(n - 3).
        half = 1.959964 / (len(x) - 3) ** 0.5
        assert np.arctanh(mine.low) == pytest.approx(np.arctanh(r) - half, abs=1e-5)
        assert np.arctanh(mine.high) == pytest.approx(np.arctanh(r) + half, abs=1e-5)
    rank = float(np.corrcoef(mean_ranks(x), mean_ranks(y))[0, 1])
    assert spearman(x, y).value == pytest.approx(rank, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e200])
def test_a_correlation_is_the_same_on_any_scale(scale: float) -> None:
    # Deviations -2 -1 1 0 2 and -2 0 -1 2 1: sums of products 5, of squares 10, 10.
    x = [value * scale for value in (1.0, 2.0, 4.0, 3.0, 5.0)]
    assert pearson(x, [1, 3, 2, 5, 4]).value == pytest.approx(0.5)


def test_values_that_nearly_all_agree_are_correlated_without_a_warning() -> None:
    x, y = [1e15, 1e15 + 1, 1e15 + 5], [2.0, 2.0, -1.0]
    # Deviations -2 -1 3 and 1 1 -2: sums of products -9, of squares 14 and 6.
    assert pearson(x, y).value == pytest.approx(-9 / 84**0.5)
    # Most draws of ten have no other rating than 3: they have no correlation.
    few = spearman([3.0] * 9 + [4.0], [float(n) for n in range(10)])
    assert few.value == pytest.approx(0.5222, abs=1e-4)
    assert few.low is not None and few.high is not None and few.low < few.high


def test_full_agreement_has_no_interval() -> None:
    values = [n / 7 for n in range(12)]
    found = pearson(values, [3 * value - 1 for value in values])
    assert found.value == pytest.approx(1)
    assert (found.low, found.high) == (None, None)


def test_a_correlation_without_spread_has_a_reason_not_a_number() -> None:
    assert pearson([1, 1, 1], [1, 2, 3]).value is None
    assert pearson([1, 1, 1], [1, 2, 3]).reason == "all ratings or all scores are equal"
    assert spearman([1, 2], [1, 2]).value is None


def test_an_interval_of_ranks_holds_its_value() -> None:
    x = [float(n) for n in range(30)]
    y = [float(n + (n * 7) % 11) for n in range(30)]
    found = spearman(x, y)
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert 0 < found.low < found.value < found.high <= 1


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=40)
)
def test_kappas_are_those_of_scikit_learn(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    x, y = [a for a, _ in rows], [b for _, b in rows]
    values = sorted({*x, *y})
    assume(len(values) > 1)
    assert cohen(x, y).value == pytest.approx(cohen_kappa_score(x, y))
    if values == list(range(values[0], values[-1] + 1)):
        theirs = cohen_kappa_score(x, y, weights="quadratic")
        assert cohen(x, y, "quadratic").value == pytest.approx(theirs)


def test_fleiss_is_that_of_the_worked_example() -> None:
    # Ten subjects, fourteen raters, five categories: kappa 0.210.
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1), (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    units = [[c for c, n in enumerate(row) for _ in range(n)] for row in table]
    assert fleiss(units).value == pytest.approx(0.20993, abs=1e-5)
    assert fleiss([[1, 1], [1, 1, 2]]).value is None
    assert fleiss([[1, 1], [1, 1]]).reason == "all raters gave one and the same value"


def test_ratings_meet_the_scores_of_their_samples() -> None:
    samples = [
        fakes.sample(f"c{n}", scores=(Score(metric="coherence", value=n / 10),))
        for n in range(6)
    ] + [fakes.sample("none", scores=(Score(metric="coherence", reason="cut off"),))]
    ratings = [
        Rating(
            case_id=case, provider="alpha", rater=rater, metric="coherence", value=value
        )
        for case, value in [*((f"c{n}", n + 1.0) for n in range(6)), ("none", 1.0)]
        for rater in ("ann", "ben")
    ]
    (found,) = validate(ratings, samples)
    assert found.pearson.value == pytest.approx(1.0)
    assert (found.pearson.n, found.unmatched) == (6, 1)
    assert found.cohen["ann / ben"].value == 1.0
    assert found.krippendorff.value == pytest.approx(1.0)


def test_the_last_word_on_a_claim_counts_for_the_judge() -> None:
    yes, no, open_ = Label.SUPPORTED, Label.CONTRADICTED, Label.UNSCORED
    words = [
        (0, yes, no), (0, yes, yes), (1, yes, no), (2, no, no), (3, no, None),
        (4, yes, open_), (5, yes, open_),
    ]  # fmt: skip
    found = validate_judge(
        [
            HumanVerdict(
                sample=SampleKey(case_id="c", provider="p"),
                claim_index=index,
                machine=machine,
                human=human,
                is_claim=index != 4,
                at="2026-01-01",
            )
            for index, machine, human in words
        ]
    )
    assert found.claims == 3
    assert found.labels["supported"].precision.value == 0.5
    assert found.labels["supported"].recall.value == 1.0
    assert found.labels["contradicted"].recall.value == 0.5
    assert found.claim_detection.value == pytest.approx(4 / 5)
    # Seen 2/3, by chance (2/3 * 1/3 + 1/3 * 2/3) = 4/9: kappa 0.4.
    assert found.kappa.value == pytest.approx(0.4)


def test_nobody_looked_so_there_is_no_figure() -> None:
    found = validate_judge([])
    assert found.kappa.value is None
    assert found.claim_detection.reason == "no such claim was looked at"
