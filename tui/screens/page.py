"""A page in full with the sentence in question marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual import work
from textual.app import ComposeResult
from textual.content import Content

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Evidence, Page, SampleResult
from claimscope.tui.screens.view import Setting, View, key
from claimscope.tui.stepping import Item
from claimscope.tui.widgets.document import Reader
from claimscope.tui.widgets.flow import Paragraph, Piece, para, plain, said
from claimscope.tui.widgets.keybar import KeyBar


@dataclass(frozen=True)
class Sought:
    """A sentence to mark: by number, or by its text where there is no number."""

    page_id: str
    index: int | None = None
    text: str | None = None
    start: int | None = None


def sought_by(sample: SampleResult, item: Item) -> Iterator[Sought]:
    """Sentences to show in their page: those of the first page only."""
    if item.kind == "citation":
        citation = sample.citations[item.index]
        if citation.page_id is not None:
            yield Sought(citation.page_id, citation.sentence)
        return
    if item.kind != "claim":
        for expected in sample.case.citations:
            yield Sought(expected.page_id, expected.sentence)
        return
    verdict = sample.claims[item.index].verdict
    found: tuple[Evidence, ...] = (*verdict.evidence, *verdict.conflicting)
    for evidence in found:
        if evidence.page_id == found[0].page_id:
            index = evidence.index if evidence.index >= 0 else None
            yield Sought(evidence.page_id, index, evidence.text, evidence.start)


class PageScreen(View):
    """Shows a page of the corpus, or a passage of the case."""

    NAME = "Page"
    PURPOSE = "Read the whole page with the evidence sentence marked."
    AUTO_FOCUS = "#page-text"
    BINDINGS = [
        key("n", "mark(1)", "next mark", "Next marked sentence", id="page.next"),
        key("p", "mark(-1)", "prev", "Previous marked sentence", id="page.last"),
    ]

    def __init__(
        self,
        setting: Setting,
        corpus: str | None,
        sought: Sequence[Sought],
        passages: Sequence[str] = (),
    ) -> None:
        super().__init__(setting)
        self._corpus = corpus
        self._sought = sought
        self._passages = passages
        self._page: Page | None = None
        self._spans: list[tuple[int, int]] = []
        self._at = 0

    def compose(self) -> ComposeResult:
        """Text and keys."""
        yield Reader(id="page-text", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads in the background: the index may be large."""
        self._reader.border_title = Content(plain(self._sought[0].page_id))
        self._reader.show([para(Piece("Reading the page", "dim"))])
        self._read()

    @property
    def _reader(self) -> Reader:
        return self.query_one("#page-text", Reader)

    @work(thread=True, exclusive=True)
    def _read(self) -> None:
        page_id = self._sought[0].page_id
        page: Page | None = None
        spans: list[tuple[int, int]] = []
        try:
            if self._corpus is not None:
                page = self.setting.desk.page(self._corpus, page_id)
            if page is None:
                page = self._passage(page_id)
            if page is not None:
                found = [self._span(page, sought) for sought in self._sought]
                spans = [span for span in found if span is not None]
        except ClaimscopeError as error:
            self.from_thread(self._failed, error)
            return
        self.from_thread(self._show, page, spans)

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

    def _span(self, page: Page, sought: Sought) -> tuple[int, int] | None:
        """Its place on the page, by offset, by text, else by number."""
        text, start = sought.text, sought.start
        if text is not None:
            if start is not None and page.text.startswith(text, start):
                return start, start + len(text)
            found = page.text.find(text)
            if found >= 0:
                return found, found + len(text)
        if sought.index is None or self._corpus is None:
            return None
        for sentence in self.setting.desk.sentences(self._corpus, page.page_id):
            if sentence.index == sought.index:
                return sentence.start, sentence.end
        return None

    def _failed(self, error: ClaimscopeError) -> None:
        self._reader.show([para(said(str(error)))])
        self.tell_error(error)

    def _show(self, page: Page | None, spans: list[tuple[int, int]]) -> None:
        self._page, self._spans = page, sorted(set(spans))
        if spans:
            self._at = self._spans.index(spans[0])
        self._redraw()

    def _redraw(self) -> None:
        page = self._page
        if page is None:
            name = self._corpus or "the case's passages"
            self._reader.show(
                [para(said(f"{self._sought[0].page_id} is not in {name}."))]
            )
            return
        head = [para(said(page.title or page.page_id, "heading"))]
        for name, value in (
            ("source", page.source),
            ("url", page.url),
            ("journal", page.journal),
            ("published", page.published),
            ("authors", ", ".join(page.authors) or None),
            ("doi", page.doi),
        ):
            if value:
                head.append(para(said(f"{name}: {value}", "dim")))
        self._reader.show([*head, para(), self._body(page)], at="current")

    def _body(self, page: Page) -> Paragraph:
        pieces: list[Piece] = []
        last = 0
        for number, (start, end) in enumerate(self._spans):
            pieces.append(said(page.text[last:start]))
            role = "current" if number == self._at else "matched"
            sign = self.setting.glyphs.current
            pieces.append(Piece(f"{sign} ", role))
            pieces.append(said(page.text[max(start, last) : end], role))
            last = max(end, last)
        pieces.append(said(page.text[last:]))
        return para(*pieces)

    def action_mark(self, step: int) -> None:
        """Another of the marked sentences."""
        if not self._spans:
            self.tell("No sentence is marked on this page.")
            return
        self._at = (self._at + step) % len(self._spans)
        self._redraw()
