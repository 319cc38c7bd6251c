"""What goes wrong is in the log with its traceback, and what a report packs of it."""

from __future__ import annotations

import json
import logging
import os
import stat
import zipfile
from pathlib import Path

import pytest

from claimscope.stores.workspace.log_file import FOLDER, NAME
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.process.logs import VARIABLE


@pytest.fixture(autouse=True)
def own_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")  # so that it is taken away afterwards


def log_text() -> str:
    path = Workspace.find().root / FOLDER / NAME
    return path.read_text() if path.exists() else ""


def break_runs(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def broken(workspace: object) -> None:
        raise error

    monkeypatch.setattr("claimscope.tui.cli.commands.runs.list.open_runs", broken)


def test_an_internal_error_is_logged_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_runs(monkeypatch, RuntimeError("lost"))
    assert main(["runs"]) == 3
    said = capsys.readouterr().err
    assert "Traceback" not in said and "doctor --bundle" in said
    assert said.count("lost") == 1
    logged = log_text()
    assert "Traceback" in logged and "RuntimeError: lost" in logged
    assert logging.getLogger("claimscope").level == logging.NOTSET


def test_the_level_decides_how_much_is_logged() -> None:
    Workspace.find().root.mkdir(parents=True)
    assert main(["--log-level", "error", "runs"]) == 0
    assert log_text() == ""
    assert main(["runs", "--log-level", "debug"]) == 0
    assert "exit code 0" in log_text()
    assert os.environ[VARIABLE] == "debug"  # engines that are started learn it


def test_a_warning_is_said_once_and_logged_each_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Workspace.find().root.mkdir(parents=True)

    def warns(workspace: object) -> None:
        for _ in range(3):
            log = logging.getLogger("claimscope.stores.index.corpus")
            log.warning("sentence search failed", exc_info=ValueError("no"))
        raise KeyboardInterrupt

    monkeypatch.setattr("claimscope.tui.cli.commands.runs.list.open_runs", warns)
    assert main(["runs"]) == 130
    assert capsys.readouterr().err == "note: sentence search failed\ninterrupted\n"
    assert log_text().count("WARNING") == 3


@pytest.mark.slow
def test_a_bundle_holds_what_a_report_needs_and_no_secret(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_CHROMA_TOKEN", "hush-hush-token")
    monkeypatch.setenv("OLLAMA_API_KEY", "hush-hush-key")
    break_runs(monkeypatch, RuntimeError("hush-hush-token and hush-hush-key"))
    assert main(["runs"]) == 3
    assert "hush-hush" not in log_text()
    path = tmp_path / "report.zip"
    main(["doctor", "--bundle", str(path)])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert {"versions.json", "settings.json", "checks.json", "runs.json"} < set(parts)
    assert "Traceback" in parts[f"logs/{NAME}"]
    assert not [name for name, text in parts.items() if "hush-hush" in text]
    versions = json.loads(parts["versions.json"])
    assert "numpy" in versions["packages"] and versions["python"]
    capsys.readouterr()
    assert main(["doctor", "--bundle", str(path)]) == 2
    assert "there is a file already" in capsys.readouterr().err
