"""The command line as a consumer of a run's events: progress, signals, summary."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field, replace

from claimscope.core.events import (
    Event,
    Noted,
    RunFinished,
    RunPaused,
    RunResumed,
    RunStarted,
    SampleFinished,
)
from claimscope.core.models import RunStatus
from claimscope.core.ports import ModelState, OnProgress, Progress, RunWriter
from claimscope.core.report.text import one_line
from claimscope.core.run.engine import Evaluate, Stop, execute
from claimscope.core.run.plan import JudgeAgain, RunPlan
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.process.output import duration, progress_bar, say
from claimscope.tui.services.models.status import state_words
from claimscope.tui.services.run.parts import ModelWatch

LINE_SECONDS = 10.0
"""Without a terminal, one line of progress at most this often."""


@dataclass
class Reporter:
    """Turns events into a bar on a terminal, else into a line now and then."""

    bar: OnProgress | None
    started: float = field(default_factory=time.monotonic)
    first: int = 0
    said: float = 0.0
    shown: Progress | None = None
    states: dict[tuple[str, str], ModelState] = field(default_factory=dict)
    """What each model on each host does now."""
    waited: float = -LINE_SECONDS
    """When a line last said that a model is waited for."""

    def show(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self.first = event.status.completed
            self._begin(event.status)
        elif isinstance(event, SampleFinished):
            self.advance(event.status)
        elif isinstance(event, Noted):
            say(f"note: {one_line(event.message)}")
        elif isinstance(event, RunPaused):
            say(f"paused after {counted_noun(event.status.completed, 'sample')}")
        elif isinstance(event, RunResumed):
            say("going on")

    def _begin(self, status: RunStatus) -> None:
        header = status.header
        line = f"run {header.run_id}: {counted_noun(header.total_samples, 'sample')}"
        if status.completed:
            line += f", {status.completed} of them done before"
        say(line)
        self._draw(Progress("judging", self.first, header.total_samples, 0.0, None))

    def see(self, state: ModelState) -> None:
        """Shows what a model does: beside the bar, or as a line when it takes long."""
        self.states[state.host, state.model] = state
        if self.bar is not None:
            if self.shown is not None:
                self._draw(self.shown)
        elif state.phase in ("loading", "queued"):
            now = time.monotonic() - self.started
            if now - self.waited >= LINE_SECONDS:
                self.waited = now
                say(one_line(state_words(state)))

    def _draw(self, progress: Progress) -> None:
        if self.bar is not None:
            self.shown = progress
            busy = [s for s in self.states.values() if s.phase != "idle"]
            note = one_line("; ".join(map(state_words, busy)))
            self.bar(replace(progress, note=note))

    def advance(self, status: RunStatus) -> None:
        """Shows how far the run is."""
        seconds = time.monotonic() - self.started
        done, total = status.completed, status.header.total_samples
        step = Progress.paced("judging", done, total, seconds, self.first)
        if self.bar is not None:
            self._draw(step)
        elif seconds - self.said >= LINE_SECONDS and done < total:
            self.said = seconds
            say(
                f"{done}/{counted_noun(total, 'sample')}, {step.rate:.1f}/s, "
                f"{duration(step.eta_seconds)} left"
            )


async def follow(
    plan: RunPlan,
    evaluate: Evaluate,
    journal: RunWriter,
    *,
    again: JudgeAgain | None = None,
    watch: ModelWatch | None = None,
    room: Callable[[], int] | None = None,
    heard: Callable[[Event], None] | None = None,
    stop_on_error: bool = False,
) -> RunStatus:
    """Runs plan to its end, or to the end of what is in flight after a signal.
    `watch` tells what the models do meanwhile; `room`, `stop_on_error`:
    see `execute`;
    `heard`: whoever else wants to know."""
    stop = Stop()
    status = journal.status()
    with progress_bar() as bar, stopping(stop):
        reporter = Reporter(bar)
        if watch is not None:
            watch.add(reporter.see)
        events = execute(
            plan,
            evaluate,
            journal,
            stop=stop,
            again=again,
            room=room,
            stop_on_error=stop_on_error,
        )
        async with aclosing(events):
            async for event in events:
                reporter.show(event)
                if heard is not None:
                    heard(event)
                if isinstance(event, RunFinished):
                    status = event.status
    return status


def is_detached() -> bool:
    """Whether this process leads a session of its own without a terminal, as
    tui/services/run/detached.py starts it."""
    if sys.platform == "win32":
        return False
    return os.getsid(0) == os.getpid() and not (sys.stdin and sys.stdin.isatty())


@contextmanager
def stopping(stop: Stop) -> Iterator[None]:
    """SIGINT and SIGTERM finish what is in flight; a second one ends at once.

    A hang-up does the same where a person follows the run in the terminal that went
    away; a detached engine, or one under nohup, lives on.
    """
    loop = asyncio.get_running_loop()
    signals = [signal.SIGINT, signal.SIGTERM]

    def ask() -> None:
        if stop.requested:
            raise KeyboardInterrupt
        stop.request()
        with suppress(OSError):  # the terminal may be gone
            say("stopping: what is in flight is finished and saved (again: at once)")

    if sys.platform != "win32":
        if is_detached():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        elif signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signals.append(signal.SIGHUP)
        for number in signals:
            loop.add_signal_handler(number, ask)
    try:
        yield
    finally:
        if sys.platform != "win32":
            for number in signals:
                loop.remove_signal_handler(number)
