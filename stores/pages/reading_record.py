"""What a corpus was read from, and what of it could not be read.

An index knows its pages, not the folder they came from. This record beside it lets a
person index the same folder again, and see later which files were skipped and why.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from claimscope.core.models import Model
from claimscope.stores.pages.folder import FolderReading
from claimscope.stores.workspace.paths import safe_name, write_atomically
from claimscope.stores.workspace.regular_files import read_regular

FILE = "reading.json"
MOST_NAMED = 10_000
"""Skipped files that are kept by name; their number is kept whatever it is."""


class ReadingRecord(Model):
    """The last reading of a corpus's folder."""

    folder: str
    """Absolute path."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    text_field: str | None = None
    """The field of the text of records."""
    files: int = 0
    """Files that gave at least one page."""
    problems: tuple[tuple[str, str], ...] = ()
    """(path relative to the folder, why it was not read)."""
    problem_count: int = 0
    ignored: tuple[str, ...] = ()
    """Files of formats that hold no pages."""
    ignored_count: int = 0
    excluded: int = 0
    unread: str = ""
    """That most of the folder was left aside, in words."""
    notes: tuple[str, ...] = ()


def save_reading(
    root: Path,
    corpus: str,
    folder: Path,
    reading: FolderReading,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    text_field: str | None = None,
) -> None:
    """Keeps the record of a corpus below `root`. Raises StoreError."""
    unread = reading.unread()
    record = ReadingRecord(
        folder=str(folder.absolute()),
        include=include,
        exclude=exclude,
        text_field=text_field,
        files=reading.files,
        problems=reading.problems[:MOST_NAMED],
        problem_count=len(reading.problems),
        ignored=reading.ignored[:MOST_NAMED],
        ignored_count=len(reading.ignored),
        excluded=reading.excluded,
        unread=unread.warning,
        notes=reading.notes,
    )
    data = record.model_dump_json(indent=2).encode("utf-8", "replace")
    write_atomically(root / safe_name(corpus) / FILE, data)


def other_folder(root: Path, corpus: str, folder: Path) -> Path | None:
    """The folder that a corpus was read from, when it is another one than this and
    still there: to index this one by the same name would delete that one's pages. One
    that is gone was moved, or is not wanted any more."""
    record = read_reading(root, corpus)
    if record is None:
        return None
    known = Path(record.folder)
    try:
        is_other = known.exists() and known.resolve() != folder.resolve()
    except OSError:
        return known
    return known if is_other else None


def read_reading(root: Path, corpus: str) -> ReadingRecord | None:
    """The record of a corpus; None when there is none to be believed."""
    try:
        data = read_regular(root / safe_name(corpus) / FILE)
        return ReadingRecord.model_validate_json(data)
    except (OSError, ValidationError):
        return None
