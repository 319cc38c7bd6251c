"""Jump mode: each pane, field and list gets a letter; the letter goes there.

One key and a letter reach any part of a screen, where tab would need as many presses
as there are parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from claimscope.tui.widgets.bindings import key

LETTERS = "asdfghjklqwertyuiopzxcvbnm"


class Letter(Static):
    """The letter on a part of the screen."""

    DEFAULT_CSS = """
    Letter {
        width: auto; height: 1; position: absolute;
        background: $accent; color: $background; text-style: bold reverse;
    }
    """


class JumpOverlay(ModalScreen[Widget | None]):
    """Lies over a screen; gives the part that was chosen, None when left."""

    DEFAULT_CSS = "JumpOverlay { background: transparent; }"
    BINDINGS = [key("escape", "jump.leave", "Leave", "Go nowhere")]

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        self.places = dict(zip(LETTERS, reachable(below), strict=False))

    def compose(self) -> ComposeResult:
        for letter, widget in self.places.items():
            sign = Letter(Content(f"[{letter}]"))
            sign.absolute_offset = Offset(widget.region.x, widget.region.y)
            yield sign

    def on_key(self, event: events.Key) -> None:
        """Its letter chooses a part; any other key is let be."""
        widget = self.places.get(event.character or "")
        if widget is not None:
            event.stop()
            self.dismiss(widget)

    def action_leave(self) -> None:
        self.dismiss(None)


def reachable(screen: Screen[Any]) -> Sequence[Widget]:
    """What can be focused and is on the screen, from top to bottom."""
    found: Iterable[Widget] = (
        widget for widget in screen.focus_chain if widget.region.area
    )
    return sorted(found, key=lambda widget: (widget.region.y, widget.region.x))
