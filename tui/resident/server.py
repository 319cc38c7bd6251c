"""The resident engine: everything is loaded once, and each check is done by a copy.

A copy of the process (fork) shares what is loaded, costs milliseconds, and may do
whatever a process of its own would: folder, environment, open files and umask are those
of who asks, checks at the same time do not meet, and a crash ends one of them. So this
process itself has no threads beside the one that waits, judges nothing and keeps
nothing of any check.
"""

from __future__ import annotations

import fcntl
import gc
import logging
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from claimscope.stores.workspace.paths import make_private, open_private
from claimscope.tui.process.version import version
from claimscope.tui.resident import wire
from claimscope.tui.resident.forked import work
from claimscope.tui.resident.place import LONGEST, code_state, is_same_user

log = logging.getLogger(__name__)
LOOK_SECONDS = 1.0
ASK_SECONDS = 10.0
"""For a request to be read; who asks sends it at once, on a machine that has time."""


WORK = ("run", "stream")
"""Requests that a copy does."""


class AlreadyRuns(Exception):
    """Another process holds the place."""


class TooLong(Exception):
    """The path is too long for a socket."""


@dataclass
class Engine:
    """The engine at a path; `serve` returns when it is stopped or idle for too long."""

    path: Path
    idle_seconds: float
    command: Callable[[list[str]], int]
    """Does what the words say; gives the exit code. Called in a copy."""
    started: float = field(default_factory=time.time)
    checks: int = 0
    children: set[int] = field(default_factory=set)
    _used: float = field(default_factory=time.monotonic)
    _code: tuple[str, ...] = field(default_factory=code_state)
    _is_ending: bool = False

    def serve(self, load: Any) -> None:
        """`load` is called once the place is ours. Raises AlreadyRuns, TooLong,
        StoreError, OSError."""
        if len(os.fsencode(self.path)) > LONGEST:
            raise TooLong(str(self.path))
        make_private(self.path.parent)
        lock = open_private(self.path.with_suffix(".lock"), os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise AlreadyRuns(str(self.path)) from None
        load()
        gc.collect()
        gc.freeze()  # so that copies do not write to what they share
        signal.signal(signal.SIGTERM, self._end)
        try:
            with self._listening() as listener:
                self._loop(listener)
        finally:
            with suppress(OSError):
                self.path.unlink()
            os.close(lock)

    def _end(self, *_: object) -> None:
        self._is_ending = True

    def _listening(self) -> socket.socket:
        """There, and listening, from one moment to the next."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        part = self.path.with_suffix(".new")
        part.unlink(missing_ok=True)
        mask = os.umask(0o177)
        try:
            listener.bind(str(part))
        finally:
            os.umask(mask)
        listener.listen(16)
        os.replace(part, self.path)
        self._used = time.monotonic()
        return listener

    def _loop(self, listener: socket.socket) -> None:
        while not self._is_ending:
            ready, _, _ = select.select([listener], [], [], LOOK_SECONDS)
            self._reap()
            if ready:
                connection, _ = listener.accept()
                with connection:
                    self._answer(connection, listener)
            elif self.children:
                self._used = time.monotonic()
            elif time.monotonic() - self._used > self.idle_seconds:
                log.info("the resident engine was idle and ends")
                return

    def _answer(self, connection: socket.socket, listener: socket.socket) -> None:
        """Never raises: the next one may do better."""
        connection.settimeout(ASK_SECONDS)
        try:
            if not is_same_user(connection):
                return
            header, _, files = wire.receive(connection)
            wire.close(files)
            self._do(connection, listener, header)
        except (OSError, wire.Broken) as error:
            log.info("a request to the resident engine was left: %s", error)

    def _do(
        self, connection: socket.socket, listener: socket.socket, header: dict[str, Any]
    ) -> None:
        what = header.get("do")
        if what in WORK and code_state() != self._code:
            wire.send(connection, {"refused": "Claimscope was changed since it began"})
            self._is_ending = True
        elif what in WORK:
            self._used = time.monotonic()
            self.checks += what == "run"
            self._fork(connection, listener, header)
        elif what == "stop":
            wire.send(connection, {"stopping": os.getpid()})
            self._is_ending = True
        elif what == "status":
            wire.send(connection, self.status())
        else:
            wire.send(connection, {"refused": "it does not know this request"})

    def status(self) -> dict[str, Any]:
        return {
            "pid": os.getpid(),
            "version": version(),
            "started": self.started,
            "checks": self.checks,
            "busy": len(self.children),
            "idle_minutes": self.idle_seconds / 60,
            "socket": str(self.path),
            "memory_mb": resident_mb(),
        }

    def _fork(
        self, connection: socket.socket, listener: socket.socket, header: dict[str, Any]
    ) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child:
            self.children.add(child)
            return
        listener.close()
        _work(connection, header, self.command)

    def _reap(self) -> None:
        for child in tuple(self.children):
            with suppress(ChildProcessError):
                if os.waitpid(child, os.WNOHANG) == (0, 0):
                    continue
            self.children.discard(child)


def _work(
    connection: socket.socket,
    header: dict[str, Any],
    command: Callable[[list[str]], int],
) -> NoReturn:
    """In the copy; whatever happens, it goes no further than this."""
    try:
        work(connection, header, command)
    finally:
        os._exit(1)


def resident_mb() -> int | None:
    """Resident memory of this process, MB; None where nobody says."""
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // (1 << 20)
    return None
