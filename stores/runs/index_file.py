"""The SQLite file of a run's index: rows with checksums, and how far it goes.

WAL mode: a viewer keeps the state it began with while the engine goes on writing, and
neither waits for the other. Every row carries a checksum over all that it says,
because SQLite has none of its own.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any, NamedTuple

from claimscope.stores.runs.journal_format import (
    LinePlace,
    current_version,
    decode,
    encode,
)
from claimscope.stores.workspace.paths import make_private_file

LAYOUT = 4
"""Raised when the layout or the light rows change: older files are made anew."""
_SCHEMA = """
CREATE TABLE records (
    tab TEXT NOT NULL, id INTEGER NOT NULL, key TEXT, flag INTEGER NOT NULL,
    place INTEGER NOT NULL, length INTEGER NOT NULL, position INTEGER NOT NULL,
    light BLOB, sum INTEGER NOT NULL, UNIQUE (tab, id));
CREATE INDEX by_key ON records (tab, key, id, flag) WHERE key IS NOT NULL;
CREATE TABLE known (line BLOB NOT NULL);
"""
_SAID = "id || ' 0 ' || key"
"""What a record without a flag adds to the marks of its table (`marks_of`), in SQL."""
_PARTED = "\x1f"
"""Stands between keys; one that has it in itself is read the slower way."""
_COLUMNS = "key, flag, place, length, position, light"
PATIENCE = 5.0
"""Seconds; waited for only while a file is put in order after a kill."""


class IndexDamaged(Exception):
    """The index is not what was written; the journal says it all again."""


class RecordEntry(NamedTuple):
    """Where a record lies, and what is kept of it."""

    key: str | None
    flag: int
    """1: a sample that could not be judged."""
    place: int
    length: int
    position: int
    """Among the changes of its line."""
    light: bytes | None


@dataclass(frozen=True)
class KnownJournal:
    """The journal up to a byte, as the index has it."""

    inode: int
    end: int
    modified: int
    """Its time of change in nanoseconds when it ended there."""
    last: LinePlace
    """The last line before `end`."""
    last_sum: str
    """The checksum that this line begins with."""
    changes: int
    counts: Mapping[str, int]
    """Records of each table."""
    marks: Mapping[str, int]
    """The marks of the records of each table, by exclusive or: a list of them without
    their rows can be checked as well."""
    totals: Mapping[str, Any]

    def is_unchanged(self, state: os.stat_result) -> bool:
        """Whether nothing touched the file since."""
        return (state.st_size, state.st_mtime_ns) == (self.end, self.modified)


class KeysByFlag(NamedTuple):
    """The keys of a table, in no order; records without one are left out."""

    plain: list[str]
    """Of records without a flag."""
    flagged: list[tuple[int, str, int]]
    """(id, key, flag) of the others."""
    marks: int


class IndexFile:
    """One open index. Not safe for threads by itself."""

    def __init__(self, connection: sqlite3.Connection, *, is_own: bool) -> None:
        self._connection = connection
        self.is_own = is_own
        """Made by a viewer for itself, and gone with it."""
        # A viewer has no moment at which it is closed.
        self._finalizer = weakref.finalize(self, _close, connection)

    @classmethod
    def existing(cls, path: Path, write: bool) -> IndexFile:
        """The file as it is; a viewer keeps this state. Raises sqlite3.Error."""
        path = path.absolute()
        if not path.exists():
            raise sqlite3.OperationalError(f"{path}: no such file")
        if write:
            return cls(_connect(f"{path.as_uri()}?mode=rw"), is_own=False)
        try:
            return cls(_snapshot(f"{path.as_uri()}?mode=ro"), is_own=False)
        except sqlite3.OperationalError:
            # A folder that may not be written has no room for SQLite's own files; if
            # there are none, nothing is missing from this one.
            if path.with_name(f"{path.name}-wal").exists():
                raise
            address = f"{path.as_uri()}?mode=ro&immutable=1"
            return cls(_snapshot(address), is_own=False)

    @classmethod
    def new(cls, path: Path | None) -> IndexFile:
        """An empty index in place of what is there; None or where nothing can be
        written: one that is gone when it is closed."""
        if path is not None:
            path = path.absolute()
            with suppress(sqlite3.Error, OSError):
                for suffix in ("", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
                make_private_file(path)  # SQLite's own would be 0644
                connection = _connect(f"{path.as_uri()}?mode=rw")
                connection.execute("PRAGMA journal_mode=WAL")
                connection.executescript(_SCHEMA)
                return cls(connection, is_own=False)
        connection = _connect("")
        connection.executescript(_SCHEMA)
        return cls(connection, is_own=True)

    def read_known(self) -> KnownJournal:
        """How far the index goes. Raises IndexDamaged, sqlite3.Error."""
        row = self._connection.execute("SELECT line FROM known").fetchone()
        data = decode(row[0]) if row and isinstance(row[0], bytes) else None
        if not isinstance(data, dict) or data.pop("layout", None) != _layout():
            raise IndexDamaged
        try:
            totals = data.pop("tally")
            data["last"] = LinePlace(*data["last"])
            return KnownJournal(**data, totals=totals)
        except (TypeError, KeyError) as error:
            raise IndexDamaged from error

    def write(
        self, entries: Mapping[tuple[str, int], RecordEntry | None], known: KnownJournal
    ) -> None:
        """Puts entries in (None: takes out) and moves the end, all or nothing.

        Raises sqlite3.Error.
        """
        data = {**asdict(known), "last": list(known.last), "layout": _layout()}
        data["tally"] = data.pop("totals")
        line = encode(data)
        gone = [place for place, entry in entries.items() if entry is None]
        put = [
            (*place, *entry, _checksum(*place, entry))
            for place, entry in entries.items()
            if entry is not None
        ]
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        try:
            many = self._connection.executemany
            many("DELETE FROM records WHERE tab = ? AND id = ?", gone)
            many("INSERT OR REPLACE INTO records VALUES (?,?,?,?,?,?,?,?,?)", put)
            run("DELETE FROM known")
            run("INSERT INTO known VALUES (?)", (line,))
            run("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                run("ROLLBACK")
            raise

    def entry(self, table: str, record_id: int) -> RecordEntry | None:
        """One entry. Raises IndexDamaged, sqlite3.Error."""
        query = f"SELECT {_COLUMNS}, sum FROM records WHERE tab = ? AND id = ?"
        row = self._connection.execute(query, (table, record_id)).fetchone()
        return None if row is None else _checked_entry(table, record_id, row)

    def lights(self, table: str) -> Iterator[tuple[int, bytes | None]]:
        """What is kept of each record of a table, in order. Raises as `entry`."""
        query = f"SELECT id, {_COLUMNS}, sum FROM records WHERE tab = ? ORDER BY id"
        for record_id, *row in self._connection.execute(query, (table,)):
            yield record_id, _checked_entry(table, record_id, tuple(row)).light

    def id_of(self, table: str, key: str) -> int | None:
        query = "SELECT max(id) FROM records WHERE tab = ? AND key = ?"
        found: int | None = self._connection.execute(query, (table, key)).fetchone()[0]
        return found

    def last_id(self, table: str) -> int:
        """The highest id of a table, or 0."""
        query = "SELECT max(id) FROM records WHERE tab = ?"
        return self._connection.execute(query, (table,)).fetchone()[0] or 0

    def keys(
        self, table: str, count: int | None = None
    ) -> list[tuple[int, str | None, int]]:
        """(id, key, flag) of all records of a table, in no order. count: of them, where
        that is known; to look for those without a key takes as long again."""
        query = "SELECT id, key, flag FROM records WHERE tab = ? AND key IS "
        rows = self._connection.execute(f"{query} NOT NULL", (table,)).fetchall()
        if len(rows) != count:
            rows += self._connection.execute(f"{query} NULL", (table,)).fetchall()
        return rows

    def keys_by_flag(self, table: str) -> KeysByFlag:
        """The same by flag, twice as fast: put together by SQLite, so that only the
        keys become objects. What a damaged file says is damaged here as well. Raises
        IndexDamaged where a key has the sign that parts them, sqlite3.Error."""
        kept = "FROM records WHERE tab = ? AND key IS NOT NULL AND flag"
        said = f"CAST(group_concat({_SAID}, ?) AS BLOB)"
        query = f"SELECT count(*), group_concat(key, ?), {said}"
        given = (_PARTED, _PARTED, table)
        run = self._connection.execute
        count, keys, lines = run(f"{query} {kept} = 0", given).fetchone()
        plain = keys.split(_PARTED) if count else []
        lines = lines.split(_PARTED.encode()) if count else []
        if not len(plain) == len(lines) == count:
            raise IndexDamaged
        flagged = run(f"SELECT id, key, flag {kept} != 0", (table,)).fetchall()
        marks = reduce(xor, map(zlib.crc32, lines), marks_of(flagged))
        return KeysByFlag(plain, flagged, marks)

    def places(self) -> dict[tuple[str, int], tuple[int, int]]:
        """(place, position) of all records by (table, id)."""
        query = "SELECT tab, id, place, position FROM records"
        rows = self._connection.execute(query)
        return {(table, i): (place, position) for table, i, place, position in rows}

    def close(self) -> None:
        self._finalizer()


def _layout() -> list[int]:
    # What a row says of a record changes with the journal's version as well.
    return [LAYOUT, current_version()]


def mark_of(record_id: int, key: str | None, flag: int) -> int:
    """What a record adds to the marks of its table."""
    return marks_of([(record_id, key, flag)])


def marks_of(records: Iterable[tuple[int, str | None, int]]) -> int:
    """The marks of records, (id, key, flag), by exclusive or."""
    found = 0
    for record_id, key, flag in records:
        said = f"{record_id} {flag} {key}".encode("utf-8", "surrogatepass")
        found ^= zlib.crc32(said)
    return found


def _connect(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address,
        timeout=PATIENCE,
        check_same_thread=False,
        isolation_level=None,
        uri=bool(address),
    )
    # Enough to survive a loss of power: the journal is synced record by record.
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def _snapshot(address: str) -> sqlite3.Connection:
    connection = _connect(address)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM known").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _close(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        connection.close()


def _checksum(table: str, record_id: int, entry: RecordEntry) -> int:
    said = repr((table, record_id, *entry[:-1])).encode("utf-8", "surrogatepass")
    return zlib.crc32(entry.light or b"", zlib.crc32(said))


def _checked_entry(table: str, record_id: int, row: tuple[Any, ...]) -> RecordEntry:
    entry = RecordEntry(*row[:-1])
    if _checksum(table, record_id, entry) != row[-1]:
        raise IndexDamaged
    return entry
