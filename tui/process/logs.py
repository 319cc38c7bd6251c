"""Logging of the program, by the standard library: to a file of the workspace, and
warnings to standard error as well, so that nothing that changed a result is silent.

Modules log by `logging.getLogger(__name__)`; handlers are set here, while a command
runs, and taken away after it. `--help` loads this file and nothing that it logs with.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

LEVELS = ("debug", "info", "warning", "error")
VARIABLE = "CLAIMSCOPE_LOG_LEVEL"
"""How engines and searches learn the level of who started them."""
ours = logging.getLogger("claimscope")


class Talk(logging.Handler):
    """Warnings as notes on standard error: one line, no traceback, each once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """An internal error is told by who ends because of it."""
        if record.exc_info and record.levelno >= logging.ERROR:
            return
        from claimscope.core.logins import without_logins
        from claimscope.core.report.text import one_line

        text = one_line(without_logins(record.getMessage()))
        if text not in self._said:
            self._said.add(text)
            print(f"note: {text}", file=sys.stderr, flush=True)


def add_log_level(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """--log-level works before and after the command."""
    parser.add_argument(
        "--log-level",
        choices=LEVELS,
        default=default,
        help="how much is written to the log of the workspace, logs/claimscope.log "
        f"(default: {VARIABLE}, else info)",
    )


@contextmanager
def open_log(workspace: str | None, level: str | None) -> Iterator[None]:
    """The log of a workspace, open while a command runs. Raises nothing."""
    from claimscope.stores.workspace.interface_settings import workspace_root
    from claimscope.stores.workspace.log_file import PrivateLog

    wanted = level or os.environ.get(VARIABLE, "").lower()
    if level is not None:
        os.environ[VARIABLE] = level
    file = PrivateLog(workspace_root(workspace), _without_secrets)
    file.addFilter(_is_wanted)
    handlers = [file, Talk()]
    root, before, hook = logging.getLogger(), ours.level, threading.excepthook
    ours.setLevel((wanted if wanted in LEVELS else "info").upper())

    def log_thread(failed: threading.ExceptHookArgs) -> None:
        name = failed.thread.name if failed.thread else "?"
        if failed.exc_value is not None:
            ours.error("thread %s failed", name, exc_info=failed.exc_value)
        hook(failed)

    for handler in handlers:
        root.addHandler(handler)
    threading.excepthook = log_thread
    try:
        yield
    finally:
        threading.excepthook = hook
        ours.setLevel(before)
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()


def _is_wanted(record: logging.LogRecord) -> bool:
    """Libraries tell all that they do, whatever level is wanted of us."""
    return record.levelno >= logging.WARNING or record.name.startswith(ours.name)


def _without_secrets(text: str) -> str:
    """A server's error may repeat a token of the environment."""
    from claimscope.core.report.confidential import blot_out, secrets_of

    return blot_out(text, secrets_of({}, os.environ))
