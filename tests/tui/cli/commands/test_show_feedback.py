"""`claimscope runs show RUN CASE` with the sources of scores, and claim feedback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes

ANSWER = (
    "The Orla crane was built in 1952, says Orla Port (https://orla.example/crane). "
    "It belongs to a brewery and the"
)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run's worth of files: one page, one case, one answer; embeddings are faked."""

    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder(model_id=f"fake-{settings.embedding_model}")

    monkeypatch.setattr(judges, "make_embedder", make)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "crane.txt").write_text("The Orla crane was built in 1952.")
    case = {
        "id": "crane",
        "question": "When was the crane built?",
        "reference": "The Orla crane was built in 1952.",
        "domain": "orla.example",
        "brands": ["Orla Port"],
        "claims": [{"text": "The Orla crane was built in 1952."}],
    }
    path = tmp_path / "suite.json"
    path.write_text(
        json.dumps(
            {
                "format": "claimscope.suite",
                "version": 1,
                "id": "harbour",
                "pages": "pages",
                "answers": "answers.jsonl",
                "cases": [case],
            }
        )
    )
    row = {"case_id": "crane", "text": ANSWER}
    (tmp_path / "answers.jsonl").write_text(json.dumps(row) + "\n")
    return path


def test_a_case_is_shown_with_its_scores_and_its_feedback(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = "accuracy,semantic_similarity,attribution,highlights"
    assert main(["run", str(suite), "--metrics", wanted]) == 0
    capsys.readouterr()
    assert main(["runs", "show", "last", "crane", "--json"]) == 0
    (sample,) = json.loads(capsys.readouterr().out)
    scores = {score["metric"]: score for score in sample["scores"]}
    assert set(scores) == set(wanted.split(","))
    assert scores["attribution"]["value"] == 100
    assert {span["kind"] for span in scores["attribution"]["evidence"]} == {
        "brand",
        "url",
    }
    assert 0 < scores["accuracy"]["value"] < 100
    feedback = sample["feedback"]
    issue = 'ends in the middle of a sentence: "the"'
    assert feedback["issues"] == [issue]
    for added in feedback["not_in_ground_truth"]:
        assert 0 <= added["start"] < added["end"] <= len(ANSWER)
    assert any("brewery" in a["statement"] for a in feedback["not_in_ground_truth"])
    assert main(["runs", "show", "last", "crane"]) == 0
    assert f"malformed answer: {issue}" in capsys.readouterr().out


def test_a_weight_out_of_range_is_refused_by_name(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(suite), "--set", "attribution_url=120"]) == 2
    assert "attribution_url" in capsys.readouterr().err
