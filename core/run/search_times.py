"""How long searches take, counted as a histogram: a run makes a million, and parts of
it are added up later.

A bucket is a tenth wider than the one below, so that a quantile is right to 5 %.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

STEP = math.log(1.1)
LEAST = 1e-6
"""Seconds; what is shorter counts as this."""
Times = Mapping[int, int]
"""Bucket → how many."""


def bucket(seconds: float) -> int:
    return round(math.log(max(seconds, LEAST)) / STEP)


def seconds_of(number: int) -> float:
    """The middle of a bucket."""
    return math.exp(number * STEP)


def quantile(times: Times, share: float) -> float:
    """The least duration that a share of all, (0, 1], did not exceed; `times` has
    one."""
    wanted = math.ceil(share * sum(times.values()))
    seen = 0
    for number in sorted(times):
        seen += times[number]
        if seen >= wanted:
            break
    return seconds_of(number)


class SearchTimes:
    """Counts from the last `take` on; safe for threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._times: Counter[int] = Counter()

    def add(self, seconds: float) -> None:
        with self._guard:
            self._times[bucket(seconds)] += 1

    def add_all(self, times: Times) -> None:
        """What was counted elsewhere, by a worker of a cluster."""
        with self._guard:
            self._times.update(times)

    @contextmanager
    def timing(self) -> Iterator[None]:
        """Counts what is done within, when it ends well."""
        begin = time.perf_counter()
        yield
        self.add(time.perf_counter() - begin)

    def take(self) -> dict[int, int]:
        with self._guard:
            taken, self._times = dict(self._times), Counter()
        return taken
