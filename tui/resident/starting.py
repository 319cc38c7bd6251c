"""The resident engine as a process of its own, detached from the terminal."""

from __future__ import annotations

import subprocess
import sys
import time

from claimscope.tui.resident.place import is_possible, socket_path

NEEDS = "a resident engine needs Linux"
IDLE_MINUTES = 15.0
"""Without a check, after which the engine ends."""
POLL_SECONDS = 0.05


def start(idle_minutes: float = IDLE_MINUTES) -> subprocess.Popen[bytes] | None:
    """Starts it, unless one is there by then; None where there can be none. It is not
    waited for."""
    if not is_possible():
        print(f"note: {NEEDS}; judged in this process", file=sys.stderr)
        return None
    words = ["serve", "daemon", "run", "--idle", str(idle_minutes)]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "claimscope", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )


def wait_for_socket(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether an engine listens after that time at the latest; one that ends without
    an error does so because another is being loaded."""
    until = time.monotonic() + seconds
    while not socket_path().exists():
        if process.poll() not in (None, 0) or time.monotonic() > until:
            return False
        time.sleep(POLL_SECONDS)
    return True
