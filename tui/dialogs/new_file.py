"""Name a file to write, with what lies there offered while one types."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from claimscope.tui.dialogs.dialog import Dialog
from claimscope.tui.dialogs.folder import PathSuggester
from claimscope.tui.widgets.flow import plain


class NewFileDialog(Dialog[Path]):
    """Gives an absolute path, None when left. A file that is there already is written
    over only when enter is pressed a second time."""

    def __init__(self, title: str, path: str) -> None:
        super().__init__(title)
        self._path = path
        self._warned: Path | None = None

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heading()
            yield Input(
                self._path,
                placeholder="file (→ takes what is offered)",
                suggester=PathSuggester(folders_only=False),
                select_on_focus=False,
            )
            yield Label("", id="file-problem")
            yield self.keys("enter: write   esc: leave")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        written = event.value.strip()
        path = Path(written).expanduser().absolute()
        if not written:
            self._say("name a file")
        elif path.is_dir():
            self._say(f"{written} is a folder: add a name")
        elif path.exists() and path != self._warned:
            self._warned = path
            self._say("It is there already: enter writes over it.")
        else:
            self.dismiss(path)

    def _say(self, words: str) -> None:
        self.query_one("#file-problem", Label).update(Content(plain(words)))
