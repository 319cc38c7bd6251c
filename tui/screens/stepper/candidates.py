"""All that a claim was held against: windows a model read, sentences that were near."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual import work

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Evidence, SampleResult, Verdict
from claimscope.core.ports import RunReader
from claimscope.core.report.emphasis import conflicting, emphasised
from claimscope.core.report.view import Span
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.gateway import CandidateSearch
from claimscope.tui.process.faults import log_error
from claimscope.tui.review.page_marks import Sought
from claimscope.tui.review.passages_read import WindowRead, windows_read
from claimscope.tui.screens.base.view import ScreenContext, TextScreen
from claimscope.tui.views.page import score_words
from claimscope.tui.widgets.bindings import key, key_pair
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import verdict_role
from claimscope.tui.widgets.rendered import piece


class CandidatesScreen(TextScreen):
    """Windows and sentences with their scores; what the verdict rests on is marked."""

    NAME = "Tried"
    PURPOSE = "See all that a claim was held against, with the scores."
    TEXT = "tried-text"
    AUTO_FOCUS = "#tried-text"
    BINDINGS = [
        *key_pair(("n", "p"), "tried.{}", "mark", "sentence", "sentence"),
        key("g", "tried.page", "page", "Its whole page, sentence marked"),
    ]

    def __init__(
        self,
        context: ScreenContext,
        reader: RunReader,
        sample: SampleResult,
        index: int,
    ) -> None:
        super().__init__(context)
        self._run = reader
        self._sample = sample
        self._result = sample.claims[index]
        self._windows: Sequence[WindowRead] = ()
        self._found: Sequence[CandidateSearch] | ClaimscopeError | None = None
        self._at = 0

    def on_mount(self) -> None:
        """What is in the journal at once; sentences are looked up behind it."""
        self.reader.border_title = "tried"
        self._redraw()
        self._look()

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _look(self) -> None:
        windows: Sequence[WindowRead] = ()
        found: Sequence[CandidateSearch] | ClaimscopeError
        try:
            windows = windows_read(self._run, self._verdict.call_keys)
            header = self._run.status().header
            claim = self._result.claim.text
            found = self.context.gateway.candidate_searches(header, self._sample, claim)
        except Exception as error:
            found = log_error(error)
        self.from_thread(self._looked, windows, found)

    def _looked(
        self,
        windows: Sequence[WindowRead],
        found: Sequence[CandidateSearch] | ClaimscopeError,
    ) -> None:
        self._windows, self._found = windows, found
        self._redraw()

    @property
    def _verdict(self) -> Verdict:
        return self._result.verdict

    @property
    def _sentences(self) -> list[Evidence]:
        """All that are listed, in their order."""
        if self._found is None or isinstance(self._found, ClaimscopeError):
            return []
        return [hit for look in self._found for hit in look.hits]

    def _redraw(self) -> None:
        paragraphs = list(self._text())
        self.reader.show(paragraphs, at="current" if self._at else None)

    def _text(self) -> Iterator[Paragraph]:
        words = conflicting(self._result.claim.text, self._verdict.rules)
        yield para(Piece("Claim  ", "heading"), *self._pieces(words))
        yield from self._of_model()
        if self._found is None:
            yield para()
            yield para(Piece("Looking the sentences up again", "dim"))
        elif isinstance(self._found, ClaimscopeError):
            yield para()
            yield para(safe_piece(str(self._found), "contradicted"))
        else:
            first = 0
            for look in self._found:
                yield from self._of_look(look, first)
                first += len(look.hits)

    def _of_model(self) -> Iterator[Paragraph]:
        """Windows that a language model read, with the share of Yes of each wording."""
        for number, window in enumerate(self._windows, 1):
            yield para()
            yield para(
                Piece(f"Window {number} of {len(self._windows)}  ", "heading"),
                safe_piece(window.model),
                safe_piece(f"  {counted_noun(window.words, 'word')}  ", "dim"),
                hanging=2,
            )
            for asked in window.asked:
                yield para(safe_piece(f"  {asked}"), hanging=4)
            words = emphasised(window.text, self._result.claim.text, ())
            yield para(*self._pieces(words))

    def _of_look(self, look: CandidateSearch, first: int) -> Iterator[Paragraph]:
        glyphs = self.context.glyphs
        yield para()
        number = f"{len(look.hits)} nearest of "
        yield para(
            Piece(number, "heading"), safe_piece(look.where, "heading"), hanging=2
        )
        if look.is_as_then is False:
            text = f"{glyphs.contradicted} the pages have changed: the run found others"
            yield para(Piece(text, "contradicted"))
        elif look.is_as_then is None:
            yield para(Piece("looked up now; the run kept no record of it", "dim"))
        if not look.hits:
            yield para(Piece("no sentence", "dim"))
        for place, hit in enumerate(look.hits, 1):
            yield from self._of_hit(hit, place, first + place - 1 == self._at)

    def _of_hit(self, hit: Evidence, place: int, in_hand: bool) -> Iterator[Paragraph]:
        glyphs, verdict = self.context.glyphs, self._verdict
        role, word = "", ""
        if any(one.sentence_id == hit.sentence_id for one in verdict.evidence):
            role, word = verdict_role(verdict), f"{glyphs.verdict(verdict)} shown  "
        elif any(one.sentence_id == hit.sentence_id for one in verdict.conflicting):
            role, word = "contradicted", f"{glyphs.contradicted} speaks against it  "
        sign = glyphs.current if in_hand else " "
        yield para(
            Piece(f"{sign}{place:2} ", "current" if in_hand else ""),
            Piece(word, role),
            Piece(score_words(hit)),
            safe_piece(f"  {hit.sentence_id}", "citation"),
            hanging=4,
        )
        words = emphasised(hit.text, self._result.claim.text, verdict.rules)
        yield para(Piece("    "), *self._pieces(words), hanging=4)

    def _pieces(self, spans: Iterable[Span]) -> Iterator[Piece]:
        return (piece(span, self.context.glyphs) for span in spans)

    def action_mark(self, step: int) -> None:
        number = len(self._sentences)
        if not number:
            self.tell("There is no sentence to step through.")
            return
        self._at = min(max(self._at + step, 0), number - 1)
        self._redraw()

    def action_page(self) -> None:
        hits = self._sentences
        if not hits:
            self.tell("There is no sentence in hand.")
            return
        hit = hits[self._at]
        index = hit.index if hit.index >= 0 else None
        sought = [Sought(hit.page_id, index, hit.text, hit.start)]
        head = self._run.status().header
        passages = self._sample.case.contexts
        self.open_screen("page", head.corpus, sought, passages, head)
