"""What all dialogs are: a title, something to choose or write, the keys, and a way
out."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from claimscope.tui.widgets.bindings import key

T = TypeVar("T")


class Dialog(ModalScreen[T | None], Generic[T]):
    """Gives what was chosen or written, None when left."""

    BINDINGS = [key("escape", "dialog.leave", "Leave", "Change nothing")]

    def __init__(self, title: str) -> None:
        super().__init__(classes="dialog")
        self._title = title

    def heading(self) -> Label:
        return Label(Content(self._title), classes="dialog-title")

    def keys(self, text: str) -> Label:
        """What the keys do, at the bottom."""
        return Label(Content(text), classes="dialog-keys")

    def action_leave(self) -> None:
        self.dismiss(None)
