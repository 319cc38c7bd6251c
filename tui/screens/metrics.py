"""Metrics: one page of help for each, from the documentation beside its code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import work
from textual.app import ComposeResult

from claimscope.core.metrics.descriptions import MetricPage
from claimscope.tui.screens.base.view import Setting, View, key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.table import Column, Table


class MetricsScreen(View):
    """All metrics, and what the one under the cursor means."""

    NAME = "Metrics"
    PURPOSE = "What each metric means: formula, scale, what it needs."
    AUTO_FOCUS = "#metrics-list"
    BINDINGS = [
        key(
            "d",
            "page_down",
            "down the page",
            "Scroll the page of the metric",
            id="metrics.down",
        ),
        key("u", "page_up", "up", "Scroll it back", id="metrics.up"),
    ]

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._pages: Sequence[MetricPage] = ()

    def compose(self) -> ComposeResult:
        """The list, and a page below it."""
        yield Table(
            [
                Column("metric", 24),
                Column("scale", 7, "right"),
                Column("says"),
            ],
            id="metrics-list",
            classes="pane",
            empty="Looking for metrics",
            more=self.setting.glyphs.more,
        )
        yield Document(id="metrics-page", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads the pages in the background: other packages may bring some."""
        self.query_one("#metrics-list").border_title = "metrics"
        self._read()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        from claimscope.core.metrics.descriptions import pages
        from claimscope.core.metrics.discovery import brought

        self.from_thread(self._show, pages(), brought().problems)

    def _show(self, pages: Sequence[MetricPage], problems: Sequence[str]) -> None:
        self._pages = pages
        self.query_one("#metrics-list", Table).show(
            len(pages), lambda row: _cells(pages[row]), empty="There are no metrics"
        )
        for problem in problems:
            self.tell(problem, warning=True)
        self._show_page()

    def _show_page(self) -> None:
        row = self.query_one("#metrics-list", Table).cursor
        pane = self.query_one("#metrics-page", Document)
        if row < len(self._pages):
            pane.border_title = self._pages[row].id
            pane.show(list(page_text(self._pages[row])))

    def on_table_moved(self, event: Table.Moved) -> None:
        """The page follows the cursor."""
        self._show_page()

    def action_page_down(self) -> None:
        """On in the page; the arrows belong to the list."""
        self.query_one("#metrics-page", Document).scroll_page_down(animate=False)

    def action_page_up(self) -> None:
        """Back in it."""
        self.query_one("#metrics-page", Document).scroll_page_up(animate=False)


def _cells(page: MetricPage) -> tuple[Piece, ...]:
    return (said(page.id), Piece(scale_words(page)), said(page.title))


def scale_words(page: MetricPage) -> str:
    """`0-100`."""
    return "-".join(f"{end:g}" for end in page.scale)


def page_text(page: MetricPage) -> Iterator[Paragraph]:
    """A metric's page."""
    yield para(said(page.title, "strong"), Piece(f"   scale {scale_words(page)}"))
    needs = "; ".join(page.needs) or "nothing but the answer"
    yield para(Piece("needs  ", "heading"), said(needs), hanging=7)
    for paragraph in page.paragraphs:
        yield para()
        yield para(said(paragraph))
    yield para()
    yield para(said(f"from {page.origin}", "dim"))
