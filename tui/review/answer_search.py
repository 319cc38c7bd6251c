"""Search in the answers of a run, behind a list that shows what its rows have.

Answers are no part of a row: they are read one by one, which takes a minute for
100,000. So what is found comes bit by bit, and what was read is kept, up to a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from claimscope.core.models import SampleKey, SampleResult, SampleRow

KEPT = 16_000_000
"""Characters of answers that are kept in memory."""
SHORTEST = 2
"""A single letter is in every answer."""
MANY = 2000
"""More are not read at each letter, but when the typing rests."""
REST = 0.4
"""Seconds."""
PAUSE = 0.5
"""Seconds between two words on what was found: a screen is repainted for each."""


def stopped_within(seconds: float, is_stopped: Callable[[], bool]) -> bool:
    """Waits so long; True at once when stopped meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_stopped():
            return True
        time.sleep(0.02)
    return False


class FoundRows(NamedTuple):
    """What is known so far."""

    rows: frozenset[int]
    done: int
    total: int


class AnswerSearch:
    """The answers of some rows, read when they are first looked into."""

    def __init__(
        self,
        rows: Sequence[SampleRow],
        read: Callable[[SampleKey], SampleResult | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rows = rows
        self._read = read
        self._clock = clock
        self._texts: dict[int, str] = {}
        self._kept = 0

    def search(
        self, needle: str, numbers: Sequence[int], is_stopped: Callable[[], bool]
    ) -> Iterator[FoundRows]:
        """Rows of these whose answer has a folded text in it; what is known about
        twice a second, and at the end. Ends early when stopped. Raises StoreError."""
        found: set[int] = set()
        said = self._clock()
        for done, number in enumerate(numbers):
            if is_stopped():
                return
            if needle in self._text(number):
                found.add(number)
            if self._clock() - said >= PAUSE:
                yield FoundRows(frozenset(found), done + 1, len(numbers))
                said = self._clock()
        yield FoundRows(frozenset(found), len(numbers), len(numbers))

    def _text(self, number: int) -> str:
        text = self._texts.get(number)
        if text is None:
            sample = self._read(self._rows[number].key)
            text = "" if sample is None else sample.answer.text.casefold()
            if self._kept + len(text) <= KEPT:
                self._kept += len(text)
                self._texts[number] = text
        return text
