"""What is counted for a run while it is judged: texts embedded, and times of searches.

Vectors are computed for many samples at once and kept for good, so what one sample cost
cannot be said; what a run made its embedder read can. Embedders and corpora are asked
from many tasks and threads, and know no run. So the meters of a run go with the task
that judges it, and with the tasks and threads that it begins (`asyncio.to_thread`): two
runs in one process count apart.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from claimscope.core.run.search_times import SearchTimes


class EmbeddingUsage(NamedTuple):
    """What was read."""

    texts: int
    tokens: int


class EmbeddingMeter:
    """Counts from the last `take` on; safe for threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._read = EmbeddingUsage(0, 0)

    def add(self, texts: int, tokens: int) -> None:
        """A batch was read."""
        with self._guard:
            self._read = EmbeddingUsage(
                self._read.texts + texts, self._read.tokens + tokens
            )

    def take(self) -> EmbeddingUsage:
        """What was read since it was taken last."""
        with self._guard:
            taken, self._read = self._read, EmbeddingUsage(0, 0)
        return taken


@dataclass(frozen=True)
class Meters:
    """Of one run, of one sample on a worker, or of what belongs to no run."""

    embedded: EmbeddingMeter = field(default_factory=EmbeddingMeter)
    searched: SearchTimes = field(default_factory=SearchTimes)


_OUTSIDE = Meters()
_AT_HAND: ContextVar[Meters | None] = ContextVar("meters", default=None)


def meters() -> Meters:
    """Those that count what is done here."""
    return _AT_HAND.get() or _OUTSIDE


@contextmanager
def metering() -> Iterator[Meters]:
    """New ones, for all that is done within."""
    own = Meters()
    token = _AT_HAND.set(own)
    try:
        yield own
    finally:
        _AT_HAND.reset(token)
