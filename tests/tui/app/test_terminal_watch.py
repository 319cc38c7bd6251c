"""A terminal that is gone ends the interface, whatever becomes of SIGHUP."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from claimscope.tui.app import terminal_watch

PATIENCE = 120
"""Seconds; on a machine at rest it is two."""
PROGRAM = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as under nohup
from claimscope.tui.cli import main
sys.exit(main(["--workspace", sys.argv[1]]))
"""


def test_the_interface_ends_with_its_terminal(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, str(tmp_path)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    try:
        os.close(slave)
        seen = b""
        while b"Claimscope" not in seen:
            ready, _, _ = select.select([master], [], [], PATIENCE)
            assert ready, "nothing was painted"
            seen += os.read(master, 65536)
        os.close(master)
        assert process.wait(PATIENCE) == terminal_watch.EXIT_CODE
    finally:
        process.kill()
        process.wait()


def test_a_hang_up_is_told_once_and_only_then() -> None:
    master, slave = pty.openpty()
    gone = threading.Event()
    try:
        terminal_watch.watch_terminal(slave, gone.set)
        os.write(master, b"keys\n")
        assert os.read(slave, 5) == b"keys\n"
        assert not gone.is_set()
        os.close(master)
        assert gone.wait(PATIENCE)
    finally:
        os.close(slave)


def test_what_is_no_terminal_is_not_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, writing = os.pipe()
    begun: list[object] = []
    monkeypatch.setattr(threading, "Thread", begun.append)
    terminal_watch.watch_terminal(reading)
    os.close(reading)
    os.close(writing)
    assert begun == []
