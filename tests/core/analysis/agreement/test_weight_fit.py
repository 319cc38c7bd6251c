"""Weights fitted to ratings: found again where they are known, else honest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.agreement.validation import Rating
from claimscope.core.analysis.agreement.weight_fit import (
    fit_weights,
    least_squares,
)
from claimscope.core.errors import InputError
from claimscope.core.models import SampleResult, Score
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.views.agreement import fit_view
from tests.doubles import fakes

NAMES = ["accuracy", "claim_support"]


def sample(number: int, accuracy: float | None, support: float) -> SampleResult:
    scores = (
        Score(metric="accuracy", value=accuracy, scale=(0, 100)),
        Score(metric="claim_support", value=support),
        Score(metric="hallucination_rate", value=1 - support),
    )
    return fakes.sample(f"c{number}", scores=scores)


def rating(number: int, value: float, metric: str = "overall") -> Rating:
    return Rating(
        case_id=f"c{number}", provider="alpha", rater="ann", metric=metric, value=value
    )


ROWS = [(90, 0.2), (10, 0.9), (50, 0.5), (70, 0.1), (30, 1.0), (20, 0.3), (80, 0.8)]


def told(a: float, b: float) -> list[Rating]:
    """Ratings of 1 + 4 x (a x accuracy + b x support)."""
    return [
        rating(n, 1 + 4 * (a * accuracy / 100 + b * support))
        for n, (accuracy, support) in enumerate(ROWS)
    ]


SAMPLES = [sample(n, accuracy, support) for n, (accuracy, support) in enumerate(ROWS)]


def test_weights_that_made_the_ratings_are_found_again() -> None:
    found = fit_weights(told(0.75, 0.25), SAMPLES, NAMES)
    assert found.weights["accuracy"] == pytest.approx(0.75)
    assert found.weights["claim_support"] == pytest.approx(0.25)
    assert found.setting == "accuracy=0.75,claim_support=0.25"
    assert (found.n, found.cases, found.left_out) == (7, 7, 0)
    assert found.held_out.value == pytest.approx(1)
    assert found.fitted.value == pytest.approx(1)
    assert found.equal.value is not None and found.equal.value < 0.99
    assert list(lines(fit_view(found)))[-1] == (
        "use them: --weights accuracy=0.75,claim_support=0.25"
    )


def test_a_metric_that_goes_against_the_ratings_gets_nothing() -> None:
    found = fit_weights(told(1, -0.5), SAMPLES, NAMES)
    assert found.weights == {"accuracy": 1, "claim_support": 0}
    assert found.setting == "accuracy=1"


def test_a_metric_of_which_low_is_good_is_turned_round() -> None:
    found = fit_weights(told(0, 1), SAMPLES, ["accuracy", "hallucination_rate"])
    assert found.weights["hallucination_rate"] == pytest.approx(1)


def test_ratings_by_chance_are_not_predicted_when_held_out() -> None:
    draw = np.random.default_rng(3)
    samples = [sample(n, 100 * draw.random(), draw.random()) for n in range(60)]
    found = fit_weights(
        [rating(n, float(draw.integers(1, 6))) for n in range(60)], samples, NAMES
    )
    assert found.held_out.value is not None and abs(found.held_out.value) < 0.35


def test_several_raters_are_averaged_and_what_lacks_a_value_is_left_out() -> None:
    ratings = [*told(0.5, 0.5), rating(7, 3), rating(99, 3)]
    found = fit_weights(ratings, [*SAMPLES, sample(7, None, 0.5)], NAMES)
    assert (found.n, found.left_out) == (7, 2)


@pytest.mark.parametrize(
    ("ratings", "names", "rated", "words"),
    [
        (told(1, 1)[:3], NAMES, None, "a fit takes 6 cases"),
        (told(1, 1), ["accuracy"], None, "weights of one metric"),
        (told(1, 1), ["accuracy", "nothing"], None, "weights of nothing"),
        (told(1, 1), ["accuracy", "overall"], None, "weights of overall"),
        (told(1, 1), NAMES, "style", "nobody rated 'style'"),
        (told(-1, -1), NAMES, None, "no metric of accuracy, claim_support goes"),
        ([], NAMES, None, "nobody rated 'overall'"),
    ],
)
def test_what_cannot_be_fitted_is_said(
    ratings: list[Rating], names: list[str], rated: str | None, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        fit_weights(ratings, SAMPLES, names, rated)


def test_metrics_without_a_spread_get_nothing() -> None:
    x, y = np.full((6, 2), 0.3), np.array([1.0, 2, 3, 4, 5, 3])
    weights, constant = least_squares(x, y)
    assert weights.tolist() == [0, 0]
    assert constant == pytest.approx(3)
    x[:, 1] = [0, 0.25, 0.5, 0.75, 1, 0.5]  # y is 1 + 4 times this one
    weights, constant = least_squares(x, y)
    assert weights.tolist() == pytest.approx([0, 4])
    assert constant == pytest.approx(1)


@given(
    st.lists(st.tuples(*[st.integers(0, 9).map(float)] * 4), min_size=6, max_size=20)
)
def test_no_other_weights_come_nearer_to_the_ratings(
    rows: list[tuple[float, ...]],
) -> None:
    # Karush-Kuhn-Tucker: what is left over goes with no metric that has a weight, and
    # against each that has none.
    table = np.array(rows)
    x, y = table[:, :3], table[:, 3]
    weights, constant = least_squares(x, y)
    assert (weights >= 0).all()
    left = y - x @ weights - constant
    assert left.sum() == pytest.approx(0, abs=1e-8)
    slopes = (x - x.mean(axis=0)).T @ left
    assert slopes[weights > 0] == pytest.approx(0, abs=1e-6)
    assert (slopes < 1e-6).all()
