"""Where in a run's journal each record lies: what makes opening a long run cheap.

A journal of 100,000 samples is a gigabyte. This index, a SQLite file beside it, has of
each record its key, its place and what a list shows of it, and the totals up to a byte
of the journal; opening a run reads one row here and the lines behind that byte. A
record itself is read from the journal, checksum and all, when it is asked for.

The journal is the truth. The index is a few hundred records behind while an engine
works, and is made anew from the journal when it is missing, of another file, or
damaged: each of its rows has a checksum, and the last line that it knows must still be
where it was.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import orjson

from claimscope.core.errors import StoreError
from claimscope.stores.runs.index_file import (
    IndexDamaged,
    IndexFile,
    KeysByFlag,
    KnownJournal,
    RecordEntry,
    mark_of,
    marks_of,
)
from claimscope.stores.runs.journal_format import (
    Change,
    LinePlace,
    Row,
    check,
    current_version,
    decode,
    encode,
    migrate,
    raise_damaged,
    replay,
    version_of,
)
from claimscope.stores.runs.run_tables import RunTables
from claimscope.stores.runs.run_totals import RunTotals, light_record
from claimscope.stores.runs.sample_rows import LightRecord

FLUSH_EVERY = 500
"""Records that the index may be behind while an engine works."""
ATTEMPTS = 3
"""How often an index that breaks while in use is made anew."""
WORN_ABOVE = 2000
"""Records that a viewer holds in memory before it looks at the index again."""
Answer = TypeVar("Answer")


class RecordIndex(RunTables):
    """The tables of a run on disk. Safe for threads."""

    def __init__(self, journal: Path, index: Path, *, write: bool) -> None:
        """`write`: for the engine, who holds the lock; a viewer never changes the
        file, and makes an index of its own when there is none it can use."""
        self._journal = journal
        self._path = index
        self._is_writer = write
        self._guard = threading.RLock()
        self._file = IndexFile.new(None)
        self._let_go: weakref.finalize[..., RecordIndex] | None = None
        self._descriptor = -1
        self._version = current_version()
        self._broken = 0
        self._forget()

    def _forget(self) -> None:
        self.totals = RunTotals()
        self.changes = 0
        self._counts: dict[str, int] = {}
        self._marks: dict[str, int] = {}
        self._last_ids: dict[str, int] = {}
        self._end = 0
        self._last = LinePlace(0, 0)
        self._clear_tail()

    def _clear_tail(self) -> None:
        """What the file does not have yet; None = taken out."""
        self._tail: dict[tuple[str, int], RecordEntry | None] = {}
        self._tail_keys: dict[tuple[str, str], int] = {}
        self._flush_at = FLUSH_EVERY

    # --- the journal ---

    def attach(self, descriptor: int, is_busy: bool) -> tuple[int, int]:
        """Takes the index of this file, when it is one. Raises JournalDamaged when the
        file was changed since and no longer adds up."""
        with self._guard:
            self.close()
            self._descriptor = os.dup(descriptor)
            self._let_go = weakref.finalize(self, _close, self._descriptor)
            self._version = version_of(descriptor)
            self._forget()
            known = self._open_known()
            if known is None:
                self._file = IndexFile.new(self._path if self._is_writer else None)
                return 0, self._version
            self.totals = RunTotals.from_json(known.totals)
            self._counts, self._marks = dict(known.counts), dict(known.marks)
            self.changes = known.changes
            self._end, self._last = known.end, known.last
            if not (is_busy or known.is_unchanged(os.fstat(descriptor))):
                with open(os.dup(descriptor), "rb") as file:
                    check(self._journal, file, known.end)
            return known.end, self._version

    def _open_known(self) -> KnownJournal | None:
        """What the index file says, when it speaks of our journal."""
        try:
            self._file = IndexFile.existing(self._path, self._is_writer)
            known = self._file.read_known()
            RunTotals.from_json(known.totals)
            state = os.fstat(self._descriptor)
            is_ours = known.inode == state.st_ino and known.end <= state.st_size
            line = os.pread(self._descriptor, known.last.length, known.last.offset)
            sums = line[:8].decode("ascii", "replace"), known.last_sum
            if is_ours and sum(known.last) == known.end and sums[0] == sums[1]:
                return known
        except (sqlite3.Error, IndexDamaged, OSError, TypeError, ValueError, KeyError):
            pass
        self._file.close()
        return None

    def take(self, changes: Sequence[Change], place: LinePlace) -> None:
        """Counts the records of a line and notes where they lie."""
        with self._guard:
            super().take(changes, place)
            self._last, self._end = place, sum(place)
            if len(self._tail) >= self._flush_at and self._may_save:
                self.save()

    @property
    def _may_save(self) -> bool:
        return self._is_writer or self._file.is_own

    def save(self) -> None:
        """Brings the index file up to date. On a full disk that is left for later: the
        records are in the journal."""
        with self._guard:
            if not self._may_save:
                return
            try:
                state = os.fstat(self._descriptor)
                line = os.pread(self._descriptor, 8, self._last.offset)
                known = KnownJournal(
                    inode=state.st_ino,
                    end=self._end,
                    modified=state.st_mtime_ns,
                    last=self._last,
                    last_sum=line.decode("ascii", "replace"),
                    changes=self.changes,
                    counts=self._counts,
                    marks=self._marks,
                    totals=self.totals.as_json(),
                )
                self._file.write(self._tail, known)
            except (sqlite3.Error, OSError):
                self._flush_at = len(self._tail) + FLUSH_EVERY
            else:
                self._clear_tail()

    @property
    def is_worn(self) -> bool:
        """A viewer's tail has grown long: the engine's index is further by now."""
        return len(self._tail) > WORN_ABOVE and not self._may_save

    def close(self) -> None:
        with self._guard:
            self._file.close()
            if self._let_go:
                self._let_go()
            self._let_go, self._descriptor = None, -1

    # --- the records ---

    def names(self) -> Sequence[str]:
        return tuple(name for name, count in self._counts.items() if count)

    def table(self, name: str) -> Mapping[int, Row]:
        """Records by id, each read from the journal when it is asked for."""
        return RecordTable(self, name)

    def count(self, name: str) -> int:
        return self._counts.get(name, 0)

    @property
    def live(self) -> int:
        return sum(self._counts.values())

    def last_id(self, name: str) -> int:
        """The highest id that a table ever had here."""
        if name not in self._last_ids:
            self._last_ids[name] = self._ask(lambda file: file.last_id(name))
        return self._last_ids[name]

    def ids(self, name: str) -> list[int]:
        """All ids of a table in order."""
        return sorted(record_id for record_id, _, _ in self._keys(name))

    def _keys(self, name: str) -> list[tuple[int, str | None, int]]:
        """(id, key, flag) of all records of a table, in no order. Of 100,000, to read
        them and to check them take half each, 70 ms together."""

        def ask(file: IndexFile) -> list[tuple[int, str | None, int]]:
            tail = {
                i: entry for (table, i), entry in self._tail.items() if table == name
            }
            found = file.keys(name, None if tail else self.count(name))
            if tail:
                found = [row for row in found if row[0] not in tail]
                found += [(i, e.key, e.flag) for i, e in tail.items() if e is not None]
            marks = self._marks.get(name, 0)
            if len(found) != self.count(name) or marks_of(found) != marks:
                raise IndexDamaged
            return found

        return self._ask(ask)

    def entry(self, table: str, record_id: int) -> RecordEntry | None:
        """The place of a record and what is kept beside it."""

        def ask(file: IndexFile) -> RecordEntry | None:
            if (table, record_id) in self._tail:
                return self._tail[table, record_id]
            if record_id > self.last_id(table):
                return None
            return file.entry(table, record_id)

        return self._ask(ask)

    def place_of(self, table: str, record_id: int) -> object:
        """Offset and position: what replaces a record lies elsewhere."""
        entry = self.entry(table, record_id)
        return None if entry is None else (entry.place, entry.position)

    def id_of(self, table: str, key: str) -> int | None:
        def ask(file: IndexFile) -> int | None:
            known = self._tail_keys.get((table, key))
            return file.id_of(table, key) if known is None else known

        return self._ask(ask)

    def light(self, table: str, record_id: int) -> LightRecord | None:
        """What is kept of a record beside its place."""
        entry = self.entry(table, record_id)
        return orjson.loads(entry.light) if entry and entry.light else None

    def map_lights(
        self, table: str, make: Callable[[LightRecord], Answer]
    ) -> list[Answer]:
        """What `make` makes of all, each let go then: 100,000 hold 70 MB."""

        def one(light: bytes | None) -> tuple[Answer, ...]:
            return (make(orjson.loads(light)),) if light else ()

        def ask(file: IndexFile) -> list[Answer]:
            tail = {i: entry for (t, i), entry in self._tail.items() if t == table}
            found = {i: one(x) for i, x in file.lights(table) if i not in tail}
            found |= {i: one(entry.light) for i, entry in tail.items() if entry}
            if len(found) != self.count(table):
                raise IndexDamaged
            return [x for record_id in sorted(found) for x in found[record_id]]

        return self._ask(ask)

    def errors(self) -> dict[str, str | None]:
        """Keys of the samples, with the errors of those that have one: 100,000 in
        60 ms of processor time."""
        with self._guard:
            found = self._keys_by_flag("samples")
            if found is None:
                keys = self._keys("samples")
                plain = [key for _, key, flag in keys if key is not None and not flag]
                flagged = [(i, key) for i, key, flag in keys if key and flag]
            else:
                plain, flagged = found.plain, [(i, key) for i, key, _ in found.flagged]
            errors: dict[str, str | None] = dict.fromkeys(plain)
            for record_id, key in flagged:
                errors[key] = (self.light("samples", record_id) or {}).get("error")
            return errors

    def _keys_by_flag(self, table: str) -> KeysByFlag | None:
        """All of a table; None when the file has not all, or has not what was written:
        `_keys` then says what is wrong."""
        if any(name == table for name, _ in self._tail):
            return None
        try:
            found = self._file.keys_by_flag(table)
        except (sqlite3.Error, IndexDamaged):
            return None
        count = len(found.plain) + len(found.flagged)
        is_whole = count == self.count(table)
        is_whole &= found.marks == self._marks.get(table, 0)
        return found if is_whole else None

    def record(self, table: str, record_id: int) -> Row:
        """A record from the journal. Raises KeyError, JournalDamaged."""
        with self._guard:
            entry = self.entry(table, record_id)
            if entry is None:
                raise KeyError(record_id)
            line = os.pread(self._descriptor, entry.length, entry.place)
            content = decode(line)
            if content is None:
                raise_damaged(self._journal, entry.place, "a record is damaged")
            change = migrate(content, self._version)[entry.position]
            row: Row = change[3]
            return row

    def lines(self) -> Iterator[bytes]:
        """One line a record, in the order in which they were saved."""

        def ask(file: IndexFile) -> list[tuple[str, int]]:
            places = file.places()
            for record, entry in self._tail.items():
                places.pop(record, None)
                if entry is not None:
                    places[record] = (entry.place, entry.position)
            if len(places) != self.live:
                raise IndexDamaged
            return sorted(places, key=places.__getitem__)

        for table, record_id in self._ask(ask):
            yield encode([["p", table, record_id, self.record(table, record_id)]])

    def _put(
        self, table: str, record_id: int, row: Row, place: LinePlace, position: int
    ) -> None:
        light = light_record(table, row)
        data = None if light is None else orjson.dumps(light)
        has_error = table == "samples" and row["data"].get("error") is not None
        key = row.get("key") if isinstance(row.get("key"), str) else None
        old = self.entry(table, record_id)
        if old is None:
            self._counts[table] = self._counts.get(table, 0) + 1
        else:
            self._change_mark(table, record_id, old)
        self._last_ids[table] = max(self.last_id(table), record_id)
        entry = RecordEntry(key, int(has_error), *place, position, data)
        self._tail[table, record_id] = entry
        self._change_mark(table, record_id, entry)
        if key is not None:
            self._tail_keys[table, key] = record_id

    def _remove(self, table: str, record_id: int) -> None:
        entry = self.entry(table, record_id)
        if entry is not None:
            self._counts[table] -= 1
            self._change_mark(table, record_id, entry)
            self._tail[table, record_id] = None
            self._tail_keys.pop((table, entry.key or ""), None)

    def _change_mark(self, table: str, record_id: int, entry: RecordEntry) -> None:
        """Adds the mark of a record, or takes it away when it is in."""
        added = mark_of(record_id, entry.key, entry.flag)
        self._marks[table] = self._marks.get(table, 0) ^ added

    def _ask(self, ask: Callable[[IndexFile], Answer]) -> Answer:
        """What the index says; from one made anew when it is damaged."""
        with self._guard:
            try:
                return ask(self._file)
            except (sqlite3.Error, IndexDamaged):
                self._make_anew()
                return ask(self._file)

    def _make_anew(self) -> None:
        self._broken += 1
        if self._broken > ATTEMPTS:
            raise StoreError(
                f"{self._path}: the index of this run breaks each time it is made.",
                "The journal beside it is intact. Check the disk, then try again.",
            )
        end = self._end
        self._file.close()
        is_first = self._is_writer and self._broken == 1
        self._file = IndexFile.new(self._path if is_first else None)
        self._forget()
        with open(os.dup(self._descriptor), "rb") as file:
            replay(self._journal, file, self.take, stop=end)


class RecordTable(Mapping[int, Row]):
    """A table of a run as TinyDB sees it; no record stays in memory."""

    def __init__(self, index: RecordIndex, name: str) -> None:
        self._index = index
        self._name = name

    def __getitem__(self, record_id: int) -> Row:
        return self._index.record(self._name, record_id)

    def __contains__(self, record_id: object) -> bool:
        return isinstance(record_id, int) and (
            self._index.entry(self._name, record_id) is not None
        )

    def __iter__(self) -> Iterator[int]:
        return iter(self._index.ids(self._name))

    def __len__(self) -> int:
        return self._index.count(self._name)


def _close(descriptor: int) -> None:
    with suppress(OSError):
        os.close(descriptor)
