"""Several folders of pages as one: ids and paths are those below what they share.

A page `fees.md` of `docs/now` is `now/fees.md` beside one of `docs/old`, so that two
pages of one name stay two; pages that bring an id of their own keep it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.core.models import Page
from claimscope.stores.pages.folder import FolderReading, read_folder


def shared_root(folders: Sequence[Path]) -> Path:
    """The deepest folder above all of them; the folder itself when there is one.
    Raises InputError for folders on several drives."""
    try:
        return Path(os.path.commonpath([folder.absolute() for folder in folders]))
    except ValueError:
        raise InputError(
            "the folders of pages lie on several drives",
            "copy them below one folder",
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
        _below(
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
            problems.append(
                (
                    page.path or "",
                    f"{page.path}: the page id {page.page_id!r} was already taken by"
                    f" {first.path}; give one of them another id",
                )
            )
    return FolderReading(
        tuple(pages.values()),
        tuple(dict.fromkeys(problems)),
        len({page.path for page in pages.values()}),
        tuple(dict.fromkeys(name for part in parts for name in part.ignored)),
        sum(part.excluded for part in parts),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _below(reading: FolderReading, prefix: str) -> FolderReading:
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
