"""An ONNX model that several threads ask, within bounds of memory.

Each run has memory of its own for what is worked out between the layers, and
onnxruntime keeps the most that was ever needed: five samples judged at once held 580 MB
for a model of 24 MB. So no more runs go on at once than there are cores for them, nor
than are within a bound together, and what a run needed is given back after it; the cost
in processor time is not measurable.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.telemetry import switch_off

MOST_PAIRS = 8 * 192 * 192
"""Pairs of tokens that are weighed at once; 14 MB in a layer of twelve heads."""
MOST_BYTES = 100_000_000
"""What runs that go on at once may take together; a larger one goes on alone."""


def bytes_of(rows: int, tokens: int) -> int:
    """What a run of a MiniLM takes at most, as measured: of each token two layers of
    1,536 numbers, and of each pair of tokens its weights in twelve heads."""
    return rows * tokens * (13_500 + 66 * tokens)


class MemoryRoom:
    """Lets runs in as there is room for them; safe for threads."""

    def __init__(self, runs: int) -> None:
        """runs: at once, at most."""
        self._runs, self._bytes = runs, MOST_BYTES
        self._going = 0
        self._changed = threading.Condition()

    @contextmanager
    def holding(self, wanted: int) -> Iterator[None]:
        """Waits for room for a run of so many bytes, and holds it."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_room(wanted))
            self._going += 1
            self._bytes -= wanted
        try:
            yield
        finally:
            with self._changed:
                self._going -= 1
                self._bytes += wanted
                self._changed.notify_all()

    def _is_room(self, wanted: int) -> bool:
        fits = self._going < self._runs and wanted <= self._bytes
        return fits or not self._going


class BoundedSession:
    """A session of onnxruntime; safe for threads."""

    def __init__(
        self, graph: Path, threads: int, cores: int, *, splits: bool = False
    ) -> None:
        """threads: of one run; as many runs at once as that leaves cores for. splits:
        a large batch may be run in parts, which is not so of a model whose weights are
        of 8 bits: its scales are those of the whole batch, and so are its outputs.
        Raises what onnxruntime raises."""
        switch_off()
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # Threads without work sleep: to spin costs half as much again, and is no faster
        # where anything else runs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # A plan of memory for each shape that comes again takes more than none does.
        options.enable_mem_pattern = False
        # As much as is asked for, not twice as much each time.
        arena = {"arena_extend_strategy": "kSameAsRequested"}
        self._session = onnxruntime.InferenceSession(
            str(graph), options, providers=[("CPUExecutionProvider", arena)]
        )
        self._after = onnxruntime.RunOptions()
        give_back = "memory.enable_memory_arena_shrinkage"
        self._after.add_run_config_entry(give_back, "cpu:0")
        self._splits = splits
        self._room = MemoryRoom(max(1, cores // threads))

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Any]) -> list[Any]:
        """The outputs of that name, shape (texts, …); waits for room. Inputs have the
        shape (texts, tokens)."""
        rows, tokens = next(iter(inputs.values())).shape
        if not self._splits:
            return self._run(outputs, inputs)
        step = max(1, MOST_PAIRS // max(tokens, 1) ** 2)
        parts = [
            self._run(outputs, {name: v[at : at + step] for name, v in inputs.items()})
            for at in range(0, rows, step)
        ]
        if len(parts) == 1:
            return parts[0]
        return [np.concatenate(found) for found in zip(*parts, strict=True)]

    def _run(self, outputs: Sequence[str], inputs: Mapping[str, Any]) -> list[Any]:
        with self._room.holding(bytes_of(*next(iter(inputs.values())).shape)):
            found: list[Any] = self._session.run(outputs, inputs, self._after)
            return found
