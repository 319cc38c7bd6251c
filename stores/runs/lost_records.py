"""What a journal once held at its end and holds no more.

A journal ends with whole records, or with the beginning of one where a kill was; so a
file that was cut reads as a shorter run, and nothing in it says otherwise. What stands
beside it does: the status kept when it was written last, and the index of its records.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from claimscope.core.errors import StoreError
from claimscope.stores.runs.index_file import IndexDamaged, IndexFile
from claimscope.stores.runs.status_list import longest, seal_of


def bytes_gone(journal: Path, index: Path) -> int:
    """How much shorter a journal is than it was known to be; 0 as far as is known.

    Only of the same file: one that was compacted or repaired is another one.
    """
    seal = seal_of(journal)
    if seal is None:
        return 0
    inode, size, _ = seal
    known = max(longest(journal.parent, inode), _indexed(index, inode))
    return max(0, known - size)


def _indexed(index: Path, inode: int) -> int:
    try:
        file = IndexFile.existing(index, False)
        try:
            known = file.known()
        finally:
            file.close()
    except (sqlite3.Error, IndexDamaged, OSError, StoreError, ValueError):
        return 0
    return known.end if known.inode == inode else 0


def loss(journal: Path, gone: int, torn: int) -> str | None:
    """What to tell of a journal that no engine writes now; None when nothing is lost.

    gone: bytes that it was longer; torn: bytes behind its last whole record.
    """
    name = journal.parent.name
    if gone:
        return (
            f"{journal}: the file was cut: {gone:,} bytes at its end are gone, and "
            "what they held is not counted. "
            f"`claimscope resume {name}` judges it again."
        )
    if torn:
        return (
            f"{journal}: its last {torn:,} bytes are no whole record, as a kill or a "
            "cut leaves them, and are not counted. "
            f"`claimscope resume {name}` goes on before them."
        )
    return None
