"""Screens with a line to search on, above the list that it narrows."""

from __future__ import annotations

from typing import ClassVar

from textual.widgets import Input

from claimscope.tui.screens.base.view import View


class Searching(View):
    """Narrows as one types; enter goes to the list, escape closes the line."""

    LINE: ClassVar[str] = ""
    """Id of the line."""
    LIST: ClassVar[str] = ""
    """Id of the list."""

    def search(self, text: str) -> None:
        """Shows only what has this text in it."""
        raise NotImplementedError

    @property
    def _line(self) -> Input:
        return self.query_one(f"#{self.LINE}", Input)

    def action_search(self) -> None:
        self.open_line(self._line)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.search(event.value.strip())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """An empty line closes the search."""
        if not event.value.strip():
            self._line.remove_class("-open")
        self.query_one(f"#{self.LIST}").focus()

    def action_leave(self) -> None:
        """First closes the search, then leaves."""
        if self._line.has_class("-open"):
            self.close_line(self._line, self.query_one(f"#{self.LIST}"))
        else:
            super().action_leave()
