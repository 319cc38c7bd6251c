"""Samples of a run by two questions: is it faithful, is it complete?

Grades and required claims are not in the light rows of a list, so every sample is read
in full, in a thread.
"""

from __future__ import annotations

from textual import work
from textual.app import ComposeResult

from claimscope.core.analysis.agreement.overrides import apply_overrides
from claimscope.core.analysis.summary.quadrant import Quadrant, quadrant
from claimscope.core.errors import ClaimscopeError
from claimscope.core.ports import RunReader
from claimscope.core.report.views.quadrant import quadrant_view
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import Setting, View
from claimscope.tui.services.run.report import pass_grade
from claimscope.tui.widgets.document import Reader
from claimscope.tui.widgets.flow import WAITING, Piece, para, said
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import paragraphs


class QuartersScreen(View):
    """The four quarters, each with its failures and its samples."""

    NAME = "Quarters"
    PURPOSE = "Which samples are faithful, which complete, and what failed in each."
    AUTO_FOCUS = "#quarters-text"

    def __init__(self, setting: Setting, reader: RunReader) -> None:
        super().__init__(setting)
        self._run = reader

    def compose(self) -> ComposeResult:
        """Text and keys."""
        yield Reader(id="quarters-text", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads in the background."""
        reader = self.query_one("#quarters-text", Reader)
        reader.border_title = "faithful and complete"
        count = self._run.status().completed
        reader.show([para(Piece(f"{WAITING} {counted_noun(count, 'sample')}", "dim"))])
        self._read()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        try:
            found = apply_overrides(self._run)
            placed = quadrant(found.samples, pass_grade(found.status))
        except Exception as error:
            self.from_thread(self._failed, told(error))
            return
        self.from_thread(self._show, placed)

    def _failed(self, error: ClaimscopeError) -> None:
        reader = self.query_one("#quarters-text", Reader)
        reader.show([para(said(f"{error.title}: {error.message}", "strong"))])
        self.tell_error(error)

    def _show(self, found: Quadrant) -> None:
        lines = list(paragraphs(quadrant_view(found), self.setting.glyphs))
        self.query_one("#quarters-text", Reader).show(lines)
