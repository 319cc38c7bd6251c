"""Which files of a folder are read: globs as in .gitignore, where most people have
met them (`*.md` anywhere, `drafts/` and all below, `/top.md` at the top only)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import PageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Selection:
    """Files that match an include pattern, if there are any, and no exclude pattern;
    of records, the field of the text."""

    def __init__(
        self,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        text_name: str | None = None,
    ) -> None:
        """Raises PageError for a pattern that cannot be one."""
        self.text_name = text_name
        self._include = _spec("include", include)
        self._exclude = _spec("exclude", exclude)

    def takes(self, name: str) -> bool:
        """Whether a file is read. `name` is its path relative to the folder."""
        return not self.leaves(name) and (
            self._include is None or self._include.match_file(name)
        )

    def leaves(self, name: str) -> bool:
        """Whether a file or folder is excluded by name."""
        return self._exclude is not None and (
            self._exclude.match_file(name) or self._exclude.match_file(f"{name}/")
        )


def _spec(option: str, patterns: Sequence[str]) -> GitIgnoreSpec | None:
    if not patterns:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise PageError(
            f"--{option} {' '.join(patterns)}: {error}",
            "Patterns are those of .gitignore, e.g. '*.md' or 'drafts/'.",
        ) from error


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
                yield _relative(here / name, root), _hidden_reason("folder")
            elif (here / name).is_symlink():
                yield _relative(here / name, root), _link_reason("folder")
        names[:] = sorted(n for n in names if not n.startswith("."))
        for name in sorted(files):
            yield _relative(here / name, root), _why_not_read(here / name, home)
    yield from unreadable


def _why_not_read(file: Path, home: Path) -> str | None:
    if file.name.startswith("."):
        return _hidden_reason("file")
    if file.is_symlink() and not file.exists():
        return "the link leads nowhere; remove it"
    if file.is_symlink() and not file.resolve().is_relative_to(home):
        return _link_reason("file")
    if not file.is_file():
        return "not a regular file; remove it"
    return None


def _relative(file: Path, root: Path) -> str:
    # Half a surrogate pair stands for a byte of a name that is not UTF-8.
    name = file.relative_to(root).as_posix()
    return name.encode("utf-8", "replace").decode()


def _hidden_reason(kind: str) -> str:
    return f"hidden {kind}, not read; rename it without the leading dot to include it"


def _link_reason(kind: str) -> str:
    return f"link to a {kind} outside, not followed; copy the {kind} here to include it"
