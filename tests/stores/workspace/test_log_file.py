"""The log is private, bounded, shared by processes, and in nobody's way."""

from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.stores.workspace import log_file
from claimscope.stores.workspace.log_file import (
    FOLDER,
    KEPT,
    NAME,
    PrivateLog,
    log_files,
)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[list[PrivateLog]]:
    """Two logs of one workspace, as two processes have them."""
    found = [PrivateLog(tmp_path), PrivateLog(tmp_path)]
    yield found
    for one in found:
        one.close()


def record(text: str, level: int = logging.INFO) -> logging.LogRecord:
    return logging.LogRecord("claimscope.x", level, "x.py", 1, text, None, None)


def test_it_is_private_whatever_it_was_before(
    tmp_path: Path, opened: list[PrivateLog]
) -> None:
    path = tmp_path / FOLDER / NAME
    path.parent.mkdir()
    path.write_text("")
    path.chmod(0o644)
    opened[0].emit(record("http://me:secret@h:1/ \x1b]0;title\x07 said"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert "said" in text and "secret" not in text and "\x1b" not in text


def test_two_processes_share_it_and_lose_nothing(
    tmp_path: Path, opened: list[PrivateLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in opened:
        one.maxBytes = 2000
    monkeypatch.setattr(log_file, "LARGEST", 2000)
    for number in range(60):
        opened[number % 2].emit(record(f"record {number:03} {'x' * 40}"))
    files = log_files(tmp_path)
    assert 2 <= len(files) <= KEPT + 1
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    assert all(path.stat().st_size <= 2000 for path in files)
    text = "".join(path.read_text() for path in files)
    kept = [number for number in range(60) if f"record {number:03}" in text]
    assert kept == list(range(kept[0], 60))  # the oldest go first, none between


def test_a_command_without_a_workspace_leaves_none_behind(tmp_path: Path) -> None:
    log = PrivateLog(tmp_path / "none")
    log.emit(record("said"))
    assert not (tmp_path / "none").exists()
    log.emit(record("failed", logging.ERROR))
    assert "failed" in (tmp_path / "none" / FOLDER / NAME).read_text()
    log.close()


def test_a_log_that_cannot_be_written_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FOLDER).write_text("a file in its place")
    log = PrivateLog(tmp_path)
    log.emit(record("failed", logging.ERROR))
    log.close()
    assert capsys.readouterr().err == ""
