"""`score_row` as a program calls it, with figures worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from claimscope import score_row
from claimscope.core.backends import embedders
from claimscope.core.errors import EmbeddingError
from claimscope.core.models import Score
from claimscope.core.ports import Floats
from claimscope.core.services.scoring import chosen_metrics
from claimscope.tui.cli import main
from tests.doubles.fakes import FakeEmbedder

PAGES = [{"page_id": "quay", "text": "The ferry leaves at 8:15. A ticket is 12 marks."}]


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "embedder_for", lambda *a, **k: FakeEmbedder())


def factual(answer: str, reference: str, question: str = "When?") -> float | None:
    row = {"id": 1, "question": question, "answer": answer, "reference": reference}
    score = score_row(row, ["factual_correctness"])["factual_correctness"]
    return None if score.value is None else round(score.value, 3)


def test_the_pages_of_a_row_are_its_truth_as_in_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = "The ferry leaves at 8:15 [quay, S:0]. A ticket is 90 marks [quay, S:7]."
    row = {"id": 1, "question": "When?", "answer": answer, "pages": PAGES}
    metrics = ["claim_support", "citation_precision"]
    scores = score_row(row, metrics)
    # One of two claims is supported; one of two citations exists and supports.
    assert [scores[name].value for name in metrics] == [0.5, 0.5]
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    assert main(["score", str(file), "--metrics", ",".join(metrics)]) == 0
    told = json.loads(capsys.readouterr().out)["scores"]
    assert [told[name]["value"] for name in metrics] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("answer", "reference", "value"),
    [
        ("8:15", "The ferry leaves at 8:15.", 1),
        ("9:15", "The ferry leaves at 8:15.", 0),
        ("The ferry leaves at 9:15.", "8:15", 0),
        ("8:15", "8:15 a.m.", 1),
        ("20:15", "8:15 a.m.", 0),
        # 2 of 3 both ways; 2 of 2 and 2 of 3: 2 x 1 x 2/3 / (5/3).
        ("Lund, Orr, Tolland", "Orr, Lund and Sel", 0.667),
        ("Lund and Orr", "Orr, Lund and Sel", 0.8),
        ("Lund, Orr, Sel", "Orr, Lund and Sel", 1),
        ("12 marks, 15 marks", "12 marks and 20 marks", 0.5),
        ("Paris, France", "Paris", 1),
        ("12 March 1912", "March 12, 1912", 1),
    ],
)
def test_times_and_lists_of_short_answers(
    answer: str, reference: str, value: float
) -> None:
    assert factual(answer, reference) == value


def test_missing_claims_are_named() -> None:
    row = {
        "id": 1,
        "question": "When?",
        "answer": "The ferry leaves at 8:15.",
        "claims": [
            {"text": "The ferry leaves at 8:15."},
            {"text": "A ticket is 12 marks.", "importance": "optional"},
            {"text": "Dogs are carried."},
        ],
    }
    score: Score = score_row(row, ["claim_completeness"])["claim_completeness"]
    assert (score.value, score.tier) == (50, "fair")
    assert [(span.kind, span.text) for span in score.evidence] == [
        ("required, found", "The ferry leaves at 8:15."),
        ("optional, missing", "A ticket is 12 marks."),
        ("required, missing", "Dogs are carried."),
    ]
    assert (score.evidence[0].start, score.evidence[0].end) == (0, 25)


class Broken(FakeEmbedder):
    """A model that cannot be read."""

    def embed(self, texts: Sequence[str]) -> Floats:
        raise EmbeddingError("the model cannot be read", "name another")


def test_without_vectors_claims_are_looked_for_by_their_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedders, "embedder_for", lambda *a, **k: Broken())
    row = {
        "id": 1,
        "question": "When?",
        "answer": "The ferry leaves the harbour at 8:15.",
        "claims": [
            {"text": "The ferry leaves the harbour at 8:15."},
            {"text": "The ferry leaves the harbour at 9:15."},
            {"text": "Dogs are carried."},
        ],
    }
    score = score_row(row, ["claim_completeness"])["claim_completeness"]
    # All words of the first are there; the second says another time; none of the third.
    assert score.value == pytest.approx(100 / 3)
    assert score.details["method"] == "keywords"
    kinds = [(span.kind, span.value, span.note) for span in score.evidence]
    assert kinds[0][:2] == ("required, found", 1.0)
    assert kinds[1][0] == "required, missing" and "conflicts with" in kinds[1][2]
    assert kinds[2] == ("required, missing", 0.0, "")


def test_a_plus_adds_metrics_to_the_usual_ones() -> None:
    usual, more = chosen_metrics(()), chosen_metrics(["+quality"])
    assert "coherence" not in usual and more[: len(usual)] == usual
    assert more[len(usual) :] == (
        "coherence",
        "prompt_completeness",
        "length",
        "structure",
        "vocabulary",
        "overall_quality",
    )
    assert chosen_metrics(["quality"]) == more[len(usual) :]
    assert chosen_metrics(["+length", "accuracy"]) == (*usual, "length")
