"""One writer per journal, run and index; everybody else learns who it is.

The lock is the operating system's (flock, or what Windows has for it), so a killed
process never leaves it behind. The holder's process id lies in a file of its own
beside the lock, for messages only.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from claimscope.core.errors import StoreLocked
from claimscope.stores.workspace.paths import open_private

PATIENCE = 1.0
"""Seconds to wait: a look at the lock by `is_held` takes it for an instant."""


class WriterLock:
    """Exclusive right to write `path` (a file or a folder), taken when made."""

    def __init__(self, path: Path, what: str, patience: float = PATIENCE) -> None:
        """Raises StoreLocked, naming `what` and the holder's process id."""
        import filelock

        self._holder = _holder_file(path)
        lock_file = _lock_file(path)
        os.close(open_private(lock_file, os.O_RDWR))
        # thread_local=False: a worker thread may close what another opened.
        self._lock = filelock.FileLock(lock_file, thread_local=False, mode=0o600)
        try:
            self._lock.acquire(timeout=patience, poll_interval=0.02)
        except filelock.Timeout:
            pid = holder(path)
            by = f"process {pid}" if pid else "another process"
            raise StoreLocked(
                f"{what} is being written by {by} ({path}).",
                "Wait until it has finished, or stop it, then try again.",
            ) from None
        with suppress(OSError):  # on a full disk nobody learns who, that is all
            descriptor = open_private(self._holder, os.O_WRONLY | os.O_TRUNC)
            try:
                os.write(descriptor, str(os.getpid()).encode())
            finally:
                os.close(descriptor)

    def release(self) -> None:
        """Gives the right back; harmless when given back before."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()

    def __enter__(self) -> WriterLock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
