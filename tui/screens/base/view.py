"""What all screens share: the gateway, the signs, the clock, and how they speak.

Screens get a `ScreenContext` and nothing else, so that a test can open any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, ParamSpec, Protocol, TypeVar, cast

from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import Worker, WorkerState, get_current_worker

from claimscope.core.errors import ClaimscopeError
from claimscope.core.report.view import Column, Part, Row
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.ports.gateway import Gateway
from claimscope.tui.process.faults import log_error
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document, Reader
from claimscope.tui.widgets.flow import WAITING, plain
from claimscope.tui.widgets.glyphs import UNICODE, Glyphs
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import cells, paragraphs
from claimscope.tui.widgets.table import ScreenColumn, ScreenTable

P = ParamSpec("P")
T = TypeVar("T")
WIDE = 110
"""From this many columns on, panes stand side by side."""


@dataclass(frozen=True)
class ScreenContext:
    """What a screen works with."""

    gateway: Gateway
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

    def __init__(self, context: ScreenContext) -> None:
        super().__init__()
        self.context = context
        self._last_told = ""
        self._problem: str | None = None
        if context.glyphs is not UNICODE:
            self.add_class("-ascii")

    def action_leave(self) -> None:
        self.app.pop_screen()

    def open_screen(self, name: str, *arguments: object, **named: object) -> None:
        """Puts the screen of that name (tui/screens/catalog.py) in front, made of a
        `ScreenContext` and these arguments. Raises what making it raises."""
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

    def close_line(self, line: Input, then: Widget) -> None:
        """Empties and hides it; the focus goes to what it stands above."""
        line.clear()
        line.remove_class("-open")
        then.focus()

    # --- panes ---

    def list_pane(
        self, id: str, columns: Sequence[ScreenColumn] = (), *, empty: str = WAITING
    ) -> ScreenTable:
        """A list with a frame. empty: what stands there until there are rows."""
        more = self.context.glyphs.more
        return ScreenTable(columns, id=id, classes="pane", empty=empty, more=more)

    def show_rows(
        self, id: str, rows: Sequence[Row], columns: Sequence[Column], empty: str
    ) -> None:
        """Fills a list with the rows of a view."""
        glyphs = self.context.glyphs
        self.query_one(f"#{id}", ScreenTable).show(
            len(rows), lambda row: cells(rows[row], columns, 0, glyphs), empty
        )

    def show_parts(self, id: str, parts: Iterable[Part]) -> None:
        """Fills a text pane with a view."""
        lines = list(paragraphs(parts, self.context.glyphs))
        self.query_one(f"#{id}", Document).show(lines)

    def title_panes(self, **titles: str) -> None:
        """Writes into the frames of panes, each by its id with _ for -."""
        for id, title in titles.items():
            self.query_one(f"#{id.replace('_', '-')}").border_title = title

    def under_cursor(self, id: str, rows: Sequence[T]) -> T | None:
        """What the cursor of a list stands on, of what it lists."""
        row = self.query_one(f"#{id}", ScreenTable).cursor
        return rows[row] if row < len(rows) else None

    # --- questions ---

    def choose(
        self,
        title: str,
        choices: Sequence[Choice],
        then: Callable[[str], object],
        chosen: str | None = None,
    ) -> None:
        """Asks for one of them; nothing is done when the person leaves."""

        def answered(value: str | None) -> None:
            if value is not None:
                then(value)

        self.app.push_screen(ChoiceDialog(title, choices, chosen), answered)

    def confirm(
        self, question: str, no: str, yes: str, then: Callable[[], object]
    ) -> None:
        """Asks before it does something."""
        choices = [Choice("no", no, "n"), Choice("yes", yes, "y")]
        self.choose(question, choices, lambda value: value == "yes" and then())

    # --- what went wrong ---

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

    @contextmanager
    def telling_errors(self) -> Iterator[None]:
        """An error is told, and ends what is done here."""
        try:
            yield
        except ClaimscopeError as error:
            self.tell_error(error)

    def tell_once(self, error: Exception) -> None:
        """As tell_error, for what is tried again and again: not what was told last."""
        if repr(error) != self._last_told:
            self._last_told = repr(error)
            self.tell_error(log_error(error))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What a worker did not foresee is told, and nothing waits for it any more."""
        if event.state != WorkerState.ERROR or event.worker.error is None:
            return
        error = log_error(event.worker.error)
        self.tell_error(error)
        self.give_up(f"{error.title}: {error.message}")

    def give_up(self, words: str) -> None:
        """Panes that wait say why nothing comes; the words are kept for those that are
        painted anew when they get another size."""
        self._problem = words
        for pane in (*self.query(ScreenTable), *self.query(Document)):
            pane.give_up(words)

    def in_background(
        self,
        work: Callable[[], T],
        then: Callable[[T], object],
        failed: Callable[[ClaimscopeError], object] | None = None,
        *,
        group: str,
    ) -> Worker[None]:
        """Works in a thread, then calls back in the screen's own. failed: what to do
        about an error, instead of telling it. group: a later work ends an earlier
        one."""

        def run() -> None:
            try:
                found = work()
            except Exception as error:
                self.from_thread(failed or self.tell_error, log_error(error))
            else:
                self.from_thread(then, found)

        return self.run_worker(
            run, thread=True, exclusive=True, group=group, exit_on_error=False
        )

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


class TextScreen(View):
    """One text to scroll, which has the screen to itself."""

    TEXT: ClassVar[str] = ""
    """Id of its pane."""

    def compose(self) -> ComposeResult:
        yield Reader(id=self.TEXT, classes="pane")
        yield KeyBar()

    @property
    def reader(self) -> Reader:
        return self.query_one(Reader)
