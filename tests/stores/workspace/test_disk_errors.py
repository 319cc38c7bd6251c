"""A full or read-only disk is told as such, never as damage to be deleted."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimscope.core.errors import IndexBroken, StoreError
from claimscope.stores.index.chroma import broken_error
from claimscope.stores.index.embeddings import VectorStore, text_hash
from claimscope.stores.index.page_texts import PageArchive
from claimscope.stores.workspace.disk_errors import refusal


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk is full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "disk is full"),
        (OSError(errno.EROFS, "Read-only file system"), "may not be written"),
        (PermissionError(errno.EACCES, "Permission denied"), "may not be written"),
        (OSError(errno.EIO, "Input/output error"), "did not do as it was told"),
        (RuntimeError("(code: 13) database or disk is full"), "disk is full"),
        (RuntimeError("attempt to write a readonly database"), "may not be written"),
    ],
)
def test_a_refusing_disk_is_named(error: Exception, words: str) -> None:
    found = refusal(Path("vectors.sqlite"), error)
    assert found is not None
    assert words in found.message
    assert "vectors.sqlite" in found.message
    told = broken_error(Path("chroma-1"), error)
    assert not isinstance(told, IndexBroken)  # it would be rebuilt on the same disk


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.DatabaseError("file is not a database"),
        FileNotFoundError(errno.ENOENT, "No such file"),
        ValueError("the vessel is full of readings"),
    ],
)
def test_damage_is_no_refusal(error: Exception) -> None:
    assert refusal(Path("a"), error) is None


def test_a_full_database_says_so_and_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = VectorStore(tmp_path / "v.sqlite")
    store.put("m", [text_hash("a")], np.ones((1, 3), dtype=np.float32))
    store.close()
    real = sqlite3.connect

    def full(path: Path, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(path, **options)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", full)
    store = VectorStore(tmp_path / "v.sqlite")
    many = [text_hash(str(n)) for n in range(900)]
    with pytest.raises(StoreError, match="disk is full"):
        store.put("m", many, np.ones((900, 3), dtype=np.float32))
    assert store.missing("m", [text_hash("a"), many[0]]) == {many[0]}
    store.close()


def test_a_database_that_may_not_be_written_is_not_to_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect

    def read_only(path: Path, **options: object) -> sqlite3.Connection:
        return real(f"file:{path}?mode=ro", uri=True, **options)  # type: ignore[call-overload,no-any-return]

    for kind, name in ((VectorStore, "v.sqlite"), (PageArchive, "p.sqlite")):
        path = tmp_path / name
        with closing(real(path)) as empty:
            empty.execute("CREATE TABLE other (a)")
        with monkeypatch.context() as patch:
            patch.setattr(sqlite3, "connect", read_only)
            with pytest.raises(StoreError, match="may not be written") as caught:
                kind(path)
        assert "delete" not in (caught.value.hint or "").lower()
