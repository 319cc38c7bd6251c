"""A list with columns that stays quick at 100,000 rows.

Textual's DataTable lays out and repaints everything; this one asks for the cells of
the rows on the screen only, and a move of the cursor repaints two lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.flow import WAITING, Line, Piece, clip, plain
from claimscope.tui.widgets.styled import CLASSES, strip_of


@dataclass(frozen=True)
class ScreenColumn:
    """A column; width None = takes the space that is left."""

    title: str
    width: int | None = None
    align: Literal["left", "right"] = "left"


Cells = Sequence[Piece]


class OfRow(Message):
    """Of a row of a list."""

    def __init__(self, table: ScreenTable, row: int) -> None:
        super().__init__()
        self.table = table
        self.row = row

    @property
    def control(self) -> ScreenTable:
        return self.table


class ScreenTable(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows are given by a function, so nothing is built that is not seen."""

    COMPONENT_CLASSES = CLASSES
    ALLOW_MAXIMIZE = False
    BINDINGS = [
        key("down,j", "table.down", "Down", "Next row", action="move(1)", show=False),
        key("up,k", "table.up", "Up", "Previous row", action="move(-1)", show=False),
        key(
            "pagedown,space",
            "table.page_down",
            "Page down",
            "One page down",
            action="page(1)",
            show=False,
        ),
        key(
            "pageup",
            "table.page_up",
            "Page up",
            "One page up",
            action="page(-1)",
            show=False,
        ),
        key("home", "table.first", "First", "First row", action="jump(0)", show=False),
        key("end", "table.last", "Last", "Last row", action="jump(-1)", show=False),
    ]

    class Selected(OfRow):
        """A row was double-clicked.

        Enter is the screen's, which says in its key bar what it does.
        """

    class Moved(OfRow):
        """The cursor stands on another row."""

    def __init__(
        self,
        columns: Sequence[ScreenColumn],
        *,
        empty: str = "",
        id: str | None = None,
        more: str = "…",
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._columns = tuple(columns)
        self._count = 0
        self._cells: Callable[[int], Cells] = lambda row: ()
        self._empty = empty
        self._more = more
        self.cursor = 0

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return self._count

    def set_columns(self, columns: Sequence[ScreenColumn]) -> None:
        """Other columns, e.g. for another width of the screen."""
        self._columns = tuple(columns)
        self.refresh()

    def give_up(self, words: str) -> None:
        """Says why nothing comes, where something is waited for."""
        if not self._count and self._empty.startswith(WAITING):
            self.show(0, self._cells, empty=words)

    def show(
        self, count: int, cells: Callable[[int], Cells], empty: str | None = None
    ) -> None:
        """Shows `count` rows; `cells(row)` is asked for the visible ones only."""
        self._count, self._cells = count, cells
        if empty is not None:
            self._empty = empty
        self.cursor = max(0, min(self.cursor, count - 1))
        self._measure()
        self.refresh()

    def _measure(self) -> None:
        lines = self._count or self._empty.count("\n") + 1
        self.virtual_size = Size(self.scrollable_content_region.width, lines + 1)
        self._keep_in_sight()

    def on_resize(self, event: events.Resize) -> None:
        self._measure()

    @property
    def _visible(self) -> int:
        return max(self.scrollable_content_region.height - 1, 1)

    def _keep_in_sight(self) -> None:
        top = round(self.scroll_y)
        if self.cursor < top:
            top = self.cursor
        elif self.cursor >= top + self._visible:
            top = self.cursor - self._visible + 1
        # Forced: see Document; a list just filled has no scrollbar yet.
        self.scroll_to(y=top, animate=False, immediate=True, force=True)

    def _refresh_row(self, row: int) -> None:
        y = row - round(self.scroll_y) + 1
        self.refresh(Region(0, y, self.size.width, 1))

    def go_to(self, row: int) -> None:
        """Puts the cursor on a row, or the nearest one there is."""
        before = self.cursor
        self.cursor = max(0, min(row, self._count - 1))
        self._keep_in_sight()
        self._refresh_row(before)
        self._refresh_row(self.cursor)
        if self.cursor != before:
            self.post_message(self.Moved(self, self.cursor))

    def action_move(self, step: int) -> None:
        self.go_to(self.cursor + step)

    def action_page(self, step: int) -> None:
        self.go_to(self.cursor + step * self._visible)

    def action_jump(self, row: int) -> None:
        """To a row; -1 is the last."""
        self.go_to(self._count - 1 if row < 0 else row)

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor; a second one at once opens."""
        place = event.get_content_offset(self)
        if place is None or place.y < 1:
            return  # the frame, or the titles of the columns
        row = place.y - 1 + round(self.scroll_y)
        if row >= self._count:
            return
        if row != self.cursor:
            self.go_to(row)
        if event.chain == 2:
            self.post_message(self.Selected(self, row))

    def on_focus(self) -> None:
        self._refresh_row(self.cursor)

    def on_blur(self) -> None:
        self._refresh_row(self.cursor)

    def render_line(self, y: int) -> Strip:
        """The header, or a row of the view."""
        width = self.scrollable_content_region.width
        if y == 0:
            titles = [Piece(column.title, "heading") for column in self._columns]
            return strip_of(self, self._fit(titles, width), width)
        row = y - 1 + round(self.scroll_y)
        if row >= self._count:
            return strip_of(self, (Piece(self._empty_line(row), "dim"),), width)
        line = self._fit(self._cells(row), width)
        fill = "cursor" if row == self.cursor and self.has_focus else ""
        return strip_of(self, line, width, fill)

    def _empty_line(self, row: int) -> str:
        """A line of what is said when there are no rows."""
        lines = plain(self._empty).split("\n") if not self._count else []
        return lines[row] if row < len(lines) else ""

    def _fit(self, cells: Cells, width: int) -> Line:
        """Cells cut or filled to their columns, one space between."""
        gaps = len(self._columns) - 1
        fixed = sum(column.width or 0 for column in self._columns) + gaps
        flexible = sum(column.width is None for column in self._columns)
        left = max(width - fixed, 0)
        line: list[Piece] = []
        for column, cell in zip(self._columns, cells, strict=False):
            size = column.width
            if size is None:
                size = left // flexible
            text = clip(plain(cell.text), size, self._more)
            space = " " * (size - cell_len(text))
            text = space + text if column.align == "right" else text + space
            line += (Piece(text, cell.roles), Piece(" "))
        return tuple(line)
