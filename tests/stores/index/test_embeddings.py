"""Vectors are made once, kept for good, and never mixed between models."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from claimscope.core.errors import EmbeddingError, StoreError
from claimscope.core.ports import Floats, Progress
from claimscope.stores.index.embeddings import (
    BATCH,
    CachedEmbedder,
    VectorStore,
    text_hash,
)
from tests.doubles.fakes import FakeEmbedder


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    """An empty store."""
    return VectorStore(tmp_path / "v.sqlite")


def test_vectors_come_back_in_order_to_the_bit(store: VectorStore) -> None:
    texts = ["ä", "b", "", "\ud800", "b"]
    vectors = np.random.default_rng(1).normal(size=(5, 7)).astype(np.float32)
    vectors[4] = vectors[1]
    hashes = [text_hash(text) for text in texts]
    store.put("m", hashes, vectors)
    assert (store.matrix("m", hashes, 7) == vectors).all()
    assert store.matrix("m", hashes[::-1], 7).tolist() == vectors[::-1].tolist()
    assert store.matrix("m", [], 7).shape == (0, 7)


def test_models_do_not_share_vectors(store: VectorStore) -> None:
    key = text_hash("a")
    store.put("m@1", [key], np.ones((1, 3), dtype=np.float32))
    assert store.missing("m@2", [key]) == {key}
    assert store.get("m@2", [key]) == {}
    with pytest.raises(StoreError, match="missing"):
        store.matrix("m@2", [key], 3)
    with pytest.raises(StoreError, match="missing"):
        store.matrix("m@1", [key], 4)


def test_a_vector_of_no_number_is_refused(store: VectorStore) -> None:
    bad = np.array([[1.0, np.nan]], dtype=np.float32)
    with pytest.raises(EmbeddingError, match="not a number"):
        store.put("m", [text_hash("a")], bad)
    assert store.missing("m", [text_hash("a")])


def test_a_second_store_of_a_process_leaves_the_locks_of_the_first(
    tmp_path: Path,
) -> None:
    path = tmp_path / "v.sqlite"
    with closing(VectorStore(path)) as first:
        first.put("m", [text_hash("a")], np.ones((1, 3), dtype=np.float32))
        # Opening the file and closing it again would drop them all (POSIX).
        VectorStore(path).close()
        script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
        script += (
            "print(c.execute('SELECT count(*) FROM vectors').fetchone()); c.close()"
        )
        subprocess.run([sys.executable, "-c", script, str(path)], check=True)
        # Who closes a file as the last one folds the log into it and deletes the log.
        assert path.with_name("v.sqlite-wal").exists()
        first.put("m", [text_hash("b")], np.ones((1, 3), dtype=np.float32))
    with closing(VectorStore(path)) as again:
        assert not again.missing("m", [text_hash("a"), text_hash("b")])


def test_more_keys_than_a_statement_takes(store: VectorStore) -> None:
    hashes = [text_hash(str(n)) for n in range(2500)]
    store.put("m", hashes, np.arange(2500, dtype=np.float32).reshape(-1, 1))
    assert store.matrix("m", hashes, 1).ravel().tolist() == list(range(2500))
    assert store.missing("m", [*hashes, text_hash("new")]) == {text_hash("new")}


def test_only_unknown_texts_are_computed_once(store: VectorStore) -> None:
    embedder = FakeEmbedder()
    cached = CachedEmbedder(embedder, store)
    first = cached.embed(["one", "two", "one"])
    assert (first[0] == first[2]).all()
    assert (first == FakeEmbedder().embed(["one", "two", "one"])).all()
    cached.embed(["two", "three", "one"])
    assert sorted(embedder.texts) == ["one", "three", "two"]
    assert (cached.model_id, cached.dimensions) == (embedder.model_id, 64)


def test_batches_are_small_and_of_like_lengths(store: VectorStore) -> None:
    embedder, told = FakeEmbedder(), list[Progress]()
    texts = ["x" * (n * 7919 % 100 + 1) + str(n) for n in range(200)]
    CachedEmbedder(embedder, store, told.append).embed(texts)
    lengths = [len(text) for text in embedder.texts]
    assert lengths == sorted(lengths, reverse=True)
    assert max(map(len, embedder.batches)) == BATCH
    assert (told[-1].done, told[-1].total) == (200, 200)
    assert told[-1].eta_seconds == 0


def test_long_texts_come_in_smaller_batches(store: VectorStore) -> None:
    embedder = FakeEmbedder()
    texts = ["x" * 7000 + str(n) for n in range(5)] + ["y" * 20_000]
    CachedEmbedder(embedder, store).embed(texts)
    assert [len(batch) for batch in embedder.batches] == [1, 2, 2, 1]


def test_what_was_computed_before_a_cancel_is_kept(store: VectorStore) -> None:
    embedder = FakeEmbedder()
    texts = [f"text {n}" for n in range(3 * BATCH)]

    def cancelled() -> bool:
        return len(embedder.batches) == 2

    cancelling = CachedEmbedder(embedder, store, None, cancelled)
    assert cancelling.embed_missing(texts) == 2 * BATCH
    assert CachedEmbedder(embedder, store).embed_missing(texts) == BATCH
    assert len(embedder.texts) == len(set(embedder.texts)) == 3 * BATCH


def test_an_error_keeps_the_batches_before_it(store: VectorStore) -> None:
    class Failing(FakeEmbedder):
        def embed(self, texts: Sequence[str]) -> Floats:
            if len(self.batches) == 1:
                raise EmbeddingError("no more")
            return super().embed(texts)

    texts = [f"text {n}" for n in range(BATCH + 8)]
    with pytest.raises(EmbeddingError):
        CachedEmbedder(Failing(), store).embed(texts)
    assert len(store.missing("fake@1/fp32", map(text_hash, texts))) == 8


def test_several_writers_at_once(tmp_path: Path) -> None:
    def write(first: int) -> None:
        store = VectorStore(tmp_path / "v.sqlite")
        texts = [f"text {n}" for n in range(first, first + 60)]
        CachedEmbedder(FakeEmbedder(), store).embed(texts)
        store.close()

    threads = [threading.Thread(target=write, args=(n * 30,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = VectorStore(tmp_path / "v.sqlite")
    hashes = [text_hash(f"text {n}") for n in range(150)]
    assert store.matrix("fake@1/fp32", hashes, 64).shape == (150, 64)


def test_opening_waits_for_the_first_write_of_another(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite refuses the switch to WAL at once
    with (
        closing(sqlite3.connect(path, timeout=9)) as impatient,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        impatient.execute("PRAGMA journal_mode=WAL")
    done = threading.Timer(0.1, lambda: other.execute("COMMIT"))
    done.start()
    store = VectorStore(path)
    done.join()
    other.close()
    store.put("m", [text_hash("a")], np.ones((1, 3), dtype=np.float32))
    assert store.missing("m", [text_hash("a")]) == set()
    store.close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"this is no database, but it is long enough to look like one" * 9)
    with pytest.raises(StoreError, match=r"v\.sqlite"):
        VectorStore(path)


def test_the_file_is_private(tmp_path: Path, store: VectorStore) -> None:
    store.put("m", [text_hash("a")], np.ones((1, 3), dtype=np.float32))
    files = list(tmp_path.iterdir())
    assert len(files) == 3
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
