"""How much text the embedding model of a run has read.

Vectors are computed for many samples at once and kept for good, so what one sample cost
cannot be said; what a run made its embedder read can. Each embedder adds what it reads
to the meters at hand (meters.py), and the engine takes it when a run ends.
"""

from __future__ import annotations

import threading
from typing import NamedTuple


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
