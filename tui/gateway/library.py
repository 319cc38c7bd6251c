"""Pages and suites of the real program: read here, written by processes of their own
where that takes an embedding model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from claimscope.core.errors import InputError, SuiteError
from claimscope.core.models import digest
from claimscope.stores.index.page_list import PageList
from claimscope.stores.pages.reading_record import ReadingRecord, read_reading
from claimscope.stores.suites.editing import (
    SuiteDraft,
    editable_copy,
    is_editable,
    open_draft,
)
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.lint import LintFinding
from claimscope.stores.suites.loading import read_raw, resolve_suite
from claimscope.stores.workspace.paths import (
    Workspace,
    make_private,
    safe_name,
    write_atomically,
)
from claimscope.tui.ports.library import (
    ImportedSuite,
    IndexOutcome,
    OnHits,
    OnIndexing,
    Search,
)
from claimscope.tui.process.child import OpenDialogue, expect_code, run_command

FOUND_MISTAKES = (0, 1)
"""Exit codes of `suite lint` that came to its end."""


class LibraryGateway:
    """What the screens work with (tui.ports.library.Library)."""

    def __init__(
        self, workspace: Workspace, elsewhere: OpenDialogue = lambda *_: None
    ) -> None:
        """elsewhere: who does a command in place of a process of its own."""
        self._workspace = workspace
        self._elsewhere = elsewhere

    @property
    def _suites(self) -> Path:
        return self._workspace.root / "suites"

    def pages(self, corpus: str) -> PageList:
        return PageList(self._workspace.index, corpus)

    def reading(self, corpus: str) -> ReadingRecord | None:
        return read_reading(self._workspace.index, corpus)

    def index(
        self,
        folder: Path,
        corpus: str | None,
        on_progress: OnIndexing,
        is_stopped: Callable[[], bool],
    ) -> IndexOutcome | None:
        """Indexes a folder with the patterns it was indexed with before."""
        folder = folder.expanduser().absolute()
        if not folder.exists():
            raise InputError(f"{folder}: there is no such folder", "check the path")
        name = corpus or folder.name
        words = ["pages", "index", str(folder), "--name", name, "--json", "--lines"]
        known = self.reading(name)
        if known and Path(known.folder) == folder:
            words += [f"--include={pattern}" for pattern in known.include]
            words += [f"--exclude={pattern}" for pattern in known.exclude]
            words += [f"--text-field={known.text_field}"] * bool(known.text_field)
        ended = run_command(self._workspace, words, on_progress, is_stopped)
        if ended is None:
            return None
        return IndexOutcome.of(json.loads(expect_code(ended).out))

    def delete_page(self, corpus: str, page_id: str) -> None:
        """Takes a page out of the index; its file stays."""
        words = ["pages", "--corpus", corpus, f"--delete={page_id}"]
        ended = run_command(self._workspace, words)
        assert ended is not None
        expect_code(ended)

    def search(self, corpus: str, on_hits: OnHits) -> Search:
        """A process that answers while somebody types."""
        from claimscope.tui.gateway.search_process import SearchProcess

        return SearchProcess(self._workspace, corpus, on_hits, self._elsewhere)

    def open_suite(self, path: Path) -> SuiteDraft:
        path = resolve_suite(path)
        if is_editable(path):
            return open_draft(path)
        raw = read_raw(path)
        cases = [case for _, case in raw.cases]
        return SuiteDraft(path, dict(raw.fields), cases, digest(text_of(path)))

    def is_editable(self, path: Path) -> bool:
        return is_editable(resolve_suite(path))

    def copy_suite(self, path: Path) -> Path:
        """A copy that can be edited: of what ships, in the workspace."""
        return editable_copy(resolve_suite(path), self._suites)

    def lint_suite(self, path: Path) -> Sequence[LintFinding]:
        """By a process of its own: it reads the suite's pages."""
        ended = run_command(
            self._workspace, ["suite", "lint", "--json", str(resolve_suite(path))]
        )
        assert ended is not None
        found = json.loads(expect_code(ended, FOUND_MISTAKES).out)
        return [LintFinding(**one) for one in found]

    def import_suite(self, file: Path) -> ImportedSuite:
        """A file of ours is used where it lies; of another tool's, a suite is made in
        the workspace."""
        from claimscope.stores.suites.importing import (
            import_document,
            read_other_tools_file,
        )
        from claimscope.stores.suites.writing import write_suite

        file = file.expanduser().absolute()
        if not file.exists():
            raise SuiteError(f"{file}: there is no such file.", "Check the path.")
        document = read_other_tools_file(file)
        if document is None:
            path = resolve_suite(file)
            cases = len(read_raw(path).cases)
            self._remember(path)
            return ImportedSuite(path, cases=cases)
        found = import_document(document)
        folder = make_private(self._free(safe_name(file.stem)))
        title = f"{file.stem} (from {found.tool})"
        suite = found.suite.model_copy(update={"title": title})
        path = folder / "suite.json"
        answers = folder / "answers.jsonl" if found.answers else None
        write_suite(suite, found.answers, path, answers)
        left = tuple(dict.fromkeys(name for name, _, _ in found.left))
        missing = tuple(f"{name} ({len(rows):,})" for name, rows in found.missing)
        cases = len(suite.cases)
        return ImportedSuite(path, found.tool, cases, found.problems, left, missing)

    def _free(self, name: str) -> Path:
        """A folder that is not there yet: what was imported before may have been
        edited since."""
        tries = (name if n == 1 else f"{name}-{n}" for n in count(1))
        return next(path for one in tries if not (path := self._suites / one).exists())

    def suites(self) -> Sequence[Path]:
        """Suite files of the workspace, and those elsewhere that were opened here."""
        own = self._suites.glob("*/suite.json") if self._suites.is_dir() else ()
        found = sorted(path for path in own if not path.parent.name.startswith("."))
        return [*found, *(path for path in self._remembered() if path.exists())]

    @property
    def _list(self) -> Path:
        return self._suites / "elsewhere.json"

    def _remembered(self) -> list[Path]:
        try:
            return [Path(name) for name in json.loads(self._list.read_text("utf-8"))]
        except (OSError, ValueError, TypeError):
            return []

    def _remember(self, path: Path) -> None:
        if path.is_relative_to(self._suites):
            return
        names = list(dict.fromkeys([*map(str, self._remembered()), str(path)]))
        make_private(self._suites)
        write_atomically(self._list, json.dumps(names, indent=2).encode())
