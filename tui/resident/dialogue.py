"""Commands that the interface talks with, done by the resident engine where one runs.

A search needs 0.6 s of processor time to load what the engine holds already. Where the
engine cannot be had, the interface starts a process of its own, and the log says why.
"""

from __future__ import annotations

import argparse
import logging
import os
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.process.child import close_streams
from claimscope.tui.resident import wire
from claimscope.tui.resident.choice import mode_of
from claimscope.tui.resident.client import Unusable, open_stream, read_answer
from claimscope.tui.resident.place import is_possible
from claimscope.tui.resident.starting import start

log = logging.getLogger(__name__)
TOLD: set[str] = set()
STARTED: list[subprocess.Popen[bytes]] = []


class ResidentDialogue:
    """With a copy of the engine (tui.process.child.Dialogue)."""

    def __init__(self, words: Sequence[str]) -> None:
        """Raises FileNotFoundError where no engine runs, Unusable, OSError."""
        pipes = [os.pipe() for _ in range(wire.FILES)]
        (given, asked), (answers, printed), (talk, said) = pipes
        try:
            self._connection = open_stream(words, [given, printed, said])
        except BaseException:
            wire.close([asked, answers, talk])
            raise
        finally:
            wire.close([given, printed, said])
        self.stdin: IO[str] = open(asked, "w", encoding="utf-8")
        self.stdout: IO[str] = open(answers, encoding="utf-8", errors="replace")
        self.stderr: IO[str] = open(talk, encoding="utf-8", errors="replace")

    def code(self) -> int | None:
        """None where the engine's copy broke off; the log says it."""
        try:
            return read_answer(self._connection).code
        except Unusable as error:
            _say(str(error))
            return None

    def end(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        close_streams(self)
        self._connection.close()


def by_resident(workspace: Workspace, words: Sequence[str]) -> ResidentDialogue | None:
    """Begins `claimscope WORDS` in the engine; None where it has to be done by another.
    Where one is wanted and none runs, one is started for the next time."""
    root = str(workspace.root)
    mode = mode_of(argparse.Namespace(daemon=None, workspace=root))
    if mode == "off" or not is_possible():
        return None
    try:
        return ResidentDialogue(["--workspace", root, *words])
    except FileNotFoundError:
        if mode == "start" and not any(one.poll() is None for one in STARTED):
            STARTED[:] = [one for one in (start(),) if one is not None]
    except (OSError, Unusable) as error:
        _say(str(error))
    return None


def _say(why: str) -> None:
    """Once for each reason."""
    if why not in TOLD:
        TOLD.add(why)
        log.info(
            "the resident engine is not used: %s; done in a process of its own", why
        )
