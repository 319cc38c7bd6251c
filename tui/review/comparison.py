"""Which runs can be held against one another, and the samples behind a comparison, read
when they are looked at. No screen in here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import overload

from claimscope.core.analysis.agreement.overrides import apply_overrides
from claimscope.core.analysis.compare.comparison import (
    Comparison,
    RunData,
    between_providers,
    compare,
)
from claimscope.core.errors import InputError
from claimscope.core.models import RunStatus, SampleKey, SampleResult
from claimscope.core.ports import RunReader, RunStore
from claimscope.core.report.text import minute_of


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
    made = minute_of(status.header.created)
    judge = status.header.model or status.header.verifier
    state = "" if status.state == "finished" else f" {status.state}"
    return f"{made} {other[-4:]}  {judge}{state}  ({when})"


def read_side(runs: RunStore, run_id: str) -> tuple[RunReader, RunData]:
    """A run as people see it. Raises StoreError."""
    reader = runs.read(run_id)
    found = apply_overrides(reader)
    return reader, RunData(run_id, found.status.header, found.samples)


def compare_sides(sides: Sides, before: RunData, after: RunData) -> Comparison:
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
