"""An ONNX model that several threads ask, within bounds of memory.

Each run has memory of its own for what is worked out between the layers, and
onnxruntime keeps the most that was ever needed: five samples judged at once held 580 MB
for a model of 24 MB. So no more runs go on at once than there are cores for them, and
what a run needed is given back after it; the cost in processor time is not measurable.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.telemetry import switch_off

MOST_PAIRS = 8 * 192 * 192
"""Pairs of tokens that are weighed at once; 14 MB in a layer of twelve heads."""


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
        # As much as is asked for, not twice as much each time.
        arena = {"arena_extend_strategy": "kSameAsRequested"}
        self._session = onnxruntime.InferenceSession(
            str(graph), options, providers=[("CPUExecutionProvider", arena)]
        )
        self._after = onnxruntime.RunOptions()
        give_back = "memory.enable_memory_arena_shrinkage"
        self._after.add_run_config_entry(give_back, "cpu:0")
        self._splits = splits
        self._room = threading.BoundedSemaphore(max(1, cores // threads))

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
        with self._room:
            found: list[Any] = self._session.run(outputs, inputs, self._after)
            return found
