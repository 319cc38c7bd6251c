"""A real Chroma server, as a user starts it, on loopback."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ENDS = 20
"""Seconds it has to end when it is asked to."""


def free_port() -> int:
    """A port that nobody listens on; the server cannot say which it took."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class ChromaProcess:
    """`chroma run`; use as a context manager."""

    folder: Path
    url: str = ""

    def __enter__(self) -> Self:
        for _ in range(5):  # another process may have taken the port meanwhile
            port = free_port()
            if self._starts(port):
                self.url = f"http://127.0.0.1:{port}"
                return self
        raise AssertionError("no Chroma server could be started")

    def _starts(self, port: int) -> bool:
        words = ["run", "--path", str(self.folder), "--host", "127.0.0.1"]
        self._process = subprocess.Popen(
            [str(Path(sys.executable).parent / "chroma"), *words, "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "listening on address" in line:
                self._reader = threading.Thread(target=self._process.stdout.read)
                self._reader.start()
                return True
        self._process.wait()
        self._process.stdout.close()
        return False

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(ENDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
