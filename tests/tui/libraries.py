"""A library for tests: pages in memory, real suite files, no process started."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.core.models import digest
from claimscope.core.ports import Progress
from claimscope.stores.index.page_list import PageHead
from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.stores.suites.editing import (
    SuiteDraft,
    editable_copy,
    is_editable,
    open_draft,
)
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.lint import LintFinding, lint
from claimscope.stores.suites.loading import read_raw
from claimscope.tui.ports.library import (
    Hits,
    ImportedSuite,
    IndexOutcome,
    OnHits,
    OnIndexing,
)


@dataclass
class FakePages:
    """Pages by id."""

    all: dict[str, PageHead]

    def ids(self) -> Sequence[str]:
        return sorted(self.all)

    def matching(self, words: str) -> Sequence[str]:
        wanted = words.casefold()
        return [i for i in sorted(self.all) if wanted in str(self.all[i]).casefold()]

    def heads(self, ids: Sequence[str]) -> dict[str, PageHead]:
        return {page_id: self.all[page_id] for page_id in ids}

    def close(self) -> None: ...


@dataclass
class FakeSearch:
    """Remembers what was asked; a test gives the hits."""

    on_hits: OnHits
    asked: list[tuple[int, str]] = field(default_factory=list)
    is_closed: bool = False

    def ask(self, number: int, query: str, k: int) -> None:
        self.asked.append((number, query))

    def answer(self, hits: Hits) -> None:
        """As the process does: from a thread of its own."""
        thread = threading.Thread(target=self.on_hits, args=(hits,))
        thread.start()
        thread.join(5)

    def close(self) -> None:
        self.is_closed = True


@dataclass
class FakeLibrary:
    """Remembers what was indexed, deleted, searched and imported."""

    heads: dict[str, PageHead] = field(default_factory=dict)
    record: ReadingRecord | None = None
    steps: list[Progress] = field(default_factory=list)
    waits: threading.Event | None = None
    """After its steps an index goes on until it is stopped."""
    outcome: IndexOutcome | None = None
    failure: Exception | None = None
    """Raised by index, delete_page and import_suite."""
    indexed: list[tuple[str, str | None]] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    searches: list[FakeSearch] = field(default_factory=list)
    imported: list[Path] = field(default_factory=list)
    suites: Path = Path("no-suites")

    def pages(self, corpus: str) -> FakePages:
        return FakePages(self.heads)

    def reading(self, corpus: str) -> ReadingRecord | None:
        return self.record

    def index(
        self,
        folder: Path,
        corpus: str | None,
        on_progress: OnIndexing,
        is_stopped: Callable[[], bool],
    ) -> IndexOutcome | None:
        if self.failure:
            raise self.failure
        self.indexed.append((str(folder), corpus))
        for step in self.steps:
            on_progress(step)
        if self.waits:
            while not is_stopped():
                self.waits.wait(0.01)
            return None
        return self.outcome

    def delete_page(self, corpus: str, page_id: str) -> None:
        if self.failure:
            raise self.failure
        self.deleted.append(page_id)
        del self.heads[page_id]

    def search(self, corpus: str, on_hits: OnHits) -> FakeSearch:
        self.searches.append(FakeSearch(on_hits))
        return self.searches[-1]

    def open_suite(self, path: Path) -> SuiteDraft:
        if is_editable(path):
            return open_draft(path)
        raw = read_raw(path)
        cases = [case for _, case in raw.cases]
        return SuiteDraft(path, dict(raw.fields), cases, digest(text_of(path)))

    def is_editable(self, path: Path) -> bool:
        return is_editable(path)

    def copy_suite(self, path: Path) -> Path:
        return editable_copy(path, self.suites)

    def lint_suite(self, path: Path) -> Sequence[LintFinding]:
        return list(lint(read_raw(path), path))

    def import_suite(self, file: Path) -> ImportedSuite:
        if self.failure:
            raise self.failure
        self.imported.append(file)
        problems, left = ("row 3: no [b]question",), ("owner", "[b]asserts")
        return ImportedSuite(file, "ragas", 2, problems, left)
