"""One writer per journal, run and index; everybody else learns who it is.

The lock is the operating system's (flock, or what Windows has for it), so a killed
process never leaves it behind. The holder's process id lies in a file of its own
beside the lock, for messages only.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from errno import EACCES, EAGAIN
from pathlib import Path
from typing import Protocol

from claimscope.core.errors import StoreError, StoreLocked
from claimscope.stores.workspace.paths import open_private

PATIENCE = 1.0
"""Seconds to wait: a look at the lock by `is_held` takes it for an instant."""
LOOK_SECONDS = 0.02
"""Between two tries."""
HELD = {EAGAIN, EACCES}
"""What flock says of a lock that another holds."""


class WriterLock:
    """Exclusive right to write `path` (a file or a folder), taken when made."""

    def __init__(self, path: Path, what: str, patience: float = PATIENCE) -> None:
        """Raises StoreLocked, naming `what` and the holder's process id; StoreError
        where files cannot be locked."""
        self._holder = _holder_file(path)
        self._lock = _acquire(_lock_file(path), patience)
        if self._lock is None:
            pid = holder(path)
            by = f"process {pid}" if pid else "another process"
            raise StoreLocked(
                f"{what} is being written by {by} ({path}).",
                "Wait until it has finished, or stop it, then try again.",
            )
        with suppress(OSError):  # on a full disk nobody learns who, that is all
            descriptor = open_private(self._holder, os.O_WRONLY | os.O_TRUNC)
            try:
                os.write(descriptor, str(os.getpid()).encode())
            finally:
                os.close(descriptor)

    def release(self) -> None:
        """Gives the right back; harmless when given back before."""
        lock, self._lock = self._lock, None
        if lock is not None:
            with suppress(OSError):
                self._holder.unlink(missing_ok=True)
            lock.release()

    def __enter__(self) -> WriterLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(path: Path) -> bool:
    """True while any process, this one included, may write `path`."""
    lock_file = _lock_file(path)
    try:
        descriptor = os.open(lock_file, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _lock_is_free(descriptor, lock_file)
    finally:
        os.close(descriptor)


def holder(path: Path) -> int | None:
    """Process id of the holder, when it is known; may be stale when not held."""
    try:
        return int(_holder_file(path).read_text())
    except (OSError, ValueError):
        return None


class _Lock(Protocol):
    def release(self) -> object: ...


class _Flock:
    """An open file that flock has locked."""

    def __init__(self, descriptor: int) -> None:
        # Whoever drops a lock without a word has given it back.
        self.release = weakref.finalize(self, os.close, descriptor)


def _acquire(lock_file: Path, patience: float) -> _Lock | None:
    """The lock of that file; None when it was held all the time. By flock itself, where
    there is one: to import filelock takes 30 ms, most of what opening a run takes.
    Raises StoreError."""
    descriptor = open_private(lock_file, os.O_RDWR)
    try:
        import fcntl
    except ImportError:  # Windows
        os.close(descriptor)
        return _acquire_by_filelock(lock_file, patience)
    until = time.monotonic() + patience
    try:
        while not _try_flock(fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
            if time.monotonic() >= until:
                os.close(descriptor)
                return None
            time.sleep(LOOK_SECONDS)
    except BaseException as error:
        os.close(descriptor)
        if isinstance(error, OSError):
            raise StoreError(
                f"{lock_file}: cannot be locked: {error.strerror}.",
                "Keep the workspace on a disk whose files can be locked.",
            ) from error
        raise
    return _Flock(descriptor)


def _try_flock(flock: Callable[[int, int], None], descriptor: int, how: int) -> bool:
    """False when another holds it. Raises OSError where files cannot be locked."""
    try:
        flock(descriptor, how)
    except OSError as error:
        if error.errno not in HELD:
            raise
        return False
    return True


def _acquire_by_filelock(lock_file: Path, patience: float) -> _Lock | None:
    import filelock

    # thread_local=False: a worker thread may close what another opened.
    lock = filelock.FileLock(lock_file, thread_local=False, mode=0o600)
    try:
        lock.acquire(timeout=patience, poll_interval=LOOK_SECONDS)
    except filelock.Timeout:
        return None
    return lock


def _lock_is_free(descriptor: int, lock_file: Path) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows: take it and give it back
        import filelock

        try:
            with filelock.FileLock(lock_file, timeout=0):
                return True
        except filelock.Timeout:
            return False
    try:
        # Shared, so that two viewers who look at once do not see each other.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return True


def _lock_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _holder_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.holder")
