"""Append-only, checksummed TinyDB: saving costs the same however long a run is.

TinyDB's own storage rewrites its whole file at each insert and destroys it when
the disk is full. Here the state lives in memory and each change is one line at the
end of a file, on TinyDB's own extension points (a Storage and a Table), so the
rest of TinyDB works as documented.

What a kill left half-written at the end is cut by the next writer. A bad line with
good ones behind it is damage and is refused (stores/replay.py).
"""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from tinydb import TinyDB
from tinydb.queries import QueryLike
from tinydb.storages import Storage
from tinydb.table import Document, Table

from claimscope.core.errors import StoreError
from claimscope.stores.locks import WriterLock
from claimscope.stores.paths import open_private, sync_folder, write_atomically
from claimscope.stores.replay import (
    HEADER,
    Change,
    Row,
    Tables,
    apply,
    encode,
    replay,
)

COMPACT_ABOVE = 1 << 20
"""Bytes below which dead records are left where they are."""


class JournalStorage(Storage):
    """The writer's side of a journal: state in memory, changes appended."""

    def __init__(self, path: Path, what: str = "This file") -> None:
        """Opens for writing, under the lock, and cuts a torn end.

        Raises StoreLocked, JournalDamaged, StoreError.
        """
        self.path = path
        self.tables: Tables = {}
        self.torn = 0
        """Bytes cut from the end when the file was opened."""
        self.changes = 0
        self._guard = threading.RLock()
        self._lock = WriterLock(path, what)
        try:
            self._descriptor = open_private(path, os.O_RDWR | os.O_APPEND)
            self._open()
        except OSError as error:
            self._lock.release()
            raise _not_saved(path, error) from error
        except BaseException:
            self._lock.release()
            raise

    def _open(self) -> None:
        data = self.path.read_bytes()
        self._length, self.changes = replay(self.path, data, self.tables)
        self.torn = len(data) - self._length
        if self.torn:
            os.ftruncate(self._descriptor, self._length)
        if self._length == 0:
            self._append_bytes(HEADER)
            sync_folder(self.path.parent)

    @property
    def dead(self) -> int:
        """Changes that no longer count."""
        return self.changes - sum(len(table) for table in self.tables.values())

    def append(self, changes: list[Change]) -> None:
        """Saves changes, all or none; durable when it returns. Raises StoreError."""
        line = encode(changes)
        with self._guard:
            self._append_bytes(line)
            # What a replay would see, and nothing shared with the caller.
            apply(self.tables, orjson.loads(line[9:]))
            self.changes += len(changes)

    def _append_bytes(self, line: bytes) -> None:
        try:
            # Normally a no-op: undoes an append that failed, if its own clean-up did.
            if os.fstat(self._descriptor).st_size != self._length:
                os.ftruncate(self._descriptor, self._length)
            left = memoryview(line)
            while left:
                left = left[os.write(self._descriptor, left) :]
            os.fdatasync(self._descriptor)
        except BaseException as error:
            try:
                os.ftruncate(self._descriptor, self._length)
            except OSError:
                pass  # the next append or the next writer cuts it
            if isinstance(error, OSError):
                raise _not_saved(self.path, error) from error
            raise
        self._length += len(line)

    def compact(self) -> None:
        """Rewrites the file without dead records; the old one stays until the new
        one is durable. Readers notice that the file was replaced."""
        with self._guard:
            lines = [HEADER]
            for name, table in self.tables.items():
                lines += (encode([["p", name, i, row]]) for i, row in table.items())
            data = b"".join(lines)
            write_atomically(self.path, data)
            os.close(self._descriptor)
            self._descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND)
            self._length = len(data)
            self.changes -= self.dead

    def compact_if_worthwhile(self) -> None:
        """Compacts a large file of which more than half is dead."""
        if self._length > COMPACT_ABOVE and self.dead > self.changes / 2:
            self.compact()

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables, as TinyDB's whole-database operations ask for them."""
        return {
            name: {str(i): copy.deepcopy(row) for i, row in table.items()}
            for name, table in self.tables.items()
        } or None

    def write(self, data: dict[str, dict[str, Any]]) -> None:
        """Saves the difference between the state and data."""
        changes: list[Change] = [["t", name] for name in set(self.tables) - set(data)]
        for name, rows in data.items():
            new = {int(i): dict(row) for i, row in rows.items()}
            changes += difference(name, self.tables.get(name, {}), new)
        if changes:
            self.append(changes)

    def close(self) -> None:
        """Closes the file and gives the lock back; harmless when done before."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._lock.release()


def _not_saved(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path}: could not be saved: {error.strerror}.",
        "What was saved before is intact. Free some disk space or check who may "
        "write there, then resume.",
    )


def difference(name: str, old: dict[int, Row], new: dict[int, Row]) -> list[Change]:
    """The changes that make `new` of `old`."""
    changes: list[Change] = [["d", name, i] for i in old if i not in new]
    changes += [["p", name, i, row] for i, row in new.items() if old.get(i) != row]
    return changes


class JournalTable(Table):
    """TinyDB's table on a journal: overrides the private hooks that all of its
    operations go through (tests hold them to TinyDB's documented behaviour)."""

    default_query_cache_capacity = 0
    _storage: JournalStorage
    _next_id: int | None  # type: ignore[assignment]  # TinyDB's says None

    def _rows(self) -> dict[int, Row]:
        return self._storage.tables.get(self._name, {})

    def _read_table(self) -> dict[str, Mapping[Any, Any]]:
        return self._rows()  # type: ignore[return-value]  # keys need no conversion

    def _get_next_id(self) -> int:
        free = self._next_id or max(self._rows(), default=0) + 1
        self._next_id = free + 1
        return free

    def _update_table(
        self, updater: Callable[[dict[int, Mapping[Any, Any]]], None]
    ) -> None:
        # The general path (conditional update and removal, batches): O(table).
        new: dict[int, Any] = copy.deepcopy(self._rows())
        updater(new)
        changes = difference(self._name, self._rows(), new)
        if changes:
            self._storage.append(changes)

    def put(self, rows: Iterable[tuple[int | None, Row]]) -> list[int]:
        """Saves rows together, each under its id (None: the next free one),
        whatever was there before. The fast path: O(rows)."""
        ids, changes = [], []
        for given, row in rows:
            if given is not None:
                self._next_id = None
            doc_id = self._get_next_id() if given is None else given
            ids.append(doc_id)
            changes.append(["p", self._name, doc_id, row])
        if changes:
            self._storage.append(changes)
        return ids

    def insert(self, document: Mapping[Any, Any]) -> int:
        """As TinyDB's, but O(document)."""
        doc_id = document.doc_id if isinstance(document, Document) else None
        if doc_id in self._rows():
            raise ValueError(f"Document with ID {doc_id} already exists")
        return self.put([(doc_id, dict(document))])[0]

    def insert_multiple(self, documents: Iterable[Mapping[Any, Any]]) -> list[int]:
        """As TinyDB's, but one append for all."""
        rows = [
            (d.doc_id if isinstance(d, Document) else None, dict(d)) for d in documents
        ]
        given = [doc_id for doc_id, _ in rows if doc_id is not None]
        if len(set(given)) < len(given) or not self._rows().keys().isdisjoint(given):
            raise ValueError("Document with one of these IDs already exists")
        return self.put(rows)

    # What is given out is a copy: a caller may change it without changing the store.

    def get(  # type: ignore[override]  # says in one what TinyDB says in overloads
        self,
        cond: QueryLike | None = None,
        doc_id: int | None = None,
        doc_ids: list[int] | None = None,
    ) -> Document | list[Document] | None:
        """As TinyDB's, but by id O(1)."""
        if doc_id is not None:
            row = self._rows().get(doc_id)
            return None if row is None else Document(copy.deepcopy(row), doc_id)
        found = super().get(cond, doc_ids=doc_ids)  # type: ignore[arg-type]
        return copy.deepcopy(found)

    def search(self, cond: QueryLike) -> list[Document]:
        """As TinyDB's."""
        return copy.deepcopy(super().search(cond))

    def __iter__(self) -> Iterator[Document]:
        for doc_id, row in self._rows().items():
            yield Document(copy.deepcopy(row), doc_id)


class JournalDB(TinyDB):
    """A TinyDB database that is a journal. `storage` is its JournalStorage."""

    table_class = JournalTable

    def __init__(self, path: Path, what: str = "This file") -> None:
        super().__init__(path, what, storage=JournalStorage)

    @property
    def journal(self) -> JournalStorage:
        """The storage, with its own type."""
        assert isinstance(self._storage, JournalStorage)
        return self._storage

    def rows(self, name: str) -> JournalTable:
        """The table of that name, with its own type."""
        table = self.table(name)
        assert isinstance(table, JournalTable)
        return table


class JournalReader:
    """A viewer's side: replays without the lock, then reads what was appended."""

    def __init__(self, path: Path) -> None:
        """The file may not exist yet; `refresh` looks again."""
        self.path = path
        self.tables: Tables = {}
        self.replaced = 0
        """How often the file was found replaced, and all was read again."""
        self._offset = 0
        self._inode: int | None = None
        self._size_seen = -1

    def refresh(self) -> bool:
        """Reads on; True when there was something new. A last line that is not yet
        whole is left for later. Raises JournalDamaged, StoreError."""
        try:
            with self.path.open("rb") as file:
                state = os.fstat(file.fileno())
                if state.st_ino != self._inode or state.st_size < self._offset:
                    self._forget(state.st_ino)
                elif state.st_size == self._offset:
                    return False
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be read: {error.strerror}."
            ) from error
        good, changes = replay(self.path, data, self.tables, self._offset)
        self._offset += good
        return changes > 0

    def _forget(self, inode: int) -> None:
        self.replaced += self._inode is not None
        self._inode = inode
        self._offset = 0
        self.tables.clear()
