"""A program in a pseudo-terminal, seen as a slow line sees it: bytes and times.

Shared by screen_bytes.py and screen_speed.py; not a benchmark of its own.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

QUIET = 0.25
"""Seconds without a byte after which a frame is complete."""
KEYS = {
    "down": b"\x1b[B",
    "up": b"\x1b[A",
    "pagedown": b"\x1b[6~",
    "pageup": b"\x1b[5~",
    "home": b"\x1b[H",
    "end": b"\x1b[F",
    "enter": b"\r",
    "escape": b"\x1b",
}


@dataclass(frozen=True)
class Burst:
    """What came back for something that was done."""

    size: int
    """Bytes."""
    first: float
    """Seconds to the first byte; inf when none came."""
    last: float
    """Seconds to the last byte, or inf."""
    cpu: float = 0.0
    """Seconds of processor that the program used meanwhile: says what an action costs
    where others use the machine as well."""


class Terminal:
    """Runs a Python program in a terminal of `columns` × `rows`."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        compiled: Path | None = None,
    ) -> None:
        """compiled: the folder of compiled modules, as an installed program has them;
        None = as the environment says."""
        self.began = time.perf_counter()
        self.text = b""
        self._main, side = pty.openpty()
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(side, termios.TIOCSWINSZ, size)
        plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TMUX")}
        environment = plain | {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "COLUMNS": str(columns),
            "LINES": str(rows),
        }
        if compiled is not None:
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
            environment["PYTHONPYCACHEPREFIX"] = str(compiled)
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=side,
            stdout=side,
            stderr=side,
            env=environment,
            start_new_session=True,
        )
        os.close(side)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._main)

    def _read(self, seconds: float) -> bytes:
        """Bytes that come within a time; empty when none does."""
        ready, _, _ = select.select([self._main], [], [], max(seconds, 0))
        try:
            return os.read(self._main, 65536) if ready else b""
        except OSError:
            return b""

    def watch(self, quiet: float = QUIET, patience: float = 5.0) -> Burst:
        """All that comes until nothing does for `quiet` seconds, or until nothing has
        come at all for `patience`."""
        began, cpu = time.perf_counter(), self.cpu()
        size, first, last = 0, float("inf"), float("inf")
        while True:
            data = self._read(quiet if size else patience)
            if not data:
                return Burst(size, first, last, self.cpu() - cpu)
            last = time.perf_counter() - began
            first = min(first, last)
            size += len(data)
            self.text += data

    def press(self, key: str, quiet: float = QUIET) -> Burst:
        os.write(self._main, KEYS.get(key, key.encode()))
        return self.watch(quiet)

    @property
    def pid(self) -> int:
        """Process id of the program."""
        return self._process.pid

    def cpu(self) -> float:
        """Seconds of processor so far, of all threads; 0 where the system does not
        say."""
        tasks = Path(f"/proc/{self._process.pid}/task")
        try:
            parts = [(t / "schedstat").read_text().split() for t in tasks.iterdir()]
        except OSError:
            return 0.0
        return sum(int(part[0]) for part in parts) / 1e9

    def settle(self, patience: float = 120.0) -> None:
        """Waits until the program rests: it works on behind its first frames."""
        end, before, rests = time.perf_counter() + patience, self.cpu(), 0
        while rests < 3 and time.perf_counter() < end:
            self.count(1.0)
            now = self.cpu()
            rests = rests + 1 if now - before < 0.02 else 0
            before = now

    def count(self, seconds: float) -> int:
        """Bytes that come in a time."""
        end, size = time.perf_counter() + seconds, 0
        while (left := end - time.perf_counter()) > 0:
            size += len(self._read(left))
        return size

    def wait_for(self, text: str, patience: float = 60.0) -> float:
        """Seconds from the start of the program until a text was painted. Raises
        TimeoutError with what was there instead."""
        end = time.perf_counter() + patience
        while text.encode() not in self.text:
            if time.perf_counter() > end or self._process.poll() is not None:
                raise TimeoutError(f"no {text!r} in {self.text[-2000:]!r}")
            self.text += self._read(0.2)
        return time.perf_counter() - self.began

    def forget(self) -> None:
        """What was painted so far counts no more for `wait_for`."""
        self.text = b""
