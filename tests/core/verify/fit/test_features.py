"""Features: a copy beats a paraphrase beats another topic; noise changes nothing."""

from __future__ import annotations

import numpy as np

from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.fit.calibration import evidence_model
from claimscope.core.verify.fit.features import common, features, texts_of
from claimscope.core.verify.rules.findings import inspect
from claimscope.core.verify.token_alignment import AlignedWindow
from tests.doubles import fakes


def measured(claim: str, *passages: str) -> dict[str, float]:
    """Features of a claim against passages."""
    embedder = fakes.FakeEmbedder()
    evidence = candidates_from_text(claim, passages, embedder)
    windows = [AlignedWindow(one) for one in evidence]
    texts = texts_of(claim, evidence)
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    return features(claim, windows, inspect(claim, windows), vectors.__getitem__)


CLAIM = "The mill at Oster has six wooden wheels."


def test_every_feature_of_the_model_is_there() -> None:
    row = measured(CLAIM, "The mill at Oster has six wooden wheels.")
    assert set(evidence_model().features) <= set(row)
    assert all(np.isfinite(value) for value in row.values())


def test_copy_has_everything() -> None:
    row = measured(CLAIM, "Rain fell. " + CLAIM)
    assert row["share1.min"] == 1 and row["lost.max"] == 0
    assert row["grams3.min"] == 1 and row["cosine1.min"] > 0.999


def test_one_wrong_word_shows() -> None:
    row = measured(CLAIM, "The mill at Oster has six iron wheels.")
    assert row["lost.max"] == 1
    assert row["grams3.min"] < 1


def test_number_in_another_form_is_not_lost() -> None:
    row = measured("The walk takes 90 minutes.", "The walk takes an hour and a half.")
    other = measured("The walk takes 70 minutes.", "The walk takes an hour and a half.")
    assert row["lost_numbers.max"] <= other["lost_numbers.max"]
    row = measured("The oven holds twelve loaves.", "The oven holds 12 loaves.")
    assert row["lost.max"] == 0


def test_worst_sentence_counts() -> None:
    row = measured(CLAIM + " Swans nest under the bridge in April.", CLAIM)
    assert row["share.min"] < 0.5 < row["share.max"] == 1


def test_irrelevant_passages_change_nothing_that_matters() -> None:
    noise = [f"Tram line {n} was painted green in spring." for n in range(20)]
    alone, among = measured(CLAIM, CLAIM), measured(CLAIM, CLAIM, *noise)
    for name in ("share1.min", "lost.max", "cosine1.min", "grams3.min", "apart.max"):
        assert np.isclose(alone[name], among[name])


def test_common_subsequence() -> None:
    assert common(["a", "b", "c"], ["a", "x", "c"]) == 2
