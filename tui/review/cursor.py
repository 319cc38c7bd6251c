"""Stepping across the samples of a run, of which there may be 100,000 on disk.

A sample is read when a person comes to it; what need not be read to find the next
failure is passed over by its light row. No screen in here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from claimscope.core.models import FailureKind, SampleResult, SampleRow
from claimscope.tui.review.items import (
    CONFLICT,
    PROPOSED,
    UNSTABLE,
    Item,
    Wanted,
    first_failure,
    items,
    most_frequent_first,
    row_kinds,
)

LAST = 1 << 60
"""Stands for the last item of a sample that is not read yet."""


@dataclass(frozen=True)
class Place:
    """Where a person is: sample and item, both counted from 0."""

    sample: int
    item: int


KEPT_ROWS = 4096
KEPT_SAMPLES = 16
COUNTED = 300
"""Samples that are read to count what is in them."""
AllIterations = frozenset[tuple[str, str]]
"""(case, provider) of samples."""


class Rows:
    """The items of each sample, made when they are first looked at.

    Samples may be read from disk one by one: where they have light rows, `row(n)`,
    those say which need not be read.
    """

    def __init__(
        self, samples: Sequence[SampleResult], unstable: AllIterations = frozenset()
    ) -> None:
        self._samples = samples
        self._unstable = unstable
        self._light: Callable[[int], SampleRow] | None = getattr(samples, "row", None)
        self._made: dict[int, tuple[Item, ...]] = {}
        self._read: dict[int, SampleResult] = {}

    def __len__(self) -> int:
        return len(self._samples)

    @property
    def are_many(self) -> bool:
        """Whether reading all takes long, so that `counts` counts samples."""
        return self._light is not None and len(self) > COUNTED

    def sample(self, number: int) -> SampleResult:
        """One sample; the last ones are kept. Raises StoreError."""
        if number not in self._read:
            if len(self._read) >= KEPT_SAMPLES:
                del self._read[next(iter(self._read))]
            self._read[number] = self._samples[number]
        return self._read[number]

    def __getitem__(self, number: int) -> tuple[Item, ...]:
        if number not in self._made:
            if len(self._made) >= KEPT_ROWS:
                self._made.clear()
            sample = self.sample(number)
            row = items(sample)
            if row and (sample.key.case_id, sample.key.provider) in self._unstable:
                first = first_failure(row)
                changed = replace(row[first], is_unstable=True)
                row = (*row[:first], changed, *row[first + 1 :])
            self._made[number] = row
        return self._made[number]

    def may_hold(self, number: int, wanted: Wanted | None) -> bool:
        """False when a sample surely has nothing of that kind."""
        if self._light is None:
            return True
        light = self._light(number)
        if wanted == UNSTABLE:
            return (light.case_id, light.provider) in self._unstable
        # A row does not say where a citation could be repaired; nor where sources
        # disagree, but such a claim is unscored or a panel's; nor that a claim is
        # missing which the run does not ask for.
        if wanted in (CONFLICT, PROPOSED) or light.passed is not True:
            return True
        kinds = row_kinds(light)
        missing = wanted in (None, FailureKind.MISSING_CLAIM)
        return missing or wanted in kinds

    def counts(self) -> dict[Wanted, int]:
        """How many items may be asked for by each kind; how many samples, as far as
        light rows tell, where there are many. What is no failure comes last."""
        return most_frequent_first(map(self._kinds, range(len(self))))

    def _kinds(self, number: int) -> Iterable[Wanted]:
        if self._light is None or not self.are_many:
            return [kind for item in self[number] for kind in item.marks]
        light = self._light(number)
        kinds = set(row_kinds(light))
        if (light.case_id, light.provider) in self._unstable:
            kinds.add(UNSTABLE)
        return kinds


def unstable_cases(rows: Iterable[SampleRow]) -> AllIterations:
    """Cases and providers that passed in one iteration and failed in another; an
    unscored one is no flip."""
    seen: dict[tuple[str, str], bool] = {}
    found = set()
    for row in rows:
        if row.passed is not None:
            place = (row.case_id, row.provider)
            if seen.setdefault(place, row.passed) != row.passed:
                found.add(place)
    return frozenset(found)


class Sighting(NamedTuple):
    """What a search over samples came to."""

    found: Place | None
    rest: Place | None = None
    """Where to go on when it stopped before the end."""


def seek(
    rows: Rows,
    at: Place,
    step: Literal[1, -1],
    fits: Callable[[int, Item], bool],
    may: Callable[[int], bool] = lambda number: True,
    most: int | None = None,
) -> Sighting:
    """The nearest item after (or before) a place that fits.

    may: False for a sample that need not be read. most: samples to read, at most.
    """
    sample, item, read = at.sample, at.item + step, 0
    while 0 <= sample < len(rows):
        if sample == at.sample or may(sample):
            if most is not None and read >= most:
                return Sighting(None, Place(sample, item - step))
            read += 1
            row = rows[sample]
            if item == LAST:
                item = len(row) - 1
            while 0 <= item < len(row):
                if fits(sample, row[item]):
                    return Sighting(Place(sample, item))
                item += step
        sample += step
        item = 0 if step == 1 else LAST
    return Sighting(None)


def next_failure(
    all_items: Rows, at: Place, step: Literal[1, -1], wanted: Wanted | None = None
) -> Place | None:
    """The nearest failure after (or before) a place; None when there is no more."""
    return seek(
        all_items,
        at,
        step,
        lambda _, item: item.matches(wanted),
        lambda number: all_items.may_hold(number, wanted),
    ).found
