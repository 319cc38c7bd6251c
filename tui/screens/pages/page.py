"""A page in full, its sentences numbered, with the sentence in question marked."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.models import Page, RunHeader, Sentence
from claimscope.core.text.sentences import sentences
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.review.page_marks import Sought
from claimscope.tui.screens.base.editing import Opening
from claimscope.tui.screens.base.editor import FilePlace, page_place
from claimscope.tui.screens.base.view import ScreenContext, TextScreen
from claimscope.tui.views.page import page_head
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.flow import Paragraph, Piece, para, plain, safe_piece
from claimscope.tui.widgets.page_text import page_body
from claimscope.tui.widgets.rendered import paragraphs

Span = tuple[int, int]


class PageScreen(Opening, TextScreen):
    """Shows a page of the corpus, or a passage of the case."""

    NAME = "Page"
    PURPOSE = "Read the whole page with the evidence sentence marked."
    PANES = frozenset({"text", "reader"})
    TEXT = "page-text"
    AUTO_FOCUS = "#page-text"
    BINDINGS = [
        key("n", "page.next", "next mark", "Next marked sentence", action="mark(1)"),
        key(
            "p", "page.last", "last mark", "Previous marked sentence", action="mark(-1)"
        ),
        key("g", "page.go", "go to", "Go to a sentence by its number", action="go_to"),
        key("s", "page.numbers", "numbers", "Numbers or bare text"),
        key(
            "c", "page.copy", "copy", "Copy the marked sentence, else the page (OSC 52)"
        ),
        key("e", "page.edit", "edit", "Open the page's file in $EDITOR"),
    ]

    def __init__(
        self,
        context: ScreenContext,
        corpus: str | None,
        sought: Sequence[Sought],
        passages: Sequence[str] = (),
        header: RunHeader | None = None,
    ) -> None:
        """header: of the run that looks at the page; it says where its file is."""
        super().__init__(context)
        self._header = header
        self._corpus = corpus
        self._sought = sought
        self._passages = passages
        self._page: Page | None = None
        self._sentences: Sequence[Sentence] = ()
        self._spans: list[Span] = []
        self._at = 0
        self._has_numbers = True

    def on_mount(self) -> None:
        """Reads in the background: the index may be large."""
        self.reader.border_title = Content(plain(self._sought[0].page_id))
        self.reader.show([para(Piece("Reading the page", "dim"))])
        self.in_background(
            self._read, lambda found: self._show(*found), self._show_error, group="read"
        )

    def _read(self) -> tuple[Page | None, Sequence[Sentence], list[Span]]:
        """The page, its sentences, and the places to mark."""
        page, numbered = self._find_page()
        if page is None:
            return None, numbered, []
        found = [_span(page, numbered, sought) for sought in self._sought]
        return page, numbered, [span for span in found if span is not None]

    def _find_page(self) -> tuple[Page | None, Sequence[Sentence]]:
        """The page and its sentences, as they are in the index or in the case."""
        page_id, gateway = self._sought[0].page_id, self.context.gateway
        if self._corpus is not None:
            page = gateway.page(self._corpus, page_id)
            if page is not None:
                return page, gateway.sentences(self._corpus, page_id)
        page = self._passage(page_id)
        return page, sentences(page) if page is not None else ()

    def _passage(self, page_id: str) -> Page | None:
        """A passage of the case (`passage:<n>`), or the one that holds the text."""
        number = page_id.rpartition(":")[2]
        if page_id.startswith("passage:") and number.isdigit():
            if int(number) < len(self._passages):
                return Page(page_id=page_id, text=self._passages[int(number)])
        text = self._sought[0].text
        for passage in self._passages:
            if text and text in passage:
                return Page(page_id=page_id, text=passage)
        return None

    def _show_error(self, error: ClaimscopeError) -> None:
        self.reader.show([para(safe_piece(str(error)))])
        self.tell_error(error)

    def _show(
        self, page: Page | None, numbered: Sequence[Sentence], spans: list[Span]
    ) -> None:
        self._page, self._sentences = page, numbered
        self._spans = sorted(set(spans))
        if spans:
            self._at = self._spans.index(spans[0])
        self._redraw()

    def _redraw(self) -> None:
        page = self._page
        if page is None:
            name = self._corpus or "the case's passages"
            self.reader.show(
                [para(safe_piece(f"{self._sought[0].page_id} is not in {name}."))]
            )
            return
        head = paragraphs(page_head(page), self.context.glyphs)
        self.reader.show([*head, para(), self._body(page)], at="current")

    def _body(self, page: Page) -> Paragraph:
        numbered = self._sentences if self._has_numbers else ()
        sign = self.context.glyphs.current
        return page_body(page.text, numbered, self._spans, self._current, sign)

    @property
    def _current(self) -> Span | None:
        return self._spans[self._at] if self._spans else None

    def action_mark(self, step: int) -> None:
        if not self._spans:
            self.tell("No sentence is marked on this page.")
            return
        self._at = (self._at + step) % len(self._spans)
        self._redraw()

    def action_go_to(self) -> None:
        if not self._sentences:
            self.tell("No page, so no sentences.")
            return
        first, last = self._sentences[0].index, self._sentences[-1].index

        def go(written: str | None) -> None:
            number = (written or "").upper().removeprefix("S:").strip()
            for sentence in self._sentences:
                if number == str(sentence.index):
                    self._mark((sentence.start, sentence.end))
                    return
            if number:
                self.tell(
                    f"No sentence {number}; they go from {first} to {last}.",
                    warning=True,
                )

        title = f"Go to sentence S: ({first} to {last})"
        self.app.push_screen(NoteDialog(title, keys="enter: go   esc: stay"), go)

    def _mark(self, span: Span) -> None:
        self._spans = sorted({*self._spans, span})
        self._at = self._spans.index(span)
        self._redraw()

    def action_numbers(self) -> None:
        """Without numbers, what the terminal itself selects is the text alone."""
        self._has_numbers = not self._has_numbers
        self._redraw()

    def action_edit(self) -> None:
        self.in_background(self._place, self.open_in_editor, group="files")

    def _place(self) -> FilePlace:
        page, marked = self._page, self._current
        if page is None:
            raise InputError("there is no page to open")
        if self._header is None:
            raise InputError(
                f"{page.page_id}: an index does not say where the files of its pages "
                "are",
                "a run does: open the page from one of its claims",
            )
        text = page.text[slice(*marked)] if marked else None
        return page_place(self._header, page, text)

    def action_copy(self) -> None:
        if self._page is None:
            self.tell("There is nothing to copy.")
            return
        start, end = self._current or (0, len(self._page.text))
        self.app.copy_to_clipboard(plain(self._page.text[start:end]))
        what = "sentence" if self._spans else "page"
        self.tell(f"The {what} was copied, if the terminal allows it (OSC 52).")


def _span(page: Page, numbered: Sequence[Sentence], sought: Sought) -> Span | None:
    """Its place on the page, by offset, by text, else by number."""
    text, start = sought.text, sought.start
    if text is not None:
        if start is not None and page.text.startswith(text, start):
            return start, start + len(text)
        found = page.text.find(text)
        if found >= 0:
            return found, found + len(text)
    for sentence in numbered:
        if sentence.index == sought.index:
            return sentence.start, sentence.end
    return None
