"""A folder of ground-truth pages: what can be read, and what cannot and why.

One bad file never stops the others: it is named with its place and the remedy. Of
several folders ids and paths are those below what they share: `fees.md` of `docs/now`
is `now/fees.md` beside one of `docs/old`; pages that bring an id of their own keep it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

from claimscope.core.errors import InputError, PageError, PageNote
from claimscope.core.models import Page
from claimscope.core.ports import PageReader
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.discovery import by_suffix
from claimscope.stores.pages.parsing.archives import gunzip, members
from claimscope.stores.pages.parsing.records import RecordReader
from claimscope.stores.pages.saved_site import SavedSite, saved_site
from claimscope.stores.pages.selection import Selection, walk
from claimscope.stores.pages.unread import (
    UnreadFiles,
    count_by_kind,
    kind_of,
    kinds_text,
    may_hold_pages,
    unread_of,
)
from claimscope.stores.workspace.regular_files import read_regular

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes, packed and unpacked; a larger file is named, not read."""
_HTML = ".html"


@dataclass(frozen=True)
class FormatCount:
    """What the files of one format gave."""

    suffix: str
    files: int
    """Files that gave at least one page."""
    pages: int
    problems: int
    """Files of which something was not read."""


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
    excluded: int = 0
    """Files that the patterns leave aside."""
    notes: tuple[str, ...] = ()
    """What else a person should know: addresses of a sitemap without a page, parts of
    files that were set aside."""

    def unread(self) -> UnreadFiles:
        """Files that may hold pages and gave none."""
        return unread_of(
            [page.path or "" for page in self.pages],
            [name for name, _ in self.problems],
            self.ignored,
        )

    def formats(self) -> tuple[FormatCount, ...]:
        """How many files and pages of each format, and how many with problems."""
        pages = [page.path or "" for page in self.pages]
        wrong = {name for name, _ in self.problems}
        kinds = sorted({kind_of(name) for name in (*pages, *wrong)})
        return tuple(
            FormatCount(
                kind,
                len({name for name in pages if kind_of(name) == kind}),
                sum(kind_of(name) == kind for name in pages),
                sum(kind_of(name) == kind for name in wrong),
            )
            for kind in kinds
        )


def read_file(path: Path) -> tuple[Page, ...]:
    """The pages of one file, its name as their path. Raises PageError."""
    return _read_one_file(path).pages


def _read_one_file(path: Path, text_name: str | None = None) -> FolderReading:
    if path.is_dir():
        raise PageError(f"{path} is a folder, not a file.", "Name a file in it.")
    if not path.exists():
        raise PageError(f"{path}: there is no such file.", "Check the path.")
    if not _is_readable(path.name):
        kind = path.suffix or "files without a suffix"
        raise PageError(f"{path.name}: there is no reader for {kind}.", _formats_hint())
    found = _Reading(problems=[])
    chosen = Selection(text_name=text_name)
    problems = _read_into(found, path, path.name, LARGEST_FILE, chosen, None)
    kept, doubled = _split_by_id(found.pages)
    if problems:
        raise problems[0][1]
    if doubled:
        raise PageError(doubled[0][1], "Give each page an id of its own.")
    return FolderReading(
        tuple(kept), (), 1, tuple(found.ignored), notes=tuple(found.notes)
    )


def read_folder(
    path: Path,
    *,
    largest_file: int = LARGEST_FILE,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    text_name: str | None = None,
) -> FolderReading:
    """All pages below a folder, in order of their paths; patterns as in .gitignore.
    `text_name`: the field of records that holds their text, when it has no usual name.

    Raises PageError when the folder is missing or holds no readable page.
    """
    if path.is_file():
        return _read_one_file(path, text_name)
    if not path.is_dir():
        raise PageError(
            f"{path}: there is no such folder.", "Check the path of the pages."
        )
    selection = Selection(include, exclude, text_name)
    found = list(walk(path))
    names = [name for name, problem in found if problem is None]
    site = saved_site(path, (n for n in names if not selection.leaves(n)), largest_file)
    sorted_out = _Reading(problems=list(site.problems))
    for name, problem in found:
        if name in site.lists:
            continue
        # An archive is opened: what is wanted may be in it.
        is_wanted = problem or _is_zip(name) or selection.takes(name)
        if selection.leaves(name) or not is_wanted:
            sorted_out.excluded += 1
        elif problem is not None:
            sorted_out.problems.append((name, problem))
        elif not _is_readable(name) and name not in site.files:
            sorted_out.ignored.append(name)
        else:
            sorted_out.read(path / name, name, largest_file, selection, site)
    kept, doubled = _split_by_id([site.with_address(page) for page in sorted_out.pages])
    sorted_out.problems.extend(doubled)
    if not kept:
        raise PageError(sorted_out.nothing(path), _formats_hint())
    return FolderReading(
        tuple(kept),
        tuple(sorted_out.problems),
        len({page.path for page in kept}),
        tuple(sorted_out.ignored),
        sorted_out.excluded,
        (*site.notes(kept), *sorted_out.notes),
    )


@dataclass
class _Reading:
    """The files of a folder, as they are gone through."""

    problems: list[tuple[str, str]]
    pages: list[Page] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    excluded: int = 0

    def read(
        self, file: Path, name: str, largest: int, chosen: Selection, site: SavedSite
    ) -> None:
        read = _read_into(self, file, name, largest, chosen, site)
        self.problems.extend((place, str(error)) for place, error in read)

    def nothing(self, path: Path) -> str:
        """Why there is no page."""
        lines = [f"{path}: there is no readable page in this folder."]
        lines.extend(f"  {text.splitlines()[0]}" for _, text in self.problems[:5])
        if self.ignored:
            count, first = len(self.ignored), self.ignored[0]
            kinds = kinds_text(count_by_kind(self.ignored))
            lines.append(
                f"  {counted_noun(count, 'file')} of other formats ({kinds}), "
                f"e.g. {first}"
            )
        if self.excluded:
            lines.append(
                f"  {counted_noun(self.excluded, 'file')} left aside by the patterns"
            )
        return "\n".join(lines)


def _is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def _reader(name: str) -> PageReader | None:
    kind = kind_of(name)
    return readers().get(kind.removesuffix(".gz"))


def _is_readable(name: str) -> bool:
    return _is_zip(name) or _reader(name) is not None


def _read_into(
    found: _Reading,
    file: Path,
    name: str,
    largest: int,
    selection: Selection,
    site: SavedSite | None,
) -> list[tuple[str, PageError]]:
    """Adds a file's pages, and the members of an archive that have no reader; its
    problems, if any. Pages before a problem stay."""
    problems: list[tuple[str, PageError]] = []
    try:
        data = _read_bytes(file, name, largest)
        parts = members(data, name, largest) if _is_zip(name) else ((name, data),)
        for place, part in parts:
            if place != name and not (selection.takes(name) or selection.takes(place)):
                continue
            if place != name and selection.leaves(place):
                continue
            if place != name and _reader(place) is None:
                if may_hold_pages(place):
                    found.ignored.append(place)
                continue
            try:
                if isinstance(part, PageError):
                    raise part
                for page in _pages(part, place, largest, site, selection.text_name):
                    found.pages.append(page)
            except PageNote as note:
                found.notes.append(note.message)
            except PageError as error:
                problems.append((place, error))
    except PageError as error:
        problems.append((name, error))
    return problems


def _pages(
    data: bytes, name: str, largest: int, site: SavedSite | None, text_name: str | None
) -> Iterator[Page]:
    """Pages of the bytes of a file. Raises PageError."""
    reader = _reader(name)
    if reader is None and site is not None and name in site.files:
        reader = readers()[_HTML]
    if reader is None:
        return
    if name.lower().endswith(".gz"):
        data = gunzip(data, name, largest)
    if not data.strip():
        raise PageError(f"{name}: the file is empty.", "Add text, or remove the file.")
    if text_name is not None and getattr(reader, "holds_records", False):
        yield from cast(RecordReader, reader).read(data, name, text_name)
    else:
        yield from reader.read(data, name)


def _read_bytes(file: Path, name: str, largest: int) -> bytes:
    try:
        data = read_regular(file, largest + 1)
        if len(data) > largest:
            size = file.stat().st_size
            raise PageError(
                f"{name}: {size / 1e6:,.1f} MB is more than the limit of"
                f" {largest / 1e6:,.0f} MB.",
                "Split the file.",
            )
        return data
    except OSError as error:
        raise PageError(
            f"{name}: cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error


def _split_by_id(pages: Sequence[Page]) -> tuple[list[Page], list[tuple[str, str]]]:
    """Pages with ids of their own, and what is wrong with the others."""
    taken: dict[str, Page] = {}
    problems: list[tuple[str, str]] = []
    for page in pages:
        first = taken.setdefault(page.page_id, page)
        if first is not page:
            problems.append(_id_taken(page, first))
    return list(taken.values()), problems


def _id_taken(page: Page, first: Page) -> tuple[str, str]:
    return (
        page.path or "",
        f"{page.path}: the page id {page.page_id!r} was already taken by"
        f" {first.path}; give one of them another id",
    )


def _formats_hint() -> str:
    return f"Formats that can be read: {', '.join(readers())}, .zip, and .gz of these."


def shared_root(folders: Sequence[Path]) -> Path:
    """The deepest folder above all of them; the folder itself when there is one.
    Raises InputError for folders on several drives."""
    try:
        return Path(os.path.commonpath([folder.absolute() for folder in folders]))
    except ValueError:
        raise InputError(
            "the folders of pages lie on several drives", "copy them below one folder"
        ) from None


def read_folders(
    folders: Sequence[Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    text_name: str | None = None,
) -> FolderReading:
    """What the folders give, read one by one; patterns hold in each. A file that two of
    them hold is read once. Raises PageError when one of them has no readable page."""
    root = shared_root(folders)
    parts = [
        _with_prefix(
            read_folder(folder, include=include, exclude=exclude, text_name=text_name),
            folder.absolute().relative_to(root).as_posix(),
        )
        for folder in folders
    ]
    pages: dict[str, Page] = {}
    problems = [problem for part in parts for problem in part.problems]
    for page in (page for part in parts for page in part.pages):
        first = pages.setdefault(page.page_id, page)
        if first.path != page.path:
            problems.append(_id_taken(page, first))
    return FolderReading(
        tuple(pages.values()),
        tuple(dict.fromkeys(problems)),
        len({page.path for page in pages.values()}),
        tuple(dict.fromkeys(name for part in parts for name in part.ignored)),
        sum(part.excluded for part in parts),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _with_prefix(reading: FolderReading, prefix: str) -> FolderReading:
    """The same with paths, and ids made of paths, below prefix."""
    if prefix == ".":
        return reading

    def named(page: Page) -> Page:
        path = page.path or ""
        page_id = page.page_id
        if path and page_id.startswith(path):
            page_id = f"{prefix}/{page_id}"
        update = {"page_id": page_id, "path": f"{prefix}/{path}" if path else None}
        return page.model_copy(update=update)

    return replace(
        reading,
        pages=tuple(map(named, reading.pages)),
        problems=tuple(
            (f"{prefix}/{name}", f"{prefix}/{text}" if text.startswith(name) else text)
            for name, text in reading.problems
        ),
        ignored=tuple(f"{prefix}/{name}" for name in reading.ignored),
    )


@lru_cache(maxsize=1)
def readers() -> dict[str, PageReader]:
    """The reader of each file name suffix, e.g. `.md`: a module of `readers/` that has
    a `READER` is a format."""
    return by_suffix(f"{__package__}.readers", "READER")
