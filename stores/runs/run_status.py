"""The status of each run in one small file, so that a list of runs replays no journal.

A hundred runs are listed by reading a hundred small files. A status is believed only
while the journal beside it is the same file, of the same size and time; whether an
engine is at work is never kept but looked up, so that a killed run shows as stopped.
Losing or damaging such a file costs reading that one journal again.

A journal ends with whole records, or with the beginning of one where a kill was; so a
file that was cut reads as a shorter run, and nothing in it says otherwise. What stands
beside it does: the status that was kept, and the index of its records.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from claimscope.core.errors import StoreError
from claimscope.core.models import RunHeader
from claimscope.stores.runs.index_file import IndexDamaged, IndexFile
from claimscope.stores.runs.journal_format import decode, encode
from claimscope.stores.runs.run_totals import RunTotals
from claimscope.stores.workspace.paths import replace_unsynced

FILE = "run.status"
LAYOUT = 1


@dataclass(frozen=True)
class KnownStatus:
    """What is known of a run without its journal."""

    header: RunHeader | None
    """None: not even that could be read."""
    totals: RunTotals
    problem: str | None = None
    """What is wrong with its journal."""


Seal = tuple[int, int, int]
"""What tells whether a journal is as it was: inode, size, time of change."""


def seal_of(journal: Path) -> Seal | None:
    """The seal of a journal now; None when it cannot be looked at."""
    try:
        state = journal.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def read_status(folder: Path, seal: Seal | None) -> KnownStatus | None:
    """The status kept in a run's folder, if it is of this journal as it is."""
    content = _read_content(folder)
    if content is None or seal is None or content.get("seal") != list(seal):
        return None
    with suppress(ValidationError, TypeError, ValueError, KeyError, AttributeError):
        header, problem = content["header"], content["problem"]
        return KnownStatus(
            None if header is None else RunHeader.model_validate(header),
            RunTotals.from_json(content["tally"]),
            problem,
        )
    return None


def last_header(folder: Path) -> RunHeader | None:
    """The header that the kept status was of, whatever became of the journal since."""
    content = _read_content(folder) or {}
    with suppress(ValidationError):
        return RunHeader.model_validate(content.get("header"))
    return None


def longest_known(folder: Path, inode: int) -> int:
    """Bytes that the journal of this inode had when its status was kept, or before; 0
    where none was kept."""
    content = _read_content(folder) or {}
    seal = content.get("seal")
    if not (isinstance(seal, list) and len(seal) == 3 and seal[0] == inode):
        return 0
    sizes = (seal[1], content.get("longest", 0))
    return max((size for size in sizes if isinstance(size, int)), default=0)


def _read_content(folder: Path) -> dict[str, Any] | None:
    try:
        content = decode((folder / FILE).read_bytes())
    except OSError:
        return None
    is_ours = isinstance(content, dict) and content.get("layout") == LAYOUT
    return content if is_ours else None


def keep_status(
    folder: Path, seal: Seal | None, known: KnownStatus, longest: int = 0
) -> None:
    """Keeps a status. Not synced, and nothing is said of a disk that is full or may
    not be written: it can be found out again. longest: bytes that the journal once had,
    so that it is not forgotten that it was cut."""
    if seal is None:
        return
    header = None if known.header is None else known.header.model_dump(mode="json")
    content = {
        "layout": LAYOUT,
        "seal": list(seal),
        "header": header,
        "tally": known.totals.as_json(),
        "problem": known.problem,
        "longest": longest,
    }
    with suppress(OSError, StoreError):
        replace_unsynced(folder / FILE, encode(content))


def bytes_gone(journal: Path, index: Path) -> int:
    """How much shorter a journal is than it was known to be; 0 as far as is known.

    Only of the same file: one that was compacted or repaired is another one.
    """
    seal = seal_of(journal)
    if seal is None:
        return 0
    inode, size, _ = seal
    known = max(longest_known(journal.parent, inode), _indexed_end(index, inode))
    return max(0, known - size)


def _indexed_end(index: Path, inode: int) -> int:
    try:
        file = IndexFile.existing(index, False)
        try:
            known = file.read_known()
        finally:
            file.close()
    except (sqlite3.Error, IndexDamaged, OSError, StoreError, ValueError):
        return 0
    return known.end if known.inode == inode else 0


def loss_notice(journal: Path, gone: int, torn: int) -> str | None:
    """What to tell of a journal that no engine writes now; None when nothing is lost.

    gone: bytes that it was longer; torn: bytes behind its last whole record.
    """
    name = journal.parent.name
    if gone:
        return (
            f"{journal}: the file was cut: {gone:,} bytes at its end are gone, and "
            "what they held is not counted. "
            f"`claimscope runs resume {name}` judges it again."
        )
    if torn:
        return (
            f"{journal}: its last {torn:,} bytes are no whole record, as a kill or a "
            "cut leaves them, and are not counted. "
            f"`claimscope runs resume {name}` goes on before them."
        )
    return None
