"""What models do for a run right now, beside its journal.

A viewer is another process and wants to say "loading the model, 38 s". That is true
for a moment only, so it does not belong into the journal, which keeps everything: it
lies in a small file that is replaced. Losing it harms nothing, so it is not synced,
and a disk that is full does not end a run because of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import orjson

from claimscope.core.errors import StoreError
from claimscope.core.ports import ModelState, Phase
from claimscope.stores.workspace.paths import replace_unsynced

FILE = "models.json"
EVERY_SECONDS = 2.0
"""Between two writes of the same phase: the reader counts the seconds itself."""
CHANGED_SECONDS = 0.5
"""Between two writes when a phase has changed."""
PHASES = frozenset(get_args(Phase))


@dataclass
class ModelStates:
    """The last word of each model on each host, with the time its phase began."""

    rows: dict[tuple[str, str], tuple[Phase, float]] = field(default_factory=dict)

    def put(self, state: ModelState, now: float) -> bool:
        """Takes a state; True when its phase is another one than before."""
        key = (state.host, state.model)
        before = self.rows.get(key)
        self.rows[key] = (state.phase, now - state.seconds)
        return before is None or before[0] != state.phase

    def states(self, now: float) -> tuple[ModelState, ...]:
        """All states as they are at that time, in order of host and model."""
        return tuple(
            ModelState(host, model, phase, max(0.0, now - since))
            for (host, model), (phase, since) in sorted(self.rows.items())
        )


class ModelStateFile:
    """The engine's side: keeps a board in a file of a run's folder."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE
        self._now = now
        self._board = ModelStates()
        self._written = 0.0
        self.remove()

    def save(self, state: ModelState) -> None:
        """Takes a state; writes it unless something was written a moment ago."""
        now = self._now()
        is_changed = self._board.put(state, now)
        pause = CHANGED_SECONDS if is_changed else EVERY_SECONDS
        if now - self._written >= pause:
            self._written = now
            self._write()

    def _write(self) -> None:
        rows = [[*key, *row] for key, row in self._board.rows.items()]
        with suppress(OSError):
            replace_unsynced(self._path, orjson.dumps(rows))

    def remove(self) -> None:
        """Nobody works for this run any more. Raises StoreError."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                f"{self._path}: cannot be removed: {error.strerror}.",
                "Check who may write in that folder.",
            ) from error


def read_states(folder: Path, now: float | None = None) -> tuple[ModelState, ...]:
    """A viewer's side: the states of a run's models; empty when none is known."""
    try:
        rows = orjson.loads((folder / FILE).read_bytes())
        board = ModelStates()
        for host, model, phase, since in rows:
            if phase in PHASES:
                board.rows[str(host), str(model)] = (phase, float(since))
    except (OSError, ValueError, TypeError):
        return ()
    return board.states(time.time() if now is None else now)
