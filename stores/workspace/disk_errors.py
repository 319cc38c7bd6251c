"""What a disk refuses, told from damage.

A full or read-only disk must never be answered with "delete this file": nothing is
damaged, and what is there is all that there is.
"""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from claimscope.core.errors import DiskRefused

_FULL = {errno.ENOSPC, errno.EDQUOT}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}
_WORDS = {
    "disk is full": "full",
    "no space left": "full",
    "code: 13)": "full",
    "readonly database": "closed",
    "read-only file system": "closed",
    "permission denied": "closed",
    "code: 8)": "closed",
}
"""Of messages without a code: ChromaDB passes on SQLite's as text."""


def refusal(path: Path, error: BaseException) -> DiskRefused | None:
    """The error for a disk that is full, failing, or may not be written; None for any
    other."""
    kind = _kind(error)
    if kind == "full":
        return DiskRefused(
            f"{path}: the disk is full.",
            "What was saved before is intact. Free some disk space, then go on.",
        )
    if kind == "closed":
        return DiskRefused(
            f"{path}: may not be written: the disk is read-only, or the file belongs "
            "to somebody else.",
            "Make it writable, or choose another folder with --workspace. Nothing was "
            "changed.",
        )
    if kind == "failing":
        return DiskRefused(
            f"{path}: the disk did not do as it was told: {error}.",
            "It may be full, or failing: check it, then go on. What was saved before "
            "is left as it is.",
        )
    return None


def _kind(error: BaseException) -> str | None:
    number = getattr(error, "errno", None)
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if number in _FULL or code == sqlite3.SQLITE_FULL:
        return "full"
    if number in _CLOSED or code == sqlite3.SQLITE_READONLY:
        return "closed"
    if number == errno.EIO or code == sqlite3.SQLITE_IOERR:
        return "failing"
    if isinstance(error, OSError):
        return None
    text = str(error).casefold()
    return next((kind for words, kind in _WORDS.items() if words in text), None)
