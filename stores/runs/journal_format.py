"""The file format of a journal: how a change is written, what can be trusted.

    crc32 SP json LF        json of the first line: ["claimscope.journal", 1]
                            of all others: a list of changes, applied together
    ["p", table, id, doc]   put    ["d", table, id]   delete    ["t", table]   drop

A line is whole or it is not there. What a kill can leave is the beginning of one line
at the end of the file, or the zeros of blocks that were never written; that is cut.
Anything else that does not add up is damage and is refused, because a file that
silently lost a record would give wrong totals.

The first line names the version. A writer that opens an older one rewrites it; a
reader, who may not write, has each line changed as it is read.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import orjson

from claimscope.core.errors import JournalDamaged, StoreError

FORMAT = "claimscope.journal"

Row = dict[str, Any]
Change = list[Any]
"""One of the three above."""
Migration = Callable[[list[Change]], list[Change]]
"""Takes the changes of one line as one version wrote them, gives those of the next."""

MIGRATIONS: tuple[Migration, ...] = ()
"""Version n becomes n + 1 by MIGRATIONS[n - 1]; a new one goes to the end, none is ever
changed. Empty: there has been one version so far."""

_START = re.compile(rb"[0-9a-f]{8} \[")
_UNWRITTEN = bytes(8)
_SEARCHED = 40
"""Possible beginnings of a record inside a damaged stretch that are tried."""


class LinePlace(NamedTuple):
    """Where a line lies in its file."""

    offset: int
    length: int


TakeChanges = Callable[[list[Change], LinePlace], None]


def current_version() -> int:
    return 1 + len(MIGRATIONS)


def migrate(changes: list[Change], version: int) -> list[Change]:
    """Changes of a line of that version, as they would be written today."""
    for migration in MIGRATIONS[version - 1 :]:
        changes = migration(changes)
    return changes


def encode(value: object) -> bytes:
    """One line of a journal. Raises TypeError for what JSON cannot hold."""
    body = orjson.dumps(value)
    return b"%08x %s\n" % (zlib.crc32(body), body)


def is_whole(line: bytes) -> bool:
    """Whether a line is as it was written, by its checksum alone."""
    if len(line) < 11 or not line.endswith(b"\n") or line[8:9] != b" ":
        return False
    # As it is written, not by its value: `int` takes a blank or a sign as well.
    return line[:8] == b"%08x" % zlib.crc32(memoryview(line)[9:-1])


def decode(line: bytes) -> Any | None:
    """What a line holds; None when it is torn or damaged."""
    if not is_whole(line):
        return None
    try:
        return orjson.loads(line[9:-1])
    except ValueError:
        return None


def header() -> bytes:
    """The first line of a journal that is made now."""
    return encode([FORMAT, current_version()])


def replay(
    path: Path,
    file: BinaryIO,
    take: TakeChanges,
    start: int = 0,
    version: int = 1,
    stop: int | None = None,
) -> tuple[int, int]:
    """Gives the changes of each line from byte `start` to `stop` (None: the end) to
    `take`; path is for messages, version that of the header when start is behind it.

    Returns (first byte that is not good, version). Raises JournalDamaged, StoreError.
    """
    file.seek(start)
    end = start
    for line in file:
        if end == stop:
            break
        content: Any = decode(line)
        if end == 0:
            if not _is_header(path, line, content, file):
                return 0, version
            version = content[1]
        elif _are_changes(content):
            take(migrate(content, version), LinePlace(end, len(line)))
        else:
            _refuse_damage(path, end, line, file)
            return end, version
        end += len(line)
    return end, version


def version_of(descriptor: int) -> int:
    """The version in the first line; the current one where there is none yet."""
    first, _, _ = os.pread(descriptor, 64, 0).partition(b"\n")
    content = decode(first + b"\n")
    if isinstance(content, list) and len(content) > 1 and isinstance(content[1], int):
        return content[1]
    return current_version()


def check(path: Path, file: BinaryIO, end: int) -> None:
    """Checks the checksums of all lines before byte `end`, which were read before.

    Raises JournalDamaged.
    """
    file.seek(0)
    place = 0
    for line in file:
        if place >= end:
            return
        if not is_whole(line):
            raise_damaged(path, place, "a record is damaged, and good ones follow it")
        place += len(line)


def _are_changes(content: Any) -> bool:
    return isinstance(content, list) and all(
        isinstance(change, list) and len(change) > 1 for change in content
    )


def _is_header(path: Path, line: bytes, content: Any, rest: Iterable[bytes]) -> bool:
    """False when the header itself is torn: the file was killed at birth."""
    if content is None:
        # The first line is made durable before another is written: a longer file was
        # more than born, also where zeros are all that is left of it.
        begun = header().startswith(line) or not line.strip(b"\0")
        if begun and len(line) <= len(header()) and not any(map(is_whole, rest)):
            return False
        raise_damaged(path, 0, "does not begin as a journal does")
    if not isinstance(content, list) or content[:1] != [FORMAT]:
        raise_damaged(path, 0, "does not begin as a journal does")
    version = content[1]
    if not isinstance(version, int) or not 1 <= version <= current_version():
        raise StoreError(
            f"{path}: a journal of version {version}; this Claimscope reads "
            f"versions up to {current_version()}.",
            "Open it with the Claimscope that made it, or a newer one.",
        )
    return True


def _refuse_damage(path: Path, place: int, line: bytes, rest: Iterable[bytes]) -> None:
    """Raises JournalDamaged unless the line is what a kill leaves at the end."""
    if any(map(is_whole, rest)):
        raise_damaged(path, place, "a record is damaged, and good ones follow it")
    if not is_cut_short(line) or next(whole_records_in(line), None) is not None:
        raise_damaged(path, place, "the last record is damaged")


def is_cut_short(line: bytes) -> bool:
    """Whether a bad last line is what a kill or a loss of power leaves: no line feed,
    or zeros where a block was never written. JSON has no zeros."""
    return not line.endswith(b"\n") or _UNWRITTEN in line


def whole_records_in(stretch: bytes) -> Iterator[tuple[LinePlace, bytes]]:
    """Whole records inside a damaged stretch, with their places in it: where the line
    feed between two lines was lost, both are still there."""
    starts = [match.start() for match in _START.finditer(stretch)][:_SEARCHED]
    ends = [*starts[1:], len(stretch)]
    done = 0
    for start in starts:
        for end in ends:
            if start < done or end <= start:
                continue
            line = stretch[start : end - 1] + b"\n"
            if is_whole(line):
                yield LinePlace(start, len(line)), line
                done = end
                break


def raise_damaged(path: Path, offset: int, what: str) -> NoReturn:
    name = path.parent.name if path.name == "run.journal" else str(path)
    raise JournalDamaged(
        f"{path}: {what} (byte {offset}).",
        "The file was changed from outside or the disk is failing; nothing was written "
        f"to it. `claimscope runs repair {name}` keeps every good record and the "
        "damaged file beside them.",
    )
