"""A folder of ground-truth pages: what can be read, and what cannot and why.

One bad file never stops the others: it is named with its place and the remedy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.sources import readers

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; a larger file is named, not read."""


@dataclass(frozen=True)
class FolderReading:
    """What a folder gave."""

    pages: tuple[Page, ...]
    problems: tuple[tuple[str, str], ...]
    """(path relative to the folder, message) of what was not read."""
    files: int
    """Files that gave at least one page."""
    ignored: tuple[str, ...] = ()
    """Files of formats that hold no pages, such as pictures."""


def read_file(path: Path) -> tuple[Page, ...]:
    """The pages of one file, its name as their path. Raises PageError."""
    if path.is_dir():
        raise PageError(f"{path} is a folder, not a file.", "Name a file in it.")
    if not path.exists():
        raise PageError(f"{path}: there is no such file.", "Check the path.")
    pages = tuple(_pages(path, path.name))
    _, problems = _unique(pages)
    if problems:
        raise PageError(problems[0][1], "Give each page an id of its own.")
    return pages


def read_folder(path: Path, *, largest_file: int = LARGEST_FILE) -> FolderReading:
    """All pages below a folder, in order of their paths.

    Raises PageError when the folder is missing or holds no readable page.
    """
    if path.is_file():
        return FolderReading(read_file(path), (), 1)
    if not path.is_dir():
        raise PageError(
            f"{path}: there is no such folder.", "Check the path of the pages."
        )
    pages: list[Page] = []
    problems: list[tuple[str, str]] = []
    ignored: list[str] = []
    for name, problem in _walk(path):
        if problem is not None:
            problems.append((name, problem))
        elif Path(name).suffix.lower() not in readers():
            ignored.append(name)
        else:
            problems.extend(_read_into(pages, path / name, name, largest_file))
    kept, doubled = _unique(pages)
    problems.extend(doubled)
    if not kept:
        raise PageError(_nothing(path, problems, ignored), _formats())
    return FolderReading(
        tuple(kept),
        tuple(problems),
        len({page.path for page in kept}),
        tuple(ignored),
    )


def _read_into(
    pages: list[Page], file: Path, name: str, largest: int
) -> list[tuple[str, str]]:
    """Adds a file's pages; its problems, if any. Pages before a problem stay."""
    try:
        for page in _pages(file, name, largest):
            pages.append(page)
    except PageError as error:
        return [(name, str(error))]
    return []


def _pages(file: Path, name: str, largest: int = LARGEST_FILE) -> Iterator[Page]:
    reader = readers().get(file.suffix.lower())
    if reader is None:
        kind = file.suffix or "files without a suffix"
        raise PageError(f"{name}: there is no reader for {kind}.", _formats())
    try:
        size = file.stat().st_size
        if size > largest:
            raise PageError(
                f"{name}: {size / 1e6:,.1f} MB is more than the limit of"
                f" {largest / 1e6:,.0f} MB.",
                "Split the file.",
            )
        data = file.read_bytes()
    except OSError as error:
        raise PageError(
            f"{name}: cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
    if not data.strip():
        raise PageError(f"{name}: the file is empty.", "Add text, or remove the file.")
    yield from reader.read(data, name)


def _walk(root: Path) -> Iterator[tuple[str, str | None]]:
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
            file = here / name
            problem = None
            if name.startswith("."):
                problem = _hidden("file")
            elif file.is_symlink() and not file.exists():
                problem = "the link leads nowhere; remove it"
            elif file.is_symlink() and not file.resolve().is_relative_to(home):
                problem = _linked("file")
            elif not file.is_file():
                problem = "not a regular file; remove it"
            yield _relative(file, root), problem
    yield from unreadable


def _relative(file: Path, root: Path) -> str:
    # Half a surrogate pair stands for a byte of a name that is not UTF-8.
    name = file.relative_to(root).as_posix()
    return name.encode("utf-8", "replace").decode()


def _hidden(kind: str) -> str:
    return f"hidden {kind}, not read; rename it without the leading dot to include it"


def _linked(kind: str) -> str:
    return f"link to a {kind} outside, not followed; copy the {kind} here to include it"


def _unique(
    pages: list[Page] | tuple[Page, ...],
) -> tuple[list[Page], list[tuple[str, str]]]:
    """Pages with ids of their own, and what is wrong with the others."""
    taken: dict[str, Page] = {}
    problems: list[tuple[str, str]] = []
    for page in pages:
        first = taken.setdefault(page.page_id, page)
        if first is not page:
            problems.append(
                (
                    page.path or "",
                    f"{page.path}: the page id {page.page_id!r} was already taken by"
                    f" {first.path}; give one of them another id",
                )
            )
    return list(taken.values()), problems


def _nothing(path: Path, problems: list[tuple[str, str]], ignored: list[str]) -> str:
    lines = [f"{path}: there is no readable page in this folder."]
    lines.extend(f"  {message.splitlines()[0]}" for _, message in problems[:5])
    if ignored:
        lines.append(f"  {len(ignored):,} files of other formats, e.g. {ignored[0]}")
    return "\n".join(lines)


def _formats() -> str:
    return f"Formats that can be read: {', '.join(readers())}."
