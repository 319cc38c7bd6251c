"""The files below a folder, and why some are not read: nothing outside it ever is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def walk(root: Path) -> Iterator[tuple[str, str | None]]:
    """(relative path, why it is not read) of the files below a folder."""
    home = root.resolve()
    unreadable: list[tuple[str, str | None]] = []

    def note(error: OSError) -> None:
        place = Path(error.filename or root)
        unreadable.append(
            (_relative(place, root), f"cannot be opened: {error.strerror}")
        )

    for folder, names, files in os.walk(root, onerror=note):
        here = Path(folder)
        for name in sorted(names):
            if name.startswith("."):
                yield _relative(here / name, root), _hidden("folder")
            elif (here / name).is_symlink():
                yield _relative(here / name, root), _linked("folder")
        names[:] = sorted(n for n in names if not n.startswith("."))
        for name in sorted(files):
            yield _relative(here / name, root), _problem(here / name, home)
    yield from unreadable


def _problem(file: Path, home: Path) -> str | None:
    if file.name.startswith("."):
        return _hidden("file")
    if file.is_symlink() and not file.exists():
        return "the link leads nowhere; remove it"
    if file.is_symlink() and not file.resolve().is_relative_to(home):
        return _linked("file")
    if not file.is_file():
        return "not a regular file; remove it"
    return None


def _relative(file: Path, root: Path) -> str:
    # Half a surrogate pair stands for a byte of a name that is not UTF-8.
    name = file.relative_to(root).as_posix()
    return name.encode("utf-8", "replace").decode()


def _hidden(kind: str) -> str:
    return f"hidden {kind}, not read; rename it without the leading dot to include it"


def _linked(kind: str) -> str:
    return f"link to a {kind} outside, not followed; copy the {kind} here to include it"
