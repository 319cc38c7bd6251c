"""The data file's evaluator gives what the fitting library gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benchmarks.quality import fit_verifier
from claimscope.core.verify.fit.calibration import (
    EvidenceModel,
    evidence_model,
    matrix,
    model_from,
    support_model,
)
from claimscope.core.verify.word_forms import rarity


def small_model(**changes: Any) -> dict[str, Any]:
    """One stump over one feature and a linear part."""
    data: dict[str, Any] = {
        "features": ["share"],
        "trees": {
            "roots": [0],
            "feature": [0, -1, -1],
            "threshold": [0.5, 0.0, 0.0],
            "left": [1, 0, 0],
            "right": [2, 0, 0],
            "value": [0.0, -2.0, 2.0],
            "base": 0.5,
        },
        "linear": {"mean": [0.5], "scale": [0.25], "weights": [1.0], "bias": 0.0},
        "tree_share": 0.5,
        "calibration": {"slope": 1.0, "intercept": 0.0},
        "threshold": 0.5,
        "bands": {"low": 0.3, "high": 0.7},
    }
    return {**data, **changes}


def test_trees_and_linear_part_are_blended() -> None:
    model = model_from(small_model())
    odds = model.log_odds(np.array([[0.25], [0.75]]))
    assert odds.tolist() == [0.5 * (0.5 - 2) + 0.5 * -1, 0.5 * (0.5 + 2) + 0.5 * 1]


def test_support_is_a_probability_and_bands_are_cut() -> None:
    model = model_from(small_model())
    support = model.support(np.array([[-1e3], [0.5], [1e3]]))
    assert ((support >= 0) & (support <= 1)).all()
    assert [model.band(value) for value in (0.1, 0.3, 0.69, 0.7)] == [
        "not_supported",
        "review",
        "review",
        "supported",
    ]


@pytest.mark.slow
def test_same_as_the_fitting_library(monkeypatch: pytest.MonkeyPatch) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(400, 3))
    labels = (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0).astype(int)
    monkeypatch.setattr(fit_verifier, "SEEDS", 1)
    found = fit_verifier.fit_trees(rows, labels, np.ones(400), ["a", "b", "c"])
    model = model_from({**small_model(), "trees": found})
    with pytest.importorskip("threadpoolctl").threadpool_limits(1):
        expected = (
            ensemble.HistGradientBoostingClassifier(
                max_iter=80,
                learning_rate=0.06,
                max_leaf_nodes=6,
                min_samples_leaf=40,
                l2_regularization=10,
                max_features=0.4,
                monotonic_cst=[0, 0, 0],
                random_state=0,
            )
            .fit(rows, labels)
            .decision_function(rows)
        )
    # Values are kept with five decimals.
    assert np.abs(model.trees.raw(rows) - expected).max() < 0.01


@pytest.mark.parametrize("shipped", [evidence_model, support_model])
def test_what_ships_is_whole(shipped: Callable[[], EvidenceModel]) -> None:
    model = shipped()
    assert 0 < model.low < model.threshold < model.high < 1
    assert len(model.features) == len(model.weights) == len(model.mean)
    assert model.trees.feature.max() < len(model.features)
    rows = np.tile(model.mean, (2, 1))
    assert np.isfinite(model.support(rows)).all()


def test_rare_words_weigh_more() -> None:
    assert 0 < rarity("the") < rarity("year") < rarity("zyxomma") == 1


def test_matrix_follows_the_names() -> None:
    rows = [{"a": 1.0, "b": 2.0}, {"b": 4.0, "a": 3.0}]
    assert matrix(rows, ("b", "a")).tolist() == [[2.0, 1.0], [4.0, 3.0]]
