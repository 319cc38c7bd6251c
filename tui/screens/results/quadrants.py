"""Samples of a run by two questions: is it faithful, is it complete?

Grades and required claims are not in the light rows of a list, so every sample is read
in full, in a thread.
"""

from __future__ import annotations

from claimscope.core.analysis.agreement.overrides import apply_overrides
from claimscope.core.analysis.summary.quadrant import Quadrant, quadrant
from claimscope.core.errors import ClaimscopeError
from claimscope.core.ports import RunReader
from claimscope.core.report.view import Span, line
from claimscope.core.report.views.quadrant import quadrant_view
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.screens.base.view import ScreenContext, TextScreen
from claimscope.tui.services.run.report import pass_grade
from claimscope.tui.widgets.flow import WAITING


class QuartersScreen(TextScreen):
    """The four quarters, each with its failures and its samples."""

    NAME = "Quarters"
    PURPOSE = "Which samples are faithful, which complete, and what failed in each."
    TEXT = "quarters-text"
    AUTO_FOCUS = "#quarters-text"

    def __init__(self, context: ScreenContext, reader: RunReader) -> None:
        super().__init__(context)
        self._run = reader

    def on_mount(self) -> None:
        self.title_panes(quarters_text="faithful and complete")
        count = counted_noun(self._run.status().completed, "sample")
        self.show_parts("quarters-text", [line(Span(f"{WAITING} {count}", "faint"))])
        self.in_background(self._read, self._show, self._show_error, group="read")

    def _read(self) -> Quadrant:
        found = apply_overrides(self._run)
        return quadrant(found.samples, pass_grade(found.status))

    def _show_error(self, error: ClaimscopeError) -> None:
        words = Span(f"{error.title}: {error.message}", "strong")
        self.show_parts("quarters-text", [line(words)])
        self.tell_error(error)

    def _show(self, found: Quadrant) -> None:
        self.show_parts("quarters-text", quadrant_view(found))
