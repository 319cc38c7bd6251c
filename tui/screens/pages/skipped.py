"""Which files of a folder were not read, and why."""

from __future__ import annotations

from textual.content import Content

from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.tui.screens.base.view import ScreenContext, TextScreen
from claimscope.tui.widgets.flow import plain
from claimscope.tui.widgets.page_text import skipped_lines


class SkippedScreen(TextScreen):
    """The report of the last index of a corpus."""

    NAME = "Skipped files"
    PURPOSE = "Which files of a folder were not read, and why."
    TEXT = "skipped-text"
    AUTO_FOCUS = "#skipped-text"

    def __init__(
        self, context: ScreenContext, corpus: str, record: ReadingRecord
    ) -> None:
        super().__init__(context)
        self._corpus = corpus
        self._record = record

    def on_mount(self) -> None:
        reader = self.reader
        reader.border_title = Content(plain(f"{self._corpus}: skipped files"))
        reader.show(list(skipped_lines(self._record, self.context.glyphs)))
