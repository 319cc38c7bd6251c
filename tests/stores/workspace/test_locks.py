"""One writer at a time, by the system's own lock on Windows by filelock."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimscope.core.errors import StoreError, StoreLocked
from claimscope.stores.workspace.locks import WriterLock, holder, is_held


def without_flock(descriptor: int, how: int) -> None:
    """As some network drives answer."""
    raise OSError(errno.ENOSYS, "Function not implemented")


@pytest.fixture(params=["flock", "filelock"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """By what a file is locked."""
    if request.param == "filelock":
        pytest.importorskip("filelock")  # it has taken what it needs of fcntl
        monkeypatch.setitem(sys.modules, "fcntl", None)  # `import fcntl` fails
    return str(request.param)


def test_a_second_writer_is_refused_until_the_first_is_done(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "book"
    lock = WriterLock(path, "The book")
    assert is_held(path) and holder(path) == os.getpid()
    words = f"The book is being written by process {os.getpid()} "
    with pytest.raises(StoreLocked, match=words):
        WriterLock(path, "The book", patience=0)
    lock.release()
    lock.release()  # harmless
    assert not is_held(path) and holder(path) is None
    with WriterLock(path, "The book", patience=0):
        assert is_held(path)
    assert not is_held(path)


def test_a_lock_that_is_dropped_is_given_back(kind: str, tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "book", "The book")
    del lock
    WriterLock(tmp_path / "book", "The book", patience=0).release()


def test_a_disk_without_locks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fcntl, "flock", without_flock)
    with pytest.raises(StoreError, match="book.lock: cannot be locked: Function not"):
        WriterLock(tmp_path / "book", "The book")


def test_a_lock_costs_no_import_of_filelock(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from claimscope.stores.workspace.locks import WriterLock\n"
        "WriterLock(Path(sys.argv[1]), 'It').release()\n"
        "print({'filelock', 'asyncio', 'logging'} & set(sys.modules))"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "book")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
