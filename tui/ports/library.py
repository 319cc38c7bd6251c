"""What the Pages and Suite screens ask of the outside, beside
`tui.ports.gateway.Gateway`.

The real one starts processes of its own for what embeds or parses many files; tests
hand in a small one. Nothing here loads a model or a database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from claimscope.core.models import Evidence

if TYPE_CHECKING:
    from claimscope.core.ports import Progress
    from claimscope.stores.index.page_list import PageHead
    from claimscope.stores.pages.reading_record import ReadingRecord
    from claimscope.stores.suites.editing import SuiteDraft
    from claimscope.stores.suites.lint import LintFinding

OnIndexing = Callable[["Progress"], None]


@dataclass(frozen=True)
class IndexOutcome:
    """What an index of a folder changed."""

    corpus: str
    pages: int
    sentences: int
    added: int
    changed: int
    deleted: int
    unchanged: int
    embedded: int
    """Texts that had to be embedded."""
    problems: int
    """Files that were not read."""
    unread: str = ""
    """That most of the folder was left aside, in words."""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> IndexOutcome:
        """From what `pages index --json` says; of a corpus made anew there are no
        changes in it."""
        changes = ("added", "changed", "deleted", "unchanged", "embedded")
        return cls(
            corpus=found["corpus"],
            pages=found["pages"],
            sentences=found["sentences"],
            problems=len(found["problems"]),
            unread=found.get("mostly_unread") or "",
            **{name: found.get(name, 0) for name in changes},
        )


@dataclass(frozen=True)
class Hits:
    """An answer to a query, or why there is none."""

    number: int
    order: Literal["words", "meaning", "failed"]
    """`words` comes at once, `meaning` when the model is there; `failed`: the process
    that searches has ended."""
    hits: tuple[Evidence, ...] = ()
    problem: str | None = None


OnHits = Callable[[Hits], object]


@dataclass(frozen=True)
class ImportedSuite:
    """A suite that was taken in."""

    path: Path
    tool: str | None = None
    """Whose file it was; None: ours, and it stays where it lies."""
    cases: int = 0
    problems: tuple[str, ...] = ()
    """Rows that were not taken, and why."""
    left: tuple[str, ...] = ()
    """Fields of the file that have no place in a suite."""
    missing: tuple[str, ...] = ()
    """Fields that hold no value in some rows, such as NaN, and in how many."""


class Search(Protocol):
    """A search that goes on while somebody types."""

    def ask(self, number: int, query: str, k: int) -> None:
        """Asks; `OnHits` is called from another thread. Never blocks for long."""

    def close(self) -> None:
        """Ends it."""


class Pages(Protocol):
    """The pages of one corpus (stores/index/page_list.py)."""

    def ids(self) -> Sequence[str]: ...

    def matching(self, words: str) -> Sequence[str]: ...

    def heads(self, ids: Sequence[str]) -> dict[str, PageHead]: ...

    def close(self) -> None: ...


class Library(Protocol):
    """Pages and suites. Methods may block; all raise ClaimscopeError."""

    def pages(self, corpus: str) -> Pages: ...

    def reading(self, corpus: str) -> ReadingRecord | None:
        """What the corpus was read from last; None when nobody wrote it down."""

    def index(
        self,
        folder: Path,
        corpus: str | None,
        on_progress: OnIndexing,
        is_stopped: Callable[[], bool],
    ) -> IndexOutcome | None:
        """Indexes a folder; None when stopped. No name: the folder's."""

    def delete_page(self, corpus: str, page_id: str) -> None: ...

    def search(self, corpus: str, on_hits: OnHits) -> Search: ...

    def open_suite(self, path: Path) -> SuiteDraft:
        """A suite for editing, or, where its file is not edited, for reading."""

    def is_editable(self, path: Path) -> bool: ...

    def copy_suite(self, path: Path) -> Path:
        """A copy that can be edited."""

    def lint_suite(self, path: Path) -> Sequence[LintFinding]:
        """What is wrong with the file, its expected citations held against its
        pages."""

    def import_suite(self, file: Path) -> ImportedSuite:
        """A suite made of a file, of ours or another tool's, in the workspace."""
