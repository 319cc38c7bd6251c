"""What an engine saves of a run and what a viewer reads, wherever it is kept.

The logic of a run's records without the disk, so that the store on disk and the
one in memory cannot drift apart: they differ in where a record is put.
"""

from __future__ import annotations

import os
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TypeVar, overload

from pydantic import ValidationError

from claimscope.core.errors import StoreError
from claimscope.core.models import (
    CallRecord,
    CitationDecision,
    HumanVerdict,
    Model,
    RunHeader,
    RunState,
    RunStatus,
    SampleKey,
    SampleResult,
    SampleRow,
    Usage,
)
from claimscope.core.ports import Control, ModelState
from claimscope.stores.runs.journal import NewRecord
from claimscope.stores.runs.journal_format import Row
from claimscope.stores.runs.run_tables import RunTables
from claimscope.stores.runs.sample_rows import LightRecord, RowMaker

Stored = TypeVar("Stored", bound=Model)
KEPT = 500
"""Results that a viewer keeps in memory once they were read."""


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


def call_in(tables: RunTables, key: str, where: str) -> CallRecord | None:
    """A call by its key. Raises StoreError."""
    record_id = tables.id_of("calls", key)
    if record_id is None:
        return None
    return parse(CallRecord, tables.table("calls")[record_id]["data"], where)


def no_such_run(run_id: str) -> StoreError:
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


class RunWriterBase(ABC):
    """The engine's side (core.ports.RunWriter), wherever the records lie."""

    def __init__(self, tables: RunTables, where: str) -> None:
        self._tables = tables
        self._where = where
        self._guard = threading.RLock()
        self._header: RunHeader | None = None
        self._part = tables.totals.next_part
        self._spent = 0.0
        self._since: float | None = time.monotonic()
        self._held_back: list[NewRecord] | None = None
        """What is saved within `together`, until it ends."""

    @abstractmethod
    def _put(
        self,
        records: Sequence[NewRecord],
        taken: Callable[[int], None] = lambda number: None,
    ) -> None:
        """Saves records durably, all or none; `taken` is told of each, in order."""

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
            self._put([NewRecord("header", 1, header.model_dump(mode="json"))])
        self._header = header_of(self._tables, self._where)
        self._save("parts", {"pid": os.getpid()})

    @contextmanager
    def together(self) -> Iterator[list[RunStatus]]:
        """What is saved within is durable when the block ends, with one wait for the
        disk; when it raises, nothing of it is saved. The list that it gives holds then
        the status after each sample. Samples and calls within differ by their keys.
        """
        statuses: list[RunStatus] = []
        with self._guard:
            records = self._held_back = []
            try:
                yield statuses
            finally:
                self._held_back = None

            def taken(number: int) -> None:
                if records[number].table == "samples":
                    statuses.append(self.status())

            self._put(records, taken)

    def _save(self, table: str, row: Row, record_id: int | None = None) -> None:
        with self._guard:
            elapsed = self._spent
            if self._since is not None:
                elapsed += time.monotonic() - self._since
            row |= {"part": self._part, "elapsed": round(elapsed, 3), "at": utc_now()}
            record = NewRecord(table, record_id, row)
            if self._held_back is None:
                self._put([record])
            else:
                self._held_back.append(record)

    def header(self) -> RunHeader:
        return self._header or header_of(self._tables, self._where)

    def amend(self, header: RunHeader) -> None:
        with self._guard:
            self._put([NewRecord("header", 1, header.model_dump(mode="json"))])
            self._header = header

    def save_sample(self, result: SampleResult) -> None:
        """Saves a result; the same sample saved again replaces it."""
        key = str(result.key)
        row = {"key": key, "data": result.model_dump(mode="json")}
        with self._guard:
            self._save("samples", row, self._tables.id_of("samples", key))

    def call(self, key: str) -> CallRecord | None:
        with self._guard:
            return call_in(self._tables, key, self._where)

    def save_call(self, record: CallRecord) -> None:
        """Saves a finished call; the same key saved again replaces it."""
        row = {"key": record.key, "data": record.model_dump(mode="json")}
        with self._guard:
            self._save("calls", row, self._tables.id_of("calls", record.key))

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
        self._save("notes", {"message": message})

    def save_embedded(self, texts: int, tokens: int) -> None:
        self._save("embedded", {"texts": texts, "tokens": tokens})

    def save_searched(self, times: Mapping[int, int]) -> None:
        self._save("searched", {"times": {str(n): c for n, c in times.items()}})

    def finished(self) -> dict[str, SampleResult]:
        return {str(sample.key): sample for sample in self.samples()}

    def samples(self) -> Iterator[SampleResult]:
        """Saved samples in the order they were first saved, each read when its turn
        comes."""
        with self._guard:
            table = self._tables.table("samples")
            ids = tuple(table)
        for record_id in ids:
            with self._guard:
                row = table[record_id]
            yield parse(SampleResult, row["data"], self._where)

    def finished_keys(self) -> dict[str, str | None]:
        with self._guard:
            return self._tables.errors()

    def rows(self) -> Sequence[SampleRow]:
        with self._guard:
            return self._tables.map_lights("samples", RowMaker().row)

    def status(self) -> RunStatus:
        """Where the run stands; costs the same however many samples there are."""
        with self._guard:
            totals = self._tables.totals
            return totals.status(self.header(), is_held=True, pid=os.getpid())


class LazySamples(Sequence[SampleResult]):
    """The samples of a run as a sequence, each read when it is asked for: a run may
    have 100,000 of them on disk."""

    def __init__(
        self, ids: tuple[int, ...], read: Callable[[int], SampleResult]
    ) -> None:
        self._ids = ids
        self._read = read

    @overload
    def __getitem__(self, place: int) -> SampleResult: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[SampleResult]: ...

    def __getitem__(self, place: int | slice) -> SampleResult | Sequence[SampleResult]:
        if isinstance(place, slice):
            return LazySamples(self._ids[place], self._read)
        return self._read(self._ids[place])

    def __len__(self) -> int:
        return len(self._ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as of a list


class RunReaderBase(ABC):
    """A viewer's side (core.ports.RunReader), wherever the records lie."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._header: RunHeader | None = None
        self._samples: LazySamples | None = None
        self._parsed: OrderedDict[int, tuple[object, SampleResult]] = OrderedDict()

    @property
    @abstractmethod
    def _tables(self) -> RunTables:
        """Records as last read."""

    @abstractmethod
    def _people(self, table: str) -> Mapping[int, Row]:
        """What people said, as last read: `human` of verdicts, `repairs` of
        proposals."""

    @abstractmethod
    def _save_of_people(self, table: str, rows: Sequence[Row]) -> None:
        """Appends what a person said, all or nothing."""

    @abstractmethod
    def _engine_at_work(self) -> tuple[bool, int | None]:
        """Is an engine at work, and its process id."""

    @abstractmethod
    def _read_on(self) -> bool: ...

    def save_human(self, *verdicts: HumanVerdict) -> None:
        rows = [verdict.model_dump(mode="json") for verdict in verdicts]
        self._save_of_people("human", rows)

    def save_decision(self, decision: CitationDecision) -> None:
        """Appends a person's word on a proposal durably. Raises StoreError."""
        self._save_of_people("repairs", [decision.model_dump(mode="json")])

    @abstractmethod
    def ask(self, control: Control) -> None:
        """Leaves a request to the engine."""

    @abstractmethod
    def model_states(self) -> Sequence[ModelState]:
        """What each model does right now; empty when nobody has said."""

    def refresh(self) -> bool:
        if not self._read_on():
            return False
        self._samples = self._header = None
        return True

    def header(self) -> RunHeader:
        if self._header is None:
            self._header = header_of(self._tables, self._where)
        return self._header

    def status(self) -> RunStatus:
        held, pid = self._engine_at_work()
        return self._tables.totals.status(self.header(), is_held=held, pid=pid)

    def samples(self) -> Sequence[SampleResult]:
        """Results in the order they were first saved, each read when asked for."""
        if self._samples is None:
            ids = tuple(self._tables.table("samples"))
            self._samples = LazySamples(ids, self._sample)
        return self._samples

    def _sample(self, record_id: int) -> SampleResult:
        place = self._tables.place_of("samples", record_id)
        known = self._parsed.get(record_id)
        if known is None or known[0] != place:
            row = self._tables.table("samples")[record_id]
            known = (place, parse(SampleResult, row["data"], self._where))
            self._parsed[record_id] = known
            while len(self._parsed) > KEPT:
                self._parsed.popitem(last=False)
        return known[1]

    def rows(self) -> Sequence[SampleRow]:
        return self._tables.map_lights("samples", RowMaker().row)

    def sample(self, key: SampleKey) -> SampleResult | None:
        record_id = self._tables.id_of("samples", str(key))
        return None if record_id is None else self._sample(record_id)

    def call(self, key: str) -> CallRecord | None:
        return call_in(self._tables, key, self._where)

    def usage_by_model(self) -> dict[str, Usage]:
        """What each model used, from the journalled calls, each once."""
        found: dict[str, Usage] = {}

        def used(light: LightRecord) -> tuple[str, Usage]:
            return light["model"], Usage.model_validate(light["usage"])

        for model, usage in self._tables.map_lights("calls", used):
            found[model] = found.get(model, Usage()) + usage
        return found

    def notes(self) -> Sequence[tuple[str, str]]:
        rows = self._tables.table("notes").values()
        return [(row["at"], row["message"]) for row in rows]

    def embedded(self) -> tuple[int, int] | None:
        rows = list(self._tables.table("embedded").values())
        if not rows:
            return None
        return sum(row["texts"] for row in rows), sum(row["tokens"] for row in rows)

    def searched(self) -> Mapping[int, int] | None:
        """How long its searches took, over the parts that ended; None where no part
        has said."""
        rows = list(self._tables.table("searched").values())
        found: Counter[int] = Counter()
        for row in rows:
            found.update({int(n): count for n, count in row["times"].items()})
        return dict(found) if rows else None

    def human_verdicts(self) -> Sequence[HumanVerdict]:
        rows = self._people("human").values()
        return [parse(HumanVerdict, row, self._where) for row in rows]

    def citation_decisions(self) -> Sequence[CitationDecision]:
        rows = self._people("repairs").values()
        return [parse(CitationDecision, row, self._where) for row in rows]


def header_of(tables: RunTables, where: str) -> RunHeader:
    """What the run is. Raises StoreError."""
    row = tables.table("header").get(1)
    if row is None:
        raise no_header(where)
    return parse(RunHeader, row, where)


def no_header(where: str) -> StoreError:
    return StoreError(
        f"{where}: this run was stopped while it was being created; it holds nothing.",
        "Delete its folder and start the run again.",
    )
