"""An app that sends a terminal only what changes on it (tui/app/painter.py)."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from rich.console import RenderableType
from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.binding import Binding
from textual.screen import Screen

from claimscope.tui.app.painter import Painter, erases_in_colour
from claimscope.tui.widgets.bindings import key


class ThriftyApp(App[None]):
    """Writes differences. What else wrote on the terminal is painted over on a key."""

    BINDINGS: ClassVar[list[Binding]] = [  # type: ignore[assignment]
        key(
            "ctrl+l",
            "app.repaint",
            "repaint",
            "Paint the whole screen again",
            show=False,
        )
    ]

    def __init__(self) -> None:
        super().__init__()
        self._painter = Painter(erases=erases_in_colour(os.environ))

    def on_mount(self) -> None:
        """Somebody else has the terminal while the app is stopped."""
        self.app_resume_signal.subscribe(self, lambda app: self._painter.forget())

    def on_resize(self, event: events.Resize) -> None:
        """A terminal that was resized may show anything."""
        self._painter.forget()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """No cursor blinks: each blink is sent over the line."""
        field: Any = event.widget
        if getattr(field, "cursor_blink", False):
            field.cursor_blink = False

    def action_repaint(self) -> None:
        """Paints the whole screen again."""
        self._painter.forget()
        self.refresh(layout=True)

    def _display(
        self, screen: Screen[object], renderable: RenderableType | None
    ) -> None:
        """As Textual's, of which it is the one place that writes frames."""
        if isinstance(renderable, CompositorUpdate) and self._writes():
            size = (self.size.width, self.size.height)
            renderable = self._painter.changes(renderable, size, self.console)
        super()._display(screen, renderable)

    def _writes(self) -> bool:
        """Whether Textual will write what it is given now."""
        return (
            self._running
            and not self._closed
            and not self._batch_count
            and not self.is_headless
            and self._driver is not None
            and not self._driver.is_inline
        )
