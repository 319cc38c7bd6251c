"""Write a line."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label


class NoteDialog(ModalScreen[str | None]):
    """Gives the text written (it may be empty), None when left."""

    BINDINGS = [
        Binding("escape", "leave", "Leave", id="note.leave", tooltip="Change nothing")
    ]

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        keys: str = "enter: keep   esc: leave as it was",
    ) -> None:
        super().__init__(classes="dialog")
        self._title = title
        self._text = text
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Title, line, keys."""
        with Vertical():
            yield Label(Content(self._title), classes="dialog-title")
            yield Input(self._text, id="note-text", select_on_focus=False)
            yield Label(Content(self._keys), classes="dialog-keys")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter keeps."""
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Changes nothing."""
        self.dismiss(None)
