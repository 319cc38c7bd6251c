"""The text of suite files, answers files and files of other tools."""

from __future__ import annotations

from pathlib import Path

from claimscope.core.errors import SuiteError
from claimscope.stores.pages.parsing.decoding import MARKS
from claimscope.stores.workspace.regular_files import read_regular

LARGEST_FILE = 512 * 1024 * 1024
"""Bytes of a suite or answers file."""


def text_of(path: Path) -> str:
    """The text of a suite or answers file. Raises SuiteError."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise SuiteError(
                f"{path.name}: {size / 1e6:,.1f} MB is more than the limit of"
                f" {LARGEST_FILE / 1e6:,.0f} MB.",
                "Split the file.",
            )
        data = read_regular(path)
        marked = (encoding for mark, encoding in MARKS if data.startswith(mark))
        return data.decode(next(marked, "utf-8"))
    except UnicodeDecodeError as error:
        kind = error.encoding.upper().removesuffix("-LE").removesuffix("-BE")
        raise SuiteError(
            f"{path.name}: not {kind} at byte {error.start:,}.",
            "Save it as UTF-8 (Excel: CSV UTF-8).",
        ) from error
    except OSError as error:
        raise SuiteError(
            f"{path}: cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
