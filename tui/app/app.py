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
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, work
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from claimscope.core.errors import ClaimscopeError
from claimscope.tui.app.themed import ThemedApp
from claimscope.tui.app.themes import SHIPPED
from claimscope.tui.process.faults import log_error
from claimscope.tui.widgets.bindings import key

if TYPE_CHECKING:
    from claimscope.core.ports import RunReader
    from claimscope.tui.ports.gateway import Gateway
    from claimscope.tui.screens.base.view import AskNewRun, OpenRun, ScreenContext
    from claimscope.tui.screens.help import HelpKeys
    from claimscope.tui.widgets.glyphs import Glyphs

AT_WORK = ("running", "paused", "stopped")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ClaimscopeApp(ThemedApp):
    """Home is the first screen; `open_run` opens a run at once."""

    TITLE = "Claimscope"
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
        key("M", "app.metrics", "metrics", "What each metric means", show=False),
        key("comma", "app.settings", "settings", "All settings and themes", show=False),
        key(
            "ctrl+o",
            "app.jump",
            "jump",
            "Show a letter on each pane; the letter goes there",
            show=False,
        ),
    ]

    def __init__(
        self,
        gateway: Callable[[], Gateway],
        *,
        open_run: str | None = None,
        step: bool = False,
        theme: str | None = None,
        theme_folders: Sequence[Path] = (),
        keep_theme: Callable[[str], object] | None = None,
        keymap: Mapping[str, str] | None = None,
        problems: Sequence[str] = (),
        glyphs: Glyphs | None = None,
        now: Callable[[], datetime] = _utc_now,
        by: str | None = None,
        poll_seconds: float = 0.5,
    ) -> None:
        """
        gateway: makes what the screens work with, once the first frame is painted.
        open_run: id of a run to open; with `step`, at its first failure.
        theme: name of a theme; an unknown one is told of, not fatal.
        theme_folders: the user's, read after the shipped ones.
        keep_theme: is given the name of a theme that was chosen.
        keymap: keys by binding id, e.g. {"step.agree": "y"}; what cannot be used is
            told of, not fatal.
        problems: what else was wrong with how the interface is to be, to be told.
        """
        super().__init__(theme, theme_folders, keep_theme)
        if "TEXTUAL_ANIMATIONS" not in os.environ:
            # Every frame of an animation is sent over the line.
            self.animation_level = "none"
        self.context: ScreenContext  # once there is a gateway
        self.problem: ClaimscopeError | None = None
        """Why there is no gateway, or the interface ended."""
        self._gateway = gateway
        self._glyphs = glyphs
        self._now, self._by, self._poll_seconds = now, by, poll_seconds
        self._is_painted = threading.Event()
        self._open_run = open_run
        self._step = step
        self._wanted_keys = keymap or {}
        self._problems = problems

    def compose(self) -> ComposeResult:
        yield Static("Claimscope  opening")

    def on_mount(self) -> None:
        for problem in self._problems:
            self.warn("Settings file", problem)
        self.call_after_refresh(self._is_painted.set)
        self._load()

    def on_app_blur(self, event: events.AppBlur) -> None:
        """A page in a browser is left before it opens, says Textual; then no list would
        have the keys until a click."""
        event.prevent_default()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state == WorkerState.ERROR and event.worker.error is not None:
            self.tell_error(log_error(event.worker.error))

    def _fatal_error(self) -> None:
        """In place of Textual's, which shows the values of all variables of the
        traceback: pages and answers."""
        if self._exception is not None:
            self.problem = log_error(self._exception)
        self._close_messages_no_wait()

    @work(thread=True, group="load", exit_on_error=False)
    def _load(self) -> None:
        """Loads what takes long, behind the first frame."""
        self._is_painted.wait()
        from claimscope.tui.process.output import terminal_encoding
        from claimscope.tui.screens.base.view import ScreenContext
        from claimscope.tui.screens.catalog import maker_of
        from claimscope.tui.widgets.glyphs import glyphs_for

        maker_of("home")
        try:
            gateway = self._gateway()
        except Exception as error:
            self.problem = log_error(error)
            self.call_from_thread(self.exit)
            return
        gateway.tell_losses(partial(self.warn, "A run file was cut"))
        keymap, problems = self._own_keys()
        encoding = terminal_encoding(
            getattr(sys.__stdout__, "encoding", None),
            os.environ,
            is_utf8_mode=bool(sys.flags.utf8_mode),
        )
        self.context = ScreenContext(
            gateway,
            self._now,
            self._glyphs or glyphs_for(encoding),
            self._by,
            self._poll_seconds,
        )
        self.call_from_thread(self._take_keys, keymap, problems)
        self.call_from_thread(self._begin)

    def _own_keys(self) -> tuple[Mapping[str, str], Sequence[str]]:
        """(keys that can be used, problems). All screens are loaded for it, so it is
        done only for who has keys of their own."""
        if not self._wanted_keys:
            return {}, ()
        from claimscope.tui.app.keymap import actions, usable

        return usable(self._wanted_keys, actions(type(self)))

    def _take_keys(self, keymap: Mapping[str, str], problems: Sequence[str]) -> None:
        if keymap:
            self.set_keymap(keymap)
        for problem in problems:
            self.warn("Key left out", problem)

    def _begin(self) -> None:
        from claimscope.tui.widgets.glyphs import UNICODE

        # Not CSS_PATH: the first frame need not wait for the rules of all screens.
        self.stylesheet.read(SHIPPED / "claimscope.tcss")
        self.load_themes()
        # Dialogs take their borders from here.
        self.set_class(self.context.glyphs is not UNICODE, "-ascii")
        self.open_screen("home")
        if self._open_run is not None:
            self._open(self._open_run, results=True, step=self._step)

    # --- opening screens ---

    def open_screen(self, name: str, *arguments: object, **named: object) -> None:
        """Puts a screen of the table in front (OpensScreens)."""
        from claimscope.tui.screens.catalog import maker_of

        self.push_screen(maker_of(name)(self.context, *arguments, **named))

    def _is_at(self, name: str) -> bool:
        """Whether the screen in front cannot be left for this one: it is this one, or
        a dialog."""
        from claimscope.tui.screens.base.view import View
        from claimscope.tui.screens.catalog import maker_of

        kind = cast(type[View], maker_of(name))
        return isinstance(self.screen, kind) or not isinstance(self.screen, View)

    def on_open_run(self, message: OpenRun) -> None:
        self._open(message.run_id, results=message.results)

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _open(self, run_id: str, *, results: bool, step: bool = False) -> None:
        from claimscope.tui.screens.catalog import maker_of

        try:
            reader = self.context.gateway.runs.read(run_id)
            state = reader.status().state
        except Exception as error:
            self.call_from_thread(self.tell_error, log_error(error))
            return
        is_live = state in AT_WORK and not results
        for name in ("run",) if is_live else ("results", "stepper"):
            maker_of(name)  # loaded in this thread: the keys need not wait for it
        self.call_from_thread(self._show, run_id, reader, is_live, step)

    def _show(self, run_id: str, reader: RunReader, is_live: bool, step: bool) -> None:
        if is_live:
            self.open_screen("run", run_id, reader)
        else:
            self.open_screen("results", reader, step=step)

    def on_ask_new_run(self, message: AskNewRun) -> None:
        self.open_screen("new-run", message.suite)

    # --- help and commands ---

    def _keys(self) -> list[HelpKeys]:
        """Keys of what is focused, of the screen and of everywhere."""
        from claimscope.tui.screens.help import HelpKeys

        focused, screen = self.focused, self.screen
        title = str(getattr(focused, "border_title", None) or "")
        sections = {
            "widget": HelpKeys(f"Keys of the pane in hand: {title}".rstrip(": "), []),
            "screen": HelpKeys(f"Keys: {getattr(screen, 'NAME', '')}", []),
            "app": HelpKeys("Keys everywhere", []),
        }
        pressed: dict[tuple[str, str], list[str]] = {}
        for node, binding, _, meaning in screen.active_bindings.values():
            is_general = node is self or (binding.id or "").startswith("view.")
            part = "app" if is_general else "screen" if node is screen else "widget"
            text = binding.tooltip or meaning or binding.description
            if text:
                keys = pressed.setdefault((part, text), [])
                keys.append(self.get_key_display(binding))
        for (part, text), keys in pressed.items():
            sections[part].keys.append((" ".join(dict.fromkeys(keys)), text))
        order = ("screen", "widget", "app")
        return [sections[part] for part in order if sections[part].keys]

    def action_help(self) -> None:
        """Help for what is focused and for the screen in front."""
        if self._is_at("help"):
            return
        from claimscope.tui.screens.catalog import listed_screens

        screens = [(kind.NAME, kind.PURPOSE) for kind in listed_screens()]
        self.open_screen("help", self._keys(), screens)

    def action_metrics(self) -> None:
        if not self._is_at("metrics"):
            self.open_screen("metrics")

    def action_settings(self) -> None:
        if not self._is_at("settings"):
            self.open_screen("settings")

    def action_jump(self) -> None:
        from claimscope.tui.app.jump import JumpOverlay
        from claimscope.tui.screens.base.view import View

        screen = self.screen
        if isinstance(screen, View):

            def go(found: Widget | None) -> None:
                if found is not None:
                    screen.set_focus(found)

            self.push_screen(JumpOverlay(screen), go)

    def copy_to_clipboard(self, text: str) -> None:
        """By OSC 52, through tmux and screen as well."""
        self._clipboard = text
        if self._driver is not None:
            from claimscope.tui.app.clipboard import osc52

            self._driver.write(osc52(text, os.environ))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The actions of the screen in front, then Textual's own."""
        from claimscope.tui.screens.base.view import View

        for _, binding, enabled, _ in screen.active_bindings.values():
            if enabled and binding.tooltip and binding.id and isinstance(screen, View):
                action = binding.action
                yield SystemCommand(
                    binding.tooltip,
                    f"key {self.get_key_display(binding)}",
                    partial(self.run_action, action, screen),
                )
        yield from super().get_system_commands(screen)
