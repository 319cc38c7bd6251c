"""What a person says of claims while stepping: agree, overrule, note, take back."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.analysis.overrules import settings_of
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import ClaimResult, HumanVerdict, SampleResult
from claimscope.core.ports import RunReader
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.dialogs.overrule import OverruleDialog, Overruling
from claimscope.tui.screens.stepper_search import Searching
from claimscope.tui.screens.view import Setting
from claimscope.tui.seeking import Place, next_failure
from claimscope.tui.stepping import Wanted, Words, first_failure


class Speaking(Searching):
    """Keeps a person's words in the run's record; each can be taken back."""

    def __init__(
        self,
        setting: Setting,
        reader: RunReader,
        samples: Sequence[SampleResult],
        start: int | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        super().__init__(setting, reader, samples, wanted)
        self._words = Words.read(reader.human_verdicts())
        self._judged_by = settings_of(reader.status().header)
        self._undo: list[tuple[Place, HumanVerdict | None]] = []
        try:
            self.place = self._first(start)
        except ClaimscopeError as error:
            self.problem = error
            self.place = Place(start or 0, 0)

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
        sample = self._rows.sample(place.sample)
        item = self._rows[place.sample][place.item]
        if item.kind != "claim":
            return False
        return self._words.on(sample, sample.claims[item.index].claim.index) is None

    def _claim(self) -> ClaimResult | None:
        """The claim in hand; says so when the item is no claim."""
        sample, item = self.sample, self.item
        if sample is not None and item is not None and item.kind == "claim":
            return sample.claims[item.index]
        self.tell("Only a claim can be agreed with, overruled or noted on.")
        return None

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
        self.redraw()
        self._to_failure(1, f"Saved. That was the last {self._sought}.")

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
