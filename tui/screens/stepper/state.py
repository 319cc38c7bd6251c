"""Where a person is among the samples and items of a run, and what was said there.

No screen in here: the stepper draws it and asks what it needs to ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.cite.marker_edits import accepted_proposals, mark_accepted
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import (
    CitationDecision,
    CitationProposal,
    HumanVerdict,
    SampleResult,
)
from claimscope.core.ports import RunReader
from claimscope.tui.review.cursor import Place, Rows, next_failure, unstable_cases
from claimscope.tui.review.items import (
    CONFLICT,
    DISPUTED,
    KIND_WORDS,
    LIKELY,
    PROPOSED,
    UNSTABLE,
    Item,
    Judged,
    Overruling,
    Wanted,
    Words,
    first_failure,
    judged_of,
    proposals_of,
)

Step = Literal[1, -1]
Fits = Callable[[SampleResult, Item], bool]
SOUGHT: dict[Wanted | None, str] = {
    None: "failure",
    DISPUTED: "claim or grade that judges disagree on",
    LIKELY: "claim that is only likely",
    PROPOSED: "citation that could be repaired",
    CONFLICT: "claim that sources disagree on",
    UNSTABLE: "sample that passes in one iteration and fails in another",
}


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


class LikelyAgreement(NamedTuple):
    """Words that agree with all that is stepped through, not yet kept."""

    words: Sequence[Spoken]
    kinds: Counter[str]
    """How many of each verdict."""


class Stepping:
    """A place among samples, and a person's words in the run's record."""

    def __init__(
        self,
        reader: RunReader,
        samples: Sequence[SampleResult],
        wanted: Wanted | None,
        by: str | None,
        stamp: Callable[[], str],
    ) -> None:
        """wanted: the kind that is stepped through; None = all failures. by: who
        speaks. stamp: now, as it is stored."""
        self.reader, self.samples, self.wanted = reader, samples, wanted
        self._by, self._stamp = by, stamp
        many = reader.status().header.iterations > 1
        self._unstable = unstable_cases(reader.rows()) if many else frozenset()
        self.rows = self.fresh_rows()
        self.problem: ClaimscopeError | None = None
        """Why the sample in hand cannot be read."""
        self.place = Place(0, 0)
        self.words = Words.read(reader.human_verdicts())
        self.judged_by = settings_of(reader.status().header)
        self._decisions = list(reader.citation_decisions())
        self.undo: list[Sequence[Spoken]] = []
        """What was said in this sitting, the latest last; what was said at once
        together."""

    def fresh_rows(self) -> Rows:
        """The items of all samples; a thread needs some of its own."""
        return Rows(self.samples, self._unstable)

    # --- what is in hand ---

    @property
    def sample(self) -> SampleResult | None:
        """The sample in hand; None when there is none, or it cannot be read."""
        if not self.samples:
            return None
        try:
            return self.rows.sample(self.place.sample)
        except ClaimscopeError as error:
            self.problem = error
            return None

    @property
    def row(self) -> Sequence[Item]:
        """The items of the sample in hand."""
        return self.rows[self.place.sample] if self.sample is not None else ()

    @property
    def item(self) -> Item | None:
        """The item in hand; None when the sample has none."""
        row = self.row
        return row[self.place.item] if self.place.item < len(row) else None

    @property
    def sought(self) -> str:
        """What is stepped through, as a noun."""
        return SOUGHT.get(self.wanted) or KIND_WORDS[self.wanted or DISPUTED]

    # --- to another place ---

    def begin(self, start: int | None) -> None:
        """At the first failure of a sample, else where the sitting before ended."""
        try:
            self.place = self._first(start)
        except ClaimscopeError as error:
            self.problem = error
            self.place = Place(start or 0, 0)

    def _first(self, start: int | None) -> Place:
        if start is not None:
            return Place(start, first_failure(self.rows[start], self.wanted))
        if not self.samples:
            return Place(0, 0)
        first = found = next_failure(self.rows, Place(0, -1), 1, self.wanted)
        if any(self.words.counts()):
            # A second sitting goes on where the first one ended.
            while found is not None and not self._is_open(found):
                found = next_failure(self.rows, found, 1, self.wanted)
        return found or first or Place(0, 0)

    def _is_open(self, place: Place) -> bool:
        """Whether something stands there that has no word yet and may have one."""
        sample = self.rows.sample(place.sample)
        item = self.rows[place.sample][place.item]
        is_judged = judged_of(sample, item) is not None
        return is_judged and self.words.on(sample, item) is None

    def row_of(self, number: int) -> Sequence[Item]:
        """Its items; none when it cannot be read, which is told when it is drawn."""
        try:
            return self.rows[number]
        except ClaimscopeError:
            return ()

    def item_beside(self, step: Step) -> Place | None:
        """The next or previous item, on into the neighbouring sample."""
        number = self.place.item + step
        if 0 <= number < len(self.row):
            return Place(self.place.sample, number)
        other = self.place.sample + step
        if not 0 <= other < len(self.samples):
            return None
        return Place(other, 0 if step == 1 else max(len(self.row_of(other)) - 1, 0))

    def sample_beside(self, step: Step) -> Place | None:
        """The next or previous sample, at its first failure."""
        other = self.place.sample + step
        if not 0 <= other < len(self.samples):
            return None
        return Place(other, first_failure(self.row_of(other), self.wanted))

    def step_through(self, wanted: Wanted | None) -> None:
        """Only this kind from now on; goes to the nearest one when that in hand is
        none. Raises ClaimscopeError."""
        self.wanted = wanted
        here = self.item
        if here is None or not here.matches(wanted):
            found = next_failure(self.rows, self.place, 1, wanted)
            again = next_failure(self.rows, Place(0, -1), 1, wanted)
            self.place = found or again or self.place

    # --- a person's words ---

    @property
    def judged(self) -> Judged | None:
        """The claim in hand; None when the item is no claim."""
        sample, item = self.sample, self.item
        return judged_of(sample, item) if sample and item else None

    @property
    def word(self) -> HumanVerdict | None:
        """What counts as said of the item in hand."""
        sample, item = self.sample, self.item
        return self.words.on(sample, item) if sample and item else None

    def say(self, judged: Judged, said: Overruling | None, note: str = "") -> None:
        """Keeps a word on the item in hand; None takes back one's own, and a note may
        stand without one. Raises ClaimscopeError."""
        sample, before = self.sample, self.word
        assert sample is not None
        word = self._word(sample, judged, said, note)
        self.reader.save_human(word)
        self.words.add(word)
        self.undo.append([Spoken(self.place, word, before)])

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
            at=self._stamp(),
            by=self._by,
            claim=judged.text,
        )

    def agreeing(
        self, wanted: Wanted | None, is_stopped: Callable[[], bool]
    ) -> LikelyAgreement | None:
        """Words that agree with every verdict of a kind that has none yet; None when
        stopped. Called in a thread. Raises ClaimscopeError."""
        rows = self.fresh_rows()
        found: list[Spoken] = []
        kinds: Counter[str] = Counter()
        for number in range(len(rows)):
            if is_stopped():
                return None
            if not rows.may_hold(number, wanted):
                continue
            sample = rows.sample(number)
            for n, item in enumerate(rows[number]):
                judged = judged_of(sample, item)
                if judged is None or not item.matches(wanted):
                    continue
                if self.words.on(sample, item) is None:
                    word = self._word(sample, judged, Overruling(judged.label))
                    found.append(Spoken(Place(number, n), word, None))
                    kinds[judged.word] += 1
        return LikelyAgreement(found, kinds)

    def keep(self, said: Sequence[Spoken]) -> None:
        """Takes in words that were saved at once."""
        for one in said:
            self.words.add(one.word)
        self.undo.append(said)

    def take_back(self, spoken: Sequence[Spoken]) -> None:
        """Makes it as before these words, and goes to the first of them. Raises
        ClaimscopeError."""
        words = [one.taken_back(self._by, self._stamp()) for one in spoken]
        self.reader.save_human(*words)
        for word in words:
            self.words.add(word)
        self.place = spoken[0].place

    # --- proposed citations ---

    @property
    def proposals(self) -> list[CitationProposal]:
        """Those of the item in hand, with what people said of them."""
        sample, item = self.sample, self.item
        if sample is None or item is None:
            return []
        return proposals_of(
            mark_accepted(sample, accepted_proposals(self._decisions)), item
        )

    def decide(self, sample: SampleResult, chosen: CitationProposal) -> None:
        """Accepts a proposal, or takes that back. Raises ClaimscopeError."""
        decision = CitationDecision(
            sample=sample.key,
            proposal=chosen.model_copy(update={"accepted": False}),
            accepted=not chosen.accepted,
            at=self._stamp(),
            by=self._by,
        )
        self.reader.save_decision(decision)
        self._decisions.append(decision)
