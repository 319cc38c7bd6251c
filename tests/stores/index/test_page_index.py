"""The index on disk: only what changed is embedded, and nothing breaks it for good."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest

from claimscope.core.errors import IndexBroken, IndexMismatch, StoreError, StoreLocked
from claimscope.core.models import Page
from claimscope.core.ports import Progress
from claimscope.stores.index import embeddings
from claimscope.stores.index import page_index as pages_module
from claimscope.stores.index.chroma import (
    PAGES,
    SENTENCES,
    ChromaIndex,
    checksum,
    is_healthy,
)
from claimscope.stores.index.chroma_connection import close_client
from claimscope.stores.index.manifest import corpora, read_manifest
from claimscope.stores.index.page_index import PageIndex
from claimscope.stores.index.update_plan import IndexReport
from tests.doubles import fakes
from tests.doubles.fakes import FakeEmbedder

Open = Callable[..., PageIndex]


@pytest.fixture
def open_index(tmp_path: Path) -> Iterator[Open]:
    """Opens the corpus `towns`; closes it in the end."""
    opened: list[PageIndex] = []

    def start(embedder: FakeEmbedder | None = None, **options: Any) -> PageIndex:
        index = PageIndex(tmp_path, "towns", embedder or FakeEmbedder(), **options)
        opened.append(index)
        return index

    yield start
    for index in opened:
        index.close()


def made(open_index: Open, pages: list[Page]) -> None:
    """An index of pages, closed."""
    index = open_index(write=True)
    index.index_pages(pages)
    index.close()


def chroma_folder(tmp_path: Path) -> Path:
    (folder,) = (tmp_path / "towns").glob("chroma-*")
    return folder


def held(tmp_path: Path) -> dict[str, int]:
    """What ChromaDB holds on disk."""
    chroma = ChromaIndex(chroma_folder(tmp_path))
    counts = chroma.counts()
    chroma.close()
    return counts


def test_only_what_changed_is_embedded(open_index: Open, tmp_path: Path) -> None:
    pages = fakes.pages(6)
    index = open_index(write=True)
    assert index.index_pages(pages) == IndexReport(added=6, sentences=18, embedded=18)
    assert index.index_pages(pages) == IndexReport(unchanged=6, sentences=18)
    edited = pages[1].model_copy(update={"text": pages[1].text + " It has a cellar."})
    retitled = pages[2].model_copy(update={"title": "Another title"})
    new = fakes.page("PMID:1", "A new page. With two sentences.")
    embedder = FakeEmbedder()
    index.close()
    index = open_index(embedder, write=True)
    before = index.version
    report = index.index_pages([pages[0], edited, retitled, *pages[3:5], new])
    assert report == IndexReport(
        added=1, changed=2, deleted=1, unchanged=3, sentences=18, embedded=3
    )
    assert sorted(embedder.texts) == [
        "A new page.",
        "It has a cellar.",
        "With two sentences.",
    ]
    assert index.version != before
    assert index.page(pages[5].page_id) is None
    assert index.search("Another cellar", k=1).hits[0].text == "It has a cellar."
    hit = index.search(retitled.text[:30], k=1).hits[0]
    assert (hit.page_id, hit.title) == (retitled.page_id, "Another title")
    index.close()
    assert held(tmp_path) == {SENTENCES: 18, PAGES: 6}


def test_pages_can_be_added_without_removing_others(open_index: Open) -> None:
    pages = fakes.pages(4)
    index = open_index(write=True)
    index.index_pages(pages[:2])
    report = index.index_pages(pages[2:], delete_missing=False)
    assert (report.added, report.deleted, report.sentences) == (2, 0, 12)


def test_what_cannot_be_indexed_is_named(open_index: Open) -> None:
    good = fakes.page("a", path="good.md")
    report = open_index(write=True).index_pages(
        [
            good,
            good,
            fakes.page("a", "Another text.", path="double.md"),
            fakes.page("b", "broken \ud800", path="broken.md"),
            fakes.page("c", " \n", path="blank.md"),
        ]
    )
    assert (report.added, report.sentences) == (2, 3)
    double, broken, blank = report.warnings
    assert "double.md" in double and "id a" in double
    assert "broken.md" in broken and "skipped" in broken
    assert "blank.md" in blank and "no text" in blank


def test_progress_tells_both_steps(tmp_path: Path) -> None:
    told: list[Progress] = []
    index = PageIndex(tmp_path, "p", FakeEmbedder(), write=True)
    index.index_pages(fakes.pages(50), told.append)
    index.close()
    last = {progress.action: progress for progress in told}
    assert list(last) == ["embedding", "indexing"]
    for progress in last.values():
        assert (progress.done, progress.total) == (150, 150)
        assert progress.rate > 0 and progress.eta_seconds == 0


def test_cancel_in_the_middle_then_go_on(open_index: Open) -> None:
    pages, embedder = fakes.pages(100), FakeEmbedder()
    index = open_index(embedder, write=True)
    report = index.index_pages(pages, cancelled=lambda: len(embedder.batches) >= 2)
    assert not report.is_complete
    assert report.embedded == 2 * embeddings.BATCH
    assert index.search("orchard").hits == ()
    report = index.index_pages(pages)
    assert (report.is_complete, report.embedded) == (True, 300 - 2 * embeddings.BATCH)
    assert len(embedder.texts) == len(set(embedder.texts)) == 300


def test_cancel_while_chroma_is_filled_then_open(
    open_index: Open, tmp_path: Path
) -> None:
    pages = fakes.pages(400)  # 1,200 sentences: two batches
    index = open_index(write=True)
    is_filling: list[Progress] = []

    def watch(progress: Progress) -> None:
        is_filling.extend([progress] * (progress.action == "indexing"))

    report = index.index_pages(pages, watch, lambda: bool(is_filling))
    assert not report.is_complete
    # The texts are there, so search is whole although ChromaDB is not.
    query = "The tramway of town 397 opened in 2297."
    assert index.search(query, k=1).hits[0].text == query
    index.close()
    index = open_index(FakeEmbedder())
    assert index.manifest.is_clean
    assert index.search(query, k=1).hits[0].text == query
    index.close()
    assert held(tmp_path) == {SENTENCES: 1200, PAGES: 400}


@pytest.mark.parametrize("dimensions", [32, 64])
def test_another_model_is_refused_by_name(open_index: Open, dimensions: int) -> None:
    made(open_index, fakes.pages(3))
    other = FakeEmbedder("other@2/fp32", dimensions)
    for options in ({}, {"write": True}):
        with pytest.raises(IndexMismatch) as caught:
            open_index(other, **options)
        assert "fake@1/fp32 (64 dimensions)" in caught.value.message
        assert f"other@2/fp32 ({dimensions} dimensions)" in caught.value.message
        assert "--rebuild" in caught.value.hint
    index = open_index(other, rebuild=True)
    assert len(other.texts) == 9
    assert index.model_id == "other@2/fp32"
    assert index.vectors("PMID:20000001").shape == (3, dimensions)
    text = "The orchard of town 1 opened in 1901."
    assert index.search(text, k=1).hits[0].text == text
    index.close()
    with pytest.raises(IndexMismatch):
        open_index()


def test_another_splitter_is_refused(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(open_index, fakes.pages(2))
    monkeypatch.setattr("claimscope.stores.index.manifest.SPLITTER_ID", "other-9")
    with pytest.raises(IndexMismatch, match="other-9"):
        open_index()
    assert open_index(rebuild=True).manifest.splitter_id == "other-9"


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_files(folder: Path) -> None:
    for path in folder.glob("*/*.bin"):
        truncate(path)


def damage_database(folder: Path) -> None:
    truncate(folder / "chroma.sqlite3")


def lose_rows(folder: Path) -> None:
    client = chromadb.PersistentClient(str(folder))
    client.get_collection(SENTENCES).delete(ids=["PMID:20000001:S:0"])
    close_client(client)


def remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


@pytest.mark.slow
@pytest.mark.parametrize("damage", [damage_files, damage_database, lose_rows, remove])
def test_a_broken_index_is_rebuilt_without_embedding(
    open_index: Open,
    tmp_path: Path,
    damage: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages_module, "FEW", 0)
    made(open_index, fakes.pages(400))
    damage(chroma_folder(tmp_path))
    embedder = FakeEmbedder()
    index = open_index(embedder)
    text = "The observatory of town 3 opened in 1903."
    result = index.search(text, k=1)
    assert (result.hits[0].text, result.fallback) == (text, None)
    assert embedder.texts == [text]
    index.close()
    assert held(tmp_path) == {SENTENCES: 1200, PAGES: 400}
    assert is_healthy(chroma_folder(tmp_path))


def test_few_sentences_are_compared_without_chromadb(
    open_index: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(open_index, fakes.pages(4))
    before = checksum(chroma_folder(tmp_path))

    def opens(*_: object) -> None:
        raise AssertionError("ChromaDB was opened")

    monkeypatch.setattr(ChromaIndex, "__init__", opens)
    index = open_index(write=True)
    index.index_pages(fakes.pages(4))
    result = index.search("The tramway of town 2 opened in 1902.", k=1)
    assert result.fallback is None
    assert result.hits[0].text == "The tramway of town 2 opened in 1902."
    assert round(result.hits[0].similarity or 0, 5) == 1
    index.close()
    assert checksum(chroma_folder(tmp_path)) == before


def test_what_chromadb_does_to_its_files_when_asked_is_no_damage(
    open_index: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages_module, "FEW", 0)
    made(open_index, fakes.pages(4))
    index = open_index()
    assert index.search("The tramway of town 2 opened in 1902.", k=1).hits
    index.close()
    manifest = read_manifest(tmp_path / "towns")
    assert manifest is not None and manifest.is_clean
    assert manifest.files == checksum(chroma_folder(tmp_path))
    kept = (tmp_path / "towns" / "manifest.json").stat()
    open_index()
    now = (tmp_path / "towns" / "manifest.json").stat()
    assert (now.st_ino, now.st_mtime_ns) == (kept.st_ino, kept.st_mtime_ns), "repaired"


def test_damage_while_open_falls_back_to_page_search(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages_module, "FEW", 0)
    made(open_index, fakes.pages(4))
    index = open_index()

    def fails(*_: object) -> None:
        raise IndexBroken("chroma-1: ChromaDB cannot use this index.")

    monkeypatch.setattr(ChromaIndex, "nearest", fails)
    result = index.search("The tramway of town 2 opened in 1902.", k=2)
    assert result.fallback is not None and "ChromaDB cannot use" in result.fallback
    assert result.hits[0].text == "The tramway of town 2 opened in 1902."


def test_lost_vectors_are_named_and_embedded_again(
    open_index: Open, tmp_path: Path
) -> None:
    made(open_index, fakes.pages(3))
    for file in tmp_path.glob(f"{embeddings.FILE}*"):
        file.unlink()
    index = open_index(write=True)
    with pytest.raises(StoreError, match="missing"):
        index.vectors("PMID:20000001")
    assert index.index_pages(fakes.pages(3)).embedded == 9
    assert index.vectors("PMID:20000001").shape == (3, 64)


def test_a_damaged_archive_is_named_and_made_anew(
    open_index: Open, tmp_path: Path
) -> None:
    made(open_index, fakes.pages(300))
    (tmp_path / "towns" / "pages.sqlite").write_bytes(b"no database at all" * 99)
    with pytest.raises(IndexBroken, match=r"pages\.sqlite"):
        open_index()
    index = open_index(write=True, rebuild=True)
    assert index.index_pages(fakes.pages(300)).embedded == 0
    assert index.search("town 7 tramway").hits


def test_one_writer_many_readers(open_index: Open) -> None:
    made(open_index, fakes.pages(3))
    writer = open_index(write=True)
    with pytest.raises(StoreLocked, match=f"'towns'.*process {os.getpid()}"):
        open_index(write=True)
    reader = open_index()
    assert writer.is_writer and not reader.is_writer
    with pytest.raises(StoreError, match="reading only"):
        reader.index_pages([])
    before = reader.version
    writer.index_pages(fakes.pages(5))
    # A snapshot: what a run began with does not change under it.
    assert (reader.version, len(reader.page_ids())) == (before, 3)
    assert len(reader.search("lighthouse", k=99).hits) == 9
    assert open_index().version == writer.version


def test_corpora_are_listed_and_a_missing_one_is_named(
    open_index: Open, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match="no corpus 'towns'"):
        open_index()
    assert corpora(tmp_path) == []
    made(open_index, fakes.pages(3))
    other = PageIndex(tmp_path, "../Other towns", FakeEmbedder(), write=True)
    other.index_pages(fakes.pages(2))
    other.close()
    found = [(m.name, m.pages, m.sentences) for m in corpora(tmp_path)]
    assert found == [("../Other towns", 2, 6), ("towns", 3, 9)]
    assert {path.parent for path in tmp_path.glob("*/manifest.json")} == {
        path for path in tmp_path.iterdir() if path.is_dir()
    }


def test_the_index_is_private(open_index: Open, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made(open_index, fakes.pages(3))
    finally:
        os.umask(before)
    paths = list(tmp_path.rglob("*"))
    assert {p.stat().st_mode & 0o777 for p in paths if p.is_file()} == {0o600}
    assert {p.stat().st_mode & 0o777 for p in paths if p.is_dir()} == {0o700}


INDEX = """
import sys
from pathlib import Path
from typing import Any
from claimscope.stores.index.page_index import PageIndex
from tests.doubles import fakes
index = PageIndex(Path(sys.argv[1]), "towns", fakes.FakeEmbedder(), write=True)
print("open", flush=True)
index.index_pages(
    fakes.pages(900),
    lambda progress: print(progress.action, progress.done, flush=True),
)
"""


@pytest.mark.slow
@pytest.mark.parametrize("line", [1, 3, 4])
def test_a_kill_while_indexing_loses_nothing_embedded(
    open_index: Open, tmp_path: Path, line: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INDEX, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, os.getcwd()])},
    ) as process:
        assert process.stdout
        for _ in range(line):
            last = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    manifest = read_manifest(tmp_path / "towns")
    assert not (manifest and manifest.is_clean)
    embedder = FakeEmbedder()
    index = open_index(embedder, write=True)
    index.index_pages(fakes.pages(900))
    if b"indexing" in last:
        assert embedder.texts == []
    text = "The observatory of town 898 opened in 2798."
    assert index.search(text, k=1).hits[0].text == text
    index.close()
    assert held(tmp_path) == {SENTENCES: 2700, PAGES: 900}
