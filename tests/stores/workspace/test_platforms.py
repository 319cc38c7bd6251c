"""What macOS and Windows do not have is done without; simulated, as CI is Linux."""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from pathlib import Path

import pytest
from tinydb import TinyDB

from claimscope.stores.runs.journal import JournalStorage
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import sync_data, write_atomically
from tests.doubles import fakes

FULL_SYNC = 51
"""F_FULLFSYNC of macOS."""


@pytest.fixture(params=["macos", "windows"])
def other_platform(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Functions of `os` as another platform has them."""
    missing = {"macos": ["fdatasync"], "windows": ["fdatasync", "fchmod", "getuid"]}
    for name in missing[request.param]:
        monkeypatch.delattr(os, name)
    if request.param == "windows":
        monkeypatch.setitem(sys.modules, "fcntl", None)  # `import fcntl` fails
    return str(request.param)


def test_runs_are_saved_and_read_without_them(
    other_platform: str, tmp_path: Path
) -> None:
    with TinyDB(tmp_path / "j", storage=JournalStorage) as database:
        database.table("t").insert({"n": 1})
        assert isinstance(database.storage, JournalStorage)
        database.storage.compact()
    with TinyDB(tmp_path / "j", storage=JournalStorage) as database:
        assert [dict(row) for row in database.table("t")] == [{"n": 1}]
    assert stat.S_IMODE((tmp_path / "j").stat().st_mode) == 0o600
    store = DiskRunStore(tmp_path / "runs")
    run_id = fakes.finished_run(store)
    assert store.read(run_id).status().state == "finished"
    write_atomically(tmp_path / "file", b"a\n")
    assert (tmp_path / "file").read_bytes() == b"a\n"
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_macos_waits_for_the_disk_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "fdatasync")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", FULL_SYNC, raising=False)
    asked: list[tuple[int, int]] = []
    synced: list[int] = []
    monkeypatch.setattr(fcntl, "fcntl", lambda fd, what: asked.append((fd, what)))
    monkeypatch.setattr(os, "fsync", synced.append)
    sync_data(7)
    assert (asked, synced) == ([(7, FULL_SYNC)], [])

    def cannot(fd: int, what: int) -> None:
        raise OSError(45, "Operation not supported")

    monkeypatch.setattr(fcntl, "fcntl", cannot)
    sync_data(7)
    assert synced == [7]


def test_a_disk_that_fails_is_told_of_there_too(
    other_platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        sync_data(7)
