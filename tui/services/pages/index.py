"""From a folder to a corpus: read, report what could not be read, index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError, SplitterMismatch, StoreLocked
from claimscope.core.report.text import one_line
from claimscope.stores.workspace.paths import safe_name
from claimscope.tui.process.output import progress_bar, say

if TYPE_CHECKING:
    from claimscope.core.models import Page
    from claimscope.core.ports import Embedder, OnProgress
    from claimscope.stores.index.chroma_connection import ChromaServer
    from claimscope.stores.index.chroma_server import ServedCorpus
    from claimscope.stores.index.page_index import PageIndex
    from claimscope.stores.index.update_plan import IndexReport
    from claimscope.stores.pages.folder import FolderReading


NAMED = 5
"""Files that are named when some are left aside."""


@dataclass(frozen=True)
class IndexedFolder:
    """A corpus that is up to date with its folder."""

    corpus: PageIndex
    report: IndexReport
    reading: FolderReading


@contextmanager
def index_folder(
    root: Path,
    name: str,
    folder: Path,
    embedder: Embedder,
    *,
    rebuild: bool = False,
    quiet: bool = False,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    text_field: str | None = None,
    on_progress: OnProgress | None = None,
    server: ChromaServer | None = None,
    replace: bool = False,
    parts: Sequence[Path] = (),
) -> Iterator[IndexedFolder]:
    """Indexes folder as corpus `name` below root and holds it open; `include` and
    `exclude` are patterns as in .gitignore, `text_field` names the text of records.
    `server`: holds the collections. `replace`:
    the corpus of that name may be of another folder, whose pages are then deleted.
    `parts`: folders below it, which alone are read.

    What could not be read is said on stderr, and kept beside the index. Raises
    InputError for a corpus of another folder, PageError when no page could be read,
    IndexMismatch, StoreLocked.
    """
    from claimscope.stores.pages.folder import read_folder, read_folders
    from claimscope.stores.pages.reading_record import other_folder, save_reading

    other = None if replace else other_folder(root, name, folder)
    if other is not None:
        raise InputError(
            f"the corpus {name!r} is of {other}; to index {folder.absolute()} by the "
            "same name would delete its pages",
            "--name ANOTHER keeps both; --replace deletes those of the other folder",
        )
    reading = (
        read_folders(parts, include=include, exclude=exclude, text_name=text_field)
        if parts
        else read_folder(folder, include=include, exclude=exclude, text_name=text_field)
    )
    for path, message in reading.problems:
        named = message if message.startswith(path) else f"{path}: {message}"
        say(f"skipped {one_line(named)}")
    for note in reading.notes:
        say(f"note: {one_line(note)}")
    say_left_aside(folder, reading)
    with progress_bar(quiet=quiet) as bar:
        corpus, report = update_index(
            root, name, embedder, reading, rebuild, on_progress or bar, server
        )
    try:
        chosen = tuple(include) or within(folder, parts)
        save_reading(root, name, folder, reading, chosen, tuple(exclude), text_field)
        for warning in report.warnings:
            say(one_line(warning))
        yield IndexedFolder(corpus, report, reading)
    finally:
        corpus.close()


def within(folder: Path, parts: Sequence[Path]) -> tuple[str, ...]:
    """Patterns that take only those parts of a folder."""
    if folder in parts:
        return ()
    return tuple(f"/{part.relative_to(folder).as_posix()}/" for part in parts)


def say_left_aside(folder: Path, reading: FolderReading) -> None:
    """What has no reader, by format; loudly when most of the folder stayed unread."""
    from claimscope.stores.pages.unread import REMEDY, count_by_kind, kinds_text

    if reading.ignored:
        kinds = kinds_text(count_by_kind(reading.ignored))
        say(
            f"left aside, no reader for their format: {one_line(kinds)}"
            f" ({name_first(reading.ignored)})"
        )
    warning = reading.unread().warning
    if warning:
        say(f"WARNING: {one_line(f'{folder}: {warning}')}; {REMEDY}")


def update_index(
    root: Path,
    name: str,
    embedder: Embedder,
    reading: FolderReading,
    rebuild: bool,
    bar: OnProgress | None,
    server: ChromaServer | None = None,
) -> tuple[PageIndex, IndexReport]:
    """The corpus, holding what was read; made anew where an older splitter has made its
    sentences. While another process has it, it is used as it is, if it holds the same
    pages. Raises StoreLocked when it does not."""
    from claimscope.stores.index.page_index import PageIndex

    try:
        corpus = PageIndex(
            root,
            name,
            embedder,
            write=True,
            rebuild=rebuild,
            on_progress=bar,
            server=server,
        )
    except SplitterMismatch:
        say(f"note: sentences are split in another way now: {name} is made anew")
        return update_index(root, name, embedder, reading, True, bar, server)
    except StoreLocked:
        if rebuild:
            raise
        corpus = PageIndex(root, name, embedder, server=server)
        report = corpus.compare(reading.pages)
        if report.added or report.changed or report.deleted:
            corpus.close()
            raise
        return corpus, report
    try:
        return corpus, corpus.index_pages(reading.pages, bar)
    except BaseException:
        corpus.close()
        raise


def open_corpus(
    root: Path, name: str, embedder: Embedder, server: ChromaServer | None
) -> PageIndex | ServedCorpus:
    """A corpus for reading: the one of this machine, else the one of the server."""
    from claimscope.stores.index.chroma_server import ServedCorpus
    from claimscope.stores.index.page_index import ARCHIVE, PageIndex

    if server is None or (root / safe_name(name) / ARCHIVE).exists():
        return PageIndex(root, name, embedder, server=server)
    return ServedCorpus(server, name, embedder)


def name_first(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    text = ", ".join(map(one_line, names[:NAMED]))
    return text + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def first_of_each(pages: Sequence[Page]) -> Sequence[Page]:
    """Pages under ids of their own."""
    return list({page.page_id: page for page in reversed(pages)}.values())[::-1]
