"""The claim stepper: this claim, this place, this sentence, this verdict: agree?

The screen holds a place (sample and item) and redraws three panes from it; all order
and counting is in `tui/stepping.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from claimscope.core.analysis.overrules import as_people_say, settings_of
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import ClaimResult, HumanVerdict, SampleResult
from claimscope.core.ports import RunReader
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.dialogs.overrule import OverruleDialog, Overruling
from claimscope.tui.glyphs import WORDS
from claimscope.tui.screens.calls import CallsScreen
from claimscope.tui.screens.page import PageScreen, sought_by
from claimscope.tui.screens.stepper_keys import KEYS
from claimscope.tui.screens.view import WIDE, Setting, View
from claimscope.tui.stepping import (
    DISPUTED,
    KIND_WORDS,
    Item,
    Place,
    Rows,
    Wanted,
    Words,
    count_kinds,
    first_failure,
    next_failure,
    wanted_of,
)
from claimscope.tui.widgets.answer_text import answer_pieces
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.finding_text import finding, grade_calls
from claimscope.tui.widgets.flow import Piece, para, said
from claimscope.tui.widgets.keybar import LINES, KeyBar
from claimscope.tui.widgets.sample_text import header

_ALL = "all"
HEADER = 4
"""Lines of the header."""


class StepperScreen(View):
    """Steps through the claims and failures of samples."""

    NAME = "Claim stepper"
    PURPOSE = "See why each claim got its verdict; agree or overrule."
    AUTO_FOCUS = "#step-finding"
    BINDINGS = KEYS

    def __init__(
        self,
        setting: Setting,
        reader: RunReader,
        samples: Sequence[SampleResult],
        start: int | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        super().__init__(setting)
        self._reader = reader
        self._samples = samples
        self._rows = Rows(samples)
        self._wanted = wanted
        self._words = Words.read(reader.human_verdicts())
        self._judged_by = settings_of(reader.status().header)
        self._undo: list[tuple[Place, HumanVerdict | None]] = []
        self.place = self._first(start)

    def _first(self, start: int | None) -> Place:
        if start is not None:
            return Place(start, first_failure(self._rows[start], self._wanted))
        if not self._samples:
            return Place(0, 0)
        first = found = next_failure(self._rows, Place(0, -1), 1, self._wanted)
        if any(self._words.counts()):
            # A second sitting goes on where the first one ended.
            while found is not None and not self._is_open(found):
                found = next_failure(self._rows, found, 1, self._wanted)
        return found or first or Place(0, 0)

    def _is_open(self, place: Place) -> bool:
        """Whether a claim stands there that has no word yet."""
        sample, item = self._samples[place.sample], self._rows[place.sample][place.item]
        if item.kind != "claim":
            return False
        return self._words.on(sample, sample.claims[item.index].claim.index) is None

    def compose(self) -> ComposeResult:
        """Header, answer, finding, keys."""
        head = Document(id="step-header")
        head.can_focus = False
        yield head
        with Container(id="step-body"):
            yield Document(id="step-answer", classes="pane")
            yield Document(id="step-finding", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """First look."""
        self.query_one("#step-answer").border_title = "answer"
        self.call_after_refresh(self.redraw)

    def on_resize(self, event: events.Resize) -> None:
        """The header is made for a width."""
        self.call_after_refresh(self.redraw)

    # --- what is in hand ---

    @property
    def sample(self) -> SampleResult | None:
        """The sample in hand; None when there is none at all."""
        return self._samples[self.place.sample] if self._samples else None

    @property
    def item(self) -> Item | None:
        """The item in hand; None when the sample has none."""
        if not self._samples:
            return None
        row = self._rows[self.place.sample]
        return row[self.place.item] if self.place.item < len(row) else None

    def _claim(self) -> ClaimResult | None:
        """The claim in hand; says so when the item is no claim."""
        sample, item = self.sample, self.item
        if sample is not None and item is not None and item.kind == "claim":
            return sample.claims[item.index]
        self.tell("Only a claim can be agreed with, overruled or noted on.")
        return None

    def redraw(self) -> None:
        """Draws all panes for the place in hand."""
        head = self.query_one("#step-header", Document)
        answer = self.query_one("#step-answer", Document)
        pane = self.query_one("#step-finding", Document)
        sample, item, glyphs = self.sample, self.item, self.setting.glyphs
        if sample is None:
            answer.show([para(Piece("This run has no finished sample yet.", "dim"))])
            return
        row = self._rows[self.place.sample]
        at = (self.place.sample + 1, len(self._samples))
        head.show(
            header(
                sample,
                as_people_say(sample, self._words.standing, self._judged_by),
                at,
                row,
                self.place.item,
                self._words,
                self._wanted,
                glyphs,
                self.size.width,
            )
        )
        answer.show([para(*answer_pieces(sample, item, glyphs))], at="current")
        self._share_height(answer)
        title = item.kind if item else "finding"
        if pane.border_title != title:  # setting it repaints the pane
            pane.border_title = title
        if item is None:
            pane.show([para(said(sample.error or "Nothing to look at.", "dim"))])
        else:
            pane.show(finding(sample, item, self._words, glyphs))

    def _share_height(self, answer: Document) -> None:
        """Stacked, the answer takes what it needs, at most half; beside, all."""
        if self.size.width >= WIDE:
            answer.styles.height = "1fr"
            return
        half = max((self.size.height - HEADER - LINES) // 2, 3)
        answer.styles.height = min(len(answer.lines) + 2, half)

    # --- moves ---

    def _go(self, place: Place) -> None:
        self.place = place
        self.redraw()

    def action_failure(self, step: Literal[1, -1]) -> None:
        """Next or previous failure, across samples."""
        found = next_failure(self._rows, self.place, step, self._wanted)
        if found is None:
            self.tell(f"No {'further' if step == 1 else 'earlier'} {self._sought}.")
        else:
            self._go(found)

    @property
    def _sought(self) -> str:
        """What is stepped through, as a noun."""
        if self._wanted == DISPUTED:
            return "claim or grade that judges disagree on"
        return KIND_WORDS[self._wanted] if self._wanted else "failure"

    def action_item(self, step: Literal[1, -1]) -> None:
        """Next or previous item, on into the neighbouring sample."""
        number = self.place.item + step
        if 0 <= number < len(self._rows[self.place.sample] if self._samples else ()):
            self._go(Place(self.place.sample, number))
            return
        other = self.place.sample + step
        if 0 <= other < len(self._samples):
            last = max(len(self._rows[other]) - 1, 0)
            self._go(Place(other, 0 if step == 1 else last))
        else:
            self.tell(f"This is the {'last' if step == 1 else 'first'} item.")

    def action_sample(self, step: Literal[1, -1]) -> None:
        """Next or previous sample, at its first failure."""
        other = self.place.sample + step
        if 0 <= other < len(self._samples):
            self._go(Place(other, first_failure(self._rows[other], self._wanted)))
        else:
            self.tell(f"This is the {'last' if step == 1 else 'first'} sample.")

    # --- a person's words ---

    def _say(
        self, result: ClaimResult, said: Overruling | None, note: str = ""
    ) -> bool:
        """Keeps a word; None takes back one's own, and a note may stand without one.
        False when it could not be written."""
        sample = self.sample
        assert sample is not None
        before = self._words.on(sample, result.claim.index)
        word = HumanVerdict(
            sample=sample.key,
            claim_index=result.claim.index,
            machine=result.verdict.label,
            human=said.label if said else None,
            is_claim=said.is_claim if said else True,
            note=said.note if said else note,
            at=self.setting.stamp(),
            by=self.setting.by,
            claim=result.claim.text,
        )
        try:
            self._reader.save_human(word)
        except ClaimscopeError as error:
            self.tell_error(error)
            return False
        self._words.add(word)
        self._undo.append((self.place, before))
        return True

    def action_agree(self) -> None:
        """The machine is right; on to the next failure."""
        result = self._claim()
        if result is not None and self._say(result, Overruling(result.verdict.label)):
            self._after_a_word()

    def action_overrule(self) -> None:
        """Asks for another verdict."""
        result = self._claim()
        if result is None:
            return

        def done(said: Overruling | None) -> None:
            if said is not None and self._say(result, said):
                self._after_a_word()

        self.app.push_screen(
            OverruleDialog(result.verdict.label, self.setting.glyphs), done
        )

    def _after_a_word(self) -> None:
        found = next_failure(self._rows, self.place, 1, self._wanted)
        if found is None:
            self.redraw()
            self.tell(f"Saved. That was the last {self._sought}.")
        else:
            self._go(found)

    def action_note(self) -> None:
        """Asks for a note; the verdict stays."""
        result, sample = self._claim(), self.sample
        if result is None or sample is None:
            return
        word = self._words.on(sample, result.claim.index)

        def done(note: str | None) -> None:
            if note is not None:
                said = Overruling.of(word)
                self._say(result, said._replace(note=note) if said else None, note)
                self.redraw()

        title = "Note on this claim"
        self.app.push_screen(NoteDialog(title, word.note if word else ""), done)

    def action_undo(self) -> None:
        """Takes back the last word of this sitting, else the word on this claim."""
        if self._undo:
            place, before = self._undo.pop()
            self.place = place
            result = self._claim()
            if result is None:
                return
            # A word of another person stands again by itself.
            is_own = before is not None and before.by == self.setting.by
            note = before.note if before is not None and is_own else ""
            self._take_back(result, Overruling.of(before) if is_own else None, note)
            return
        result, sample = self._claim(), self.sample
        if result is None or sample is None:
            return
        word = self._words.on(sample, result.claim.index)
        if word is None:
            self.tell("There is no word of yours to take back here.")
        elif word.by != self.setting.by:
            who = word.by or "somebody without a name"
            self.tell(f"That word is of {who}: a or o gives your own.")
        else:
            self._take_back(result, None, "")

    def _take_back(
        self, result: ClaimResult, said: Overruling | None, note: str
    ) -> None:
        if self._say(result, said, note):
            self._undo.pop()
            self.redraw()
            self.tell("Taken back.")

    # --- looking closer ---

    def action_filter(self) -> None:
        """Asks which kind of failure to step through."""
        counts = count_kinds(self._samples)
        failures = sum(n for kind, n in counts.items() if kind != DISPUTED)
        choices = [Choice(_ALL, f"all failures ({failures})")]
        choices += [
            Choice(str(kind), f"{KIND_WORDS[kind]} ({count})")
            for kind, count in counts.items()
        ]

        def done(value: str | None) -> None:
            if value is None:
                return
            self._wanted = None if value == _ALL else wanted_of(value)
            here = self.item
            if here is None or not here.matches(self._wanted):
                found = next_failure(self._rows, self.place, 1, self._wanted)
                again = next_failure(self._rows, Place(0, -1), 1, self._wanted)
                self.place = found or again or self.place
            self.redraw()

        chosen = str(self._wanted or _ALL)
        self.app.push_screen(
            ChoiceDialog("Step through which failures?", choices, chosen), done
        )

    def action_page(self) -> None:
        """The page of the evidence or citation in hand."""
        sample, item = self.sample, self.item
        sought = list(sought_by(sample, item)) if sample and item else []
        if not sought:
            self.tell("There is no page to show for this item.")
            return
        corpus = self._reader.status().header.corpus
        passages = sample.case.contexts if sample else ()
        self.app.push_screen(PageScreen(self.setting, corpus, sought, passages))

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
        self.app.push_screen(CallsScreen(self.setting, self._reader, keys))

    def action_copy(self) -> None:
        """Copies claim, verdict and evidence to the terminal's clipboard."""
        sample, item = self.sample, self.item
        if sample is None or item is None:
            return
        lines: list[str]
        if item.kind == "claim":
            result = sample.claims[item.index]
            verdict = result.verdict
            lines = [f"{WORDS[verdict.label]}: {result.claim.text}"]
            lines += [f"[{e.sentence_id}] {e.text}" for e in verdict.evidence]
        else:
            pane = self.query_one("#step-finding", Document)
            lines = ["".join(piece.text for piece in line) for line in pane.lines]
        self.app.copy_to_clipboard("\n".join(lines))
        self.tell("Copied, if the terminal allows it (OSC 52).")
