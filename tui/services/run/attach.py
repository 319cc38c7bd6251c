"""A run that works elsewhere, followed in the terminal by reading its journal.

Any number of viewers may do so at once; none of them holds the run up, and leaving
leaves it alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from claimscope.core.events import Event, Noted, RunPaused, RunResumed, RunStarted
from claimscope.core.models import RunState, RunStatus
from claimscope.core.ports import ModelState, RunReader
from claimscope.core.report.text import without_traceback
from claimscope.tui.process.output import progress_bar, say
from claimscope.tui.services.run.headless import Reporter

POLL_SECONDS = 0.5
AT_WORK = ("running", "paused")


def follow_run(
    run: RunReader, *, sleep: Callable[[float], None] = time.sleep
) -> RunStatus:
    """Shows progress and notes until the run has ended or its engine is gone; gives
    how it stands then. Raises KeyboardInterrupt when the viewer leaves."""
    status = run.status()
    if status.state not in AT_WORK:
        return status
    say(f"run {status.header.run_id} is at work as process {status.pid}")
    with progress_bar() as bar:
        reporter = Reporter(bar)
        follower = _Follower(run)
        reporter.show(RunStarted(status=status))
        while status.state in AT_WORK:
            sleep(POLL_SECONDS)
            for event in follower.events():
                reporter.show(event)
            for state in follower.states():
                reporter.see(state)
            status = run.status()
            reporter.advance(status)
        for event in follower.events():
            reporter.show(event)
    return run.status()


class _Follower:
    """What is new since it was last looked at."""

    def __init__(self, run: RunReader) -> None:
        self._run = run
        self._notes = len(run.notes())
        self._state: RunState = run.status().state
        self._states: tuple[ModelState, ...] = ()

    def events(self) -> Iterator[Event]:
        """Notes and changes of state, in that order."""
        self._run.refresh()
        notes = self._run.notes()
        for _, message in notes[self._notes :]:
            yield Noted(message=without_traceback(message))
        self._notes = len(notes)
        status = self._run.status()
        if status.state != self._state:
            if status.state == "paused":
                yield RunPaused(status=status)
            elif self._state == "paused" and status.state == "running":
                yield RunResumed(status=status)
        self._state = status.state

    def states(self) -> Iterator[ModelState]:
        """What models do, where it is something else than before."""
        now = tuple(self._run.model_states())
        known = {(one.host, one.model): one.phase for one in self._states}
        for state in now:
            if known.get((state.host, state.model)) != state.phase:
                yield state
        self._states = now
