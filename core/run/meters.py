"""What is counted for a run while it is judged: texts embedded, and times of searches.

Embedders and corpora are asked from many tasks and threads, and know no run. So the
meters of a run go with the task that judges it, and with the tasks and threads that it
begins (`asyncio.to_thread`): two runs in one process count apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from claimscope.core.run.embedding_usage import EmbeddingMeter
from claimscope.core.run.search_times import SearchTimes


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
