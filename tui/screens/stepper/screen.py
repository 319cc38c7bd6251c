"""The claim stepper: this claim, this place, this sentence, this verdict: agree?

Three panes are redrawn from the place in hand (sample and item). Moves are in
`stepper_moves.py`, a person's words in `stepper_words.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Input

from claimscope.core.analysis.agreement.overrides import as_people_say
from claimscope.core.models import SampleResult
from claimscope.core.report.coverage import coverage
from claimscope.core.report.terms import rule_words
from claimscope.core.report.views.coverage import beside_answer
from claimscope.tui.review.cursor import Place
from claimscope.tui.review.items import KIND_WORDS
from claimscope.tui.review.page_marks import sought_by
from claimscope.tui.screens.base.editing import Editing
from claimscope.tui.screens.base.view import WIDE
from claimscope.tui.screens.stepper.keys import KEYS
from claimscope.tui.screens.stepper.repair import Repairing
from claimscope.tui.widgets.answer_text import answer_pieces, item_name
from claimscope.tui.widgets.coverage_text import painted_pieces
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.emphasis import found_in
from claimscope.tui.widgets.finding_text import finding, grade_calls
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.keybar import LINES, KeyBar
from claimscope.tui.widgets.rendered import paragraphs
from claimscope.tui.widgets.sample_text import header, item_lines, legend, title

HEADER = 4
"""Lines of the header."""
TALL = 32
"""From this many lines on, a wide screen lists all items below the panes."""


class StepperScreen(Repairing, Editing):
    """Steps through the claims and failures of samples."""

    NAME = "Claim stepper"
    PURPOSE = "See why each claim got its verdict; agree or overrule."
    PANES = frozenset({"text"})
    AUTO_FOCUS = "#step-finding"
    BINDINGS = KEYS
    _shows_coverage = False
    """Is the answer painted by what the ground truth has of it?"""
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]

    def compose(self) -> ComposeResult:
        """Header, answer, finding, all items where there is room, keys."""
        head = Document(id="step-header")
        head.can_focus = False
        yield head
        with Container(id="step-body"):
            yield Document(id="step-answer", classes="pane")
            yield Document(id="step-finding", classes="pane")
        everything = Document(id="step-items", classes="pane")
        everything.can_focus = False
        yield everything
        yield Input(
            placeholder="text in claims, evidence, citations, reasons",
            id="step-search",
            compact=True,
            select_on_focus=False,
        )
        yield KeyBar()

    def on_mount(self) -> None:
        """First look."""
        self.query_one("#step-items").border_title = "all of this sample"
        self.call_after_refresh(self.redraw)

    def on_resize(self, event: events.Resize) -> None:
        """The header is made for a width."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draws all panes for the place in hand: what is as before is not repainted."""
        answer = self.query_one("#step-answer", Document)
        pane = self.query_one("#step-finding", Document)
        sample, item, glyphs = self.sample, self.item, self.setting.glyphs
        if sample is None:
            answer.show([para(self._nothing())])
            return
        self._show_header(sample)
        if self._shows_coverage:
            self._show_coverage(sample, answer, pane)
            return
        pieces = answer_pieces(sample, item, glyphs, self._words)
        answer.show(self._found([para(*pieces)]), at="current")
        self._share_height(answer)
        self._show_titles(item.kind if item else "finding")
        self._show_items(sample)
        if item is None:
            pane.show([para(said(sample.error or "Nothing to look at.", "dim"))])
        else:
            found = finding(sample, item, self._words, glyphs)
            pane.show(self._found(self.with_proposals(found)))

    def _show_coverage(
        self, sample: SampleResult, answer: Document, pane: Document
    ) -> None:
        """The answer painted by the ground truth, beside the list of its parts."""
        glyphs, found = self.setting.glyphs, coverage(sample)
        if isinstance(found, str):
            pieces = [said(sample.answer.text)]
        else:
            pieces = painted_pieces(found, glyphs)
        answer.show(self._found([para(*pieces)]))
        self._share_height(answer)
        signs = f"{glyphs.supported}n covered  {glyphs.not_enough_info} not covered"
        for part, name in ((answer, f"answer  {signs}"), (pane, "coverage")):
            part.border_title = name
        self._show_items(sample)
        pane.show(self._found([*paragraphs(beside_answer(sample), glyphs)]))

    def action_coverage(self) -> None:
        """Paints by the ground truth, or by verdicts again."""
        self._shows_coverage = not self._shows_coverage
        self.redraw()

    def _show_titles(self, kind: str) -> None:
        """Names of the panes, with the meaning of the signs: of all of them above the
        answer, or half of them above each pane where they stand side by side."""
        signs = legend(self.setting.glyphs)
        half = (len(signs) + 1) // 2 if self.size.width >= WIDE else len(signs)
        names = {"answer": ["answer", *signs[:half]], "finding": [kind, *signs[half:]]}
        for name, parts in names.items():
            pane, text = self.query_one(f"#step-{name}"), "  ".join(parts)
            if pane.border_title != text:  # setting it repaints the pane
                pane.border_title = text

    def _show_items(self, sample: SampleResult) -> None:
        pane = self.query_one("#step-items", Document)
        if pane.display and pane.size.height:
            width = pane.scrollable_content_region.width
            lines = item_lines(
                sample,
                self.row,
                self.place.item,
                self._words,
                self.setting.glyphs,
                width,
            )
            pane.show(lines, at="current")

    def _nothing(self) -> Piece:
        """Why there is no sample to look at."""
        if self._samples and self.problem is not None:
            return said(str(self.problem), "contradicted")
        return Piece("This run has no finished sample yet.", "dim")

    def _found(self, paragraphs: Sequence[Paragraph]) -> Sequence[Paragraph]:
        """With what was searched for marked."""
        return found_in(paragraphs, self._needle) if self._needle else paragraphs

    def _show_header(self, sample: SampleResult) -> None:
        now = as_people_say(sample, self._words.standing, self._judged_by)
        head = self._reader.status().header
        place = (self.place.sample + 1, len(self._samples))
        suite = head.suite_title or head.suite_id
        glyphs, width = self.setting.glyphs, self.size.width
        first = title(suite, head.run_id, sample.key, place, glyphs, width)
        lines = header(
            sample,
            now,
            self.row,
            self.place.item,
            self._words,
            self._stepping_through(),
            rule_words(head.settings, judge=head.judge),
            glyphs,
            width,
        )
        self.query_one("#step-header", Document).show([first, *lines])

    def _stepping_through(self) -> str:
        """What is left out or looked for, for the header."""
        parts = [f"only: {KIND_WORDS[self._wanted]}"] if self._wanted else []
        parts += [searched] if (searched := self.searched()) else []
        return "  ".join(parts)

    def _share_height(self, answer: Document) -> None:
        """Stacked, the answer takes what it needs, at most half; beside, all."""
        if self.size.width >= WIDE:
            answer.styles.height = "1fr"
            return
        half = max((self.size.height - HEADER - LINES) // 2, 3)
        answer.styles.height = min(len(answer.lines) + 2, half)

    def on_document_clicked(self, event: Document.Clicked) -> None:
        """A click on an item of the list goes there, one in the answer to what was
        clicked."""
        at: int | None = None
        if event.document.id == "step-items" and event.line < len(self.row):
            at = event.line
        elif event.document.id == "step-answer" and event.of:
            names = [item_name(item.kind, item.index) for item in self.row]
            at = names.index(event.of) if event.of in names else None
        if at is not None:
            self._go(Place(self.place.sample, at))

    # --- looking closer ---

    def action_page(self) -> None:
        """The page of the evidence or citation in hand."""
        sample, item = self.sample, self.item
        sought = list(sought_by(sample, item)) if sample and item else []
        if not sought:
            self.tell("There is no page to show for this item.")
            return
        head = self._reader.status().header
        passages = sample.case.contexts if sample else ()
        self.open_screen("page", head.corpus, sought, passages, head)

    def action_edit(self) -> None:
        """Opens the page, the answer or the suite in hand in $EDITOR."""
        sample, item = self.sample, self.item
        if sample is None:
            self.tell("There is no sample, so no file to open.")
            return
        sought = next(sought_by(sample, item), None) if item else None
        said = ""
        if item is not None and item.start is not None:
            said = sample.answer.text[item.start : item.end]
        self.find_files(self._reader.status().header, sample, sought, said)

    def action_calls(self) -> None:
        """Prompt and raw reply behind the item in hand."""
        sample, item = self.sample, self.item
        keys: Sequence[str] = ()
        if sample and item and item.kind == "claim":
            keys = sample.claims[item.index].verdict.call_keys
        elif sample and item and item.kind == "grade":
            keys = grade_calls(sample.grades[item.index])
        if not keys:
            self.tell("No language model was asked for this one.")
            return
        self.open_screen("calls", self._reader, keys)

    def action_candidates(self) -> None:
        """All that the claim in hand was held against."""
        sample, item = self.sample, self.item
        if sample is None or item is None or item.kind != "claim":
            self.tell("Only a claim is held against sentences.")
            return
        self.open_screen("candidates", self._reader, sample, item.index)

    def action_copy(self) -> None:
        """Copies claim, verdict and evidence to the terminal's clipboard."""
        sample, item = self.sample, self.item
        if sample is None or item is None:
            return
        lines: list[str]
        if item.kind == "claim":
            result = sample.claims[item.index]
            verdict = result.verdict
            lines = [f"{verdict.word}: {result.claim.text}"]
            lines += [f"[{e.sentence_id}] {e.text}" for e in verdict.evidence]
        else:
            pane = self.query_one("#step-finding", Document)
            lines = ["".join(piece.text for piece in line) for line in pane.lines]
        self.app.copy_to_clipboard("\n".join(lines))
        self.tell("Copied, if the terminal allows it (OSC 52).")
