"""Single rows: what is found out for them, and that nothing more is."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.errors import EmbeddingError, InputError
from claimscope.core.metrics import tiers
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import Score
from claimscope.core.ports import Embedder, Floats
from claimscope.core.run.sample import Services
from claimscope.core.services import scoring
from claimscope.core.services.scoring import (
    MemoEmbedder,
    Row,
    ScoredRow,
    chosen_metrics,
    score_rows,
    stages_of,
)
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.tui import api
from tests.doubles.fakes import FakeEmbedder

CRANE: dict[str, Any] = {
    "id": 1,
    "question": "When was the Orla crane built?",
    "answer": "The Orla crane was built in 1952 [1]. It lifts 90 tonnes [2].",
    "contexts": [
        "The Orla crane was built in 1952.",
        "The Orla crane lifts 40 tonnes.",
    ],
    "claims": [{"text": "The Orla crane was built in 1952."}],
    "citations": [
        {"page_id": "1"},
        {"page_id": "passage:1", "key_phrase": "40 tonnes"},
    ],
}


class NoEmbedder:
    """Fails when it is asked for anything."""

    model_id, dimensions = "none@0/fp32", 4

    def embed(self, texts: Sequence[str]) -> Floats:
        raise EmbeddingError("there is no model", "bring one")


async def scored(
    rows: Sequence[dict[str, Any]],
    metrics: Sequence[str],
    embedder: Embedder | None = None,
    **settings: Any,
) -> list[ScoredRow]:
    """Rows with their scores, without a language model."""
    memo = MemoEmbedder(embedder or FakeEmbedder())
    reader = EvidenceVerifier(memo, shipped_model())
    services = Services(
        memo,
        reader,
        Settings(**settings),
        metrics=chosen_metrics(metrics),
        reader=reader,
    )
    read = [Row.model_validate(row) for row in rows]
    return [one async for one in score_rows(read, services)]


def by_id(row: ScoredRow) -> dict[str, Score]:
    return {score.metric: score for score in row.scores}


async def test_a_row_is_held_against_its_own_contexts() -> None:
    names = ["claim_support", "citation_precision", "citation_recall", "citation_f1"]
    (row,) = await scored([CRANE], names)
    # By hand: one claim of two holds; [1] is valid and [2] is not; both expected
    # passages are cited; F1 of 1/2 and 1 is 2/3.
    assert [score.metric for score in row.scores] == names
    values = {name: score.value for name, score in by_id(row).items()}
    assert values == {
        "claim_support": 0.5,
        "citation_precision": 0.5,
        "citation_recall": 1.0,
        "citation_f1": pytest.approx(2 / 3),
    }
    assert not row.is_open


async def test_metrics_that_need_no_vectors_ask_for_none() -> None:
    bare = {**CRANE, "contexts": [], "answer": "It was built in 1952 [PMID:1, S:2]."}
    bare["citations"] = [{"page_id": "PMID:1", "sentence": 2}]
    (row,) = await scored([bare], ["citation_recall"], NoEmbedder())
    assert row.scores[0].value == 1.0


async def test_a_model_that_fails_leaves_metrics_of_meaning_unscored() -> None:
    """Claims are judged by words then; what measures likeness cannot be."""
    first, second = await scored(
        [
            {**CRANE, "reference": "In 1952."},
            {"id": 2, "question": "Who?", "answer": ""},
        ],
        ["claim_support", "answer_correctness"],
        NoEmbedder(),
    )
    assert first.is_open and first.result is not None
    judged, likeness = first.scores
    assert judged.value is not None and likeness.value is None
    assert "there is no model" in likeness.reason
    assert not second.is_open, "not applicable is not unscored"


async def test_without_ground_truth_claims_are_not_called_unsupported() -> None:
    row = {**CRANE, "contexts": ["  "]}
    names = ["claim_support", "hallucination_rate", "citation_precision"]
    (found,) = await scored([row], [*names, "claim_completeness"])
    for name in names:
        assert by_id(found)[name].applicable is False
        assert by_id(found)[name].reason == scoring.NO_TRUTH
    assert by_id(found)["claim_completeness"].value == 100


async def test_texts_of_many_rows_are_embedded_in_one_call_and_once() -> None:
    embedder = FakeEmbedder()
    rows = [
        {
            **CRANE,
            "id": n,
            "contexts": [f"Crane {n} was built in {1900 + n}.", "It rose."],
        }
        for n in range(20)
    ]
    await scored(rows, ["claim_support"], embedder, concurrency=1)
    assert len(embedder.batches[0]) >= 21, "the contexts of all rows, equal ones once"
    assert len(embedder.texts) == len(set(embedder.texts))
    assert len(embedder.batches) < 20


def test_only_what_the_metrics_need_is_found_out() -> None:
    known = discover()
    assert stages_of([known["claim_support"]]) == {"decompose", "claims"}
    assert stages_of([known["claim_completeness"]]) == {"required"}
    assert stages_of([known["judge_faithfulness"]]) == set()


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(InputError, match="is 'claim_support' meant"):
        chosen_metrics(["claim_suport"])
    assert chosen_metrics([" citation_f1 ", "citation_f1", ""]) == ("citation_f1",)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("answer", None),
        ("question", ""),
        ("contexts", "text"),
        ("claims", [{"text": "x", "importance": "vital"}]),
        ("citations", [{"page_id": "p", "sentence": -1}]),
    ],
)
def test_a_row_that_is_none_is_refused_by_its_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        Row.model_validate({**CRANE, field: value})
    assert caught.value.errors()[0]["loc"][0] == field


def test_a_bare_number_counts_in_the_contexts() -> None:
    pages = [one.page_id for one in Row.model_validate(CRANE).case().citations]
    assert pages == ["passage:0", "passage:1"]
    far = Row.model_validate({**CRANE, "citations": [{"page_id": "7"}]})
    assert far.case().citations[0].page_id == "7"


def test_a_memo_forgets_the_oldest_and_gives_the_same_vectors() -> None:
    inner = FakeEmbedder()
    memo = MemoEmbedder(inner, kept=2)
    first = memo.embed(["one", "two", "one"])
    assert np.array_equal(first, FakeEmbedder().embed(["one", "two", "one"]))
    memo.embed(["three"])
    memo.embed(["two"])
    memo.embed(["one"])
    assert inner.texts == ["one", "two", "three", "one"]
    assert memo.embed([]).shape == (0, inner.dimensions)


@given(st.floats(0, 1), st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0.01, 1))
def test_levels_fall_with_the_value(value: float, a: float, b: float, c: float) -> None:
    low, middle, high = sorted((a, b, c))
    if not low < middle < high:
        return
    settings = Settings(level_moderate=low, level_good=middle, level_excellent=high)
    order = ["poor", "moderate", "good", "excellent"]
    reached = order.index(tiers.level(value, settings))
    assert reached == sum(value >= limit for limit in (low, middle, high))


@pytest.mark.parametrize("module", [api, tiers])
def test_the_examples_of_the_docstrings_hold(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


def test_metrics_that_ask_a_language_model_again_are_scored_only_by_name() -> None:
    plain, model = Settings(), Settings(verifier="ollama", model="m")
    again = {
        "factual_correctness",
        "answer_correctness",
        "citation_support_recall",
        "citation_support_precision",
    }
    assert set(chosen_metrics((), plain)) - set(chosen_metrics((), model)) == again
    assert chosen_metrics(["factual_correctness"], model) == ("factual_correctness",)
    weighted = Settings(verifier="ollama", metric_weights="factual_correctness=1")
    assert "factual_correctness" in chosen_metrics((), weighted)
