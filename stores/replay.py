"""Lines of a journal: how a change is written, and what can be trusted on reading.

    crc32 SP json LF        json of the first line: ["claimscope.journal", 1]
                            of all others: a list of changes, applied together
    ["p", table, id, doc]   put    ["d", table, id]   delete    ["t", table]   drop

A line is whole or it is not there. Pure: nothing here opens a file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import orjson

from claimscope.core.errors import JournalDamaged, StoreError

FORMAT = "claimscope.journal"
VERSION = 1

Row = dict[str, Any]
Tables = dict[str, dict[int, Row]]
Change = list[Any]


def encode(value: object) -> bytes:
    """One line of a journal. Raises TypeError for what JSON cannot hold."""
    body = orjson.dumps(value)
    return b"%08x %s\n" % (zlib.crc32(body), body)


def decode(line: bytes) -> Any | None:
    """What a line holds; None when it is torn or damaged."""
    if len(line) < 11 or not line.endswith(b"\n") or line[8:9] != b" ":
        return None
    body = line[9:-1]
    try:
        if int(line[:8], 16) != zlib.crc32(body):
            return None
        return orjson.loads(body)
    except ValueError:
        return None


HEADER = encode([FORMAT, VERSION])


def apply(tables: Tables, changes: Iterable[Change]) -> None:
    """Carries changes out on tables, in place."""
    for change in changes:
        kind, name = change[0], change[1]
        if kind == "p":
            tables.setdefault(name, {})[change[2]] = change[3]
        elif kind == "d":
            tables.get(name, {}).pop(change[2], None)
        else:
            tables.pop(name, None)


def replay(path: Path, data: bytes, tables: Tables, start: int = 0) -> tuple[int, int]:
    """Applies the lines of data, which begin at byte `start` of the file.

    Returns (bytes that were good, changes). Raises JournalDamaged, StoreError.
    """
    good = changes = 0
    lines = _lines(data)
    for number, line in enumerate(lines):
        content = decode(line)
        if start == good == 0 and not _is_header(path, line, content):
            return 0, 0
        if content is None:
            _refuse_damage(path, start + good, lines[number + 1 :])
            return good, changes
        if start + good > 0:
            apply(tables, content)
            changes += len(content)
        good += len(line)
    return good, changes


def _lines(data: bytes) -> list[bytes]:
    """Lines by LF alone: splitlines would also cut at a damaged byte 0x0d."""
    parts = data.split(b"\n")
    last = parts.pop()
    return [part + b"\n" for part in parts] + ([last] if last else [])


def _is_header(path: Path, line: bytes, content: Any) -> bool:
    """False when the header itself is torn: the file was killed at birth."""
    if content is None:
        if HEADER.startswith(line) or not line.strip(b"\0"):
            return False
        _damaged(path, 0, "does not begin as a journal does")
    if not isinstance(content, list) or content[:1] != [FORMAT]:
        _damaged(path, 0, "does not begin as a journal does")
    if content[1] != VERSION:
        raise StoreError(
            f"{path}: a journal of version {content[1]}; this Claimscope reads "
            f"version {VERSION}.",
            "Open it with the Claimscope that made it, or a newer one.",
        )
    return True


def _refuse_damage(path: Path, offset: int, after: Iterable[bytes]) -> None:
    """A torn end has nothing good behind it: one append is on its way at a time."""
    if any(decode(line) is not None for line in after):
        _damaged(path, offset, "a record is damaged, and good ones follow it")


def _damaged(path: Path, offset: int, what: str) -> NoReturn:
    raise JournalDamaged(
        f"{path}: {what} (byte {offset}).",
        "The file was changed from outside or the disk is failing. Restore it from a "
        "copy; nothing was written to it.",
    )
