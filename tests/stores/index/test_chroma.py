"""Any Chroma client reads a corpus: pages, sentences, where they are from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import chromadb
import pytest

from claimscope.core.models import Page
from claimscope.core.text.sentences import sentences
from claimscope.stores.index.chroma_connection import ChromaServer, close_client
from claimscope.stores.index.chroma_server import ServedCorpus
from claimscope.stores.index.page_index import PageIndex
from tests.doubles.fakes import FakeEmbedder, page
from tests.processes.chroma_process import ChromaProcess

pytestmark = pytest.mark.slow

PAGES = [
    page(
        "dam.md",
        "The Varn reservoir holds 4.2 million cubic metres.\r\n\r\nIt leaks: ä\u2028€.",
        title="The dam",
        url="https://x.test/dam",
        published="2024-05-01",
    ),
    page("keeper.txt", "The keeper counts herons.\x00 They leave in May."),
]


@pytest.fixture(params=["folder", "server"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Collections of an indexed corpus by a bare client: `pages`, `sentences`."""
    if request.param == "folder":
        with closing(PageIndex(tmp_path, "c", FakeEmbedder(), write=True)) as index:
            assert index.index_pages(PAGES).is_complete
        (folder,) = (tmp_path / "c").glob("chroma-*")
        client = chromadb.PersistentClient(str(folder))
        yield {one.name: one for one in client.list_collections()}
        close_client(client)
        return
    with ChromaProcess(tmp_path / "served") as process:
        server, embedder = ChromaServer(process.url), FakeEmbedder()
        index = PageIndex(tmp_path, "c", embedder, write=True, server=server)
        with closing(index):
            assert index.index_pages(PAGES).is_complete
        with closing(ServedCorpus(server, "c", embedder)) as served:
            assert served.page("keeper.txt") == PAGES[1]  # nothing of it was changed
        address = urlsplit(process.url)
        client = chromadb.HttpClient(str(address.hostname), int(address.port or 0))
        yield {one.name.rpartition("-")[2]: one for one in client.list_collections()}
        close_client(client)


def test_a_bare_client_reads_pages_and_sentences(corpus: dict[str, Any]) -> None:
    assert sorted(corpus) == ["pages", "sentences"]
    found = corpus["pages"].get(include=["documents", "metadatas"])
    texts = dict(zip(found["ids"], found["documents"], strict=True))
    assert texts == {one.page_id: one.text for one in PAGES}
    facts = dict(zip(found["ids"], found["metadatas"], strict=True))
    assert facts["dam.md"]["title"] == "The dam"
    assert facts["dam.md"]["url"] == "https://x.test/dam"
    assert facts["dam.md"]["date"] == "2024-05-01"
    whole = json.loads(facts["dam.md"]["page"])
    assert Page.model_validate({**whole["page"], "text": texts["dam.md"]}) == PAGES[0]
    first, *_ = [texts["dam.md"][start:end] for start, end in whole["spans"]]
    assert first == "The Varn reservoir holds 4.2 million cubic metres."

    expected = {one.sentence_id: one for each in PAGES for one in sentences(each)}
    got = corpus["sentences"].get(include=["documents", "metadatas"])
    rows = zip(got["ids"], got["documents"], got["metadatas"], strict=True)
    assert {row_id: text for row_id, text, _ in rows} == {
        row_id: one.text for row_id, one in expected.items()
    }
    of_dam = corpus["sentences"].get(where={"page_id": "dam.md"}, include=["metadatas"])
    assert [(m["index"], m["title"]) for m in of_dam["metadatas"]] == [
        (one.index, "The dam") for one in sentences(PAGES[0])
    ]


def test_a_bare_client_searches(corpus: dict[str, Any]) -> None:
    (vector,) = FakeEmbedder().embed(["The keeper counts herons."])
    near = corpus["sentences"].query(query_embeddings=[vector.tolist()], n_results=1)
    assert near["documents"][0][0].startswith("The keeper counts herons.")
