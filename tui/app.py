"""The Textual app: opens screens, loads themes; everything else is elsewhere.

Its first frame is painted before anything but Textual is loaded: what a terminal far
away shows first is that something comes. Models, stores and screens load behind it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Static

from claimscope.core.errors import ClaimscopeError
from claimscope.tui.themes import ANSI, DEFAULT, SHIPPED, fits, read_themes
from claimscope.tui.widgets.flow import plain

if TYPE_CHECKING:
    from claimscope.core.ports import RunReader
    from claimscope.tui.desk import Desk
    from claimscope.tui.glyphs import Glyphs
    from claimscope.tui.screens.help import HelpKeys
    from claimscope.tui.screens.view import AskNewRun, OpenRun, Setting, View

AT_WORK = ("running", "paused", "stopped")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ClaimscopeApp(App[None]):
    """Home is the first screen; `open_run` opens a run at once."""

    TITLE = "Claimscope"
    CSS_PATH = [SHIPPED / "claimscope.tcss"]
    BINDINGS: ClassVar[list[Binding]] = [  # type: ignore[assignment]
        Binding(
            "ctrl+q",
            "quit",
            "quit",
            show=False,
            priority=True,
            id="app.quit",
            tooltip="Leave Claimscope; runs go on",
        ),
        Binding(
            "ctrl+p",
            "command_palette",
            "commands",
            show=False,
            priority=True,
            id="app.commands",
            tooltip="All commands of this screen, themes",
        ),
        Binding(
            "M",
            "metrics",
            "metrics",
            show=False,
            id="app.metrics",
            tooltip="What each metric means",
        ),
    ]

    def __init__(
        self,
        desk: Callable[[], Desk],
        *,
        open_run: str | None = None,
        step: bool = False,
        theme: str | None = None,
        theme_folders: Sequence[Path] = (),
        keymap: Mapping[str, str] | None = None,
        glyphs: Glyphs | None = None,
        now: Callable[[], datetime] = _utc_now,
        by: str | None = None,
        poll_seconds: float = 0.5,
    ) -> None:
        """
        desk: makes what the screens work with, once the first frame is painted.
        open_run: id of a run to open; with `step`, at its first failure.
        theme: name of a theme; an unknown one is told of, not fatal.
        theme_folders: the user's, read after the shipped ones.
        keymap: keys by binding id, e.g. {"step.agree": "y"}.
        """
        super().__init__()
        if "TEXTUAL_ANIMATIONS" not in os.environ:
            # Every frame of an animation is sent over the line.
            self.animation_level = "none"
        self.setting: Setting  # once there is a desk
        self.problem: ClaimscopeError | None = None
        """Why there is no desk."""
        self._desk = desk
        self._glyphs = glyphs
        self._now, self._by, self._poll_seconds = now, by, poll_seconds
        self._is_painted = threading.Event()
        self._open_run = open_run
        self._step = step
        self._wanted_theme = theme
        self._theme_folders = (SHIPPED, *theme_folders)
        if keymap:
            self.set_keymap(keymap)

    def compose(self) -> ComposeResult:
        """What is seen until Home is there."""
        yield Static("Claimscope  opening")

    def on_mount(self) -> None:
        """Themes first, then Home, then what was asked for."""
        self._load_themes()
        self.call_after_refresh(self._is_painted.set)
        self._load()

    @work(thread=True, group="load")
    def _load(self) -> None:
        """Loads what takes long, behind the first frame."""
        self._is_painted.wait()
        from claimscope.tui.glyphs import glyphs_for
        from claimscope.tui.screens.home import HomeScreen
        from claimscope.tui.screens.view import Setting

        try:
            desk = self._desk()
        except ClaimscopeError as error:
            self.problem = error
            self.call_from_thread(self.exit)
            return
        encoding = getattr(sys.__stdout__, "encoding", None)
        self.setting = Setting(
            desk,
            self._now,
            self._glyphs or glyphs_for(encoding),
            self._by,
            self._poll_seconds,
        )
        self.call_from_thread(self._begin, HomeScreen)

    def _begin(self, home: Callable[[Setting], View]) -> None:
        self.push_screen(home(self.setting))
        if self._open_run is not None:
            self._open(self._open_run, results=True, step=self._step)

    def _load_themes(self) -> None:
        themes, problems = read_themes(self._theme_folders)
        defaults = self.get_theme_variable_defaults()
        for theme in themes:
            if not theme.variables or fits(theme, self.stylesheet, defaults):
                self.register_theme(theme)
            else:
                problems.append(
                    f"Theme {theme.name!r}: one of its variables is no value that "
                    "the styles can use"
                )
        few_colours = self.console.color_system == "standard"
        wanted = self._wanted_theme or (ANSI if few_colours else DEFAULT)
        if wanted not in self.available_themes:
            known = ", ".join(sorted(self.available_themes))
            problems.append(f"There is no theme {wanted!r}; there are: {known}")
            wanted = DEFAULT
        if wanted in self.available_themes:
            self.theme = wanted
        for problem in problems:
            self.notify(
                plain(problem),
                title="Theme left out",
                severity="warning",
                timeout=10,
                markup=False,
            )

    # --- opening screens ---

    def on_open_run(self, message: OpenRun) -> None:
        """A screen asked for a run."""
        self._open(message.run_id, results=message.results)

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _open(self, run_id: str, *, results: bool, step: bool = False) -> None:
        try:
            reader = self.setting.desk.runs.read(run_id)
            state = reader.status().state
        except ClaimscopeError as error:
            self.call_from_thread(self._tell, error)
            return
        is_live = state in AT_WORK and not results
        self.call_from_thread(self._show, run_id, reader, is_live, step)

    def _show(self, run_id: str, reader: RunReader, is_live: bool, step: bool) -> None:
        from claimscope.tui.screens.live import LiveScreen
        from claimscope.tui.screens.results import ResultsScreen

        screen: View
        if is_live:
            screen = LiveScreen(self.setting, run_id, reader)
        else:
            screen = ResultsScreen(self.setting, reader, step=step)
        self.push_screen(screen)

    def _tell(self, error: ClaimscopeError) -> None:
        self.notify(
            plain(str(error)),
            title=error.title,
            severity="error",
            timeout=12,
            markup=False,
        )

    def on_ask_new_run(self, message: AskNewRun) -> None:
        """A screen asked for the form."""
        from claimscope.tui.screens.new_run import NewRunScreen

        self.push_screen(NewRunScreen(self.setting, message.suite))

    # --- help and commands ---

    def _keys(self) -> HelpKeys:
        """Keys of the screen in front and what they do, one line an action."""
        keys: dict[str, list[str]] = {}
        meanings: dict[str, str] = {}
        for _, binding, _, _ in self.screen.active_bindings.values():
            shown = self.get_key_display(binding)
            keys.setdefault(binding.action, []).append(shown)
            meanings[binding.action] = binding.tooltip or binding.description
        return [
            (" ".join(dict.fromkeys(pressed)), meanings[action])
            for action, pressed in keys.items()
            if meanings[action]
        ]

    def action_help(self) -> None:
        """Help for the screen in front."""
        from claimscope.tui.screens.catalog import SCREENS
        from claimscope.tui.screens.help import HelpScreen
        from claimscope.tui.screens.view import View

        screen = self.screen
        if isinstance(screen, HelpScreen) or not isinstance(screen, View):
            return
        screens = [(kind.NAME, kind.PURPOSE) for kind in SCREENS]
        self.push_screen(HelpScreen(self.setting, screen.NAME, self._keys(), screens))

    def action_metrics(self) -> None:
        """A page of help for each metric."""
        from claimscope.tui.screens.metrics import MetricsScreen
        from claimscope.tui.screens.view import View

        if isinstance(self.screen, View) and not isinstance(self.screen, MetricsScreen):
            self.push_screen(MetricsScreen(self.setting))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The actions of the screen in front, then Textual's own."""
        from claimscope.tui.screens.view import View

        for _, binding, enabled, _ in screen.active_bindings.values():
            if enabled and binding.tooltip and binding.id and isinstance(screen, View):
                action = binding.action
                yield SystemCommand(
                    binding.tooltip,
                    f"key {self.get_key_display(binding)}",
                    partial(self.run_action, action, screen),
                )
        yield from super().get_system_commands(screen)
