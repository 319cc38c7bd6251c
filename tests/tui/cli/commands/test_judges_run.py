"""A run with several judges against the double, from the command line to the filter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends.onnx import entailment
from claimscope.core.models import Label, SampleResult
from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from claimscope.tui.review.cursor import Place, Rows, next_failure
from claimscope.tui.review.items import DISPUTED
from tests.doubles import fakes
from tests.doubles.fake_ollama import FakeOllama, Reply, chose, failed, model, said

KIND, STRICT = "kind:1b", "strict:1b"
NO = {"No": -0.001, "Yes": -9}
PAGE = """\
# The Orla crane

The Orla harbour crane was built in 1952. It lifts 40 tonnes. It was painted green.
"""
ANSWERS = {
    "built": "The Orla harbour crane was built in 1952.",
    "colour": "The Orla harbour crane was painted green.",
    "lift": "The Orla harbour crane lifts 40 tonnes.",
}


LOST = {"Yes": -0.7, "No": -0.7}


def speak(body: dict[str, Any]) -> Reply:
    """Both find the year; only the kind one finds anything else, and grades high."""
    prompt = body["messages"][-1]["content"]
    is_kind = body["model"] == KIND
    if body["options"]["num_predict"] == 1:
        for planted in CLAIMS:  # both are asked these first, and both know them
            if planted.claim in prompt:
                return chose({"Yes": -0.01, "No": -5} if planted.is_true else NO)
        yes = is_kind or "1952" in prompt.rpartition("Document:")[2].split("laim:")[-1]
        return chose({"Yes": -0.01, "No": -5} if yes else NO)
    grade = {"explanation": "As I see it.", "grade": 5 if is_kind else 2}
    return said(json.dumps(grade))


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder()

    monkeypatch.setattr(judges, "make_embedder", make)
    # What judges make of one another is tried here: each word decides.
    monkeypatch.setattr(entailment, "shipped_model", lambda: None)
    with FakeOllama(
        models={KIND: model(), STRICT: model()},
        digests={KIND: "a" * 64, STRICT: "b" * 64},
        answer=speak,
    ) as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        yield fake


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "crane.md").write_text(PAGE)
    path = tmp_path / "suite.json"
    cases = [{"id": name, "question": "What of the crane?"} for name in ANSWERS]
    path.write_text(
        json.dumps(
            {
                "format": "claimscope.suite",
                "version": 1,
                "id": "crane",
                "pages": "pages",
                "answers": "answers.jsonl",
                "cases": cases,
            }
        )
    )
    rows = [{"case_id": name, "text": text} for name, text in ANSWERS.items()]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return path


def judged(suite: Path, *flags: str) -> int:
    """The exit code of a run with both models."""
    models = ["--verifier", "ollama", "--model", KIND, "--judges", STRICT]
    return main(["run", str(suite), *models, "--judge", "--json", *flags])


def last_run() -> list[SampleResult]:
    """The samples of the only run there is."""
    store = DiskRunStore(Workspace.find(None).runs)
    (status,) = store.runs()
    return list(store.read(status.header.run_id).samples())


def test_disagreeing_models_leave_votes_an_alpha_and_a_filter(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged(suite) == 0
    shown = json.loads(capsys.readouterr().out)
    header, found = shown["status"]["header"], shown["summary"]["agreement"]
    assert header["judges"] == [f"{KIND}@{'a' * 12}", f"{STRICT}@{'b' * 12}"]
    assert header["settings"]["panel"] == "majority"
    assert found["judges"] == [KIND, STRICT]
    assert (found["claims"], found["disputed"]) == (3, 2)
    assert found["labels"]["value"] == pytest.approx(-0.25)
    assert found["pairs"][0]["same"] == 1
    assert found["disputed_grades"] == {"faithfulness": 3, "completeness": 3}
    samples = {sample.key.case_id: sample for sample in last_run()}
    verdict = samples["built"].claims[0].verdict
    assert [vote.label for vote in verdict.votes] == [Label.SUPPORTED] * 2
    verdict = samples["colour"].claims[0].verdict
    assert [(vote.judge, vote.label) for vote in verdict.votes] == [
        (KIND, Label.SUPPORTED),
        (STRICT, Label.NOT_ENOUGH_INFO),
    ]
    assert set(verdict.votes[0].call_keys).isdisjoint(verdict.votes[1].call_keys)
    assert [grade.value for grade in samples["lift"].grades] == [3.5, 3.5]
    assert [vote.value for vote in samples["lift"].grades[0].votes] == [5, 2]
    rows = Rows([samples["built"], samples["colour"]])
    place = next_failure(rows, Place(0, -1), 1, DISPUTED)
    assert place is not None and rows[place.sample][place.item].kind == "grade"
    place = next_failure(rows, Place(1, -1), 1, DISPUTED)
    assert place == Place(1, 0)


def test_each_judge_answers_a_sample_s_questions_in_a_row(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged(suite, "--concurrency", "1") == 0
    asked = [body["model"] for body in ollama.chats if "format" not in body]
    changes = sum(one != other for one, other in zip(asked, asked[1:], strict=False))
    assert len(asked) > 6
    assert changes <= 2 * len(ANSWERS) - 1


def test_the_text_report_names_the_judges_and_their_agreement(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged(suite) == 0
    capsys.readouterr()
    assert main(["runs", "show", "last"]) == 0
    shown = capsys.readouterr().out
    assert f"judges: {KIND}, {STRICT}" in shown
    assert "judges disagree on: 2 of 3; Krippendorff's alpha -0.25" in shown
    assert "same label by kind:1b and strict:1b: 33% of claims (1 of 3)" in shown
    assert main(["runs", "show", "last", "colour"]) == 0
    shown = capsys.readouterr().out
    assert "strict:1b: not enough info" in shown
    assert "strict:1b: 2 of 5: As I see it." in shown


def test_a_resumed_run_has_the_judges_it_began_with(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ill(body: dict[str, Any]) -> Reply:
        """The second judge cannot be asked of the third answer."""
        if body["model"] == STRICT and ANSWERS["lift"] in str(body["messages"]):
            return failed(404, f"model '{STRICT}' not found")
        return speak(body)

    ollama.answer = ill
    assert judged(suite) == 0
    run_id = json.loads(capsys.readouterr().out)["status"]["header"]["run_id"]
    assert [s.key.case_id for s in last_run() if s.error] == ["lift"]
    ollama.answer, asked = speak, len(ollama.chats)
    assert main(["runs", "resume", run_id, "--retry-errors", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["summary"]["agreement"]["claims"] == 3
    assert all(sample.error is None for sample in last_run())
    again = ollama.chats[asked:]
    first = [body for body in again if body["model"] == KIND]
    assert not [body for body in first if "format" not in body], "kept in the journal"


@pytest.mark.parametrize(
    ("judges", "said_so"),
    [
        (KIND, f"judge {KIND} is the same model as {KIND}"),
        (f"{STRICT},{STRICT}", f"judge {STRICT} is the same model as {STRICT}"),
        ("absent:7b", "absent:7b"),
    ],
)
def test_a_judge_twice_or_missing_is_refused_before_anything_is_asked(
    ollama: FakeOllama,
    suite: Path,
    capsys: pytest.CaptureFixture[str],
    judges: str,
    said_so: str,
) -> None:
    assert judged(suite, "--judges", judges) in (2, 3)
    assert said_so in capsys.readouterr().err
    assert ollama.chats == []
    assert list(DiskRunStore(Workspace.find(None).runs).runs()) == []


def test_judges_without_a_model_that_judges_are_said_to_be_of_no_use(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(suite), "--judges", STRICT]) == 0
    assert "--judges is of no use" in capsys.readouterr().err
    assert ollama.chats == []


def test_a_judge_that_cannot_tell_true_from_false_fails_nothing_by_a_grade(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(body: dict[str, Any]) -> Reply:
        is_word = body["options"]["num_predict"] == 1
        return chose(LOST) if is_word else speak({**body, "model": STRICT})

    ollama.answer = lost
    assert main(["run", str(suite), "--model", KIND, "--judge"]) == 3
    told = capsys.readouterr()
    assert "0 failed, 3 unscored" in told.out
    assert f"{KIND} cannot tell true claims from false ones" in told.err
    for sample in last_run():
        assert sample.passed is None
        assert [grade.value for grade in sample.grades] == [None, None]
        assert all("no grades" in str(g.unscored_reason) for g in sample.grades)
    assert not any("Grade the" in str(chat["messages"]) for chat in ollama.chats)
    assert main(["runs", "show", "last", "built"]) == 0
    assert "it gives no grades" in capsys.readouterr().out
