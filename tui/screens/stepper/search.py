"""A search through the items of a run: its text, its matches, how many there are.

The samples may be many and on disk, so a thread looks through them: it tells the
nearest match first, then counts all. No screen in here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

from claimscope.tui.review.answer_search import MANY, REST, stopped_within
from claimscope.tui.review.cursor import Place, Rows
from claimscope.tui.review.item_text import contains_text
from claimscope.tui.screens.stepper.state import Fits
from claimscope.tui.widgets.flow import clip, plain

PAUSE = 1.0
"""Seconds between two looks at how far the count is: each repaints a line."""
LONGEST_NEEDLE = 16
"""Cells of the header for what is looked for."""
Spot = tuple[int, int]
"""Sample and item, as in a Place."""


class Counted(NamedTuple):
    """What a count has found so far."""

    nearest: Place | None
    """The first match at or behind where the search began; told once."""
    matches: tuple[Spot, ...] | None
    """All so far; None when only the nearest is told."""
    is_all: bool = False


@dataclass
class TextSearch:
    """What is looked for, and which matches are known."""

    needle: str = ""
    matches: tuple[Spot, ...] = ()
    """All that are known, in order."""
    is_counted: bool = False
    begun: Place = Place(0, 0)
    """Where the search began, to go back to."""
    before: str = ""
    """What was looked for before it."""

    def begin(self, place: Place) -> None:
        """A new text is about to be typed there."""
        self.begun, self.before = place, self.needle

    def look_for(self, text: str) -> None:
        """Another text: nothing is known of it yet."""
        self.needle, self.matches, self.is_counted = text, (), False

    @property
    def nothing(self) -> str:
        """That there is no match, in words."""
        return f"Nothing has “{self.needle}” in it."

    @property
    def is_in_vain(self) -> bool:
        """All was looked through and nothing found."""
        return bool(self.needle) and self.is_counted and not self.matches

    def fits(self) -> Fits:
        """Whether an item of a sample has the text in it."""
        needle = self.needle.casefold()
        return lambda sample, item: contains_text(sample, item, needle)

    def summary(self, place: Place, more: str) -> str:
        """What is looked for, which match is in hand and of how many. more: the sign
        for what is left out."""
        if not self.needle:
            return ""
        needle = clip(plain(self.needle), LONGEST_NEEDLE, more)
        here = (place.sample, place.item)
        at = bisect_left(self.matches, here)
        is_match = at < len(self.matches) and self.matches[at] == here
        many = f"{len(self.matches)}{'' if self.is_counted else more}"
        count = f"{at + 1} of {many}" if is_match else f"{many} found"
        return f"find: {needle} {count} (< >)"


def count(
    rows: Rows, fits: Fits, begun: Place, is_stopped: Callable[[], bool]
) -> Iterator[Counted]:
    """The nearest match at or behind `begun`, round the end, then all: one pass over
    the samples does for both. Raises ClaimscopeError."""
    here = (begun.sample, begun.item)
    if len(rows) > MANY and stopped_within(REST, is_stopped):
        return
    earlier: list[Spot] = []
    later: list[Spot] = []
    is_there, said = False, monotonic()
    for number in (*range(begun.sample, len(rows)), *range(begun.sample)):
        if is_stopped():
            return
        spots = _spots(rows, number, fits)
        (earlier if number < begun.sample else later).extend(spots)
        behind = [s for s in spots if s >= here or number < begun.sample]
        if behind and not is_there:
            is_there = True
            yield Counted(Place(*behind[0]), None)
        if monotonic() - said >= PAUSE:
            yield Counted(None, tuple(earlier + later))
            said = monotonic()
    if later and not is_there:  # in the sample in hand, before `begun`
        yield Counted(Place(*later[0]), None)
    yield Counted(None, tuple(earlier + later), True)


def _spots(rows: Rows, number: int, fits: Fits) -> list[Spot]:
    """The items of a sample that fit."""
    sample, row = rows.sample(number), rows[number]
    return [(number, n) for n, item in enumerate(row) if fits(sample, item)]
