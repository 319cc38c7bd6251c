"""A pane of wrapped text that scrolls to the place in hand.

Draws only the lines on the screen (Line API), so a very long answer costs no more
than a short one.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.flow import (
    WAITING,
    Line,
    Paragraph,
    lay_out,
    line_with,
    para,
    piece_at,
    safe_piece,
)
from claimscope.tui.widgets.styled import CLASSES, strip_of


class Document(ScrollView, can_focus=True, inherit_bindings=False):
    """Text to look at beside something else: page keys only, arrows stay free."""

    COMPONENT_CLASSES = CLASSES
    ALLOW_MAXIMIZE = False
    BINDINGS = [
        key(
            "pagedown,space",
            "document.down",
            "Scroll down",
            "Scroll the focused pane down",
            action="page_down",
            show=False,
        ),
        key(
            "pageup,b",
            "document.up",
            "Scroll up",
            "Scroll the focused pane up",
            action="page_up",
            show=False,
        ),
        key(
            "home",
            "document.top",
            "Top",
            "Go to the top of the focused pane",
            action="scroll_home",
            show=False,
        ),
        key(
            "end",
            "document.bottom",
            "Bottom",
            "Go to the bottom of the focused pane",
            action="scroll_end",
            show=False,
        ),
    ]

    class Clicked(Message):
        """A line was clicked."""

        def __init__(self, document: Document, line: int, of: str) -> None:
            super().__init__()
            self.document = document
            self.line = line
            """From 0, of the lines as laid out."""
            self.of = of
            """What the piece there is a part of; may be empty."""

        @property
        def control(self) -> Document:
            return self.document

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is not None and (line := place.y + round(self.scroll_y)) < len(
            self._lines
        ):
            piece = piece_at(self._lines[line], place.x)
            of = piece.of if piece else ""
            self.post_message(self.Clicked(self, line, of))

    def __init__(
        self,
        *,
        id: str | None = None,
        classes: str | None = None,
        can_focus: bool = True,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.can_focus = can_focus
        self._paragraphs: Sequence[Paragraph] = ()
        self._lines: list[Line] = []
        self._role: str | None = None

    @property
    def lines(self) -> Sequence[Line]:
        """All lines as laid out for the present width."""
        return self._lines

    def give_up(self, words: str) -> None:
        """Says why nothing comes, where something is waited for."""
        pieces = [piece for one in self._paragraphs for piece in one.pieces]
        if pieces and pieces[0].text.startswith(WAITING):
            self.show([para(safe_piece(words, "strong"))])

    def show(self, paragraphs: Sequence[Paragraph], at: str | None = None) -> None:
        """Shows other text; scrolls to the first piece of role `at`, else to the top.

        The place is kept in sight when the pane is resized.
        """
        self._paragraphs = paragraphs
        self._role = at
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            return
        before, top = self._lines, round(self.scroll_y)
        self._lines = lay_out(self._paragraphs, width)
        self.virtual_size = Size(width, len(self._lines))
        self._bring_into_sight()
        if round(self.scroll_y) != top or not before:
            self.refresh()
        else:
            self._refresh_changed(before, top)

    def _refresh_changed(self, before: Sequence[Line], top: int) -> None:
        """Repaints the lines that are different: bytes count on a slow line."""
        width, height = self.scrollable_content_region.size
        for y in range(height):
            number = y + top
            old = before[number] if number < len(before) else ()
            new = self._lines[number] if number < len(self._lines) else ()
            if old != new:
                self.refresh(Region(0, y, width, 1))

    def _bring_into_sight(self) -> None:
        height = self.scrollable_content_region.height
        line = line_with(self._lines, self._role) if self._role else 0
        line = line or 0
        top = round(self.scroll_y)
        last = line + sum(
            1
            for later in self._lines[line : line + height]
            if self._role and any(piece.has(self._role) for piece in later)
        )
        if self._role is None or line < top or last > top + height:
            above = max(1, height // 4)
            # Forced: a pane that held one line a moment ago has no scrollbar yet, and
            # Textual scrolls no pane without one.
            self.scroll_to(
                y=max(0, line - above), animate=False, immediate=True, force=True
            )

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        number = y + round(self.scroll_y)
        line = self._lines[number] if number < len(self._lines) else ()
        return strip_of(self, line, width)


class Reader(Document, inherit_bindings=True):
    """Text that has the screen to itself: arrows scroll too."""

    BINDINGS = [
        key(
            "down,j",
            "reader.down",
            "Down",
            "Scroll one line down",
            action="scroll_down",
            show=False,
        ),
        key(
            "up,k",
            "reader.up",
            "Up",
            "Scroll one line up",
            action="scroll_up",
            show=False,
        ),
    ]
