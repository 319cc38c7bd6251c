"""Append-only, checksummed TinyDB: saving costs the same however long a run is.

TinyDB's own storage rewrites its whole file at each insert and destroys it when the
disk is full. A JournalStorage appends one line a change (journal_format.py) and syncs
it, and any TinyDB opens it: `TinyDB(path, storage=JournalStorage)` to write, under a
lock, `TinyDB(path, storage=JournalReader)` to follow what another process writes.

TinyDB hands over a whole table at each insert, so an engine, who saves often, appends
by `JournalStorage.append` and `append_many` instead, which cost the same however many
records there are. What the lines add up to is kept by a JournalTables: in memory here,
by a SQLite index for a run (record_index.py).
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson
from tinydb.storages import Storage

from claimscope.core.errors import DiskRefused, StoreError
from claimscope.stores.runs.journal_format import (
    Change,
    LinePlace,
    Row,
    current_version,
    encode,
    header,
    replay,
)
from claimscope.stores.workspace.locks import WriterLock, is_held
from claimscope.stores.workspace.paths import (
    open_private,
    replace_file,
    sync_data,
    sync_folder,
)
from claimscope.stores.workspace.regular_files import open_regular

COMPACT_ABOVE = 1 << 20
"""Bytes below which dead records are left where they are."""


class NewRecord(NamedTuple):
    """A record on its way to the disk."""

    table: str
    record_id: int | None
    """None: the next free one."""
    row: Row


class JournalTables(ABC):
    """The tables of a journal, wherever their records are: told of each line as it is
    read or appended."""

    changes = 0
    """Changes taken so far, those that later ones undid too."""

    @abstractmethod
    def attach(self, descriptor: int, is_busy: bool) -> tuple[int, int]:
        """A file to follow, from its beginning or from where an index of it ends.

        `is_busy`: an engine writes it now. Returns (byte to read on from, version).
        Raises JournalDamaged.
        """

    @abstractmethod
    def take(self, changes: Sequence[Change], place: LinePlace) -> None:
        """Carries out the changes of a line that lies there."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Tables with records."""

    @abstractmethod
    def table(self, name: str) -> Mapping[int, Row]:
        """Records of a table by id; empty when there is none."""

    @abstractmethod
    def lines(self) -> Iterator[bytes]:
        """The lines of a journal that says the same, without what no longer counts."""

    def last_id(self, name: str) -> int:
        """The highest id of a table; 0 when it is empty."""
        return max(self.table(name), default=0)

    @property
    def live(self) -> int:
        """Records that count."""
        return sum(len(self.table(name)) for name in self.names())

    @property
    def is_worn(self) -> bool:
        """Whether to attach again would make it smaller."""
        return False

    def save(self) -> None:
        """A good moment to write down what was not yet; never fails."""
        return

    def close(self) -> None:
        """Gives files back; harmless when done before."""
        return


class MemoryTables(JournalTables):
    """All records in memory: for small journals, and for runs without a disk."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[int, Row]] = {}

    def attach(self, descriptor: int, is_busy: bool) -> tuple[int, int]:
        self.rows.clear()
        self.changes = 0
        return 0, 1

    def take(self, changes: Sequence[Change], place: LinePlace) -> None:
        self.changes += len(changes)
        for change in changes:
            kind, name = change[0], change[1]
            if kind == "p":
                self.rows.setdefault(name, {})[change[2]] = change[3]
            elif kind == "d":
                self.rows.get(name, {}).pop(change[2], None)
            else:
                self.rows.pop(name, None)

    def names(self) -> Sequence[str]:
        return tuple(name for name, table in self.rows.items() if table)

    def table(self, name: str) -> Mapping[int, Row]:
        """The records themselves, not copies."""
        return self.rows.get(name, {})

    def lines(self) -> Iterator[bytes]:
        for name, table in self.rows.items():
            yield from (encode([["p", name, i, row]]) for i, row in table.items())


# --- what TinyDB reads and writes ---


class _Documents(Mapping[str, Row]):
    """A table as TinyDB reads it, ids as text: each document is a copy, made when it is
    asked for, so that a table of a gigabyte is searched in little memory."""

    def __init__(self, rows: Mapping[int, Row]) -> None:
        self._rows = rows

    def __getitem__(self, doc_id: str) -> Row:
        if not doc_id.isdecimal():
            raise KeyError(doc_id)
        row: Row = orjson.loads(orjson.dumps(self._rows[int(doc_id)]))
        return row

    def __iter__(self) -> Iterator[str]:
        return map(str, self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class _Database(MutableMapping[str, Mapping[str, Row]]):
    """All tables as TinyDB reads and writes them: those that it has set are remembered,
    and only they are looked through when it writes."""

    def __init__(self, tables: JournalTables) -> None:
        self._tables = tables
        self.set: dict[str, Mapping[str, Row]] = {}
        self._gone: set[str] = set()

    def _names(self) -> set[str]:
        return (set(self._tables.names()) | set(self.set)) - self._gone

    def __getitem__(self, name: str) -> Mapping[str, Row]:
        if name not in self._names():
            raise KeyError(name)
        return self.set.get(name, _Documents(self._tables.table(name)))

    def __setitem__(self, name: str, documents: Mapping[str, Row]) -> None:
        self.set[name] = documents
        self._gone.discard(name)

    def __delitem__(self, name: str) -> None:
        self.set.pop(name, None)
        self._gone.add(name)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._names()))

    def __len__(self) -> int:
        return len(self._names())


def _difference(
    name: str, old: Mapping[int, Row], new: Mapping[int, Row]
) -> list[Change]:
    changes: list[Change] = [["d", name, i] for i in old if i not in new]
    changes += [["p", name, i, row] for i, row in new.items() if old.get(i) != row]
    return changes


# --- the writer ---


class JournalStorage(Storage):
    """The writer's side: changes are appended, then told to the tables."""

    def __init__(
        self,
        path: str | Path,
        what: str = "This file",
        tables: JournalTables | None = None,
    ) -> None:
        """Opens for writing, under the lock, and cuts what a kill left half-written at
        the end. `what` the lock is for, in messages. A file of an older version is
        written anew. Raises StoreLocked, JournalDamaged, StoreError.
        """
        self.path = Path(path)
        self.tables = tables or MemoryTables()
        self.torn = 0
        """Bytes cut from the end when the file was opened."""
        self._guard = threading.RLock()
        self._next_ids: dict[str, int] = {}
        self._descriptor = -1
        try:
            self._lock = WriterLock(self.path, what)
        except OSError as error:
            raise _not_saved(self.path, error) from error
        try:
            self._descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND)
            self._open()
        except BaseException as error:
            self._let_go()
            if isinstance(error, OSError):
                raise _not_saved(self.path, error) from error
            raise

    def _open(self) -> None:
        version = self._replay()
        self.torn = os.fstat(self._descriptor).st_size - self._length
        if self.torn:
            os.ftruncate(self._descriptor, self._length)
        if self._length == 0:
            self._append_bytes(header())
            sync_folder(self.path.parent)
        elif version != current_version():
            self.compact()

    def _replay(self) -> int:
        """Tells the tables what the file says; its version."""
        start, version = self.tables.attach(self._descriptor, is_busy=False)
        with open_regular(self.path) as file:
            self._length, version = replay(
                self.path, file, self.tables.take, start, version
            )
        return version

    # --- an engine's way: costs the same however many records there are ---

    def append(self, table: str, row: Row, record_id: int | None = None) -> int:
        """Saves a record, in place of what had its id (None: the next free one), and
        gives the id; durable when it returns. Raises StoreError.

        A TinyDB table that is open meanwhile does not notice; one made with
        `cache_size=0` finds the record.
        """
        return self.append_many([NewRecord(table, record_id, row)])[0]

    def append_many(
        self,
        records: Sequence[NewRecord],
        taken: Callable[[int], None] = lambda number: None,
    ) -> list[int]:
        """Saves records with one wait for the disk: all are durable when it returns,
        none when it raises StoreError; a kill may leave the first of them. `taken` is
        told the number of each once all are durable. Gives their ids.
        """
        with self._guard:
            changes: list[Change] = [
                ["p", table, self._free_id(table, given), row]
                for table, given, row in records
            ]
            self._append([[change] for change in changes], taken)
        return [change[2] for change in changes]

    def _free_id(self, table: str, given: int | None) -> int:
        free = self._next_ids.get(table) or self.tables.last_id(table) + 1
        record_id = free if given is None else given
        self._next_ids[table] = max(free, record_id + 1)
        return record_id

    def _append(
        self,
        several: Sequence[list[Change]],
        taken: Callable[[int], None] = lambda number: None,
    ) -> None:
        """Saves the changes of each line, all lines or none."""
        lines = [encode(changes) for changes in several]
        start = self._length
        self._append_bytes(b"".join(lines))
        for number, line in enumerate(lines):
            # What a replay would see, and nothing shared with the caller.
            self.tables.take(orjson.loads(line[9:]), LinePlace(start, len(line)))
            start += len(line)
            taken(number)

    def _append_bytes(self, line: bytes) -> None:
        try:
            # Normally a no-op: undoes an append that failed, if its own clean-up did.
            if os.fstat(self._descriptor).st_size != self._length:
                os.ftruncate(self._descriptor, self._length)
            left = memoryview(line)
            while left:
                left = left[os.write(self._descriptor, left) :]
            sync_data(self._descriptor)
        except BaseException as error:
            with suppress(OSError):  # the next append or the next writer cuts it
                os.ftruncate(self._descriptor, self._length)
            if isinstance(error, OSError):
                raise _not_saved(self.path, error) from error
            raise
        self._length += len(line)

    # --- TinyDB's way ---

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables; None when there is no record."""
        database = _Database(self.tables)
        return database or None  # type: ignore[return-value]  # used as a mapping

    def write(self, data: Mapping[str, Mapping[Any, Row]]) -> None:
        """Saves what differs from what is there, as one line: all of it or nothing.
        Raises StoreError."""
        with self._guard:
            gone = set(self.tables.names()) - set(data)
            changes: list[Change] = [["t", name] for name in sorted(gone)]
            looked_at = data.set if isinstance(data, _Database) else data
            for name, documents in looked_at.items():
                new = {int(i): dict(row) for i, row in documents.items()}
                changes += _difference(name, self.tables.table(name), new)
            if changes:
                self._append([changes])
            for change in changes:
                if change[0] == "p" and change[1] in self._next_ids:
                    self._free_id(change[1], change[2])

    # --- upkeep ---

    @property
    def dead(self) -> int:
        """Changes that no longer count."""
        return self.tables.changes - self.tables.live

    def compact(self) -> None:
        """Rewrites the file without dead records; the old one stays until the new
        one is durable. Readers notice that the file was replaced."""
        with self._guard:
            replace_file(self.path, (header(), *self.tables.lines()))
            os.close(self._descriptor)
            self._descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND)
            self._replay()

    def compact_if_worthwhile(self) -> None:
        """Compacts a large file of which more than half is dead."""
        if self._length > COMPACT_ABOVE and self.dead > self.tables.changes / 2:
            self.compact()

    def close(self) -> None:
        """Closes the file and gives the lock back; harmless when done before."""
        if self._descriptor >= 0:
            self.tables.save()
        self._let_go()

    def _let_go(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self.tables.close()
        self._lock.release()


def _not_saved(path: Path, error: OSError) -> DiskRefused:
    return DiskRefused(
        f"{path}: could not be saved: {error.strerror}.",
        "What was saved before is intact. Free some disk space or check who may "
        "write there, then resume.",
    )


# --- a viewer ---


class JournalReader(Storage):
    """Follows a journal without its lock and writes nothing, so that a viewer can
    neither block an engine nor harm what it saves. The file may not exist yet."""

    def __init__(self, path: str | Path, tables: JournalTables | None = None) -> None:
        """Reads nothing yet."""
        self.path = Path(path)
        self.tables = tables or MemoryTables()
        self.replaced = 0
        """How often the file was found replaced, and all was read again."""
        self.torn = 0
        """Bytes behind the last whole line, when it was read last."""
        self._offset = 0
        self._version = 1
        self._inode: int | None = None

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables as they stand now. Raises JournalDamaged, StoreError."""
        self.refresh()
        database = _Database(self.tables)
        return database or None  # type: ignore[return-value]  # used as a mapping

    def write(self, data: Mapping[str, Mapping[Any, Row]]) -> None:
        """Raises StoreError: a reader changes nothing."""
        raise StoreError(
            f"{self.path}: it was opened to be read.",
            "Open it with storage=JournalStorage to write, while no engine does.",
        )

    def all_tables(self) -> dict[str, Mapping[int, Row]]:
        """All tables with records, as last read."""
        return {name: self.tables.table(name) for name in self.tables.names()}

    def refresh(self) -> bool:
        """Reads on; True when there was something new. A last line that is not yet
        whole is left for later. Raises JournalDamaged, StoreError."""
        try:
            with open_regular(self.path) as file:
                before = self.tables.changes
                is_new = self._place(file)
                if os.fstat(file.fileno()).st_size > self._offset:
                    self._offset, self._version = replay(
                        self.path, file, self.tables.take, self._offset, self._version
                    )
                self.torn = max(0, os.fstat(file.fileno()).st_size - self._offset)
                return is_new or self.tables.changes != before
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be read: {error.strerror}.",
                "Check who may read it, and whether the disk is there.",
            ) from error

    def _place(self, file: BinaryIO) -> bool:
        """Finds where to read on; True when what was known is gone."""
        state = os.fstat(file.fileno())
        is_replaced = state.st_ino != self._inode or state.st_size < self._offset
        if not is_replaced and not self.tables.is_worn:
            return False
        self.replaced += is_replaced and self._inode is not None
        before = self.tables.changes
        self._inode = None  # until the tables have taken the file
        self._offset, self._version = self.tables.attach(
            file.fileno(), is_held(self.path)
        )
        self._inode = state.st_ino
        return is_replaced and self.tables.changes != before

    def close(self) -> None:
        self.tables.close()


def plain_tinydb(tables: Mapping[str, Mapping[int, Row]]) -> Iterator[bytes]:
    """The parts of one JSON document, {table: {id: document}}, that `TinyDB(path)`
    reads without Claimscope. Written record by record, so that a long run needs no more
    memory than a short one."""
    yield b"{"
    for number, (name, table) in enumerate(tables.items()):
        yield (b",\n" if number else b"\n") + orjson.dumps(name) + b": {"
        for row_number, (row_id, row) in enumerate(table.items()):
            yield b",\n" if row_number else b"\n"
            yield b' "%d": ' % row_id + orjson.dumps(row)
        yield b"\n}"
    yield b"\n}\n"
