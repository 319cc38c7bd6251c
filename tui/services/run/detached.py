"""The engine of a run or a lab as a process of its own, followed by its journal.

A dropped line kills the viewer, not the run: the engine has a session of its own,
no terminal, and its talk goes to a log file beside the journal.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from claimscope.core.errors import StoreError
from claimscope.stores.runs.labs import LabFolder
from claimscope.stores.runs.run_store import RUN_JOURNAL
from claimscope.stores.workspace.paths import (
    Workspace,
    make_private,
    open_private,
    safe_name,
)
from claimscope.tui.process.child import command_line
from claimscope.tui.process.output import say, write_json

POLL_SECONDS = 0.1


def hand_over(
    workspace: Workspace, run_id: str, command: Sequence[str], *, json: bool
) -> int:
    """Starts the engine and tells its run's id and process; gives the exit code."""
    pid = start_engine(workspace, run_id, command)
    if json:
        write_json({"run_id": run_id, "pid": pid})
    else:
        say(f"run {run_id} goes on as process {pid}")
        print(run_id)
    return 0


def start_engine(workspace: Workspace, run_id: str, command: Sequence[str]) -> int:
    """Starts `claimscope COMMAND` on a run and waits until its journal is there.

    Gives the process id. Raises StoreError with the engine's own words when it ended
    before it began the run.
    """
    journal = workspace.runs / safe_name(run_id) / RUN_JOURNAL
    before = _size(journal)
    return start_detached(
        workspace,
        f"run {run_id}",
        safe_name(run_id),
        command,
        lambda: _size(journal) > before,
    )


def start_lab(workspace: Workspace, folder: LabFolder) -> int:
    """Starts `claimscope answers sweep --resume` on a lab and waits until it is at
    work, or has found nothing left to do. Gives the process id. Raises StoreError."""
    lab_id = folder.read().lab_id
    return start_detached(
        workspace,
        f"lab {lab_id}",
        f"{safe_name(lab_id)}-lab",
        ("answers", "sweep", "--resume", lab_id),
        folder.is_worked_on,
        may_end=True,
    )


def start_detached(
    workspace: Workspace,
    what: str,
    log_name: str,
    command: Sequence[str],
    has_begun: Callable[[], bool],
    *,
    may_end: bool = False,
) -> int:
    """A command as a process in a session of its own, its talk in a log; waits until
    it has begun and gives its id. `may_end`: to end well before is no fault. Raises
    StoreError with the process's own words."""
    log = make_private(workspace.root / "logs") / f"{log_name}.log"
    descriptor = open_private(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with os.fdopen(descriptor, "ab") as out:
        begin = out.tell()
        engine = subprocess.Popen(
            command_line(workspace, command),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    while not has_begun():
        code = engine.poll()
        if code == 0 and may_end:
            break
        if code is not None and not has_begun():
            raise StoreError(
                f"the engine ended (exit {code}) before it began {what}: "
                + (_tail(log, begin) or "it said nothing"),
                f"its log is {log}",
            )
        time.sleep(POLL_SECONDS)
    return engine.pid


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _tail(log: Path, begin: int) -> str:
    with log.open("rb") as file:
        file.seek(begin)
        return file.read()[-2000:].decode("utf-8", "replace").strip()
