"""What a person steps through: the items of a sample, their order, their words.

Everything a sample was judged on becomes an item, so that nothing is out of reach:
claims, failures that belong to no claim, missing claims, citations, grades and the
parts that were skipped. No screen in here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple

from claimscope.core.analysis.agreement.overrides import (
    People,
    StandingVerdicts,
    Subject,
    latest,
    take,
)
from claimscope.core.analysis.statistics.alpha import grade_disputed
from claimscope.core.models import (
    CitationProposal,
    CitationState,
    Failure,
    FailureKind,
    HumanVerdict,
    Label,
    SampleResult,
    SampleRow,
)
from claimscope.core.report.terms import FAILURES

ItemKind = Literal["claim", "finding", "missing", "citation", "grade", "skipped"]
LOW_GRADE = 4
"""Grades below this are failures (METRICS B)."""
DISPUTED: Literal["disputed"] = "disputed"
"""Several judges gave different labels, or grades far apart: not a failure, yet worth
a look whatever the verdict."""
CONFLICT: Literal["conflict"] = "conflict"
"""Pages say different things of a claim."""
LIKELY: Literal["likely"] = "likely"
"""Supported, but by no proof and no two witnesses."""
PROPOSED: Literal["proposed"] = "proposed"
"""A citation could be made good: replaced, or added where a claim has none."""
UNSTABLE: Literal["unstable"] = "unstable"
"""A sample that passes in one iteration and fails in another."""
Beside = Literal["disputed", "conflict", "unstable", "likely", "proposed"]
"""What is no kind of failure, yet may be stepped through."""
BESIDE: tuple[Beside, ...] = (LIKELY, PROPOSED, CONFLICT, UNSTABLE, DISPUTED)
Wanted = FailureKind | Beside
"""What one may step through alone."""
KIND_WORDS: Mapping[Wanted, str] = {
    **{kind: word for kind, word in FAILURES.items()},
    LIKELY: "only likely",
    PROPOSED: "citation could be repaired",
    CONFLICT: "sources disagree",
    UNSTABLE: "unstable over iterations",
    DISPUTED: "judges disagree",
}
_OF_LABEL = {
    Label.CONTRADICTED: FailureKind.CONTRADICTED,
    Label.NOT_ENOUGH_INFO: FailureKind.NOT_SUPPORTED,
    Label.UNSCORED: FailureKind.UNSCORED,
}
_OF_CITATION = {
    CitationState.BROKEN: FailureKind.BROKEN_CITATION,
    CitationState.MISATTRIBUTED: FailureKind.MISATTRIBUTED,
}
"""An unsupported citation is that of a claim which fails already: no failure more."""


@dataclass(frozen=True)
class Item:
    """One thing of a sample to look at; `kinds` is empty when nothing is wrong."""

    kind: ItemKind
    index: int
    """Position in the sample's tuple of that kind."""
    start: int | None = None
    """Its place in the answer, when it has one."""
    end: int | None = None
    kinds: frozenset[FailureKind] = frozenset()
    is_disputed: bool = False
    is_conflict: bool = False
    is_likely: bool = False
    is_proposed: bool = False
    is_unstable: bool = False
    """Set on one item of each unstable sample: its first failure, else its first."""

    @property
    def is_failure(self) -> bool:
        """Whether next and previous failure stop here."""
        return bool(self.kinds)

    @property
    def marks(self) -> frozenset[Wanted]:
        """All that it may be asked for by."""
        beside: list[Wanted] = []
        beside += [DISPUTED] if self.is_disputed else []
        beside += [CONFLICT] if self.is_conflict else []
        beside += [LIKELY] if self.is_likely else []
        beside += [PROPOSED] if self.is_proposed else []
        beside += [UNSTABLE] if self.is_unstable else []
        return self.kinds.union(beside) if beside else self.kinds

    def matches(self, wanted: Wanted | None) -> bool:
        """Whether it is of that kind; None = a failure of any kind."""
        return self.is_failure if wanted is None else wanted in self.marks


class Judged(NamedTuple):
    """What a person may have a word on."""

    number: int
    text: str
    label: Label
    """The machine's."""
    required: bool
    """A claim that the case requires, missing from the answer."""
    word: str
    """Its verdict as it is shown."""


def judged_of(sample: SampleResult, item: Item) -> Judged | None:
    """The claim or missing claim of an item; None when it is something else."""
    if item.kind == "claim":
        result = sample.claims[item.index]
        claim = result.claim
        verdict = result.verdict
        return Judged(claim.index, claim.text, verdict.label, False, verdict.word)
    if item.kind == "missing":
        wanted = sample.required_claims[item.index]
        word = "missing" if wanted.label is Label.NOT_ENOUGH_INFO else "required"
        return Judged(item.index, wanted.text, wanted.label, True, word)
    return None


def items(sample: SampleResult) -> tuple[Item, ...]:
    """All items of a sample: what stands in the answer in its order, then the rest."""
    taken: set[int] = set()
    claims = [*_claims(sample, taken)]
    rest = [
        *_missing(sample, taken),
        *_citations(sample, taken),
        *_grades(sample, taken),
    ]
    findings = [
        Item("finding", n, failure.start, failure.end, frozenset({failure.kind}))
        for n, failure in enumerate(sample.failures)
        if n not in taken
    ]
    skipped = [
        Item("skipped", n, part.start, part.end)
        for n, part in enumerate(sample.skipped)
    ]
    placed = [item for item in findings if item.start is not None]
    loose = [item for item in findings if item.start is None]
    placed = sorted(placed + claims, key=lambda item: item.start or 0)
    return (*loose, *placed, *rest, *skipped)


def _failures(
    sample: SampleResult, taken: set[int], which: Iterable[tuple[int, Failure]]
) -> frozenset[FailureKind]:
    """Kinds of these failures, which then belong to an item."""
    found = list(which)
    taken.update(number for number, _ in found)
    return frozenset(failure.kind for _, failure in found)


def _claims(sample: SampleResult, taken: set[int]) -> Iterator[Item]:
    for n, result in enumerate(sample.claims):
        index = result.claim.index
        kinds = _failures(
            sample,
            taken,
            ((k, f) for k, f in enumerate(sample.failures) if f.claim_index == index),
        )
        own = _OF_LABEL.get(result.verdict.label)
        if own is not None and not kinds:
            kinds = frozenset({own})
        span = (result.claim.start, result.claim.end)
        verdict = result.verdict
        conflict = bool(verdict.conflicting)
        is_proposed = any(
            one.kind == "add" and index in one.claim_indexes for one in sample.proposals
        )
        yield Item(
            "claim",
            n,
            *span,
            kinds,
            verdict.is_disputed,
            conflict,
            verdict.is_likely,
            is_proposed,
        )


def _missing(sample: SampleResult, taken: set[int]) -> Iterator[Item]:
    for n, wanted in enumerate(sample.required_claims):
        if wanted.found or wanted.stated:
            continue
        kinds = _failures(
            sample,
            taken,
            (
                (k, f)
                for k, f in enumerate(sample.failures)
                if f.kind is FailureKind.MISSING_CLAIM and wanted.text in f.message
            ),
        )
        if wanted.importance == "required" and not wanted.unscored_reason:
            kinds |= {FailureKind.MISSING_CLAIM}
        yield Item("missing", n, wanted.start, wanted.end, kinds)
    if any(not wanted.found for wanted in sample.required_claims):
        taken.update(
            k
            for k, failure in enumerate(sample.failures)
            if failure.kind is FailureKind.MISSING_CLAIM
        )


def _citations(sample: SampleResult, taken: set[int]) -> Iterator[Item]:
    replaced = {one.start for one in sample.proposals if one.kind == "replace"}
    for n, citation in enumerate(sample.citations):
        kinds = _failures(
            sample,
            taken,
            (
                (k, f)
                for k, f in enumerate(sample.failures)
                if f.citation_index == n and k not in taken
            ),
        )
        own = _OF_CITATION.get(citation.state)
        if own is not None and not kinds:
            kinds = frozenset({own})
        is_proposed = citation.start in replaced
        place = citation.start, citation.end
        yield Item("citation", n, *place, kinds, is_proposed=is_proposed)


def _grades(sample: SampleResult, taken: set[int]) -> Iterator[Item]:
    low = [
        (k, f) for k, f in enumerate(sample.failures) if f.kind is FailureKind.LOW_GRADE
    ]
    for n, grade in enumerate(sample.grades):
        kinds: frozenset[FailureKind] = frozenset()
        if grade.value is None:
            kinds = frozenset({FailureKind.UNSCORED})
        elif low and grade.value < LOW_GRADE:
            kinds = _failures(sample, taken, low)
        yield Item("grade", n, kinds=kinds, is_disputed=grade_disputed(grade))


def proposals_of(sample: SampleResult, item: Item) -> list[CitationProposal]:
    """Those that would replace the citation in hand, or carry the claim in hand."""
    if item.kind == "citation":
        place = sample.citations[item.index].start
        return [
            one
            for one in sample.proposals
            if one.kind == "replace" and one.start == place
        ]
    if item.kind == "claim":
        index = sample.claims[item.index].claim.index
        return [one for one in sample.proposals if index in one.claim_indexes]
    return []


# --- what a sample is asked for by ---


def first_failure(row: Sequence[Item], wanted: Wanted | None = None) -> int:
    """Its first failing item, else its first item."""
    for number, item in enumerate(row):
        if item.matches(wanted):
            return number
    return 0


def row_kinds(row: SampleRow) -> frozenset[Wanted]:
    """What a sample may be asked for by, as far as its light row tells: what failed,
    and verdicts that a person stops at though the sample passed."""
    kinds: set[Wanted] = set(row.failures)
    kinds.update(kind for label, kind in _OF_LABEL.items() if row.labels.get(label))
    kinds.update([DISPUTED] if row.is_disputed else [], [LIKELY] if row.likely else [])
    return frozenset(kinds)


def most_frequent_first(kinds: Iterable[Iterable[Wanted]]) -> dict[Wanted, int]:
    """How often there is each kind, most frequent first; what is no failure last."""

    def order(pair: tuple[Wanted, int]) -> tuple[int, int, str]:
        kind, count = pair
        beside = BESIDE.index(kind) + 1 if kind in BESIDE else 0
        return beside, -count, kind

    return dict(sorted(Counter(chain.from_iterable(kinds)).items(), key=order))


def wanted_of(value: str) -> Wanted:
    """What a choice stands for."""
    return next((kind for kind in BESIDE if kind == value), None) or FailureKind(value)


# --- a person's words -------------------------------------------------------


@dataclass
class Words:
    """People's words on the claims of a run; the last one on a claim counts."""

    people: dict[Subject, People] = field(default_factory=dict)
    notes: dict[Subject, HumanVerdict] = field(default_factory=dict)
    """Notes that stand without a verdict."""

    @classmethod
    def read(cls, verdicts: Iterable[HumanVerdict]) -> Words:
        """From the run's record, in order."""
        words = cls()
        for verdict in verdicts:
            words.add(verdict)
        return words

    def add(self, verdict: HumanVerdict) -> None:
        """Takes a further word."""
        take(verdict, self.people)
        self.notes.pop(verdict.subject, None)
        if verdict.human is None and verdict.note:
            self.notes[verdict.subject] = verdict

    @property
    def standing(self) -> StandingVerdicts:
        """The word that counts on each claim that has one."""
        return {place: latest(people) for place, people in self.people.items()}

    def on(self, sample: SampleResult, item: Item) -> HumanVerdict | None:
        """The word that counts; None when there is none or it was taken back.

        A note may stand without a verdict: then `human` is None and `note` is set.
        """
        judged = judged_of(sample, item)
        if judged is None:
            return None
        subject = (sample.key, judged.number, judged.required)
        people = self.people.get(subject)
        word = latest(people) if people else self.notes.get(subject)
        # A sample that was judged again may have another claim at this place.
        return word if word is None or word.claim in (None, judged.text) else None

    def counts(self) -> tuple[int, int]:
        """(agreed, overruled)."""
        given = self.standing.values()
        agreed = sum(word.is_agreement for word in given)
        return agreed, len(given) - agreed


class Overruling(NamedTuple):
    """What a person says of a claim."""

    label: Label
    note: str = ""
    is_claim: bool = True
    """False: it states no fact, so there is nothing to judge."""

    @classmethod
    def of(cls, word: HumanVerdict | None) -> Overruling | None:
        """What a word says, to say it again; None when there is no verdict in it."""
        if word is None or word.human is None:
            return None
        return cls(word.human, word.note, word.is_claim)
