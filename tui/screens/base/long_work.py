"""Screens on which something takes long: one at a time, step by step, to be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from textual.worker import get_current_worker

from claimscope.core.errors import ClaimscopeError
from claimscope.core.report.view import Prose, error_line, line
from claimscope.tui.process.output import at_most_every
from claimscope.tui.screens.base.view import ScreenContext, View

Step = TypeVar("Step")
Result = TypeVar("Result")
GROUP = "work"
SHOW_SECONDS = 0.5


class LongWork(View, Generic[Step]):
    """Says in a pane below what is done and how far it is."""

    PROGRESS: ClassVar[str] = ""
    """Id of the pane."""

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self.at_work: str | None = None
        """What it is done on; None = nothing is at work."""

    def say(self, *lines: Prose) -> None:
        """In the pane below."""
        self.show_parts(self.PROGRESS, lines)

    def begin_work(
        self,
        on: str,
        first: Prose,
        work: Callable[[Callable[[Step], None], Callable[[], bool]], Result],
        show: Callable[[Step], Prose],
        then: Callable[[Result], object],
        kind: Callable[[Step], str],
    ) -> None:
        """Begins in a thread. work: is given what takes its steps and what says that
        it is stopped; what it gives is falsy when it was. kind: of a step, of which
        another one is shown at once."""
        self.at_work = on
        self.say(first)
        self.refresh_bindings()

        def take(step: Step) -> None:
            if self.at_work is not None:
                self.say(show(step))

        def run() -> Result:
            worker = get_current_worker()
            tell: Callable[[Step], None] = at_most_every(
                SHOW_SECONDS, lambda step: self.from_thread(take, step), kind
            )
            return work(tell, lambda: worker.is_cancelled)

        def end(result: Result) -> None:
            self._end()
            if result:
                then(result)

        self.in_background(run, end, self.say_failed, group=GROUP)

    def say_failed(self, error: ClaimscopeError) -> None:
        """Nothing is at work any more."""
        self._end()
        self.say(error_line(error))

    def stop_work(self, words: str) -> None:
        """Ends it. words: what is kept."""
        on = self.at_work
        self.workers.cancel_group(self, GROUP)
        self._end()
        self.say(line(f"{on}: {words}"))

    def _end(self) -> None:
        self.at_work = None
        self.refresh_bindings()
