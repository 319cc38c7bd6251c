"""Write a line."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from claimscope.tui.dialogs.dialog import Dialog


class NoteDialog(Dialog[str]):
    """Gives the text written (it may be empty), None when left."""

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        keys: str = "enter: keep   esc: leave as it was",
    ) -> None:
        super().__init__(title)
        self._text = text
        self._keys = keys

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heading()
            yield Input(self._text, id="note-text", select_on_focus=False)
            yield self.keys(self._keys)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
