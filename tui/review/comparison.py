"""What two runs are held against one another for, as a list to go through.

No screen in here: which runs go together, the flips in one order, and the samples
behind them, read when they are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal, overload

from claimscope.core.analysis.agreement.overrides import corrected
from claimscope.core.analysis.compare.comparison import (
    Comparison,
    RunData,
    between_providers,
    compare,
)
from claimscope.core.analysis.compare.flips import (
    ClaimFlip,
    LoneClaim,
    RequiredFlip,
    SampleFlip,
)
from claimscope.core.analysis.compare.tier_movements import TierMove
from claimscope.core.errors import InputError
from claimscope.core.models import (
    ClaimResult,
    Label,
    RunStatus,
    SampleKey,
    SampleResult,
)
from claimscope.core.ports import RunReader, RunStore
from claimscope.core.report.comparison_text import moved_values

FlipKind = Literal[
    "lost",
    "gained",
    "outcome",
    "lower",
    "higher",
    "worse",
    "better",
    "verdict",
    "unfound",
    "found",
    "only_a",
    "only_b",
]
FLIP_WORDS: Mapping[FlipKind, str] = {
    "lost": "samples that passed in A only",
    "gained": "samples that passed in B only",
    "outcome": "samples scored in one only",
    "lower": "scores in a lower tier",
    "higher": "scores in a higher tier",
    "worse": "claims supported in A only",
    "better": "claims supported in B only",
    "verdict": "claims with another verdict",
    "unfound": "required claims found in A only",
    "found": "required claims found in B only",
    "only_a": "claims only A makes",
    "only_b": "claims only B makes",
}
"""Each kind, in the order of the list."""


@dataclass(frozen=True)
class Sides:
    """What is compared: two runs, or two providers of one."""

    before: str
    """Id of a run."""
    after: str
    providers: tuple[str, str] | None = None
    """Of the one run that both ids name."""

    @property
    def swapped(self) -> Sides:
        """The other way round."""
        providers = self.providers and (self.providers[1], self.providers[0])
        return Sides(self.after, self.before, providers)


@dataclass(frozen=True)
class Flip:
    """One thing that is another in B, on a line of the list."""

    kind: FlipKind
    before_key: SampleKey | None
    """None = B alone has it."""
    after_key: SampleKey | None
    text: str
    """What tells it from others: the claim, or why the sample failed."""
    found: SampleFlip | ClaimFlip | RequiredFlip | LoneClaim | TierMove

    @property
    def key(self) -> SampleKey:
        """Of B where it has the sample."""
        key = self.after_key or self.before_key
        assert key is not None
        return key

    def key_of(self, *, old: bool) -> SampleKey | None:
        """Of that side; None when it does not have it."""
        return self.before_key if old else self.after_key

    def claim(self, *, old: bool) -> ClaimResult | None:
        """The claim of that side; None when it is no flip of a claim."""
        match self.found:
            case ClaimFlip(before=before, after=after):
                return before if old else after
            case LoneClaim(result=result):
                return result
        return None


def flips(found: Comparison) -> list[Flip]:
    """All flips: samples, then tiers, claims, required claims, claims of one side;
    within each the worse ones first."""
    order = list(FLIP_WORDS)
    return sorted(_flips(found), key=lambda flip: order.index(flip.kind))


def _flips(found: Comparison) -> Iterator[Flip]:
    for sample in found.sample_flips:
        keys = sample.before_key, sample.after_key
        outcome: FlipKind = "lost" if sample.before else "gained"
        if None in (sample.before, sample.after):
            outcome = "outcome"
        text = next(iter((*sample.new, *sample.gone)), sample.question)
        yield Flip(outcome, *keys, text, sample)
    for move in found.tier_moves:
        keys = move.before_key, move.after_key
        claims = "".join(f"; {claim}" for claim in move.claims)
        text = f"{move.metric} {moved_values(move)}{claims}"
        yield Flip("higher" if move.rose else "lower", *keys, text, move)
    for claim in found.claim_flips:
        keys = claim.before_key, claim.after_key
        yield Flip(_turn(claim), *keys, claim.after.claim.text, claim)
    for required in found.required_flips:
        keys = required.before_key, required.after_key
        kind: FlipKind = "unfound" if required.before else "found"
        yield Flip(kind, *keys, required.text, required)
    for gone in found.claims_gone:
        yield Flip("only_a", gone.key, None, gone.result.claim.text, gone)
    for new in found.claims_new:
        yield Flip("only_b", None, new.key, new.result.claim.text, new)


def _turn(flip: ClaimFlip) -> FlipKind:
    if flip.before.verdict.label is Label.SUPPORTED:
        return "worse"
    return "better" if flip.after.verdict.label is Label.SUPPORTED else "verdict"


def count_flips(all_flips: Iterable[Flip]) -> dict[FlipKind, int]:
    """How many there are of each kind that occurs."""
    counts = dict.fromkeys(FLIP_WORDS, 0)
    for flip in all_flips:
        counts[flip.kind] += 1
    return {kind: count for kind, count in counts.items() if count}


LONE = ("only_a", "only_b")
"""Claims that nothing on the other side is held against: no flips."""
TIERS = ("lower", "higher")


def counted(shown: Sequence[Flip]) -> str:
    """How many of these lines are flips, how many are scores in another tier, and how
    many are claims of one side alone."""
    lone = sum(flip.kind in LONE for flip in shown)
    moved = sum(flip.kind in TIERS for flip in shown)
    text = _many(len(shown) - lone - moved, "flip")
    text += f", {_many(moved, 'tier')} moved" if moved else ""
    return text + (f", {_many(lone, 'claim')} of one side only" if lone else "")


def _many(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")


def wanted_flips(
    all_flips: Sequence[Flip], kind: FlipKind | None, text: str
) -> list[Flip]:
    """Those of a kind whose case, provider or text has `text`; None = every kind."""
    needle = text.casefold()
    return [
        flip
        for flip in all_flips
        if (kind is None or flip.kind == kind)
        and (not needle or needle in _haystack(flip))
    ]


def _haystack(flip: Flip) -> str:
    return f"{flip.key.case_id}\n{flip.key.provider}\n{flip.text}".casefold()


# --- what can be compared ------------------------------------------------------


def choices(statuses: Iterable[RunStatus], run_id: str) -> list[Sides]:
    """What the run can be held against: the runs of its suite, those before it first
    (the nearest on top), then the later ones; then its providers, two by two.

    Raises InputError when there is no such run.
    """
    known = sorted(statuses, key=lambda s: (s.header.created, s.header.run_id))
    mine = next((s for s in known if s.header.run_id == run_id), None)
    if mine is None:
        raise InputError(f"there is no run {run_id}", "r on Home reads the list again")
    others = [
        s.header.run_id
        for s in known
        if s.header.suite_id == mine.header.suite_id and s.completed
    ]
    at = others.index(run_id) if run_id in others else len(others)
    before, later = others[:at], others[at + 1 :]
    found = [Sides(other, run_id) for other in reversed(before)]
    found += [Sides(run_id, other) for other in later]
    pairs = permutations(sorted(mine.header.providers), 2)
    found += [Sides(run_id, run_id, pair) for pair in pairs if pair[0] < pair[1]]
    return found


def choice_text(sides: Sides, run_id: str, statuses: Mapping[str, RunStatus]) -> str:
    """A line of the list to choose from: when the other run was made, by what."""
    if sides.providers is not None:
        return f"its providers: {sides.providers[0]} -> {sides.providers[1]}"
    other, when = sides.before, "before"
    if other == run_id:
        other, when = sides.after, "later"
    status = statuses[other]
    made = status.header.created.replace("T", " ")[:16]
    judge = status.header.model or status.header.verifier
    state = "" if status.state == "finished" else f" {status.state}"
    return f"{made} {other[-4:]}  {judge}{state}  ({when})"


def read_side(runs: RunStore, run_id: str) -> tuple[RunReader, RunData]:
    """A run as people see it. Raises StoreError."""
    reader = runs.read(run_id)
    found = corrected(reader)
    return reader, RunData(run_id, found.status.header, found.samples)


def compared(sides: Sides, before: RunData, after: RunData) -> Comparison:
    """Raises InputError when nothing of them goes together."""
    if sides.providers is None:
        return compare(before, after)
    base, other = sides.providers
    return between_providers(before, base, (other,))[0]


class KeyedSamples(Sequence[SampleResult]):
    """Samples of a run by their keys, as the machine judged them; each is read when it
    is asked for, so that a thousand flips cost no more than the one looked at."""

    def __init__(self, reader: RunReader, keys: Sequence[SampleKey]) -> None:
        self._reader = reader
        self._keys = keys
        self._read: dict[SampleKey, SampleResult] = {}

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, index: int) -> SampleResult: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[SampleResult]: ...

    def __getitem__(self, index: int | slice) -> SampleResult | Sequence[SampleResult]:
        if isinstance(index, slice):
            return KeyedSamples(self._reader, self._keys[index])
        key = self._keys[index]
        if key not in self._read:
            sample = self._reader.sample(key)
            if sample is None:  # it was compared, and records are never taken away
                raise IndexError(f"the run has no sample {key}")
            self._read[key] = sample
        return self._read[key]
