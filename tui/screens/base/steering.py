"""Screens that follow what another process does, and steer it by requests."""

from __future__ import annotations

from typing import ClassVar

from textual.worker import Worker

from claimscope.core.models import RunState
from claimscope.core.ports import Control
from claimscope.tui.screens.base.view import ScreenContext, View


class Steering(View):
    """Follows, pauses, resumes and cancels; leaving the screen leaves it alone."""

    NOUN: ClassVar[str] = "run"

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._requested: Control | None = None
        """A request that the engine has not read yet."""
        self._reading: Worker[None] | None = None

    @property
    def state(self) -> RunState:
        """As it was read last."""
        raise NotImplementedError

    @property
    def has_engine(self) -> bool:
        """Whether a process reads requests."""
        raise NotImplementedError

    def read(self) -> Worker[None]:
        """Reads in a thread where it stands, and shows it."""
        raise NotImplementedError

    def request(self, control: Control) -> None:
        """Leaves it for the engine. Raises ClaimscopeError."""
        raise NotImplementedError

    def show_request(self) -> None:
        """Says what the engine was asked for."""
        raise NotImplementedError

    def start_again(self) -> None:
        """Starts the engine; called in a thread. Raises ClaimscopeError."""
        raise NotImplementedError

    def begin_to_follow(self) -> None:
        """Reads now, and from now on as often as the setting says."""
        self.follow()
        self.set_interval(max(self.context.poll_seconds, 0.01), self.follow)

    def follow(self) -> None:
        """One reading after the other, because what is new is told once, to the one
        that asks first."""
        if self._reading is None or self._reading.is_finished:
            self._reading = self.read()

    def forget_obeyed(self) -> None:
        """Called when it was read."""
        obeyed = {
            "pause": self.state != "running",
            "run": self.state != "paused",
            "cancel": self.state not in ("running", "paused"),
        }
        if self._requested is not None and obeyed[self._requested]:
            self._requested = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense in this state is offered."""
        if action == "pause":
            return self.state == "running"
        if action == "resume":
            return self.state not in ("running", "finished")
        if action == "cancel":
            return self.state in ("running", "paused")
        return super().check_action(action, parameters)

    def _ask(self, control: Control) -> None:
        with self.telling_errors():
            self.request(control)
            self._requested = control
            self.show_request()

    def action_pause(self) -> None:
        self._ask("pause")

    def action_resume(self) -> None:
        """Goes on: a paused engine is told so, a dead one is started again."""
        if self.has_engine:
            self._ask("run")
            return
        self.tell("Starting the engine again")
        self.in_background(self.start_again, lambda _: self.follow(), group="start")

    def action_cancel(self) -> None:
        self.confirm(
            f"Cancel this {self.NOUN}?",
            f"no, let it {'run' if self.NOUN == 'run' else 'go on'}",
            "yes, end it; what is finished stays",
            lambda: self._ask("cancel"),
        )
