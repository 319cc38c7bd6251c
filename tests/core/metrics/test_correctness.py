"""factual_correctness and answer_correctness, worked out by hand (METRICS D)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.correctness import f_beta, weights
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.tiers import level
from claimscope.core.models import (
    Answer,
    Case,
    Claim,
    ClaimResult,
    Label,
    Score,
    Verdict,
    Vote,
)
from claimscope.core.models.findings import Directions
from claimscope.core.ports import Floats
from claimscope.core.settings import Settings

YES, NO, OPEN = Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.UNSCORED
CASE = Case(id="dam", question="What of the dam?", reference="It is 38 metres high.")
LABELS = st.lists(st.sampled_from(list(Label)), max_size=6)


def claim(text: str, label: Label, votes: Sequence[Vote] = ()) -> ClaimResult:
    span = {"start": 0, "end": 3, "sentence_start": 0, "sentence_end": 3}
    return ClaimResult(
        claim=Claim(index=0, text=text, **span),
        verdict=Verdict(label=label, votes=tuple(votes)),
    )


def claims(labels: Sequence[Label]) -> list[ClaimResult]:
    return [claim(f"claim {n}", label) for n, label in enumerate(labels)]


def at_cosine(value: float) -> Any:
    """An embedding under which answer and reference have this cosine."""

    def embed(texts: Sequence[str]) -> Floats:
        assert len(texts) == 2
        other = [value, float(np.sqrt(max(0.0, 1 - value**2)))]
        return np.array([[1.0, 0.0], other], dtype=np.float32)

    return embed


def score(
    metric: str,
    answer: Sequence[Label] = (),
    reference: Sequence[Label] = (),
    *,
    cosine: float = 1.0,
    settings: Settings | None = None,
    abstained: bool = False,
    empty: bool = False,
    directions: Directions | None = None,
    **flags: bool,
) -> Score:
    found = directions or Directions(claims(answer), claims(reference), **flags)
    return discover()[metric].score(
        Findings(
            case=CASE,
            answer=Answer(case_id="dam", text="It is 38 metres high."),
            abstained=abstained,
            empty=empty,
            embed=at_cosine(cosine),
            settings=settings or Settings(),
            against_reference=found,
        )
    )


def factual(
    answer: Sequence[Label] = (), reference: Sequence[Label] = (), **more: Any
) -> Score:
    return score("factual_correctness", answer, reference, **more)


# --- both directions ----------------------------------------------------------


def test_each_direction_has_its_own_counts_and_all_four_are_shown() -> None:
    """3 of 4 and 2 of 3: P 0.75, R 2/3, F1 = 2 x 0.75 x 0.667 / 1.417 = 0.706."""
    got = factual([YES, YES, YES, NO], [YES, YES, NO])
    assert got.value == pytest.approx(0.7058823)
    assert got.level == "good"
    assert got.details == {
        "answer_claims": 4,
        "answer_claims_supported": 3,
        "reference_claims": 3,
        "reference_claims_supported": 2,
        "unscored": 0,
        "precision": 0.75,
        "recall": pytest.approx(2 / 3),
    }
    kinds = [span.kind for span in got.evidence]
    assert kinds.count("answer: not_enough_info") == 1
    assert kinds.count("reference: supported") == 2


@pytest.mark.parametrize(
    ("mode", "beta", "value"),
    [
        ("precision", 1.0, 0.75),
        ("recall", 1.0, 2 / 3),
        ("f1", 2.0, 5 * 0.75 * (2 / 3) / (4 * 0.75 + 2 / 3)),
        ("f1", 0.5, 1.25 * 0.75 * (2 / 3) / (0.25 * 0.75 + 2 / 3)),
    ],
)
def test_mode_and_beta(mode: Any, beta: float, value: float) -> None:
    settings = Settings(correctness_mode=mode, correctness_beta=beta)
    got = factual([YES, YES, YES, NO], [YES, YES, NO], settings=settings)
    assert got.value == pytest.approx(value)


def test_nothing_supported_is_0_and_not_a_division_by_0() -> None:
    got = factual([NO, Label.CONTRADICTED], [NO])
    assert (got.value, got.level) == (0.0, "poor")


def test_a_claim_nobody_could_judge_is_in_no_share() -> None:
    got = factual([YES, OPEN], [YES, NO, OPEN])
    assert got.details["precision"] == 1.0
    assert got.details["recall"] == 0.5
    assert got.details["unscored"] == 2


@pytest.mark.parametrize(
    ("answer", "reference", "side"),
    [([OPEN, OPEN], [YES], "answer"), ([YES], [OPEN], "reference")],
)
def test_a_direction_without_a_verdict_leaves_it_unscored(
    answer: list[Label], reference: list[Label], side: str
) -> None:
    got = factual(answer, reference)
    assert (got.value, got.applicable) == (None, True)
    assert f"claims of the {side}" in got.reason
    composite = score("answer_correctness", answer, reference, cosine=0.99)
    assert (composite.value, composite.applicable) == (None, True)


# --- no claims on one side ------------------------------------------------------


def test_two_abstentions_are_right_and_in_no_mean() -> None:
    for metric in ("factual_correctness", "answer_correctness"):
        got = score(metric, abstained=True, reference_abstains=True)
        assert (got.value, got.applicable) == (None, False)
        assert got.details == {"correct_abstention": True}
        assert "correct abstention" in got.reason


@pytest.mark.parametrize("answer_abstains", [True, False])
def test_one_abstention_fails_however_alike_the_words_are(
    answer_abstains: bool,
) -> None:
    for metric in ("factual_correctness", "answer_correctness"):
        got = score(
            metric,
            abstained=answer_abstains,
            reference_abstains=not answer_abstains,
            cosine=0.95,
        )
        assert (got.value, got.level) == (0.0, "poor")
        who = "answer" if answer_abstains else "reference"
        assert got.details == {"only_abstains": who}


@pytest.mark.parametrize("side", ["answer", "reference"])
def test_facts_of_which_no_claim_was_taken_are_neither_1_nor_0(side: str) -> None:
    labels = {"answer": [YES], "reference": [YES], side: []}
    got = factual(labels["answer"], labels["reference"], **{f"{side}_failed": True})
    assert (got.value, got.applicable) == (None, True)
    assert f"taken from the {side}" in got.reason


def test_an_answer_that_states_nothing_supports_nothing() -> None:
    assert factual([], [NO, NO]).value == 0.0


def test_an_empty_answer_is_0() -> None:
    got = factual(empty=True)
    assert (got.value, got.level) == (0.0, "poor")
    assert got.details == {"empty_answer": True}


# --- answer_correctness -----------------------------------------------------------


def test_the_seed_example_of_two_texts_that_say_the_same() -> None:
    """Both claims of each side supported: F1 1; with a cosine of 0.97 the formula
    gives 0.75 x 1 + 0.25 x 0.97 = 0.9925. The document says "~0.95": it rounds what
    its own weights give, and a factual part of 1 leaves 0.95 only at a cosine of 0.8.
    """
    got = score("answer_correctness", [YES, YES], [YES, YES], cosine=0.97)
    assert got.value == pytest.approx(0.9925)
    assert got.level == "excellent"
    low = score("answer_correctness", [YES, YES], [YES, YES], cosine=0.8)
    assert low.value == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("preset", "value"),
    [
        ("default", 0.75 * 0.5 + 0.25 * 0.8),
        ("equal", 0.5 * 0.5 + 0.5 * 0.8),
        ("factual", 0.9 * 0.5 + 0.1 * 0.8),
        ("semantic", 0.1 * 0.5 + 0.9 * 0.8),
    ],
)
def test_presets(preset: Any, value: float) -> None:
    settings = Settings(correctness_preset=preset)
    got = score(
        "answer_correctness", [YES, NO], [YES, NO], cosine=0.8, settings=settings
    )
    assert got.value == pytest.approx(value)
    assert got.details["semantic"] == pytest.approx(0.8)
    assert got.details["factual"] == 0.5


def test_own_weights_go_before_the_preset_and_must_sum_to_1() -> None:
    assert weights(Settings(factual_weight=0.6)) == (0.6, 0.4)
    assert weights(Settings(semantic_weight=0.25, correctness_preset="equal")) == (
        0.75,
        0.25,
    )
    with pytest.raises(ValidationError, match=r"both sum to 1"):
        Settings(factual_weight=0.6, semantic_weight=0.6)


def test_a_negative_cosine_counts_as_0() -> None:
    got = score("answer_correctness", [YES], [YES], cosine=-0.5)
    assert got.value == pytest.approx(0.75)


def test_without_vectors_the_composite_is_unscored() -> None:
    def broken(texts: Sequence[str]) -> Floats:
        raise EmbeddingError("the model is gone")

    for embed in (None, broken):
        found = Findings(
            case=CASE,
            answer=Answer(case_id="dam", text="x"),
            embed=embed,
            against_reference=Directions(claims([YES]), claims([YES])),
        )
        got = discover()["answer_correctness"].score(found)
        assert (got.value, got.applicable) == (None, True)
        assert got.reason
        assert discover()["factual_correctness"].score(found).value == 1.0


def test_several_judges_are_scored_each_and_their_spread_is_shown() -> None:
    """ant supports all (F1 1), bee half of both sides (F1 0.5): mean 0.75."""

    def voted(bee: Label) -> ClaimResult:
        votes = (Vote(judge="ant", label=YES), Vote(judge="bee", label=bee))
        return claim("x", YES, votes)

    both = Directions([voted(YES), voted(NO)], [voted(NO), voted(YES)])
    got = factual(directions=both)
    assert got.value == pytest.approx(0.75)
    assert got.details["by ant"] == 1.0
    assert got.details["by bee"] == 0.5
    assert got.details["spread"] == 0.5


# --- any input ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1.0, "excellent"),
        (0.9, "excellent"),
        (0.8999, "good"),
        (0.7, "good"),
        (0.6999, "moderate"),
        (0.5, "moderate"),
        (0.4999, "poor"),
        (0.0, "poor"),
    ],
)
def test_levels(value: float, name: str) -> None:
    assert level(value, Settings()) == name


@given(LABELS, LABELS, st.floats(-1, 1))
def test_values_lie_in_0_to_1_or_have_a_reason(
    answer: list[Label], reference: list[Label], cosine: float
) -> None:
    for metric in ("factual_correctness", "answer_correctness"):
        got = score(metric, answer, reference, cosine=cosine)
        if got.value is None:
            assert got.reason
        else:
            assert 0 <= got.value <= 1
            assert got.level == level(got.value, Settings())


@given(LABELS, LABELS)
def test_one_more_supported_reference_claim_never_lowers_it(
    answer: list[Label], reference: list[Label]
) -> None:
    before, after = factual(answer, reference), factual(answer, [*reference, YES])
    if before.value is not None and after.value is not None:
        assert after.value >= before.value - 1e-12


@given(st.floats(0, 1), st.floats(0, 1))
def test_f_lies_between_both_shares(precision: float, recall: float) -> None:
    low, high = sorted((precision, recall))
    assert low - 1e-9 <= f_beta(precision, recall) <= high + 1e-9
