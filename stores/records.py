"""What an engine saves of a run and what a viewer reads, wherever it is kept.

The logic of a run's records without the disk, so that the store on disk and its
twin in memory cannot drift apart: they differ in where a record is put.
"""

from __future__ import annotations

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import ValidationError

from claimscope.core.errors import StoreError
from claimscope.core.models import (
    CallRecord,
    HumanVerdict,
    Model,
    RunHeader,
    RunState,
    RunStatus,
    SampleKey,
    SampleResult,
    SampleRow,
)
from claimscope.core.ports import Control, ModelState
from claimscope.stores.replay import Row, Tables
from claimscope.stores.sample_rows import light_of, row_of
from claimscope.stores.tally import Tally, index_by_key

Stored = TypeVar("Stored", bound=Model)


def utc_now() -> str:
    """The time of a record: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def parse(kind: type[Stored], data: Row, where: str) -> Stored:
    """A stored record as its model. Raises StoreError."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise StoreError(
            f"{where}: a {kind.__name__} cannot be read: {place}: {problem['msg']}.",
            "Open the run with the version of Claimscope that made it.",
        ) from error


def no_such_run(run_id: str) -> StoreError:
    """The error for a run id that does not exist."""
    return StoreError(
        f"There is no run {run_id!r} in this workspace.",
        "`claimscope runs` lists the runs; --workspace DIR names another place.",
    )


def run_exists(run_id: str) -> StoreError:
    """The error for a new run whose id is taken."""
    return StoreError(
        f"There is a run {run_id!r} already.",
        "Resume it, or start a run with another id.",
    )


class RunRecords(ABC):
    """The engine's side (core.ports.RunWriter), wherever the records lie."""

    def __init__(self, tables: Tables, where: str) -> None:
        self._tables = tables
        self._where = where
        self._guard = threading.RLock()
        self._tally = Tally().add_all(tables)
        self._samples = index_by_key(tables.get("samples", {}).items())
        self._calls = index_by_key(tables.get("calls", {}).items())
        self._part = len(tables.get("parts", {})) + 1
        self._spent = 0.0
        self._since: float | None = time.monotonic()

    @abstractmethod
    def _put(self, table: str, record_id: int | None, row: Row) -> int:
        """Saves a record durably and gives its id."""

    @abstractmethod
    def control(self) -> Control:
        """What the viewer asked for: run, pause or cancel."""

    @abstractmethod
    def save_model_state(self, state: ModelState) -> None:
        """What a model does now: for viewers, not for the record."""

    @abstractmethod
    def close(self) -> None:
        """Gives the lock back; harmless when done before."""

    def _begin(self, header: RunHeader | None) -> None:
        """First record of a part; of a new run: the header before it."""
        if header is not None:
            self._put("header", 1, header.model_dump(mode="json"))
        elif not self._tables.get("header"):
            raise no_header(self._where)
        self._save("parts", {"pid": os.getpid()})

    def _save(self, table: str, row: Row, record_id: int | None = None) -> int:
        elapsed = self._spent
        if self._since is not None:
            elapsed += time.monotonic() - self._since
        row |= {"part": self._part, "elapsed": round(elapsed, 3), "at": utc_now()}
        saved = self._put(table, record_id, row)
        self._tally.add(table, row)
        return saved

    def header(self) -> RunHeader:
        """What the run is."""
        return parse(RunHeader, self._tables["header"][1], self._where)

    def save_sample(self, result: SampleResult) -> None:
        """Saves a result; the same sample saved again replaces it."""
        key = str(result.key)
        row = {"key": key, "data": result.model_dump(mode="json")}
        with self._guard:
            self._samples[key] = self._save("samples", row, self._samples.get(key))

    def call(self, key: str) -> CallRecord | None:
        """A finished call."""
        with self._guard:
            record_id = self._calls.get(key)
            if record_id is None:
                return None
            row = self._tables["calls"][record_id]
        return parse(CallRecord, row["data"], self._where)

    def save_call(self, record: CallRecord) -> None:
        """Saves a finished call; the same key saved again replaces it."""
        row = {"key": record.key, "data": record.model_dump(mode="json")}
        with self._guard:
            old = self._calls.get(record.key)
            self._calls[record.key] = self._save("calls", row, old)

    def save_state(self, state: RunState, error: str | None = None) -> None:
        """Saves a change of state. The time of a pause is not counted."""
        with self._guard:
            self._save("states", {"state": state, "error": error})
            if state == "running" and self._since is None:
                self._since = time.monotonic()
            elif state == "paused" and self._since is not None:
                self._spent += time.monotonic() - self._since
                self._since = None

    def save_note(self, message: str) -> None:
        """Saves a line of the log."""
        with self._guard:
            self._save("notes", {"message": message})

    def finished(self) -> dict[str, SampleResult]:
        """Saved samples by str(key), in the order they were first saved."""
        with self._guard:
            rows = list(self._tables.get("samples", {}).values())
        return {
            row["key"]: parse(SampleResult, row["data"], self._where) for row in rows
        }

    def finished_keys(self) -> dict[str, str | None]:
        """Saved samples by str(key), with the error of those that have one."""
        return {str(row.key): row.error for row in self.rows()}

    def rows(self) -> Sequence[SampleRow]:
        """A light row a sample, in the order they were first saved."""
        with self._guard:
            rows = list(self._tables.get("samples", {}).values())
        return [row_of(light_of(row["data"])) for row in rows]

    def status(self) -> RunStatus:
        """Where the run stands; costs the same however many samples there are."""
        with self._guard:
            return self._tally.status(self.header(), is_held=True, pid=os.getpid())


class RunView(ABC):
    """A viewer's side (core.ports.RunReader), wherever the records lie."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._tally: Tally | None = None
        self._parsed: dict[int, tuple[Row, SampleResult]] = {}
        self._calls: dict[str, int] | None = None

    @abstractmethod
    def _rows(self, table: str) -> dict[int, Row]:
        """Records as last read."""

    @abstractmethod
    def _held(self) -> tuple[bool, int | None]:
        """Is an engine at work, and its process id."""

    @abstractmethod
    def _read_on(self) -> bool: ...

    @abstractmethod
    def save_human(self, verdict: HumanVerdict) -> None:
        """Appends a person's word; earlier ones are kept."""

    @abstractmethod
    def ask(self, control: Control) -> None:
        """Leaves a request to the engine."""

    @abstractmethod
    def model_states(self) -> Sequence[ModelState]:
        """What each model does right now; empty when nobody has said."""

    def refresh(self) -> bool:
        """Reads what was appended since; True when there was something new."""
        if not self._read_on():
            return False
        self._tally = self._calls = None
        return True

    def status(self) -> RunStatus:
        """Where the run stands, as last read."""
        header = self._rows("header").get(1)
        if header is None:
            raise no_header(self._where)
        if self._tally is None:
            names = ("parts", "samples", "calls", "states", "notes")
            self._tally = Tally().add_all({name: self._rows(name) for name in names})
        held, pid = self._held()
        parsed = parse(RunHeader, header, self._where)
        return self._tally.status(parsed, is_held=held, pid=pid)

    def samples(self) -> Sequence[SampleResult]:
        """Results in the order they were first saved; each is parsed once."""
        results = []
        for record_id, row in self._rows("samples").items():
            known = self._parsed.get(record_id)
            if known is None or known[0] is not row:
                known = (row, parse(SampleResult, row["data"], self._where))
                self._parsed[record_id] = known
            results.append(known[1])
        return results

    def rows(self) -> Sequence[SampleRow]:
        """A light row a sample, in the order of `samples`."""
        return [row_of(light_of(r["data"])) for r in self._rows("samples").values()]

    def sample(self, key: SampleKey) -> SampleResult | None:
        """One result in full."""
        known = index_by_key(self._rows("samples").items())
        record_id = known.get(str(key))
        if record_id is None:
            return None
        data = self._rows("samples")[record_id]["data"]
        return parse(SampleResult, data, self._where)

    def call(self, key: str) -> CallRecord | None:
        """A finished call."""
        if self._calls is None:
            self._calls = index_by_key(self._rows("calls").items())
        record_id = self._calls.get(key)
        if record_id is None:
            return None
        return parse(CallRecord, self._rows("calls")[record_id]["data"], self._where)

    def notes(self) -> Sequence[tuple[str, str]]:
        """(time, message) of the run's log."""
        return [(row["at"], row["message"]) for row in self._rows("notes").values()]

    def human_verdicts(self) -> Sequence[HumanVerdict]:
        """All words in order; the last one on a claim counts."""
        rows = self._rows("human").values()
        return [parse(HumanVerdict, row, self._where) for row in rows]


def no_header(where: str) -> StoreError:
    return StoreError(
        f"{where}: this run was stopped while it was being created; it holds nothing.",
        "Delete its folder and start the run again.",
    )
