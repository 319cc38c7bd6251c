"""Runs without a disk: for a dry run, for embedding Claimscope in other programs, and
for tests. Contract tests hold them to what the runs on disk do.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from claimscope.core.errors import StoreLocked
from claimscope.core.models import RunHeader, RunStatus
from claimscope.core.ports import Control, ModelState
from claimscope.stores.runs.journal import NewRecord
from claimscope.stores.runs.journal_format import Change, LinePlace, Row
from claimscope.stores.runs.model_state import ModelStates
from claimscope.stores.runs.records import (
    RunReaderBase,
    RunWriterBase,
    no_such_run,
    run_exists,
)
from claimscope.stores.runs.run_tables import MemoryRunTables

NOWHERE = LinePlace(0, 0)


@dataclass
class _Run:
    """The records of one run, shared by its writer and its readers."""

    tables: MemoryRunTables = field(default_factory=MemoryRunTables)
    control: Control = "run"
    is_held: bool = False
    board: ModelStates = field(default_factory=ModelStates)
    guard: threading.RLock = field(default_factory=threading.RLock)

    def put(self, table: str, record_id: int | None, row: Row) -> int:
        """Saves a record as it would come back from a file."""
        with self.guard:
            saved = record_id or self.tables.last_id(table) + 1
            change: Change = ["p", table, saved, orjson.loads(orjson.dumps(row))]
            self.tables.take([change], NOWHERE)
        return saved


class MemoryRunWriter(RunWriterBase):
    """A run in the making, in memory."""

    def __init__(self, name: str, run: _Run, header: RunHeader | None = None) -> None:
        """Raises StoreLocked."""
        with run.guard:
            if run.is_held:
                raise StoreLocked(
                    f"Run {name} is being written by process {os.getpid()}.",
                    "Wait until it has finished, or stop it, then try again.",
                )
            run.is_held = True
        self._run = run
        super().__init__(run.tables, f"run {name}")
        run.control = "run"
        run.board = ModelStates()
        self._begin(header)

    def _put(
        self,
        records: Sequence[NewRecord],
        taken: Callable[[int], None] = lambda number: None,
    ) -> None:
        for number, record in enumerate(records):
            self._run.put(*record)
            taken(number)

    def control(self) -> Control:
        return self._run.control

    def save_model_state(self, state: ModelState) -> None:
        with self._run.guard:
            self._run.board.put(state, time.time())

    def close(self) -> None:
        self._run.is_held = False


class MemoryRunReader(RunReaderBase):
    """A run as a viewer follows it, in memory."""

    def __init__(self, name: str, run: _Run) -> None:
        super().__init__(f"run {name}")
        self._run = run
        self._seen = MemoryRunTables()

    @property
    def _tables(self) -> MemoryRunTables:
        return self._seen

    def _people(self, table: str) -> Mapping[int, Row]:
        return self._seen.table(table)

    def _engine_at_work(self) -> tuple[bool, int | None]:
        return self._run.is_held, os.getpid()

    def _read_on(self) -> bool:
        with self._run.guard:
            if self._run.tables.changes == self._seen.changes:
                return False
            self._seen = self._run.tables.copy()
            return True

    def _save_of_people(self, table: str, rows: Sequence[Row]) -> None:
        for row in rows:
            self._run.put(table, None, row)
        self.refresh()

    def ask(self, control: Control) -> None:
        self._run.control = control

    def requested_control(self) -> Control:
        return self._run.control

    def model_states(self) -> Sequence[ModelState]:
        with self._run.guard:
            return self._run.board.states(time.time())


class MemoryRunStore:
    """Runs that end with the process (core.ports.RunStore)."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}

    def create(self, header: RunHeader) -> MemoryRunWriter:
        """Begins a run. Raises StoreError when the id is taken."""
        if header.run_id in self._runs:
            raise run_exists(header.run_id)
        run = self._runs[header.run_id] = _Run()
        return MemoryRunWriter(header.run_id, run, header)

    def open(self, run_id: str) -> MemoryRunWriter:
        return MemoryRunWriter(run_id, self._find(run_id))

    def read(self, run_id: str) -> MemoryRunReader:
        reader = MemoryRunReader(run_id, self._find(run_id))
        reader.refresh()
        return reader

    def runs(self) -> Iterable[RunStatus]:
        statuses = [self.read(run_id).status() for run_id in self._runs]
        return sorted(
            statuses, key=lambda s: (s.header.created, s.header.run_id), reverse=True
        )

    def _find(self, run_id: str) -> _Run:
        if run_id not in self._runs:
            raise no_such_run(run_id)
        return self._runs[run_id]
