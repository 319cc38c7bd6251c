"""What a person may ask of an engine that works elsewhere: pause, go on, cancel.

A request is left beside the journal, and the engine reads it within a third of a
second. It is never waited for without end: an engine that is gone is told so.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from claimscope.core.errors import StoreError
from claimscope.core.models import RunState, RunStatus
from claimscope.core.ports import Control, RunReader
from claimscope.core.report.views.run_status import saved_words
from claimscope.tui.process.output import say, write_json

POLL_SECONDS = 0.2
DONE: dict[Control, tuple[RunState, ...]] = {
    "pause": ("paused",),
    "run": ("running", "finished"),
    "cancel": ("cancelled", "finished"),
}
"""States in which a request is fulfilled."""
WORDS: dict[Control, str] = {
    "pause": "pause: what is in flight is finished first",
    "run": "go on",
    "cancel": "cancel: what is finished stays",
}


def steer(
    run: RunReader,
    control: Control,
    *,
    wait: bool = False,
    json: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Leaves a request to the engine of a run; gives the exit code.

    `wait`: until it is fulfilled, or the engine has ended otherwise. Raises
    StoreError when no engine is at work on the run.
    """
    status = run.status()
    if status.pid is None:
        raise no_engine(status)
    if status.state not in DONE[control] or run.requested_control() != control:
        run.ask(control)
    while wait and status.state not in DONE[control] and status.pid is not None:
        sleep(POLL_SECONDS)
        run.refresh()
        status = run.status()
    is_done = status.state in DONE[control]
    if json:
        write_json(
            {
                "run_id": status.header.run_id,
                "asked": control,
                "state": status.state,
                "completed": status.completed,
                "pid": status.pid,
            }
        )
    elif is_done:
        say(f"run {status.header.run_id} is {status.state}")
    else:
        say(
            f"run {status.header.run_id} (process {status.pid}) was asked to "
            f"{WORDS[control]}"
        )
    return 0 if is_done or not wait else 3


def no_engine(status: RunStatus) -> StoreError:
    """The error for a run that nobody works on."""
    run_id = status.header.run_id
    hint = f"`claimscope runs resume {run_id}` goes on with it."
    if status.state == "finished":
        hint = f"`claimscope runs show {run_id}` prints it."
    return StoreError(
        f"No engine is at work on run {run_id}: it is {status.state}, with "
        f"{saved_words(status)} saved.",
        hint,
    )
