"""Append-only, checksummed TinyDB: saving costs the same however long a run is.

TinyDB's own storage rewrites its whole file at each insert and destroys it when
the disk is full. Here each change is one line at the end of a file, on TinyDB's own
extension points (a Storage and a Table), so the rest of TinyDB works as documented.
What the lines add up to is kept by a State (stores/runs/journal_state.py).

What a kill left half-written at the end is cut by the next writer; damage is refused
(stores/runs/journal_lines.py), and a file of an older version is written anew
(stores/runs/migrations.py).
"""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import orjson
from tinydb import TinyDB
from tinydb.queries import QueryLike
from tinydb.storages import Storage
from tinydb.table import Document, Table

from claimscope.core.errors import StoreError
from claimscope.stores.runs.journal_lines import Place, Row, encode, header, replay
from claimscope.stores.runs.journal_state import MemoryState, State
from claimscope.stores.runs.migrations import Change, current_version
from claimscope.stores.workspace.locks import WriterLock
from claimscope.stores.workspace.paths import (
    open_private,
    replace_file,
    sync_data,
    sync_folder,
)
from claimscope.stores.workspace.regular_files import open_regular

COMPACT_ABOVE = 1 << 20
"""Bytes below which dead records are left where they are."""


class JournalStorage(Storage):
    """The writer's side of a journal: changes are appended, then told to the state."""

    def __init__(
        self, path: Path, what: str = "This file", state: State | None = None
    ) -> None:
        """Opens for writing, under the lock, and cuts a torn end.

        Raises StoreLocked, JournalDamaged, StoreError.
        """
        self.path = path
        self.state = state or MemoryState()
        self.torn = 0
        """Bytes cut from the end when the file was opened."""
        self._guard = threading.RLock()
        self._descriptor = -1
        try:
            self._lock = WriterLock(path, what)
        except OSError as error:
            raise _not_saved(path, error) from error
        try:
            self._descriptor = open_private(path, os.O_RDWR | os.O_APPEND)
            self._open()
        except BaseException as error:
            self._let_go()
            if isinstance(error, OSError):
                raise _not_saved(path, error) from error
            raise

    def _open(self) -> None:
        start, version = self.state.attach(self._descriptor, is_busy=False)
        with open_regular(self.path) as file:
            self._length, version = replay(
                self.path, file, self.state.take, start, version
            )
        self.torn = os.fstat(self._descriptor).st_size - self._length
        if self.torn:
            os.ftruncate(self._descriptor, self._length)
        if self._length == 0:
            self._append_bytes(header())
            sync_folder(self.path.parent)
        elif version != current_version():
            self.compact()

    @property
    def dead(self) -> int:
        """Changes that no longer count."""
        return self.state.changes - self.state.live

    def append(self, changes: list[Change]) -> None:
        """Saves changes, all or none; durable when it returns. Raises StoreError."""
        self.append_lines([changes])

    def append_lines(
        self,
        several: Sequence[list[Change]],
        taken: Callable[[int], None] = lambda number: None,
    ) -> None:
        """Saves a line each with one wait for the disk: all are durable when it
        returns, none when it raises StoreError; a kill may leave the first of them.
        `taken` is told the number of each line once all are durable.
        """
        lines = [encode(changes) for changes in several]
        with self._guard:
            start = self._length
            self._append_bytes(b"".join(lines))
            for number, line in enumerate(lines):
                # What a replay would see, and nothing shared with the caller.
                self.state.take(orjson.loads(line[9:]), Place(start, len(line)))
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

    def compact(self) -> None:
        """Rewrites the file without dead records; the old one stays until the new
        one is durable. Readers notice that the file was replaced."""
        with self._guard:
            replace_file(self.path, (header(), *self.state.lines()))
            os.close(self._descriptor)
            self._descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND)
            start, version = self.state.attach(self._descriptor, is_busy=False)
            with open_regular(self.path) as file:
                self._length, _ = replay(
                    self.path, file, self.state.take, start, version
                )

    def compact_if_worthwhile(self) -> None:
        """Compacts a large file of which more than half is dead."""
        if self._length > COMPACT_ABOVE and self.dead > self.state.changes / 2:
            self.compact()

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables, as TinyDB's whole-database operations ask for them."""
        return {
            name: {str(i): copy.deepcopy(row) for i, row in table.items()}
            for name, table in ((n, self.state.table(n)) for n in self.state.names())
        } or None

    def write(self, data: dict[str, dict[str, Any]]) -> None:
        """Saves the difference between the state and data."""
        gone = set(self.state.names()) - set(data)
        changes: list[Change] = [["t", name] for name in gone]
        for name, rows in data.items():
            new = {int(i): dict(row) for i, row in rows.items()}
            changes += difference(name, self.state.table(name), new)
        if changes:
            self.append(changes)

    def close(self) -> None:
        """Closes the file and gives the lock back; harmless when done before."""
        if self._descriptor >= 0:
            self.state.save()
        self._let_go()

    def _let_go(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self.state.close()
        self._lock.release()


def _not_saved(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path}: could not be saved: {error.strerror}.",
        "What was saved before is intact. Free some disk space or check who may "
        "write there, then resume.",
    )


def difference(
    name: str, old: Mapping[int, Row], new: Mapping[int, Row]
) -> list[Change]:
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

    def _rows(self) -> Mapping[int, Row]:
        return self._storage.state.table(self._name)

    def _read_table(self) -> dict[str, Mapping[Any, Any]]:
        return self._rows()  # type: ignore[return-value]  # keys need no conversion

    def _get_next_id(self) -> int:
        free = self._next_id or self._storage.state.last_id(self._name) + 1
        self._next_id = free + 1
        return free

    def _update_table(
        self, updater: Callable[[dict[int, Mapping[Any, Any]]], None]
    ) -> None:
        # The general path (conditional update and removal, batches): O(table).
        new: dict[int, Any] = copy.deepcopy(dict(self._rows()))
        updater(new)
        changes = difference(self._name, self._rows(), new)
        if changes:
            self._storage.append(changes)

    def put(self, rows: Iterable[tuple[int | None, Row]]) -> list[int]:
        """Saves rows together, each under its id (None: the next free one),
        whatever was there before. The fast path: O(rows)."""
        changes = [self.change(given, row) for given, row in rows]
        if changes:
            self._storage.append(changes)
        return [change[2] for change in changes]

    def change(self, given: int | None, row: Row) -> Change:
        """The change that saves a row under an id (None: the next free one)."""
        doc_id = self._get_next_id() if given is None else given
        if self._next_id is not None:
            self._next_id = max(self._next_id, doc_id + 1)
        return ["p", self._name, doc_id, row]

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

    def __init__(
        self, path: Path, what: str = "This file", state: State | None = None
    ) -> None:
        super().__init__(path, what, state, storage=JournalStorage)

    def __enter__(self) -> Self:
        return self

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
