"""Pages and suites of the real program: processes of its own, files, a small index.

Embeddings are faked in the processes that are started; everything else is real.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import pytest

from claimscope.core.errors import StoreError, SuiteError
from claimscope.core.ports import Progress
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.gateway.library import LibraryGateway
from claimscope.tui.ports.library import Hits, Search
from claimscope.tui.process.child import CommandFailed

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 120.0
"""Seconds for a process on a busy machine."""
FAKE = f"""
import sys
sys.path[:0] = [{str(ROOT / ".src")!r}, {str(ROOT)!r}]
from tests.doubles.fakes import FakeEmbedder
from claimscope.tui.bootstrap import judges
judges.make_embedder = lambda settings: FakeEmbedder()
"""


@pytest.fixture
def library(
    tmp_path: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> LibraryGateway:
    """Its processes find `sitecustomize`, which Python loads by itself."""
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(FAKE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "python"))
    return LibraryGateway(workspace)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pages, and a file that is none."""
    found = tmp_path / "port"
    found.mkdir()
    (found / "crane.md").write_text(
        "# The Orla crane\n\nIt was built in 1952. It lifts 40 tonnes.\n"
    )
    (found / "ferry.txt").write_text("The ferry to Nessay carries 120 passengers.")
    (found / "broken.txt").write_bytes(b"\x00\x01\x02\x00" * 50)
    return found


@contextmanager
def searching(
    library: LibraryGateway, corpus: str
) -> Iterator[tuple[Search, Queue[Hits]]]:
    """A search, and its answers as they come."""
    answers: Queue[Hits] = Queue()
    search = library.search(corpus, answers.put)
    try:
        yield search, answers
    finally:
        search.close()


def test_a_folder_is_indexed_listed_searched_and_a_page_deleted(
    library: LibraryGateway, folder: Path
) -> None:
    steps: list[Progress] = []
    found = library.index(folder, None, steps.append, lambda: False)
    assert found is not None
    assert (found.corpus, found.pages, found.added, found.problems) == ("port", 2, 2, 1)
    assert found.embedded == 4
    assert any(step.total == 4 for step in steps)

    record = library.reading("port")
    assert record is not None and record.folder == str(folder)
    assert [path for path, _ in record.problems] == ["broken.txt"]

    pages = library.pages("port")
    assert list(pages.ids()) == ["crane.md", "ferry.txt"]
    assert list(pages.matching("ORLA")) == ["crane.md"]
    assert list(pages.matching("ferry")) == ["ferry.txt"]
    head = pages.heads(["crane.md", "gone.md"])["crane.md"]
    assert (head.title, head.sentences, head.path) == ("The Orla crane", 3, "crane.md")

    with searching(library, "port") as (search, answers):
        search.ask(7, "It lifts 40 tonnes.", 5)
        orders = []
        while "meaning" not in orders:
            answer = answers.get(timeout=PATIENCE)
            assert (answer.number, answer.problem) == (7, None)
            assert (answer.hits[0].page_id, answer.hits[0].index) == ("crane.md", 2)
            orders.append(answer.order)
        assert orders == ["words", "meaning"]
        assert answer.hits[0].similarity == pytest.approx(1.0, abs=1e-3)

    library.delete_page("port", "ferry.txt")
    assert list(pages.ids()) == ["crane.md"]
    pages.close()
    with pytest.raises(CommandFailed, match="ferry.txt"):
        library.delete_page("port", "ferry.txt")


def test_an_index_that_is_stopped_gives_nothing_and_leaves_no_corpus(
    library: LibraryGateway, folder: Path
) -> None:
    assert library.index(folder, "port", lambda step: None, lambda: True) is None
    with pytest.raises(StoreError, match="port"):
        library.pages("port")


def test_a_search_that_cannot_begin_says_why(library: LibraryGateway) -> None:
    with searching(library, "nowhere") as (_, answers):
        answer = answers.get(timeout=PATIENCE)
        assert answer.order == "failed"
        assert answer.problem and "nowhere" in answer.problem


# --- suites ---------------------------------------------------------------------


def rows_file(folder: Path) -> Path:
    """Two rows of ragas, one with a field that no suite has."""
    path = folder / "lamp.jsonl"
    rows = [
        {
            "user_input": f"When was lamp {n} lit?",
            "response": f"In 188{n}.",
            "retrieved_contexts": [f"Lamp {n} was lit in 188{n}."],
            "reference": f"188{n}",
        }
        for n in range(2)
    ]
    path.write_text("\n".join(map(json.dumps, [rows[0], rows[1] | {"owner": "Orla"}])))
    return path


def test_a_file_of_another_tool_becomes_a_suite_and_never_over_another(
    library: LibraryGateway, workspace: Workspace, tmp_path: Path
) -> None:
    file = rows_file(tmp_path)
    first, second = library.import_suite(file), library.import_suite(file)
    assert (first.tool, first.cases, first.problems) == ("ragas", 2, ())
    assert first.left == ("owner",)
    suites = workspace.root / "suites"
    assert first.path == suites / "lamp" / "suite.json"
    assert second.path == suites / "lamp-2" / "suite.json"
    draft = library.open_suite(first.path)
    assert draft.fields["title"] == "lamp (from ragas)"
    assert (first.path.parent / "answers.jsonl").read_text().count("\n") == 2
    assert sorted(library.suites()) == sorted([first.path, second.path])


def test_a_suite_of_ours_stays_where_it_is_and_is_known_from_then_on(
    library: LibraryGateway, tmp_path: Path
) -> None:
    case = {"id": "l-1", "question": "When was the lamp lit?"}
    fields = {"format": "claimscope.suite", "version": 1, "id": "lamps"}
    path = tmp_path / "lamps.json"
    path.write_text(json.dumps(fields | {"cases": [case]}))
    assert library.import_suite(path).path == path
    assert list(library.suites()) == [path]
    assert library.copy_suite(path) == path, "it can be edited where it lies"
    shipped = Path("medicine")
    assert not library.is_editable(shipped)
    copy = library.copy_suite(shipped)
    assert library.is_editable(copy)
    assert library.open_suite(copy).cases == library.open_suite(shipped).cases


def test_a_file_that_is_not_there_is_named(
    library: LibraryGateway, tmp_path: Path
) -> None:
    with pytest.raises(SuiteError, match="nothing.json"):
        library.import_suite(tmp_path / "nothing.json")
