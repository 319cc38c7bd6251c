"""What a person says of claims while stepping: agree, overrule, note, take back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from textual import work
from textual.worker import get_current_worker

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import HumanVerdict, SampleResult
from claimscope.core.ports import RunReader
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.dialogs.overrule import OverruleDialog, Overruling
from claimscope.tui.process.faults import told
from claimscope.tui.review.cursor import Place, Rows, next_failure
from claimscope.tui.review.items import Judged, Wanted, Words, first_failure, judged_of
from claimscope.tui.screens.base.view import Setting
from claimscope.tui.screens.stepper.search import Searching

_YES = "yes"


class Spoken(NamedTuple):
    """A word that was said in this sitting, and how to take it back."""

    place: Place
    word: HumanVerdict
    before: HumanVerdict | None
    """What counted before it."""

    def taken_back(self, by: str | None, at: str) -> HumanVerdict:
        """The word that makes it as before. A word of another person stands again by
        itself."""
        is_own = self.before is not None and self.before.by == by
        said = Overruling.of(self.before) if is_own else None
        note = self.before.note if self.before is not None and is_own else ""
        return self.word.model_copy(
            update={
                "human": said.label if said else None,
                "is_claim": said.is_claim if said else True,
                "note": note,
                "at": at,
                "by": by,
            }
        )


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
        self._undo: list[Sequence[Spoken]] = []
        """What was said in this sitting, the latest last; what was said at once
        together."""
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
        """Whether something stands there that has no word yet and may have one."""
        sample = self._rows.sample(place.sample)
        item = self._rows[place.sample][place.item]
        is_judged = judged_of(sample, item) is not None
        return is_judged and self._words.on(sample, item) is None

    def _judged(self) -> Judged | None:
        """The claim in hand; says so when the item is no claim."""
        sample, item = self.sample, self.item
        judged = judged_of(sample, item) if sample and item else None
        if judged is None:
            self.tell("Only a claim can be agreed with, overruled or noted on.")
        return judged

    def _say(self, judged: Judged, said: Overruling | None, note: str = "") -> bool:
        """Keeps a word; None takes back one's own, and a note may stand without one.
        False when it could not be written."""
        sample, item = self.sample, self.item
        assert sample is not None and item is not None
        before = self._words.on(sample, item)
        word = self._word(sample, judged, said, note)
        try:
            self._reader.save_human(word)
        except ClaimscopeError as error:
            self.tell_error(error)
            return False
        self._words.add(word)
        self._undo.append([Spoken(self.place, word, before)])
        return True

    def _word(
        self,
        sample: SampleResult,
        judged: Judged,
        said: Overruling | None,
        note: str = "",
    ) -> HumanVerdict:
        return HumanVerdict(
            sample=sample.key,
            claim_index=judged.number,
            required=judged.required,
            machine=judged.label,
            human=said.label if said else None,
            is_claim=said.is_claim if said else True,
            note=said.note if said else note,
            at=self.setting.stamp(),
            by=self.setting.by,
            claim=judged.text,
        )

    def action_agree(self) -> None:
        """The machine is right; on to the next failure."""
        judged = self._judged()
        if judged is not None and self._say(judged, Overruling(judged.label)):
            self._after_a_word()

    def action_overrule(self) -> None:
        """Asks for another verdict."""
        judged = self._judged()
        if judged is None:
            return

        def done(said: Overruling | None) -> None:
            if said is not None and self._say(judged, said):
                self._after_a_word()

        glyphs, required = self.setting.glyphs, judged.required
        dialog = OverruleDialog(judged.label, glyphs, required=required)
        self.app.push_screen(dialog, done)

    def _after_a_word(self) -> None:
        self.redraw()
        self._to_failure(1, f"Saved. That was the last {self._sought}.")

    def action_note(self) -> None:
        """Asks for a note; the verdict stays."""
        judged, sample, item = self._judged(), self.sample, self.item
        if judged is None or sample is None or item is None:
            return
        word = self._words.on(sample, item)

        def done(note: str | None) -> None:
            if note is not None:
                said = Overruling.of(word)
                self._say(judged, said._replace(note=note) if said else None, note)
                self.redraw()

        title = "Note on this claim"
        self.app.push_screen(NoteDialog(title, word.note if word else ""), done)

    # --- all at once ---

    def action_agree_all(self) -> None:
        """Agrees with every verdict that is stepped through and has no word yet; asks
        before."""
        if self._rows.are_many:
            self.tell("Counting the verdicts without a word.")
        self._count_open(self._wanted)

    @work(thread=True, exclusive=True, group="agree", exit_on_error=False)
    def _count_open(self, wanted: Wanted | None) -> None:
        worker = get_current_worker()
        rows = Rows(self._samples, self._unstable)  # not that of the screen's thread
        found: list[Spoken] = []
        kinds: Counter[str] = Counter()
        try:
            for number in range(len(rows)):
                if worker.is_cancelled:
                    return
                if not rows.may_hold(number, wanted):
                    continue
                sample = rows.sample(number)
                for n, item in enumerate(rows[number]):
                    judged = judged_of(sample, item)
                    if judged is None or not item.matches(wanted):
                        continue
                    if self._words.on(sample, item) is None:
                        agreed = Overruling(judged.label)
                        word = self._word(sample, judged, agreed)
                        found.append(Spoken(Place(number, n), word, None))
                        kinds[judged.word] += 1
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        self.from_thread(self._ask_all, found, kinds)

    def _ask_all(self, found: Sequence[Spoken], kinds: Counter[str]) -> None:
        if not found:
            self.tell(f"No {self._sought} is without a word.")
            return

        def done(value: str | None) -> None:
            if value == _YES:
                self._say_all(found)

        listed = ", ".join(f"{count} {word}" for word, count in kinds.most_common())
        samples = len({one.place.sample for one in found})
        choices = [
            Choice("no", "no, leave them as they are", "n"),
            Choice(_YES, f"yes: {listed}", "y"),
        ]
        verdicts, where = (
            counted_noun(len(found), "verdict"),
            counted_noun(samples, "sample"),
        )
        title = f"Agree with {verdicts} of {where}?"
        self.app.push_screen(ChoiceDialog(title, choices), done)

    @work(thread=True, exclusive=True, group="agree", exit_on_error=False)
    def _say_all(self, found: Sequence[Spoken]) -> None:
        try:
            self._reader.save_human(*(one.word for one in found))
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        self.from_thread(self._said_all, found)

    def _said_all(self, said: Sequence[Spoken]) -> None:
        for one in said:
            self._words.add(one.word)
        self._undo.append(said)
        self.redraw()
        self.tell(
            f"Agreed with {counted_noun(len(said), 'verdict')}; u takes them back."
        )

    # --- taking back ---

    def action_undo(self) -> None:
        """Takes back the last thing said in this sitting, else the word on this
        claim."""
        if self._undo:
            if self._take_back(self._undo[-1]):
                self._undo.pop()
            return
        judged, sample, item = self._judged(), self.sample, self.item
        if judged is None or sample is None or item is None:
            return
        word = self._words.on(sample, item)
        if word is None:
            self.tell("There is no word of yours to take back here.")
        elif word.by != self.setting.by:
            who = word.by or "somebody without a name"
            self.tell(f"That word is of {who}: a or o gives your own.")
        else:
            self._take_back([Spoken(self.place, word, None)])

    def _take_back(self, spoken: Sequence[Spoken]) -> bool:
        by, at = self.setting.by, self.setting.stamp()
        words = [one.taken_back(by, at) for one in spoken]
        try:
            self._reader.save_human(*words)
        except ClaimscopeError as error:
            self.tell_error(error)
            return False
        for word in words:
            self._words.add(word)
        self.place = spoken[0].place
        self.redraw()
        many = f"Took back {counted_noun(len(spoken), 'word')}."
        self.tell(many if len(spoken) > 1 else "Taken back.")
        return True
