"""The engine of a lab as a process of its own, as runs have (run/detached.py)."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from claimscope.core.errors import StoreError
from claimscope.stores.runs.labs import LabFolder
from claimscope.stores.workspace.paths import (
    Workspace,
    make_private,
    open_private,
    safe_name,
)

POLL_SECONDS = 0.1
TAIL = 2000


def start_lab(workspace: Workspace, folder: LabFolder) -> int:
    """Starts `claimscope answers sweep --resume` on a lab, waits until it is at work
    and gives the process id. Raises StoreError with the engine's own words when it
    ended before."""
    lab_id = folder.read().lab_id
    log = make_private(workspace.root / "logs") / f"{safe_name(lab_id)}-lab.log"
    descriptor = open_private(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with os.fdopen(descriptor, "ab") as out:
        begin = out.tell()
        engine = subprocess.Popen(
            [
                sys.executable,
                "-P",  # no module of the folder we happen to be in
                "-m",
                "claimscope",
                "--workspace",
                str(workspace.root),
                "answers",
                "sweep",
                "--resume",
                lab_id,
            ],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    while not folder.is_worked_on():
        code = engine.poll()
        if code == 0:
            break  # there was nothing left to do
        if code is not None:
            with log.open("rb") as file:
                file.seek(begin)
                words = file.read()[-TAIL:].decode("utf-8", "replace").strip()
            raise StoreError(
                f"the engine ended (exit {code}) before it began lab {lab_id}: "
                + (words or "it said nothing"),
                f"its log is {log}",
            )
        time.sleep(POLL_SECONDS)
    return engine.pid
