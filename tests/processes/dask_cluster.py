"""A Dask scheduler and workers as a user starts them: processes of their own on
loopback, each with its environment, ended for sure."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
ENDS = 20
"""Seconds a process has to end when it is asked to."""


@dataclass
class Process:
    """One process; its talk is read to its end, so that it never waits for us."""

    words: Sequence[str]
    environment: Mapping[str, str]
    said: list[str] = field(default_factory=list)

    def start(self, until: str) -> str:
        """Waits for a line that matches; gives its first group."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", *self.words],
            env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(until, line):
                self._reader = threading.Thread(target=self._read, daemon=True)
                self._reader.start()
                return found[1]
        self.process.wait()
        self.process.stderr.close()
        raise AssertionError("it ended: " + "".join(self.said))

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.said.extend(self.process.stderr)

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self._reap()

    def stop(self) -> None:
        """Asked to end, then made to; harmless when it has ended."""
        self.process.terminate()
        self._reap()

    def _reap(self) -> None:
        try:
            self.process.wait(ENDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        assert self.process.stderr is not None
        self.process.stderr.close()


@dataclass
class DaskProcesses:
    """Use as a context manager."""

    folder: Path
    """For what they write."""
    preload: str | None = None
    """Python that each worker runs first."""
    address: str = ""
    workers: dict[str, Process] = field(default_factory=dict)
    """By address."""

    def __enter__(self) -> Self:
        self.scheduler = Process(
            [
                "distributed.cli.dask_scheduler",
                *("--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
                *("--idle-timeout", "1800"),  # where the tests were killed
            ],
            self._environment({}),
        )
        self.address = self.scheduler.start(r"Scheduler at: +(tcp://\S+)")
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as stack:  # each one, whatever another does
            for process in (self.scheduler, *self.workers.values()):
                stack.callback(process.stop)

    def add(self, environment: Mapping[str, str], threads: int = 1) -> str:
        """Starts a worker; gives its address when it is there."""
        words = [
            "distributed.cli.dask_worker",
            self.address,
            *("--host", "127.0.0.1", "--no-nanny", "--no-dashboard"),
            *("--nthreads", str(threads), "--local-directory", str(self.folder)),
        ]
        if self.preload is not None:
            script = self.folder / "preload.py"
            script.write_text(self.preload)
            words += ["--preload", str(script)]
        worker = Process(words, self._environment(environment))
        # It names its address before the scheduler knows it, which it says at the end.
        worker.start(r"Registered to: +(tcp://\S+)")
        names = (re.search(r"Start worker at: +(tcp://\S+)", s) for s in worker.said)
        address = next(found[1] for found in names if found)
        self.workers[address] = worker
        return address

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        path = os.pathsep.join([str(ROOT / ".src"), str(ROOT)])
        return {
            "PYTHONPATH": path,
            "CLAIMSCOPE_WORKSPACE": str(self.folder / "workspace"),
            **more,
        }
