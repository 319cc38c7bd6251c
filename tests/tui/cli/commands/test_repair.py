"""`repair` and `export` as a user meets them: the words, the files, the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tinydb import TinyDB

from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.tui.cli import main
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a finished run of four samples."""
    monkeypatch.setenv("CLAIMSCOPE_WORKSPACE", str(tmp_path))
    (tmp_path / "runs").mkdir()
    fakes.finished_run(DiskRunStore(tmp_path / "runs"), RUN)
    return tmp_path


def harm(workspace: Path) -> Path:
    """Damages the record of one sample; the journal."""
    path = workspace / "runs" / RUN / "run.journal"
    data = bytearray(path.read_bytes())
    data[data.index(b'"c2/alpha/1"') + 2] ^= 1
    path.write_bytes(data)
    return path


def test_the_error_of_a_damaged_run_names_the_command_that_helps(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = harm(workspace)
    damaged = path.read_bytes()
    assert main(["runs", "show", RUN]) == 3
    error = capsys.readouterr().err
    assert "Journal is damaged" in error and f"claimscope runs repair {RUN}" in error
    assert "Traceback" not in error
    assert main(["runs", "repair", RUN]) == 0
    words = capsys.readouterr().out
    assert "12 records kept" in words and "bytes lost" in words
    assert f"claimscope runs resume {RUN}" in words
    (kept,) = path.parent.glob("run.journal.damaged-*")
    assert kept.read_bytes() == damaged and str(kept) in words
    assert main(["runs", "show", RUN]) == 0
    capsys.readouterr()
    assert main(["runs", "repair", "last", "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)
    assert (facts["kept"], facts["lost"], facts["original"]) == (12, [], None)


def test_repair_says_what_it_cannot_do(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "repair", "nowhere"]) == 3
    assert "no run 'nowhere'" in capsys.readouterr().err
    notes = workspace / "notes.txt"
    notes.write_text("Dear diary\n")
    assert main(["runs", "repair", str(notes)]) == 3
    assert "not one good record" in capsys.readouterr().err
    writer = DiskRunStore(workspace / "runs").open(RUN)
    assert main(["runs", "repair", RUN]) == 3
    assert "being written by process" in capsys.readouterr().err
    writer.close()


def test_export_writes_what_tinydb_opens(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = workspace / "run.json"
    assert main(["runs", "export", RUN, "-o", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"]["samples"] == 4
    with TinyDB(path) as plain:
        assert len(plain.table("samples")) == 4
    assert main(["runs", "export", "last"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(path.read_text())
    assert (
        main(["runs", "export", RUN, "-o", str(workspace / "none" / "run.json")]) == 3
    )
    assert "could not be saved" in capsys.readouterr().err
