"""Metrics: one page of help for each, from the documentation beside its code."""

from __future__ import annotations

from collections.abc import Sequence

from textual import work
from textual.app import ComposeResult

from claimscope.core.metrics.descriptions import MetricPage
from claimscope.core.report.views.metrics import COLUMNS, metric_row, metric_view
from claimscope.tui.screens.base.view import ScreenContext, View
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import columns
from claimscope.tui.widgets.table import ScreenTable


class MetricsScreen(View):
    """All metrics, and what the one under the cursor means."""

    NAME = "Metrics"
    PURPOSE = "What each metric means: formula, scale, what it needs."
    AUTO_FOCUS = "#metrics-list"
    BINDINGS = [
        key(
            "d",
            "metrics.down",
            "down the page",
            "Scroll the page of the metric",
            action="page_down",
        ),
        key("u", "metrics.up", "up", "Scroll it back", action="page_up"),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._pages: Sequence[MetricPage] = ()

    def compose(self) -> ComposeResult:
        looking = "Looking for metrics"
        yield self.list_pane("metrics-list", columns(COLUMNS, 0), empty=looking)
        yield Document(id="metrics-page", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads the pages in the background: other packages may bring some."""
        self.title_panes(metrics_list="metrics")
        self._read()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        from claimscope.core.metrics.descriptions import pages
        from claimscope.core.metrics.discovery import found_plugins

        self.from_thread(self._show, pages(), found_plugins().problems)

    def _show(self, pages: Sequence[MetricPage], problems: Sequence[str]) -> None:
        self._pages = pages
        rows = list(map(metric_row, pages))
        self.show_rows("metrics-list", rows, COLUMNS, "There are no metrics")
        for problem in problems:
            self.tell(problem, warning=True)
        self._show_page()

    def _show_page(self) -> None:
        page = self.under_cursor("metrics-list", self._pages)
        if page is not None:
            self.title_panes(metrics_page=page.id)
            self.show_parts("metrics-page", metric_view(page))

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._show_page()

    def action_page_down(self) -> None:
        """On in the page; the arrows belong to the list."""
        self.query_one("#metrics-page", Document).scroll_page_down(animate=False)

    def action_page_up(self) -> None:
        self.query_one("#metrics-page", Document).scroll_page_up(animate=False)
