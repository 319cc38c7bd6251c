"""`run --pass-rule` and `--progress-file`, from the command line."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends import embedders
from claimscope.tui.cli import main
from tests.doubles.fakes import FakeEmbedder
from tests.program.test_evaluation import suite_folder


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "embedder_for", lambda *a, **k: FakeEmbedder())


def test_the_progress_file_has_what_the_document_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite, file = str(suite_folder(tmp_path / "s")), tmp_path / "p-{iteration}.json"
    flags = ["--iterations", "2", "--progress-file", str(file)]
    assert main(["run", suite, *flags, "--metrics", "claim_support"]) == 0
    found: dict[str, Any] = json.loads((tmp_path / "p-2.json").read_text("utf-8"))
    assert (found["testSetName"], found["iterationNumber"]) == ("tides", 2)
    assert found["statistics"] == {
        "totalQuestions": 2,
        "completedQuestions": 2,
        "pendingQuestions": 0,
        "completionPercentage": 100.0,
    }
    hashes = {entry["hash"] for entry in found["entries"]}
    assert hashes == {sha256(case).hexdigest() for case in (b"t-1", b"t-2")}
    first = json.loads((tmp_path / "p-1.json").read_text("utf-8"))
    assert first["iterationNumber"] == 1


def test_a_progress_file_in_no_folder_is_refused_before_anything_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = str(suite_folder(tmp_path / "s"))
    there = str(tmp_path / "gone" / "p.json")
    assert main(["run", suite, "--progress-file", there]) == 2
    told = capsys.readouterr().err
    assert there in told and "name a file in an existing folder" in told


def test_by_grades_alone_needs_a_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = str(suite_folder(tmp_path / "s"))
    assert main(["run", suite, "--pass-rule", "grades"]) == 2
    told = capsys.readouterr().err
    assert "no judge gives any" in told and "--judge --model NAME" in told
