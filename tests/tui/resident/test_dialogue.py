"""Search by a copy of the resident engine, and by a process of its own where that one
cannot be had."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from typing import IO

import pytest

from claimscope.stores.index.page_index import PageIndex
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.gateway import search_process
from claimscope.tui.gateway.search_process import SearchProcess
from claimscope.tui.ports.library import Hits
from claimscope.tui.process.child import Dialogue
from claimscope.tui.resident import dialogue, place
from claimscope.tui.resident.dialogue import by_resident
from tests.doubles import fakes
from tests.processes.resident_engine import WAIT_SECONDS, started, status, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not place.is_possible(), reason="needs Linux"),
]


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test hears again what is said once."""
    monkeypatch.setattr(dialogue, "TOLD", set())
    monkeypatch.setattr(dialogue, "STARTED", [])


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """With a corpus of one page, by faked embeddings."""
    found = Workspace(tmp_path / "workspace")
    page = fakes.page(
        "crane.md", "The Orla crane lifts 40 tonnes. It was built in 1952."
    )
    embedder = fakes.FakeEmbedder()
    with closing(PageIndex(found.index, "port", embedder, write=True)) as index:
        index.index_pages([page])
    return found


class Alone:
    """A process of its own that answers each query at once, and finds nothing."""

    begun: int = 0

    def __init__(self, workspace: Workspace, words: Sequence[str]) -> None:
        type(self).begun += 1
        answers, self._printed = os.pipe()
        self.stdin = self.stderr = io.StringIO()
        self.stdout: IO[str] = open(answers, encoding="utf-8")
        self.stdin.flush = self._answer  # type: ignore[method-assign]

    def _answer(self) -> None:
        query = json.loads(self.stdin.getvalue())
        answer = {"number": query["number"], "order": "words", "hits": []}
        os.write(self._printed, f"{json.dumps(answer)}\n".encode())

    def code(self) -> int:
        return 0

    def end(self) -> None:
        os.close(self._printed)

    def close(self) -> None:
        self.stdout.close()


@contextmanager
def searching(
    workspace: Workspace, corpus: str = "port"
) -> Iterator[tuple[SearchProcess, Queue[Hits]]]:
    """A search, and its answers as they come."""
    answers: Queue[Hits] = Queue()
    search = SearchProcess(workspace, corpus, answers.put, by_resident)
    try:
        yield search, answers
    finally:
        search.close()


def nobody(workspace: Workspace, words: Sequence[str]) -> Dialogue:
    """No process of its own is wanted."""
    raise AssertionError(words)


def test_it_answers_by_words_and_meaning_and_ends_with_who_asks(
    engine: subprocess.Popen[bytes],
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_process, "ChildDialogue", nobody)
    before = status()
    with searching(workspace) as (search, answers):
        for number, query in ((0, "lifts 40 tonnes"), (1, "built in 1952")):
            search.ask(number, query, 5)
            found = [answers.get(timeout=WAIT_SECONDS) for _ in range(2)]
            assert [hits.order for hits in found] == ["words", "meaning"]
            assert {hits.number for hits in found} == {number}
            for hits in found:
                assert hits.problem is None
                assert (hits.hits[0].page_id, hits.hits[0].index) == (
                    "crane.md",
                    number,
                )
        assert status()["busy"] == before["busy"] + 1
    until(lambda: status()["busy"] == before["busy"])
    assert status()["checks"] == before["checks"]  # a search is none


def test_what_the_search_itself_ends_with_is_said(
    engine: subprocess.Popen[bytes],
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_process, "ChildDialogue", nobody)
    with searching(workspace, "nowhere") as (_, answers):
        answer = answers.get(timeout=WAIT_SECONDS)
    assert answer.order == "failed"
    assert answer.problem and "nowhere" in answer.problem


def test_a_copy_that_dies_is_followed_by_a_process_of_its_own(
    engine: subprocess.Popen[bytes],
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(search_process, "ChildDialogue", Alone)
    monkeypatch.setattr(Alone, "begun", 0)
    caplog.set_level(logging.INFO, "claimscope")
    listed = Path(f"/proc/{engine.pid}/task/{engine.pid}/children")
    until(lambda: not listed.read_text().split())  # searches of other tests
    for number in range(2):
        with searching(workspace) as (search, answers):
            search.ask(number, "tonnes", 5)
            assert answers.get(timeout=WAIT_SECONDS).order == "words"
            assert answers.get(timeout=WAIT_SECONDS).order == "meaning"
            (copy,) = map(int, listed.read_text().split())
            os.kill(copy, signal.SIGKILL)
            again = answers.get(timeout=WAIT_SECONDS)
            assert (again.number, again.order, again.hits) == (number, "words", ())
        until(lambda: not listed.read_text().split())
    assert Alone.begun == 2
    assert [record.getMessage() for record in caplog.records] == [
        "the resident engine is not used: it ended in the middle; done in a process of "
        "its own"
    ]


def test_an_engine_of_other_code_is_not_asked(
    runtime: Path, workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    engine = started("600", "changed")
    caplog.set_level(logging.INFO, "claimscope")
    assert by_resident(workspace, ["pages", "search", "--lines"]) is None
    (record,) = caplog.records
    assert "Claimscope was changed since it began" in record.getMessage()
    assert engine.wait(WAIT_SECONDS) == 0


def test_one_is_started_for_the_next_time_where_that_is_wanted(
    runtime: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(["sleep", "600"]))
        return begun[-1]

    monkeypatch.setattr(dialogue, "start", start)
    for mode, expected in (("off", 0), ("use", 0), ("start", 1), ("start", 1)):
        monkeypatch.setenv("CLAIMSCOPE_DAEMON", mode)
        assert by_resident(workspace, ["pages", "search", "--lines"]) is None
        assert len(begun) == expected
    for process in begun:
        process.kill()
        process.wait()


def test_a_socket_that_others_may_reach_is_not_spoken_to(
    engine: subprocess.Popen[bytes],
    workspace: Workspace,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "claimscope")
    folder = place.socket_path().parent
    folder.chmod(0o750)
    try:
        assert by_resident(workspace, ["pages", "search", "--lines"]) is None
    finally:
        folder.chmod(0o700)
    (record,) = caplog.records
    assert "is open to others" in record.getMessage()
