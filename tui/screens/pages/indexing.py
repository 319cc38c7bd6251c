"""Indexing a folder from a screen: ask, run, show how far it is, stop."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from textual import work
from textual.worker import get_current_worker

from claimscope.core.errors import ClaimscopeError
from claimscope.core.ports import Progress
from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.dialogs.folder import Named, PathDialog
from claimscope.tui.ports.gateway import CorpusInfo
from claimscope.tui.ports.library import IndexOutcome
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import Setting, View
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.page_text import outcome_lines, progress_line

SHOW_SECONDS = 0.5
"""Between two pictures of an index: each is sent over the line."""
INDEX_GROUP = "index"


class IndexingView(View):
    """A screen with a document `#pages-progress` in which an index is followed."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._corpora: Sequence[CorpusInfo] = ()
        self._indexing: str | None = None
        """The folder that is being indexed."""

    @property
    def corpus_in_hand(self) -> CorpusInfo | None:
        """The corpus that actions are about."""
        return None

    def index_ended(self, corpus: str) -> None:
        """A corpus was made or changed."""

    def ask_folder(self, path: str = "") -> None:
        """Asks for a folder and a name, then indexes."""

        def begin(named: Named | None) -> None:
            if named is not None:
                self._check(named.path, named.name or named.path.name)

        title = "Index a folder of pages"
        self.app.push_screen(
            PathDialog(title, folder=True, path=path, asks_name=True), begin
        )

    @work(thread=True, exclusive=True, group="check", exit_on_error=False)
    def _check(self, folder: Path, corpus: str) -> None:
        """Another folder under a name that is taken would replace its pages."""
        known = self.setting.desk.library.reading(corpus)
        names = {info.name for info in self._corpora}
        before = known.folder if known else "pages of an unknown folder"
        if corpus in names and before != str(folder):
            self.from_thread(self._ask_replace, folder, corpus, before)
        else:
            self.from_thread(self.begin_index, folder, corpus)

    def _ask_replace(self, folder: Path, corpus: str, before: str) -> None:
        def answered(value: str | None) -> None:
            if value == "yes":
                self.begin_index(folder, corpus)

        choices = [
            Choice("no", "leave it as it is; index under another name", "n"),
            Choice("yes", f"replace its pages by those of {folder}", "y"),
        ]
        title = f"{corpus} exists already and holds: {before}"
        self.app.push_screen(ChoiceDialog(title, choices), answered)

    def begin_index(self, folder: Path, corpus: str) -> None:
        """Indexes; one at a time."""
        if self._indexing is not None:
            return
        self._indexing = str(folder)
        self.say_progress(
            para(Piece("reading "), said(str(folder)), Piece("   esc: stop", "dim"))
        )
        self.refresh_bindings()
        self._index(folder, corpus)

    @work(thread=True, exclusive=True, group=INDEX_GROUP, exit_on_error=False)
    def _index(self, folder: Path, corpus: str) -> None:
        worker = get_current_worker()
        shown: tuple[float, str] = (0.0, "")

        def show(step: Progress) -> None:
            nonlocal shown
            now = time.monotonic()
            if step.action != shown[1] or now - shown[0] >= SHOW_SECONDS:
                shown = (now, step.action)
                self.from_thread(self._show_step, step)

        library = self.setting.desk.library
        try:
            found = library.index(folder, corpus, show, lambda: worker.is_cancelled)
        except Exception as error:
            self.from_thread(self._index_failed, told(error))
        else:
            if found is not None:
                self.from_thread(self._indexed, found)

    @work(thread=True, exclusive=True, group="delete", exit_on_error=False)
    def delete_page(self, corpus: str, page_id: str) -> None:
        """Takes a page out of the index, by a process of its own."""
        try:
            self.setting.desk.library.delete_page(corpus, page_id)
        except Exception as error:
            self.from_thread(self._index_failed, told(error))
        else:
            self.from_thread(self._deleted, corpus)

    def _deleted(self, corpus: str) -> None:
        words = "deleted. Index it again and it is back, unless its file is gone."
        self.say_progress(para(Piece(words)))
        self.index_ended(corpus)

    def action_index(self) -> None:
        """Asks for a folder."""
        self.ask_folder()

    def action_update(self) -> None:
        """The folder of the corpus in hand again."""
        if self.corpus_in_hand is not None:
            self._with_reading(self.corpus_in_hand.name, update=True)

    def action_skipped(self) -> None:
        """The report of the last index."""
        if self.corpus_in_hand is not None:
            self._with_reading(self.corpus_in_hand.name, update=False)

    @work(thread=True, exclusive=True, group="reading", exit_on_error=False)
    def _with_reading(self, corpus: str, *, update: bool) -> None:
        record = self.setting.desk.library.reading(corpus)
        self.from_thread(self._go_on, corpus, record, update)

    def _go_on(self, corpus: str, record: ReadingRecord | None, update: bool) -> None:
        if record is None:
            self.tell(f"The folder of {corpus} is not known: i indexes it again.")
        elif update:
            self.begin_index(Path(record.folder), corpus)
        else:
            self.open_screen("skipped", corpus, record)

    def say_progress(self, *lines: Paragraph) -> None:
        """Shows lines below the list."""
        self.query_one("#pages-progress", Document).show(lines)

    def _show_step(self, step: Progress) -> None:
        if self._indexing is not None:
            self.say_progress(progress_line(self._indexing, step, self.setting.glyphs))

    def _indexed(self, found: IndexOutcome) -> None:
        self._end_index()
        self.say_progress(*outcome_lines(found, self.setting.glyphs))
        self.index_ended(found.corpus)

    def _index_failed(self, error: ClaimscopeError) -> None:
        self._end_index()
        sign = Piece(f"{self.setting.glyphs.contradicted} ", "contradicted")
        hint = said(f" {error.hint}", "dim")
        self.say_progress(para(sign, said(error.message), hint, hanging=2))

    def stop_index(self) -> None:
        """Ends the process; what was embedded is kept."""
        folder = self._indexing
        self.workers.cancel_group(self, INDEX_GROUP)
        self._end_index()
        words = f"{folder}: stopped. What was embedded is kept; i goes on with it."
        self.say_progress(para(said(words)))

    def _end_index(self) -> None:
        self._indexing = None
        self.refresh_bindings()
