"""`claimscope runs export RUN --answers`: answers with accepted citations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.models import CitationDecision
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.tui.cli import main
from tests.tui.sample_run import RUN_ID, run_header
from tests.tui.screens.test_stepper_repair import BAD, GOOD, repairable


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAIMSCOPE_WORKSPACE", str(tmp_path))
    store = DiskRunStore(tmp_path / "runs")
    writer = store.create(run_header(total_samples=1))
    sample = repairable()
    writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()
    first, _ = sample.proposals
    store.read(RUN_ID).save_decision(
        CitationDecision(sample=sample.key, proposal=first, accepted=True, at="t")
    )
    return tmp_path


def exported(capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    assert main(["runs", "export", "last", "--answers", *flags]) == 0
    found = capsys.readouterr()
    assert "1 answer, 1 with repaired citations" in found.err
    text: str = json.loads(found.out)["text"]
    return text


def test_accepted_citations_are_in_the_answers(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = repairable().answer.text
    assert exported(capsys) == text.replace(BAD, GOOD)
    assert exported(capsys, "--take", "proved") == text.replace(BAD, GOOD)
    added = text.replace(BAD, GOOD).replace("Orla.", "Orla [PMID:99000007, S:4].")
    assert exported(capsys, "--take", "all") == added


def test_they_go_to_a_file_that_a_run_reads(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = workspace / "answers.jsonl"
    assert main(["runs", "export", RUN_ID, "--answers", "-o", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "path": str(out),
        "answers": 1,
        "repaired": 1,
    }
    answer = json.loads(out.read_text())
    assert (answer["case_id"], answer["provider"]) == ("var-001", "alder")
    assert GOOD in answer["text"]


def test_take_goes_with_answers(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "export", RUN_ID, "--take", "all"]) == 2
    assert "--answers" in capsys.readouterr().err


def test_reports_say_what_is_proposed_and_what_was_accepted(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "last", "--format", "html"]) == 0
    told = capsys.readouterr().out
    assert f"proposal {BAD} -&gt; {GOOD} (proved, accepted)" in told
    assert "proposal add [PMID:99000007, S:4] (likely)" in told
    assert main(["runs", "show", "last", "var-001"]) == 0
    assert f"proposal {BAD} -> {GOOD} (proved, accepted)" in capsys.readouterr().out
