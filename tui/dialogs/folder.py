"""Name a folder or a file, with what lies there offered while one types."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, Label

from claimscope.tui.dialogs.dialog import Dialog
from claimscope.tui.widgets.flow import plain

MOST_LOOKED_AT = 2000
"""Names of a folder; more are not gone through while somebody types."""


class NamedPath(NamedTuple):
    """What was written."""

    path: Path
    """Absolute."""
    name: str | None
    """None = none was written."""


class PathSuggester(Suggester):
    """Offers the first name of a folder that begins with what is written."""

    def __init__(self, *, folders_only: bool) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._folders_only = folders_only

    async def get_suggestion(self, value: str) -> str | None:
        """The whole path; None when nothing fits."""
        head, tail = os.path.split(value)
        if not tail:
            return None
        try:
            with os.scandir(Path(head or ".").expanduser()) as entries:
                for number, entry in enumerate(entries):
                    if number >= MOST_LOOKED_AT:
                        return None
                    if entry.name.startswith(tail) and (
                        entry.is_dir() or not self._folders_only
                    ):
                        slash = "/" if entry.is_dir() else ""
                        return os.path.join(head, entry.name) + slash
        except OSError:
            pass
        return None


class PathDialog(Dialog[NamedPath]):
    """Gives a path that exists, None when left."""

    def __init__(
        self, title: str, *, folder: bool, path: str = "", asks_name: bool = False
    ) -> None:
        super().__init__(title)
        self._is_folder = folder
        self._path = path
        self._asks_name = asks_name

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heading()
            yield Input(
                self._path,
                placeholder="path (→ takes what is offered)",
                id="path-path",
                suggester=PathSuggester(folders_only=self._is_folder),
                select_on_focus=False,
            )
            if self._asks_name:
                yield Input(placeholder="name (empty: the folder's)", id="path-name")
            yield Label("", id="path-problem")
            keys = "enter: go   tab: name   esc: leave"
            keys = keys if self._asks_name else "enter: go   esc: leave"
            yield self.keys(keys)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        written = self.query_one("#path-path", Input).value.strip()
        path = Path(written).expanduser().absolute()
        kind = "folder" if self._is_folder else "file"
        if not written:
            self._say(f"name a {kind}")
        elif not path.exists():
            self._say(f"there is no {kind} {written}")
        elif self._is_folder and not path.is_dir():
            self._say(f"{written} is a file, not a folder")
        else:
            name = ""
            if self._asks_name:
                name = self.query_one("#path-name", Input).value.strip()
            self.dismiss(NamedPath(path, name or None))

    def _say(self, words: str) -> None:
        self.query_one("#path-problem", Label).update(Content(plain(words)))
