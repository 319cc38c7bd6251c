"""Pages: what is indexed, search while one types, read, index, delete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from claimscope.core.errors import ClaimscopeError
from claimscope.core.ports import Progress
from claimscope.core.report.view import Prose, Span, line
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.index.page_list import PageHead
from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.tui.dialogs.folder import NamedPath, PathDialog
from claimscope.tui.ports.gateway import CorpusInfo
from claimscope.tui.ports.library import Hits, IndexOutcome, Pages
from claimscope.tui.review.page_marks import Sought
from claimscope.tui.screens.base.long_work import LongWork
from claimscope.tui.screens.base.view import ScreenContext
from claimscope.tui.screens.pages.search import REST_SECONDS, SentenceSearch
from claimscope.tui.views.home import corpus_row
from claimscope.tui.views.page import (
    HITS,
    PAGES,
    hit_lines,
    hit_row,
    in_short,
    page_row,
)
from claimscope.tui.views.pages import CORPORA, outcome_lines, progress_line
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, plain
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import cells, columns
from claimscope.tui.widgets.table import ScreenTable

NO_CORPORA = """\
No indexed pages yet. Press i and name a folder: Markdown, text, HTML, PDF,
JSON, CSV, PubMed XML and .nbib are read; nothing leaves this machine."""
NO_PAGES = "This index holds no pages. Press i and name a folder."
NO_MATCH = "No page has these words in its id, title or source. esc: all pages."
NO_HITS = "Nothing found. Other words? esc: back to the pages."
BLOCK = 64
"""Rows whose heads are read together."""


class Answered(Message):
    """The search has an answer; sent from its own thread."""

    def __init__(self, hits: Hits) -> None:
        super().__init__()
        self.hits = hits


class PagesScreen(LongWork[Progress]):
    """Corpora above, pages or hits below, what is under the cursor last."""

    NAME = "Pages"
    PURPOSE = "Index folders of pages; search, read and delete pages."
    PROGRESS = "pages-progress"
    AUTO_FOCUS = "#pages-list"
    BINDINGS = [
        key("enter", "pages.read", "read", "Read it"),
        key("slash", "pages.search", "search", "Search", opens_line=True),
        key(
            "f", "pages.filter", "filter", "List pages with some words", opens_line=True
        ),
        key("i", "pages.index", "index a folder", "Index a folder"),
        key("u", "pages.update", "update", "Index what has changed"),
        key("s", "pages.skipped", "skipped", "Files not read"),
        key("d", "pages.delete", "delete", "Delete the page"),
        key("r", "pages.reload", "reload", "Read everything again"),
        key("tab", "pages.tab", "next list", "Next list", action="app.focus_next"),
    ]

    def __init__(
        self, context: ScreenContext, corpus: str | None = None, *, ask: bool = False
    ) -> None:
        """corpus: the one to show. ask: ask for a folder to index at once."""
        super().__init__(context)
        self._corpora: Sequence[CorpusInfo] = ()
        self._wanted = corpus
        self._ask = ask
        self._pages: Pages | None = None
        self._listed: str | None = None
        """The corpus whose pages these are."""
        self._ids: Sequence[str] = ()
        self._heads: dict[str, PageHead] = {}
        self._search = SentenceSearch(
            context.gateway.library, lambda hits: self.post_message(Answered(hits))
        )
        self._typing: str | None = None
        """`search` or `filter` while the line is open."""
        self._is_hits = False
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield self.list_pane("pages-corpora", columns(CORPORA, 0))
        yield Input(id="pages-line")
        yield self.list_pane("pages-list", columns(PAGES, 0))
        yield Document(id="pages-details", classes="pane", can_focus=False)
        yield Document(id="pages-progress", can_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(pages_corpora="corpora", pages_details="under the cursor")
        self.action_reload()
        if self._ask:
            self.ask_folder()

    def on_unmount(self) -> None:
        self._search.close()
        if self._pages is not None:
            self._pages.close()

    # --- what is there ---

    @property
    def _list(self) -> ScreenTable:
        return self.query_one("#pages-list", ScreenTable)

    @property
    def corpus_in_hand(self) -> CorpusInfo | None:
        """Under the cursor of the upper list."""
        return self.under_cursor("pages-corpora", self._corpora)

    def action_reload(self) -> None:
        corpora = self.context.gateway.corpora
        self.in_background(
            lambda: list(corpora()),
            self._show_corpora,
            partial(self._show_error, "#pages-corpora"),
            group="corpora",
        )

    def index_ended(self, corpus: str) -> None:
        """Shows what was made."""
        self._wanted = corpus
        self.action_reload()

    def _show_error(self, where: str, error: ClaimscopeError) -> None:
        self.query_one(where, ScreenTable).show(0, lambda row: (), empty=error.message)
        self.tell_error(error)

    def _show_corpora(self, corpora: Sequence[CorpusInfo]) -> None:
        self._corpora = corpora
        rows = list(map(corpus_row, corpora))
        self.show_rows("pages-corpora", rows, CORPORA, NO_CORPORA)
        names = [info.name for info in corpora]
        if self._wanted in names:
            table = self.query_one("#pages-corpora", ScreenTable)
            table.go_to(names.index(self._wanted))
        self._wanted = None
        if corpora:
            self._open()
        else:
            self._list.show(0, lambda row: (), empty="")
            self._show_details()

    def _open(self, words: str = "") -> None:
        """Lists the pages of the corpus in hand, those with these words."""
        if self.corpus_in_hand is not None:
            corpus = self.corpus_in_hand.name
            self.in_background(
                lambda: self._read_pages(corpus, words),
                lambda found: self._show_pages(corpus, *found, words),
                partial(self._show_error, "#pages-list"),
                group="pages",
            )

    def _read_pages(self, corpus: str, words: str) -> tuple[Pages, Sequence[str]]:
        # A filter is typed: what was read for the last key serves the next one.
        pages = self._pages if words and self._listed == corpus else None
        pages = pages or self.context.gateway.library.pages(corpus)
        return pages, pages.matching(words) if words else pages.ids()

    def _show_pages(
        self, corpus: str, pages: Pages, ids: Sequence[str], words: str
    ) -> None:
        if self._pages is not None and self._pages is not pages:
            self._pages.close()
            self._heads = {}
        self._pages, self._listed, self._ids = pages, corpus, ids
        if not self._is_hits:
            self._show_list(words)

    def _show_list(self, words: str = "") -> None:
        table, count = self._list, len(self._ids)
        table.set_columns(columns(PAGES, 0))
        table.show(count, self._page_cells, empty=NO_MATCH if words else NO_PAGES)
        title = counted_noun(count, "page") + (f" with {words}" if words else "")
        table.border_title = Content(plain(title))
        self._show_details()

    def _head(self, row: int) -> PageHead | None:
        """Heads are read for the rows that are seen, some at a time."""
        page_id = self._ids[row]
        if page_id not in self._heads and self._pages is not None:
            first = max(row - BLOCK // 2, 0)
            try:
                self._heads |= self._pages.heads(self._ids[first : first + BLOCK])
            except ClaimscopeError as error:
                self.tell_error(error)
                self._pages = None
        return self._heads.get(page_id)

    def _page_cells(self, row: int) -> list[Piece]:
        found = page_row(self._ids[row], self._head(row))
        return cells(found, PAGES, 0, self.context.glyphs)

    def _hit_cells(self, row: int) -> list[Piece]:
        return cells(hit_row(self._search.hits[row]), HITS, 0, self.context.glyphs)

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        if event.table.id == "pages-corpora":
            self._close_line()
            self._open()
        else:
            self._show_details()

    def _show_details(self) -> None:
        row, table = self._list.cursor, self._list
        found: Iterable[Prose] = [line(Span("Nothing under the cursor.", "faint"))]
        if row < table.row_count:
            if self._is_hits:
                found = hit_lines(self._search.hits[row])
            elif head := self._head(row):
                found = in_short(head)
        self.show_parts("pages-details", found)

    # --- the line: search and filter ---

    def action_search(self) -> None:
        self._open_line("search", "words or a question (enter: to the hits, esc: back)")

    def action_filter(self) -> None:
        self._open_line("filter", "words of id, title or source (enter: to the list)")

    def _open_line(self, kind: str, placeholder: str) -> None:
        if self.corpus_in_hand is None:
            self.tell("There is nothing to search yet: i indexes a folder.")
            return
        line = self.query_one("#pages-line", Input)
        if self._typing != kind:
            line.clear()
        self._typing = kind
        line.placeholder = placeholder
        self.open_line(line)

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self._typing is not None:
            asked = partial(self._search_for, self._typing, event.value.strip())
            self._timer = self.set_timer(REST_SECONDS, asked)

    def _search_for(self, kind: str, words: str) -> None:
        corpus = self.corpus_in_hand
        if corpus is None or kind != self._typing:
            return
        if kind == "filter":
            self._open(words)
        elif not words:
            self._search.clear()
            self._show_hits()
        else:
            with self.telling_errors():
                self._search.ask(corpus.name, words)
            self._show_hits()

    def on_answered(self, event: Answered) -> None:
        if self._search.take(event.hits) and self._typing == "search":
            self._show_hits()

    def _show_hits(self) -> None:
        self._is_hits = True
        hits, state = self._search.hits, self._search.state
        table = self._list
        table.set_columns(columns(HITS, 0))
        is_answered = state.startswith("by ")
        empty = NO_HITS if is_answered else state
        table.show(len(hits), self._hit_cells, empty)
        words = (
            f"{counted_noun(len(hits), 'hit')} {state}"
            if hits or is_answered
            else state
        )
        title = words or "search"
        table.border_title = Content(plain(title))
        self._show_details()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._list.focus()

    def _close_line(self) -> None:
        line = self.query_one("#pages-line", Input)
        self._typing = None
        line.remove_class("-open")
        line.clear()
        self._search.clear()
        if self._is_hits:
            self._is_hits = False
            self._show_list()
        self._list.focus()

    # --- the page under the cursor ---

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_read()

    @property
    def _place(self) -> tuple[str, int | None] | None:
        """(page id, sentence) under the cursor."""
        row = self._list.cursor
        if row >= self._list.row_count:
            return None
        if self._is_hits:
            hit = self._search.hits[row]
            return hit.page_id, hit.index
        return self._ids[row], None

    def action_read(self) -> None:
        corpus, place = self.corpus_in_hand, self._place
        if corpus is not None and place is not None:
            self.open_screen("page", corpus.name, [Sought(*place)])

    def action_delete(self) -> None:
        corpus, place = self.corpus_in_hand, self._place
        if corpus is None or place is None:
            return
        page_id = place[0]

        def delete() -> None:
            self.say(line("deleting"))
            self.in_background(
                lambda: self.context.gateway.library.delete_page(corpus.name, page_id),
                lambda _: self._tell_deleted(corpus.name),
                self.say_failed,
                group="delete",
            )

        self.confirm(
            f"Delete {page_id}?",
            "keep it",
            "delete it from the index (the file stays)",
            delete,
        )

    # --- indexing ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One index at a time."""
        if action in ("index", "update", "delete"):
            return self.at_work is None
        return super().check_action(action, parameters)

    def action_leave(self) -> None:
        """Closes the line, else stops the index, else goes back."""
        if self._typing is not None:
            self._close_line()
            self._open()
        elif self.at_work is not None:
            self.stop_work("stopped. What was embedded is kept; i goes on with it.")
        else:
            super().action_leave()

    # --- indexing a folder ---

    def ask_folder(self, path: str = "") -> None:
        """Asks for a folder and a name, then indexes."""

        def begin(named: NamedPath | None) -> None:
            if named is not None:
                self._check(named.path, named.name or named.path.name)

        title = "Index a folder of pages"
        self.app.push_screen(
            PathDialog(title, folder=True, path=path, asks_name=True), begin
        )

    @work(thread=True, exclusive=True, group="check", exit_on_error=False)
    def _check(self, folder: Path, corpus: str) -> None:
        """Another folder under a name that is taken would replace its pages."""
        known = self.context.gateway.library.reading(corpus)
        names = {info.name for info in self._corpora}
        before = known.folder if known else "pages of an unknown folder"
        if corpus in names and before != str(folder):
            self.from_thread(self._ask_replace, folder, corpus, before)
        else:
            self.from_thread(self.begin_index, folder, corpus)

    def _ask_replace(self, folder: Path, corpus: str, before: str) -> None:
        self.confirm(
            f"{corpus} exists already and holds: {before}",
            "leave it as it is; index under another name",
            f"replace its pages by those of {folder}",
            lambda: self.begin_index(folder, corpus),
        )

    def begin_index(self, folder: Path, corpus: str) -> None:
        """Indexes; one at a time."""
        if self.at_work is not None:
            return
        library, name = self.context.gateway.library, str(folder)
        self.begin_work(
            name,
            line("reading ", name, Span("   esc: stop", "faint")),
            lambda tell, is_stopped: library.index(folder, corpus, tell, is_stopped),
            lambda step: progress_line(name, step),
            self._show_outcome,
            lambda step: step.action,
        )

    def _tell_deleted(self, corpus: str) -> None:
        words = "deleted. Index it again and it is back, unless its file is gone."
        self.say(line(words))
        self.index_ended(corpus)

    def action_index(self) -> None:
        self.ask_folder()

    def action_update(self) -> None:
        if self.corpus_in_hand is not None:
            self._with_reading(self.corpus_in_hand.name, update=True)

    def action_skipped(self) -> None:
        if self.corpus_in_hand is not None:
            self._with_reading(self.corpus_in_hand.name, update=False)

    def _with_reading(self, corpus: str, *, update: bool) -> None:
        self.in_background(
            lambda: self.context.gateway.library.reading(corpus),
            lambda record: self._go_on(corpus, record, update),
            group="reading",
        )

    def _go_on(self, corpus: str, record: ReadingRecord | None, update: bool) -> None:
        if record is None:
            self.tell(f"The folder of {corpus} is not known: i indexes it again.")
        elif update:
            self.begin_index(Path(record.folder), corpus)
        else:
            self.open_screen("skipped", corpus, record)

    def _show_outcome(self, found: IndexOutcome | None) -> None:
        if found is not None:
            self.say(*outcome_lines(found))
            self.index_ended(found.corpus)
