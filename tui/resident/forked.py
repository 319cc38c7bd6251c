"""What a copy of the resident engine does: it becomes the process that asks.

Then it runs the command as that process would; only standard output is kept until the
end and sent back, so that who asks prints all of it or nothing. What who
asks talks with is written as it comes.
"""

from __future__ import annotations

import gc
import io
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from claimscope.tui.resident import choice, wire

END_SECONDS = 5.0
"""For a command to end by itself when nobody waits for it any more."""


def work(
    connection: socket.socket,
    header: dict[str, Any],
    command: Callable[[list[str]], int],
) -> NoReturn:
    """Has `command` do what the header says and ends the process. Raises what reading
    it raises."""
    wire.send(connection, {"begun": True})
    _, _, files = wire.receive(connection)
    if len(files) != wire.FILES:
        raise wire.Broken("no open files")
    become(header, files)
    connection.settimeout(None)
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
    printed = io.BytesIO()
    encoding, errors = header["streams"]["stdout"]
    if header["do"] == "stream":
        sys.stdout = open(1, "w", encoding=encoding, errors=errors, closefd=False)
    else:
        sys.stdout = io.TextIOWrapper(printed, encoding, errors, newline="\n")
    code = _code(command, header["words"])
    sys.stdout.flush()
    sys.stderr.flush()
    logging.shutdown()
    wire.send(connection, {"code": code}, printed.getvalue())
    os._exit(0)


def _code(command: Callable[[list[str]], int], words: list[str]) -> int:
    try:
        return command(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2


def become(header: dict[str, Any], files: list[int]) -> None:
    """Takes folder, environment, umask and open files of who asks, and gives up what
    was the engine's. Raises OSError, KeyError."""
    gc.enable()
    choice.is_resident = True
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    logging.getLogger().handlers.clear()
    threading.excepthook = threading.__excepthook__
    os.chdir(header["cwd"])
    os.environ.clear()
    os.environ.update(header["environment"])
    time.tzset()
    os.umask(header["umask"])
    for number, file in enumerate(files):
        os.dup2(file, number)
    wire.close(files)
    encoding, errors = header["streams"]["stderr"]
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.stderr = open(
        2, "w", encoding=encoding, errors=errors, buffering=1, closefd=False
    )


def _end_with(connection: socket.socket) -> None:
    """Ends the command, as Ctrl-C does, when who asked is gone."""
    try:
        gone = not connection.recv(1)
    except OSError:
        gone = True
    if gone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(END_SECONDS)
        os._exit(1)
