"""A lab as it goes: its cells by its figures, each cell a run that opens.

The engine is another process: leaving this screen leaves the lab alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult

from claimscope.core.analysis.compare.matrix import QUALITY, figures_beside
from claimscope.core.models import RunState
from claimscope.core.report.view import line
from claimscope.core.report.views.lab import (
    FIGURE_WIDTH,
    LEFT_WIDTH,
    cell_columns,
    cell_row,
    details,
    head,
)
from claimscope.tui.screens.base.steering import Steering
from claimscope.tui.screens.base.view import OpenRun, ScreenContext
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import cells, columns
from claimscope.tui.widgets.table import ScreenTable

if TYPE_CHECKING:
    from claimscope.core.analysis.compare.matrix import Matrix
    from claimscope.core.ports import Control
    from claimscope.core.run.lab import Lab, LabCell


class LabScreen(Steering):
    """The matrix of one lab."""

    NAME = "Lab matrix"
    PURPOSE = "The cells of a lab by their figures; open one as a run."
    NOUN = "lab"
    AUTO_FOCUS = "#lab-matrix"
    BINDINGS = [
        key("enter", "lab.open", "open cell", "Open the run of the cell"),
        key(
            "right,l",
            "lab.right",
            "columns",
            "Further figures to the right",
            action="shift(1)",
            key_display="←/→",
        ),
        key(
            "left,h",
            "lab.left",
            "columns left",
            "Back to the figures on the left",
            action="shift(-1)",
            show=False,
        ),
        key(
            "v",
            "lab.view",
            "quality",
            "Only figures of correctness beside those of text quality; again: all",
        ),
        key("p", "lab.pause", "pause", "Finish calls in flight and wait"),
        key("r", "lab.resume", "resume", "Go on with the lab"),
        key("x", "lab.cancel", "cancel", "End the lab for good"),
        key("d", "lab.detach", "detach", "Leave; the lab goes on", action="leave"),
    ]

    def __init__(self, context: ScreenContext, lab: Lab) -> None:
        super().__init__(context)
        self._lab = lab
        self._matrix: Matrix | None = None
        self._first = 0
        """The figure in the leftmost column."""
        self._beside = False
        """Only figures of correctness and of quality?"""
        self._shown: object = None

    def compose(self) -> ComposeResult:
        yield Document(id="lab-head", can_focus=False)
        yield self.list_pane("lab-matrix")
        yield Document(id="lab-details", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(lab_matrix="cells", lab_details="cell")
        self.begin_to_follow()

    # --- following ---

    @work(thread=True, group="follow", exit_on_error=False)
    def read(self) -> None:
        gateway = self.context.gateway.labs
        try:
            lab = gateway.lab(self._lab.lab_id)
            found = gateway.matrix(lab)
        except Exception as error:
            self.from_thread(self.tell_once, error)
            return
        self.from_thread(self._show, lab, found)

    def _show(self, lab: Lab, found: Matrix) -> None:
        """Repaints only when something is different."""
        is_new = (lab, id(found)) != self._shown
        self._lab, self._matrix = lab, found
        self.forget_obeyed()
        if is_new:
            self._shown = (lab, id(found))
            self._paint()

    def on_resize(self) -> None:
        if self._matrix is not None:
            self._paint()

    @property
    def _fitting(self) -> int:
        return max((self.size.width - LEFT_WIDTH) // (FIGURE_WIDTH + 1), 1)

    def _paint(self) -> None:
        found = self._matrix
        assert found is not None
        known = figures_beside(found.columns) if self._beside else found.columns
        last = max(len(known) - self._fitting, 0)
        self._first = max(0, min(self._first, last))
        shown = known[self._first : self._first + self._fitting]
        table = self.query_one("#lab-matrix", ScreenTable)
        table.set_columns(columns(cell_columns(shown), self.size.width))
        table.show(len(self._lab.cells), lambda row: self._cells(row, shown))
        hidden = len(known) - len(shown)
        table.border_title = "cells" if not hidden else f"cells; {hidden} more figures"
        self._paint_head()
        self._paint_details()
        self.refresh_bindings()

    def _cells(self, row: int, shown: tuple[str, ...]) -> list[Piece]:
        cell, found = self._lab.cells[row], self._matrix
        assert found is not None
        width, glyphs = self.size.width, self.context.glyphs
        figures = cell_row(self._lab, cell, found.rows[row], shown)
        return cells(figures, cell_columns(shown), width, glyphs)

    def _paint_head(self) -> None:
        self.show_parts("lab-head", head(self._lab, self._matrix, self._requested))

    def _paint_details(self) -> None:
        cell, found = self._current, self._matrix
        if cell is None or found is None:
            self.show_parts("lab-details", [line()])
            return
        row = found.rows[self.query_one("#lab-matrix", ScreenTable).cursor]
        trades = [t for t in found.trades if cell.name in (t.better_prose, t.other)]
        self.show_parts("lab-details", details(self._lab, cell, row, trades))

    @property
    def _current(self) -> LabCell | None:
        return self.under_cursor("lab-matrix", self._lab.cells)

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._paint_details()

    def action_shift(self, by: int) -> None:
        if self._matrix is not None:
            self._first += by
            self._paint()

    def action_view(self) -> None:
        if self._matrix is None:
            return
        if not self._beside and not set(QUALITY) & set(self._matrix.columns):
            self.tell("Text quality was not asked for: --metrics +quality has it.")
            return
        self._beside, self._first = not self._beside, 0
        self._paint()

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_open()

    def action_open(self) -> None:
        """The run of the cell: its results, or the run as it goes."""
        cell = self._current
        if cell is None:
            return
        if cell.state in ("waiting", "answering", "answered") or (
            cell.state == "failed" and not cell.answered
        ):
            why = cell.error or f"{cell.state}; it is judged when its answers are there"
            self.tell(f"{cell.name} has no run yet: {why}", warning=True)
            return
        self.post_message(OpenRun(cell.run_id))

    # --- steering ---

    @property
    def state(self) -> RunState:
        return self._lab.state

    @property
    def has_engine(self) -> bool:
        return self._lab.pid is not None

    def request(self, control: Control) -> None:
        self.context.gateway.labs.ask(self._lab.lab_id, control)

    def show_request(self) -> None:
        self._paint_head()

    def start_again(self) -> None:
        """Goes on with the cells that are left."""
        self.context.gateway.labs.resume(self._lab.lab_id)
