"""An index on a Chroma server: a real one, and a double that wants a token."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from claimscope.core.errors import IndexMismatch, SettingsError, StoreError
from claimscope.core.models import Page
from claimscope.core.settings import Settings
from claimscope.stores.index import chroma_connection
from claimscope.stores.index.chroma_connection import (
    ChromaServer,
    around_proxies,
    close_client,
    sessions_of,
)
from claimscope.stores.index.chroma_server import ServedCorpus, ServerIndex
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.stores.index.page_index import PageIndex
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from claimscope.tui.services import health
from tests.doubles.fakes import FakeEmbedder, page
from tests.processes.chroma_process import ChromaProcess, free_port

pytestmark = pytest.mark.slow

TOKEN = "sesame-4711-open"
PAGES = [
    page("PMID:1", "The Varn reservoir holds 4.2 million cubic metres. It leaks."),
    page(
        "https://x.test/a?b=1", "Herons nest on the dam. They leave in May.", title="A"
    ),
    page("notes/ä.md", "The keeper counts herons every spring.", source="notes"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    with ChromaProcess(tmp_path_factory.mktemp("chroma")) as process:
        yield ChromaServer(process.url)


def indexed(
    root: Path, server: ChromaServer, name: str, pages: list[Page]
) -> tuple[str, FakeEmbedder]:
    """Indexes there; gives the version, and the embedder that was asked."""
    embedder = FakeEmbedder()
    with closing(PageIndex(root, name, embedder, write=True, server=server)) as index:
        assert index.index_pages(pages).is_complete
        return index.version, embedder


def test_a_machine_without_a_copy_reads_what_another_one_indexed(
    tmp_path: Path, server: ChromaServer
) -> None:
    version, _ = indexed(tmp_path, server, "dam", PAGES)
    here = MemoryCorpus("dam", PAGES, FakeEmbedder())
    with closing(ServedCorpus(server, "dam", FakeEmbedder())) as there:
        assert there.version == version == here.version
        assert there.page_ids() == here.page_ids()
        for page_id in here.page_ids():
            assert there.page(page_id) == here.page(page_id)
            assert there.sentences(page_id) == here.sentences(page_id)
            assert there.vectors(page_id) == pytest.approx(here.vectors(page_id))
        for query in ("herons", "How much does it hold?"):
            found = [hit.sentence_id for hit in there.search(query, k=3).hits]
            assert found == [hit.sentence_id for hit in here.search(query, k=3).hits]
        assert [h.page_id for h in there.search("herons", sources=["notes"]).hits] == [
            "notes/ä.md"
        ]


def test_only_what_changed_is_written_again(
    tmp_path: Path, server: ChromaServer
) -> None:
    first, _ = indexed(tmp_path, server, "change", PAGES)
    changed = [PAGES[0], page("notes/ä.md", "The keeper left."), page("new", "Fog.")]
    second, embedder = indexed(tmp_path, server, "change", changed)
    assert second != first
    assert sorted(embedder.texts) == ["Fog.", "The keeper left."]
    with closing(ServedCorpus(server, "change", FakeEmbedder())) as there:
        assert there.version == second
        assert set(there.page_ids()) == {"PMID:1", "notes/ä.md", "new"}
        assert there.search("keeper", k=1).hits[0].text == "The keeper left."


def test_a_server_that_lost_everything_is_filled_again_without_embedding(
    tmp_path: Path, server: ChromaServer
) -> None:
    version, _ = indexed(tmp_path, server, "lost", PAGES)
    with closing(ServerIndex(server, "lost")) as there:
        there.clear()
    embedder = FakeEmbedder()
    with closing(PageIndex(tmp_path, "lost", embedder, server=server)) as index:
        assert index.search("herons", k=1).fallback is None
    assert embedder.texts == ["herons"]
    with closing(ServedCorpus(server, "lost", FakeEmbedder())) as served:
        assert served.version == version


def test_pages_without_sentences_are_pages_of_the_version(
    tmp_path: Path, server: ChromaServer
) -> None:
    version, _ = indexed(tmp_path, server, "blank", [PAGES[0], page("blank", "  \n ")])
    with closing(ServedCorpus(server, "blank", FakeEmbedder())) as there:
        assert there.version == version
        assert there.page_ids() == ("PMID:1", "blank")
        hits = there.search("leaks", k=9).hits
        assert {hit.page_id for hit in hits} == {"PMID:1"}
    with closing(PageIndex(tmp_path, "blank", FakeEmbedder(), server=server)) as index:
        assert index.search("leaks", k=1).hits[0].page_id == "PMID:1"
        assert index.manifest.is_clean


def test_reading_an_older_copy_leaves_the_newer_one_on_the_server(
    tmp_path: Path, server: ChromaServer
) -> None:
    older, _ = indexed(tmp_path / "one", server, "two", PAGES[:1])
    newer, _ = indexed(tmp_path / "other", server, "two", PAGES)
    with closing(
        PageIndex(tmp_path / "one", "two", FakeEmbedder(), server=server)
    ) as index:
        assert index.version == older
        assert index.search("reservoir", k=3).fallback is None
        assert {h.page_id for h in index.search("herons", k=3).hits} == {"PMID:1"}
    with closing(ServedCorpus(server, "two", FakeEmbedder())) as there:
        assert there.version == newer
    indexed(tmp_path / "one", server, "two", PAGES[:1])  # who indexes it means it
    with closing(ServedCorpus(server, "two", FakeEmbedder())) as there:
        assert there.version == older


def test_an_index_comes_back_from_the_server_to_its_own_folder(
    tmp_path: Path, server: ChromaServer
) -> None:
    indexed(tmp_path, server, "home", PAGES)
    with closing(PageIndex(tmp_path, "home", FakeEmbedder())) as index:
        assert index.search("herons", k=1).hits[0].page_id in {
            "notes/ä.md",
            PAGES[1].page_id,
        }
    assert list((tmp_path / "home").glob("chroma-*/chroma.sqlite3"))


def test_another_model_and_an_unknown_corpus_are_refused(
    tmp_path: Path, server: ChromaServer
) -> None:
    indexed(tmp_path, server, "made", PAGES)
    with pytest.raises(
        IndexMismatch, match="'made' on the Chroma server was made with"
    ):
        ServedCorpus(server, "made", FakeEmbedder("other@2/fp32"))
    with pytest.raises(StoreError, match="'unknown' is not on the Chroma server"):
        ServedCorpus(server, "unknown", FakeEmbedder())


def test_the_commands_share_a_corpus_by_its_address(
    tmp_path: Path,
    server: ChromaServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(judges, "make_embedder", lambda settings: FakeEmbedder())
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "dam.txt").write_text("Herons nest on the dam.")
    monkeypatch.setenv("CLAIMSCOPE_CHROMA_URL", server.url)
    assert main(["pages", "index", str(tmp_path / "pages"), "--name", "shared"]) == 0
    other = ["--workspace", str(tmp_path / "other")]
    capsys.readouterr()
    assert (
        main([*other, "pages", "search", "herons", "--corpus", "shared", "--json"]) == 0
    )
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["page_id"] == "dam.txt"
    assert not (Workspace(tmp_path / "other").index / "shared").exists()


def test_doctor_says_what_answers(
    server: ChromaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(chroma_connection, "close_client", closed.append)
        check = health.chroma(Settings(chroma_url=server.url))
    assert (check.state, server.url in check.text) == ("ok", True)
    (client,) = closed
    close_client(client)
    assert len(sessions_of(client)) == 2
    assert all(session.is_closed for session in sessions_of(client))


def test_addresses_that_are_none_and_servers_that_are_not_there_are_named() -> None:
    with pytest.raises(SettingsError, match="is no address of a server"):
        ChromaServer("ftp://box").client()
    with pytest.raises(SettingsError, match="only scheme, host and port"):
        ChromaServer("http://user:secret@box:8000").client()
    with pytest.raises(SettingsError, match="only scheme, host and port") as secret:
        ChromaServer("http://:secret@box:8000").client()
    assert "secret" not in str(secret.value)
    assert ChromaServer("http://[::1]:8123").address() == ("[::1]", 8123, False)
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(
        StoreError, match=f"Chroma server {url} cannot be used"
    ) as error:
        ChromaServer(url).client()
    assert "chroma run" in error.value.hint


def test_a_refused_address_is_written_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(judges, "make_embedder", lambda settings: FakeEmbedder())
    monkeypatch.setenv("CLAIMSCOPE_CHROMA_URL", f"http://user:{TOKEN}@127.0.0.1:9")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "dam.txt").write_text("Herons nest on the dam.")
    where = ["--workspace", str(tmp_path / "w")]
    assert main([*where, "pages", "index", str(tmp_path / "pages")]) == 2
    assert "only scheme, host and port" in capsys.readouterr().err
    for path in (tmp_path / "w").rglob("*"):
        assert path.is_dir() or TOKEN.encode() not in path.read_bytes(), path


@contextmanager
def redirecting(target: str) -> Iterator[str]:
    """A server that sends every call elsewhere; gives its address."""

    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(307)
            self.send_header("Location", f"{target}{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Redirecting) as double:
        serving = threading.Thread(
            target=double.serve_forever, kwargs={"poll_interval": 0.01}
        )
        serving.start()
        try:
            yield f"http://127.0.0.1:{double.server_port}"
        finally:
            double.shutdown()
            serving.join()


def test_a_redirect_is_refused_with_both_addresses(server: ChromaServer) -> None:
    with redirecting(server.url) as url:
        with pytest.raises(StoreError) as error:
            ChromaServer(url).client()
        assert f"{url} redirects to {server.url}/" in error.value.message
        client = server.client()
        for session in sessions_of(client):
            with pytest.raises(StoreError, match="redirects to"):
                session.get(url)
        close_client(client)


def test_loopback_is_called_around_any_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "a.test")
    for host in ("127.0.0.1", "[::1]", "localhost", "box.test", "127.0.0.1"):
        around_proxies(host)
    assert os.environ["NO_PROXY"] == "a.test,127.0.0.1,::1,localhost"
    assert os.environ["no_proxy"] == os.environ["NO_PROXY"]


def test_a_token_is_sent_and_never_shown() -> None:
    seen: list[str | None] = []

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            body = json.dumps({"error": "Forbidden", "message": TOKEN}).encode()
            self.send_response(403)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Refusing) as double:
        serving = threading.Thread(
            target=double.serve_forever, kwargs={"poll_interval": 0.01}
        )
        serving.start()
        server = ChromaServer(f"http://127.0.0.1:{double.server_port}", TOKEN)
        try:
            with pytest.raises(StoreError) as error:
                server.client()
        finally:
            double.shutdown()
            serving.join()
    assert seen and set(seen) == {f"Bearer {TOKEN}"}
    assert TOKEN not in f"{error.value} {server!r}"
