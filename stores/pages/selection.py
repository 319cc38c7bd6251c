"""Which files of a folder are read: globs as in .gitignore, where most people have
met them (`*.md` anywhere, `drafts/` and all below, `/top.md` at the top only)."""

from __future__ import annotations

from collections.abc import Sequence
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
