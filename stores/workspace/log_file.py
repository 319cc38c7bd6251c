"""The log of a workspace: private, turned over at a megabyte, shared by its processes.

The interface, the engines that it started and commands in other terminals write to one
file. So who finds it turned over by another process goes on in the new one, and one of
them turns it over at a time. A log that cannot be written ends nothing.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from claimscope.core.errors import StoreError
from claimscope.core.logins import without_logins
from claimscope.core.text.sanitising import sanitise
from claimscope.stores.workspace.locks import WriterLock
from claimscope.stores.workspace.paths import make_private, open_private

FOLDER = "logs"
NAME = "claimscope.log"
LARGEST = 1 << 20
KEPT = 3
"""Older files beside the present one."""
FORMAT = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"


class PrivateLog(RotatingFileHandler):
    """Writes below a workspace. Where there is no workspace yet only an error makes
    one: a command that stores nothing leaves nothing behind."""

    def __init__(self, root: Path, clean: Callable[[str], str] = str) -> None:
        """clean: blots out what must not be on disk."""
        self._root = root
        self._clean = clean
        path = root / FOLDER / NAME
        super().__init__(path, maxBytes=LARGEST, backupCount=KEPT, delay=True)
        self.setFormatter(logging.Formatter(FORMAT))

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        make_private(path.parent)
        descriptor = open_private(path, os.O_WRONLY | os.O_APPEND)
        with suppress(OSError):  # a file that was there may have been open to others
            path.chmod(0o600)
        return open(descriptor, "a", encoding="utf-8", errors="backslashreplace")

    def format(self, record: logging.LogRecord) -> str:
        """Nothing that a terminal obeys, no login."""
        return sanitise(self._clean(without_logins(super().format(record))))

    def emit(self, record: logging.LogRecord) -> None:
        """Never raises."""
        if record.levelno < logging.ERROR and not self._root.is_dir():
            return
        try:
            self._go_on()
        except (OSError, StoreError):
            return
        super().emit(record)

    def _go_on(self) -> None:
        """Goes on in the file that bears the name now."""
        if self.stream is not None:
            mine = os.fstat(self.stream.fileno())
            with suppress(OSError):
                if os.path.samestat(mine, os.stat(self.baseFilename)):
                    return
            self.stream.close()
        self.stream = self._open()

    def doRollover(self) -> None:
        """Turned over by one process; the others write on and follow."""
        with suppress(OSError, StoreError):
            with WriterLock(Path(self.baseFilename), "The log", patience=0):
                if os.stat(self.baseFilename).st_size > LARGEST // 2:
                    super().doRollover()
        self._go_on()

    def handleError(self, record: logging.LogRecord) -> None:
        """A full disk is told by who needs the disk."""


def log_files(root: Path) -> list[Path]:
    """The logs of a workspace, those of engines included; the newest first."""
    found = [path for path in (root / FOLDER).glob("*.log*") if path.is_file()]
    wanted = [p for p in found if not p.name.endswith((".lock", ".holder"))]
    return sorted(wanted, key=lambda path: path.stat().st_mtime, reverse=True)
