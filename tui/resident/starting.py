"""The resident engine as a process of its own, detached from the terminal."""

from __future__ import annotations

import subprocess
import sys

from claimscope.tui.resident.place import is_possible

IDLE_MINUTES = 15.0
"""Without a check, after which the engine ends."""


def start(idle_minutes: float = IDLE_MINUTES) -> subprocess.Popen[bytes] | None:
    """Starts it, unless one is there by then; None where there can be none. It is not
    waited for."""
    if not is_possible():
        print(
            "note: a resident engine needs Linux; judged in this process",
            file=sys.stderr,
        )
        return None
    words = ["daemon", "run", "--idle", str(idle_minutes)]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "claimscope", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )
