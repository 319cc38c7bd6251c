"""The records of a run by table, id and key, and what they add up to.

What engine and viewer ask of a run's records, wherever these lie: here in memory, in
stores/runs/record_index.py on disk. Both take the same lines and count them alike.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import TypeVar

from claimscope.core.errors import StoreError
from claimscope.stores.runs.journal import JournalTables, MemoryTables
from claimscope.stores.runs.journal_format import Change, LinePlace, Row
from claimscope.stores.runs.run_totals import RunTotals, light_record
from claimscope.stores.runs.sample_rows import LightRecord

T = TypeVar("T")


class RunTables(JournalTables):
    """Tables that also know records by their own keys, and count them."""

    totals: RunTotals

    @abstractmethod
    def id_of(self, table: str, key: str) -> int | None:
        """The id of the record with that key."""

    @abstractmethod
    def light(self, table: str, record_id: int) -> LightRecord | None:
        """What is kept of a record beside its place."""

    @abstractmethod
    def map_lights(self, table: str, make: Callable[[LightRecord], T]) -> list[T]:
        """What `make` makes of that of each record, in the order they were first saved.
        It may be called again from the first one on."""

    @abstractmethod
    def errors(self) -> dict[str, str | None]:
        """Keys of the samples, in no order, with their errors."""

    @abstractmethod
    def place_of(self, table: str, record_id: int) -> object:
        """Equal as long as the record is the same."""

    def take(self, changes: Sequence[Change], place: LinePlace) -> None:
        """Counts and keeps the records of a line."""
        for position, change in enumerate(changes):
            self.changes += 1
            kind, name = change[0], change[1]
            if kind == "p":
                self._count(name, change[2], change[3])
                self._put(name, change[2], change[3], place, position)
            elif kind == "d":
                self._take_out(name, change[2])
            else:
                for record_id in tuple(self.table(name)):
                    self._take_out(name, record_id)

    def _count(self, table: str, record_id: int, row: Row) -> None:
        try:
            new = light_record(table, row)
            if new is not None:
                self.totals.replace(table, self.light(table, record_id), new)
            self.totals.add(table, row)
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(
                f"record {record_id} of {table!r} in the run's journal cannot be read: "
                f"{type(error).__name__}: {error}.",
                "Open the run with the version of Claimscope that made it.",
            ) from error

    def _take_out(self, table: str, record_id: int) -> None:
        self.totals.replace(table, self.light(table, record_id), None)
        self._remove(table, record_id)

    @abstractmethod
    def _put(
        self, table: str, record_id: int, row: Row, place: LinePlace, position: int
    ) -> None:
        """Keeps a record."""

    @abstractmethod
    def _remove(self, table: str, record_id: int) -> None:
        """Forgets a record; harmless when it is not there."""


class MemoryRunTables(MemoryTables, RunTables):
    """A run whose records are in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.totals = RunTotals()
        self._keys: dict[tuple[str, str], int] = {}

    def copy(self) -> MemoryRunTables:
        """Tables that stay as these are now; the records are shared."""
        copy = MemoryRunTables()
        copy.rows = {name: dict(table) for name, table in self.rows.items()}
        copy.totals, copy.changes = deepcopy(self.totals), self.changes
        copy._keys = dict(self._keys)
        return copy

    def take(self, changes: Sequence[Change], place: LinePlace) -> None:
        RunTables.take(self, changes, place)

    def id_of(self, table: str, key: str) -> int | None:
        return self._keys.get((table, key))

    def light(self, table: str, record_id: int) -> LightRecord | None:
        """Computed anew."""
        row = self.table(table).get(record_id)
        return None if row is None else light_record(table, row)

    def map_lights(self, table: str, make: Callable[[LightRecord], T]) -> list[T]:
        """Computed anew."""
        lights = (light_record(table, row) for row in self.table(table).values())
        return [make(light) for light in lights if light is not None]

    def errors(self) -> dict[str, str | None]:
        """Keys of the samples, with their errors."""
        rows = self.table("samples").values()
        return {row["key"]: row["data"].get("error") for row in rows}

    def place_of(self, table: str, record_id: int) -> object:
        """The record itself: another one has another identity."""
        return id(self.table(table).get(record_id))

    def _put(
        self, table: str, record_id: int, row: Row, place: LinePlace, position: int
    ) -> None:
        if "key" in row:
            self._keys[table, row["key"]] = record_id
        self.rows.setdefault(table, {})[record_id] = row

    def _remove(self, table: str, record_id: int) -> None:
        row = self.rows.get(table, {}).pop(record_id, {})
        self._keys.pop((table, row.get("key", "")), None)
