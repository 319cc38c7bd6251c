"""A search as somebody types says when another one had to answer."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from claimscope.core.models import Evidence
from claimscope.core.settings import Settings
from claimscope.stores.index.page_index import PageIndex
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.ports.library import Hits
from claimscope.tui.screens.pages.search import SentenceSearch
from claimscope.tui.services.pages import search
from tests.doubles import fakes
from tests.tui.libraries import FakeLibrary


@pytest.fixture
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace with one corpus."""
    workspace, embedder = Workspace(tmp_path), fakes.FakeEmbedder()
    with closing(PageIndex(workspace.index, "towns", embedder, write=True)) as index:
        index.index_pages(fakes.pages(4))
    monkeypatch.setattr(judges, "make_embedder", lambda settings: embedder)
    return workspace


def answers(workspace: Workspace) -> list[dict[str, object]]:
    asked = io.StringIO(json.dumps({"number": 1, "query": "tramway", "k": 2}) + "\n")
    out = io.StringIO()
    query = json.loads(asked.getvalue())
    with closing(search.Searcher(workspace, "towns", Settings())) as searcher:
        for order in ("words", "meaning"):
            number, words, k = query["number"], query["query"], query["k"]
            search._answer(searcher, (number, words, k), order, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_makeshift_answer_says_so(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all("problem" not in answer for answer in answers(indexed))

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("no segment")

    monkeypatch.setattr("claimscope.stores.index.corpus.rank", fails)
    words, meaning = answers(indexed)
    assert "problem" not in words
    assert meaning["problem"] == (
        "sentence search failed, pages were searched: no segment"
    )
    assert meaning["hits"]


def test_the_screen_shows_what_was_found_and_why_so() -> None:
    search = SentenceSearch(FakeLibrary(), lambda hits: None)
    hit = Evidence(page_id="p", index=1, text="It is deep.", start=0, end=11)
    assert search.take(Hits(0, "meaning", (hit,), "pages were searched"))
    assert (search.hits, search.state) == ((hit,), "pages were searched")
