"""What all screens share: the desk, the signs, the clock, and how they speak.

Screens get a `Setting` and nothing else, so that a test can open any of them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, ParamSpec, Protocol, cast

from textual.binding import Binding
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import Worker, WorkerState, get_current_worker

from claimscope.core.errors import ClaimscopeError
from claimscope.tui.ports.gateway import Gateway
from claimscope.tui.process.faults import told
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import plain
from claimscope.tui.widgets.glyphs import UNICODE, Glyphs
from claimscope.tui.widgets.table import ScreenTable

P = ParamSpec("P")
WIDE = 110
"""From this many columns on, panes stand side by side."""


@dataclass(frozen=True)
class Setting:
    """What a screen works with."""

    desk: Gateway
    now: Callable[[], datetime]
    """UTC."""
    glyphs: Glyphs = UNICODE
    by: str | None = None
    """Who gives human verdicts."""
    poll_seconds: float = 0.5
    """How often a live screen reads what was appended; at most twice a second."""

    def stamp(self) -> str:
        """Now as it is stored: UTC, ISO 8601, to the second."""
        return self.now().isoformat(timespec="seconds").replace("+00:00", "Z")


def key(
    keys: str,
    id: str,
    description: str,
    tooltip: str,
    *,
    action: str | None = None,
    show: bool = True,
    key_display: str | None = None,
    group: str | None = None,
    opens_line: bool = False,
) -> Binding:
    """A binding; id and tooltip are not optional here.

    action: None = the last word of the id. opens_line: it opens a line to type on. Such
    a key goes before all others, so that the line is there before the next key of a
    burst is taken for a command. group: word for several bindings in a row that are
    shown as one, "n/p failure".
    """
    return Binding(
        keys,
        action or id.rpartition(".")[2],
        description,
        show=show,
        key_display=key_display or ("enter" if keys == "enter" else None),
        tooltip=tooltip,
        priority=opens_line,
        id=id,
        group=Binding.Group(group) if group else None,
    )


class OpenRun(Message):
    """A run was asked for; the app knows which screen shows it."""

    def __init__(self, run_id: str, *, results: bool = False) -> None:
        super().__init__()
        self.run_id = run_id
        self.results = results
        """Show its results even when it still runs."""


class AskNewRun(Message):
    """A new run was asked for, of this suite if one was chosen."""

    def __init__(self, suite: str | None) -> None:
        super().__init__()
        self.suite = suite


class OpensScreens(Protocol):
    """What screens ask of the app."""

    def open_screen(self, name: str, *arguments: object, **named: object) -> None:
        """Puts a screen in front; see `View.open_screen`."""


class View(Screen[None]):
    """A full screen with its name, its purpose for the help, and escape to leave."""

    NAME: ClassVar[str] = ""
    PURPOSE: ClassVar[str] = ""
    PANES: ClassVar[frozenset[str]] = frozenset({"list", "text", "reader"})
    """What may have the focus, so that its keys must not be those of the screen."""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
    BINDINGS = [
        key("escape", "view.back", "back", "Back to the screen before", action="leave"),
        key(
            "question_mark",
            "view.help",
            "help",
            "All keys of this screen",
            action="app.help",
        ),
    ]

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self._last_told = ""
        self._problem: str | None = None
        if setting.glyphs is not UNICODE:
            self.add_class("-ascii")

    def action_leave(self) -> None:
        """Back."""
        self.app.pop_screen()

    def open_screen(self, name: str, *arguments: object, **named: object) -> None:
        """Puts the screen of that name (tui/screens/catalog.py) in front, made of a
        `Setting` and these arguments. Raises what making it raises."""
        cast(OpensScreens, self.app).open_screen(name, *arguments, **named)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While one types, a key that opens a line is a letter like any other."""
        if isinstance(self.focused, Input):
            for _, binding in self._bindings:
                if binding.priority and binding.action == action:
                    return False
        return super().check_action(action, parameters)

    def open_line(self, line: Input) -> None:
        """Shows a line to type on, which has the focus at once."""
        line.add_class("-open")
        self.set_focus(line)

    def tell(self, message: str, *, warning: bool = False) -> None:
        """A short message at the side of the screen."""
        self.notify(
            plain(message),
            severity="warning" if warning else "information",
            markup=False,
        )

    def tell_error(self, error: ClaimscopeError) -> None:
        """What went wrong, and the remedy."""
        self.notify(
            plain(str(error)),
            title=error.title,
            severity="error",
            timeout=12,
            markup=False,
        )

    def tell_once(self, error: Exception) -> None:
        """As tell_error, for what is tried again and again: not what was told last."""
        if repr(error) != self._last_told:
            self._last_told = repr(error)
            self.tell_error(told(error))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What a worker did not foresee is told, and nothing waits for it any more."""
        if event.state != WorkerState.ERROR or event.worker.error is None:
            return
        error = told(event.worker.error)
        self.tell_error(error)
        self.give_up(f"{error.title}: {error.message}")

    def give_up(self, words: str) -> None:
        """Panes that wait say why nothing comes; the words are kept for those that are
        painted anew when they get another size."""
        self._problem = words
        for pane in (*self.query(ScreenTable), *self.query(Document)):
            pane.give_up(words)

    def from_thread(
        self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Calls back in the screen's own thread, if the screen is still there. What
        the callback raises is raised here."""
        raised: list[Exception] = []

        def call() -> None:
            try:
                if self.is_attached:
                    callback(*args, **kwargs)
            except Exception as error:
                raised.append(error)

        if not get_current_worker().is_cancelled:
            with suppress(RuntimeError):  # the app has ended meanwhile
                self.app.call_from_thread(call)
        if raised:
            raise raised[0]
