"""The claim stepper: this claim, this place, this sentence, this verdict: agree?

The screen that is worked with for hours. Three panes are redrawn from the place in hand
(sample and item, `state.py`); a text is looked for by `search.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Input
from textual.worker import get_current_worker

from claimscope.core.analysis.agreement.overrides import sample_with_overrides
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import SampleResult
from claimscope.core.ports import RunReader
from claimscope.core.report.coverage import coverage
from claimscope.core.report.terms import rule_words
from claimscope.core.report.views.citations import proposal_view
from claimscope.core.report.views.coverage import beside_answer
from claimscope.core.report.views.grade import grade_calls
from claimscope.core.report.views.run_status import name_of
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.dialogs.choice import Choice
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.dialogs.overrule import OverruleDialog
from claimscope.tui.process.faults import log_error
from claimscope.tui.review.cursor import Place, seek
from claimscope.tui.review.item_text import item_view, main_page, rests_on
from claimscope.tui.review.items import (
    BESIDE,
    CONFLICT,
    KIND_WORDS,
    LIKELY,
    PROPOSED,
    Item,
    Judged,
    Overruling,
    Wanted,
    wanted_of,
)
from claimscope.tui.review.page_marks import sought_by
from claimscope.tui.screens.base.editing import Editing
from claimscope.tui.screens.base.view import WIDE, ScreenContext
from claimscope.tui.screens.stepper.search import Spot, TextSearch, count
from claimscope.tui.screens.stepper.state import (
    SOUGHT,
    Fits,
    LikelyAgreement,
    Spoken,
    Step,
    Stepping,
)
from claimscope.tui.widgets.answer_text import answer_pieces, coverage_pieces, item_name
from claimscope.tui.widgets.bindings import key, key_pair
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Paragraph, Piece, found_in, para, safe_piece
from claimscope.tui.widgets.keybar import LINES, KeyBar
from claimscope.tui.widgets.rendered import paragraphs
from claimscope.tui.widgets.sample_text import header, item_lines, legend, title

HEADER = 4
"""Lines of the header."""
TALL = 32
"""From this many lines on, a wide screen lists all items below the panes."""
SOON = 200
"""Samples that are read before a search goes on in the background."""
_ALL = "all"
_TAKE = "t"
_CALLS = "r"
KEYS: list[BindingType] = [
    *key_pair(("n", "p"), "step.{}_failure", "failure", "failure", "failure"),
    *key_pair(
        ("j,down", "k,up"), "step.{}_item", "item", "claim or other item", "claim"
    ),
    *key_pair(
        ("right_square_bracket", "left_square_bracket"),
        "step.{}_sample",
        "sample",
        "sample",
        "sample",
    ),
    key("a", "step.agree", "agree", "The machine is right"),
    key("o", "step.overrule", "overrule", "Give another verdict"),
    *key_pair(
        ("l", "L"), "step.{}_likely", "likely", "claim that is only likely", "likely"
    ),
    key("u", "step.undo", "undo", "Take back the last word given"),
    key(
        "A",
        "step.agree_all",
        "agree with all",
        "Agree with every verdict that is stepped through (f) and has no word yet",
        show=False,
    ),
    key("N", "step.note", "note", "Write a note on the claim"),
    key("f", "step.filter", "filter", "Only one kind of failure"),
    key(
        "slash",
        "step.search",
        "find",
        "Find a text in claims, evidence, citations, reasons",
        opens_line=True,
    ),
    key(
        "greater_than_sign,full_stop",
        "step.next_match",
        "next match",
        "Next place of what was looked for; from the last on to the first",
        action="match(1)",
        key_display=">",
        show=False,
    ),
    key(
        "less_than_sign",
        "step.last_match",
        "previous match",
        "Previous place of what was looked for; from the first on to the last",
        action="match(-1)",
        show=False,
    ),
    *key_pair(
        ("s", "S"),
        "step.{}_same_page",
        "same_page",
        "claim that rests on the same page",
        "same page",
    ),
    key(
        _TAKE,
        "step.repair",
        "take",
        "Accept the proposed citation; again takes it back",
    ),
    key(
        "w",
        "step.candidates",
        "tried",
        "All sentences and windows that were tried, with their scores",
    ),
    key(
        "v",
        "step.coverage",
        "cover",
        "What the ground truth has of the answer, by which sentence; again: verdicts",
    ),
    key(_CALLS, "step.calls", "raw", "Prompt and raw reply of the model"),
    key("g", "step.page", "page", "The whole page, sentence marked"),
    key(
        "e",
        "step.edit",
        "edit",
        "Open the page, the answer or the suite at its line in $EDITOR",
    ),
    key("c", "step.copy", "copy", "Copy claim and evidence (OSC 52)"),
    key(
        "tab",
        "step.pane",
        "pane",
        "Let space and page keys scroll the other pane",
        action="app.focus_next",
        show=False,
    ),
]


class StepperScreen(Editing):
    """Steps through the claims and failures of samples."""

    NAME = "Claim stepper"
    PURPOSE = "See why each claim got its verdict; agree or overrule."
    PANES = frozenset({"text"})
    AUTO_FOCUS = "#step-finding"
    BINDINGS = KEYS
    _shows_coverage = False
    """Is the answer painted by what the ground truth has of it?"""
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]

    def __init__(
        self,
        context: ScreenContext,
        reader: RunReader,
        samples: Sequence[SampleResult],
        start: int | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        """start: number of the sample to begin with; None = where the sitting before
        ended. wanted: the kind to step through; None = all failures."""
        super().__init__(context)
        self.state = Stepping(reader, samples, wanted, context.by, context.stamp)
        self.state.begin(start)
        self._reader, self._samples = reader, samples
        self._search = TextSearch()

    # --- what is in hand ---

    @property
    def place(self) -> Place:
        return self.state.place

    @place.setter
    def place(self, place: Place) -> None:
        self.state.place = place

    @property
    def sample(self) -> SampleResult | None:
        return self.state.sample

    @property
    def row(self) -> Sequence[Item]:
        return self.state.row

    @property
    def item(self) -> Item | None:
        return self.state.item

    # --- drawing ---

    def compose(self) -> ComposeResult:
        yield Document(id="step-header", can_focus=False)
        with Container(id="step-body"):
            yield Document(id="step-answer", classes="pane")
            yield Document(id="step-finding", classes="pane")
        yield Document(id="step-items", classes="pane", can_focus=False)
        yield Input(
            placeholder="text in claims, evidence, citations, reasons",
            id="step-search",
            compact=True,
            select_on_focus=False,
        )
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#step-items").border_title = "all of this sample"
        self.call_after_refresh(self.redraw)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draws all panes for the place in hand: what is as before is not repainted."""
        answer = self.query_one("#step-answer", Document)
        pane = self.query_one("#step-finding", Document)
        sample, item, glyphs = self.sample, self.item, self.context.glyphs
        if sample is None:
            answer.show([para(self._nothing())])
            return
        self._show_header(sample)
        if self._shows_coverage:
            self._show_coverage(sample, answer, pane)
            return
        pieces = answer_pieces(sample, item, glyphs, self.state.words)
        answer.show(self._found([para(*pieces)]), at="current")
        self._share_height(answer)
        self._show_titles(item.kind if item else "finding")
        self._show_items(sample)
        if item is None:
            pane.show([para(safe_piece(sample.error or "Nothing to look at.", "dim"))])
        else:
            verdict, *rest = item_view(sample, item, self.state.words, _CALLS)
            proposed = [
                part
                for one in self.state.proposals
                for part in proposal_view(one, _TAKE)
            ]
            parts = [verdict, *proposed, *rest]
            pane.show(self._found(list(paragraphs(parts, glyphs))))

    def _show_coverage(
        self, sample: SampleResult, answer: Document, pane: Document
    ) -> None:
        """The answer painted by the ground truth, beside the list of its parts."""
        glyphs, found = self.context.glyphs, coverage(sample)
        if isinstance(found, str):
            pieces = [safe_piece(sample.answer.text)]
        else:
            pieces = coverage_pieces(found, glyphs)
        answer.show(self._found([para(*pieces)]))
        self._share_height(answer)
        signs = f"{glyphs.supported}n covered  {glyphs.not_enough_info} not covered"
        for part, name in ((answer, f"answer  {signs}"), (pane, "coverage")):
            part.border_title = name
        self._show_items(sample)
        pane.show(self._found([*paragraphs(beside_answer(sample), glyphs)]))

    def action_coverage(self) -> None:
        self._shows_coverage = not self._shows_coverage
        self.redraw()

    def _show_titles(self, kind: str) -> None:
        """Names of the panes, with the meaning of the signs: of all of them above the
        answer, or half of them above each pane where they stand side by side."""
        signs = legend(self.context.glyphs)
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
                self.state.words,
                self.context.glyphs,
                width,
            )
            pane.show(lines, at="current")

    def _nothing(self) -> Piece:
        """Why there is no sample to look at."""
        if self._samples and self.state.problem is not None:
            return safe_piece(str(self.state.problem), "contradicted")
        return Piece("This run has no finished sample yet.", "dim")

    def _found(self, paragraphs: Sequence[Paragraph]) -> Sequence[Paragraph]:
        """With what was searched for marked."""
        return (
            found_in(paragraphs, self._search.needle)
            if self._search.needle
            else paragraphs
        )

    def _show_header(self, sample: SampleResult) -> None:
        now = sample_with_overrides(
            sample, self.state.words.standing, self.state.judged_by
        )
        head = self._reader.status().header
        place = (self.place.sample + 1, len(self._samples))
        glyphs, width = self.context.glyphs, self.size.width
        first = title(name_of(head), head.run_id, sample.key, place, glyphs, width)
        lines = header(
            sample,
            now,
            self.row,
            self.place.item,
            self.state.words,
            self._stepping_through(),
            rule_words(head.settings, judge=head.judge),
            glyphs,
            width,
        )
        self.query_one("#step-header", Document).show([first, *lines])

    def _stepping_through(self) -> str:
        """What is left out or looked for, for the header."""
        parts = [f"only: {KIND_WORDS[self.state.wanted]}"] if self.state.wanted else []
        more = self.context.glyphs.more
        parts += [found] if (found := self._search.summary(self.place, more)) else []
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

    # --- from place to place ---

    def _go(self, place: Place) -> None:
        self.place = place
        self.redraw()

    def _seek(
        self,
        at: Place,
        step: Step,
        fits: Fits,
        nothing: str,
        wanted: Wanted | None = None,
        *,
        by_rows: bool = False,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Goes to the nearest item that fits. When there is none it does what
        `otherwise` says, else says `nothing`.

        by_rows: it is an item of kind `wanted`, so that light rows tell where not.
        """
        otherwise = otherwise or partial(self.tell, nothing)

        rows = self.state.rows

        def may(number: int) -> bool:
            return not by_rows or rows.may_hold(number, wanted)

        try:
            sighting = seek(
                rows, at, step, lambda n, i: fits(rows.sample(n), i), may, SOON
            )
        except ClaimscopeError as error:
            self.tell_error(error)
            return
        if sighting.rest is None:
            self._land(sighting.found, otherwise)
        else:
            self.tell("Looking through the further samples.")
            self._seek_on(sighting.rest, step, fits, otherwise, may)

    @work(thread=True, exclusive=True, group="seek", exit_on_error=False)
    def _seek_on(
        self,
        at: Place,
        step: Step,
        fits: Fits,
        otherwise: Callable[[], None],
        may: Callable[[int], bool],
    ) -> None:
        worker = get_current_worker()
        rows = self.state.fresh_rows()
        rest: Place | None = at
        found: Place | None = None
        try:
            while rest is not None and not worker.is_cancelled:
                found, rest = seek(
                    rows, rest, step, lambda n, i: fits(rows.sample(n), i), may, SOON
                )
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))
            return
        self.from_thread(self._land, found, otherwise)

    def _land(self, found: Place | None, otherwise: Callable[[], None]) -> None:
        if found is None:
            otherwise()
        else:
            self._go(found)

    def action_failure(self, step: Step) -> None:
        self._to_failure(step, f"No {_further(step)} {self.state.sought}.")

    def _to_failure(self, step: Step, nothing: str) -> None:
        wanted = self.state.wanted
        self._seek(
            self.place,
            step,
            lambda _, item: item.matches(wanted),
            nothing,
            wanted,
            by_rows=True,
        )

    def action_likely(self, step: Step) -> None:
        """Next or previous claim that is only likely, whatever is stepped through."""
        self._seek(
            self.place,
            step,
            lambda _, item: item.is_likely,
            f"No {_further(step)} {SOUGHT[LIKELY]}.",
            LIKELY,
            by_rows=True,
        )

    def action_same_page(self, step: Step) -> None:
        """Next or previous claim that rests on the page of the one in hand."""
        sample, item = self.sample, self.item
        page = main_page(sample, item) if sample and item else None
        if page is None:
            self.tell("What is in hand rests on no page.")
            return
        self._seek(
            self.place,
            step,
            lambda sample, item: rests_on(sample, item, page),
            f"No {_further(step)} claim rests on {page}.",
        )

    def action_item(self, step: Step) -> None:
        """Next or previous item, on into the neighbouring sample."""
        self._go_beside(self.state.item_beside(step), step, "item")

    def action_sample(self, step: Step) -> None:
        self._go_beside(self.state.sample_beside(step), step, "sample")

    def _go_beside(self, place: Place | None, step: Step, noun: str) -> None:
        if place is not None:
            self._go(place)
        else:
            self.tell(f"This is the {'last' if step == 1 else 'first'} {noun}.")

    def action_filter(self) -> None:
        rows = self.state.rows
        try:
            counts = rows.counts()
        except ClaimscopeError as error:
            self.tell_error(error)
            return
        many = rows.are_many
        failures = sum(n for kind, n in counts.items() if kind not in BESIDE)
        choices = [Choice(_ALL, "all failures" + ("" if many else f" ({failures})"))]
        choices += [
            Choice(str(kind), f"{KIND_WORDS[kind]} ({_number(count, many)})")
            for kind, count in counts.items()
        ]
        if many:  # light rows do not tell
            choices += [Choice(kind, KIND_WORDS[kind]) for kind in (CONFLICT, PROPOSED)]
        chosen = str(self.state.wanted or _ALL)
        title = "Step through which failures?"
        self.choose(title, choices, self._step_through, chosen)

    def _step_through(self, value: str) -> None:
        with self.telling_errors():
            self.state.step_through(None if value == _ALL else wanted_of(value))
            self.redraw()

    # --- looking for a text ---

    def action_search(self) -> None:
        """Opens the line for a text; the place follows what is typed."""
        line = self._line
        self._search.begin(self.place)
        line.value = self._search.needle
        self.open_line(line)

    @property
    def _line(self) -> Input:
        return self.query_one("#step-search", Input)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Looks for what stands there so far, from where the search began."""
        text = event.value.strip()
        if self._line.has_class("-open") and text != self._search.needle:
            self.place = self._search.begun
            self._look_for(text)

    def _look_for(self, text: str) -> None:
        self._search.look_for(text)
        self.workers.cancel_group(self, "count")
        self.redraw()
        if text:
            self._count(text, self.place)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Stays where the search came to; an empty line ends it."""
        self._close_line()
        if self._search.is_in_vain:
            self.tell(self._search.nothing)

    def action_leave(self) -> None:
        """From the line back to where the search began, else from the screen."""
        if not self._line.has_class("-open"):
            super().action_leave()
            return
        self._close_line()
        self.place = self._search.begun
        if self._search.needle == self._search.before:
            self.redraw()
        else:
            self._look_for(self._search.before)

    def _close_line(self) -> None:
        self._line.remove_class("-open")
        self.set_focus(self.query_one("#step-finding"))

    def action_match(self, step: Step) -> None:
        """Next or previous item with the text that was looked for."""
        if self._search.needle:
            self._find(self.place, step)
        else:
            self.action_search()

    def _find(self, at: Place, step: Step) -> None:
        """From the last match on to the first, and back."""
        around = partial(self._around, step, self._search.nothing)
        fits = self._search.fits()
        self._seek(at, step, fits, self._search.nothing, otherwise=around)

    def _around(self, step: Step, nothing: str) -> None:
        last = len(self._samples) - 1
        back = Place(last, len(self.state.row_of(last)))
        end = Place(0, -1) if step == 1 else back
        self._seek(end, step, self._search.fits(), nothing)

    @work(thread=True, exclusive=True, group="count", exit_on_error=False)
    def _count(self, needle: str, begun: Place) -> None:
        """Goes to the nearest match, then says how many there are."""
        worker, fits = get_current_worker(), self._search.fits()
        rows = self.state.fresh_rows()
        try:
            for found in count(rows, fits, begun, lambda: worker.is_cancelled):
                if found.nearest is not None:
                    self.from_thread(self._go_to_match, needle, found.nearest)
                if found.matches is not None:
                    self.from_thread(
                        self._take_count, needle, found.matches, found.is_all
                    )
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))

    def _go_to_match(self, needle: str, place: Place) -> None:
        if needle == self._search.needle:
            self._go(place)

    def _take_count(self, needle: str, found: tuple[Spot, ...], is_all: bool) -> None:
        if needle != self._search.needle:
            return
        self._search.matches, self._search.is_counted = found, is_all
        self.redraw()
        if is_all and not found and not self._line.has_class("-open"):
            self.tell(self._search.nothing)

    # --- what a person says of claims ---

    def _judged_in_hand(self) -> Judged | None:
        """The claim in hand; says so when the item is no claim."""
        judged = self.state.judged
        if judged is None:
            self.tell("Only a claim can be agreed with, overruled or noted on.")
        return judged

    def _say(self, judged: Judged, said: Overruling | None, note: str = "") -> bool:
        """Keeps a word; False when it could not be written."""
        try:
            self.state.say(judged, said, note)
        except ClaimscopeError as error:
            self.tell_error(error)
            return False
        return True

    def action_agree(self) -> None:
        """The machine is right; on to the next failure."""
        judged = self._judged_in_hand()
        if judged is not None and self._say(judged, Overruling(judged.label)):
            self._after_a_word()

    def action_overrule(self) -> None:
        judged = self._judged_in_hand()
        if judged is None:
            return

        def done(said: Overruling | None) -> None:
            if said is not None and self._say(judged, said):
                self._after_a_word()

        glyphs, required = self.context.glyphs, judged.required
        dialog = OverruleDialog(judged.label, glyphs, required=required)
        self.app.push_screen(dialog, done)

    def _after_a_word(self) -> None:
        self.redraw()
        self._to_failure(1, f"Saved. That was the last {self.state.sought}.")

    def action_note(self) -> None:
        """Asks for a note; the verdict stays."""
        judged = self._judged_in_hand()
        if judged is None:
            return
        word = self.state.word

        def done(note: str | None) -> None:
            if note is not None:
                said = Overruling.of(word)
                self._say(judged, said._replace(note=note) if said else None, note)
                self.redraw()

        title = "Note on this claim"
        self.app.push_screen(NoteDialog(title, word.note if word else ""), done)

    def action_agree_all(self) -> None:
        """Agrees with every verdict that is stepped through and has no word yet; asks
        before."""
        if self.state.rows.are_many:
            self.tell("Counting the verdicts without a word.")
        wanted = self.state.wanted
        self.in_background(
            lambda: self.state.agreeing(
                wanted, lambda: get_current_worker().is_cancelled
            ),
            self._ask_all,
            group="agree",
        )

    def _ask_all(self, found: LikelyAgreement | None) -> None:
        if found is None:
            return
        if not found.words:
            self.tell(f"No {self.state.sought} is without a word.")
            return

        kinds = found.kinds.most_common()
        listed = ", ".join(f"{count} {word}" for word, count in kinds)
        samples = len({one.place.sample for one in found.words})
        verdicts = counted_noun(len(found.words), "verdict")
        title = f"Agree with {verdicts} of {counted_noun(samples, 'sample')}?"

        def save() -> None:
            words = [one.word for one in found.words]
            self.in_background(
                lambda: self._reader.save_human(*words),
                lambda _: self._keep(found.words),
                group="agree",
            )

        self.confirm(title, "no, leave them as they are", f"yes: {listed}", save)

    def _keep(self, said: Sequence[Spoken]) -> None:
        self.state.keep(said)
        self.redraw()
        self.tell(
            f"Agreed with {counted_noun(len(said), 'verdict')}; u takes them back."
        )

    def action_undo(self) -> None:
        """Takes back the last thing said in this sitting, else the word on this
        claim."""
        if self.state.undo:
            if self._take_back(self.state.undo[-1]):
                self.state.undo.pop()
            return
        if self._judged_in_hand() is None:
            return
        word = self.state.word
        if word is None:
            self.tell("There is no word of yours to take back here.")
        elif word.by != self.context.by:
            who = word.by or "somebody without a name"
            self.tell(f"That word is of {who}: a or o gives your own.")
        else:
            self._take_back([Spoken(self.place, word, None)])

    def _take_back(self, spoken: Sequence[Spoken]) -> bool:
        try:
            self.state.take_back(spoken)
        except ClaimscopeError as error:
            self.tell_error(error)
            return False
        self.redraw()
        many = f"Took back {counted_noun(len(spoken), 'word')}."
        self.tell(many if len(spoken) > 1 else "Taken back.")
        return True

    # --- proposed citations ---

    def action_repair(self) -> None:
        """Accepts the first proposal of the item in hand that is open; where all are
        accepted, takes the last one back."""
        sample, known = self.sample, self.state.proposals
        if sample is None or not known:
            self.tell("No citation is proposed here.")
            return
        chosen = next((one for one in known if not one.accepted), known[-1])
        with self.telling_errors():
            self.state.decide(sample, chosen)
            self.redraw()
            accepted = f"Accepted: {chosen.by.strip()}; {_TAKE} again takes it back."
            self.tell(f"Taken back: {chosen.by}" if chosen.accepted else accepted)

    # --- looking closer ---

    def action_page(self) -> None:
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


def _number(count: int, many: bool) -> str:
    """How often a kind is there: items, or of many samples those that have it."""
    if not many:
        return str(count)
    return f"in {counted_noun(count, 'sample')}"


def _further(step: Step) -> str:
    return "further" if step == 1 else "earlier"
