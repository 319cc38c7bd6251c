"""What is no file is refused by whoever reads it, and waited for by nobody."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from claimscope.core.errors import (
    ClaimscopeError,
    InputError,
    PageError,
    StoreError,
    SuiteError,
)
from claimscope.stores.index.page_index import PageIndex
from claimscope.stores.pages.folder import read_file, read_folder
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.loading import load_suite
from claimscope.stores.workspace.configuration import load
from claimscope.stores.workspace.regular_files import open_regular, read_regular
from claimscope.tui.app.themes import read_themes
from claimscope.tui.cli.commands.check import read_answer
from claimscope.tui.screens.results.arrangements import SavedViews
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


def test_a_file_is_read_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    assert read_regular(tmp_path / "a") == b"0123456789"
    assert read_regular(tmp_path / "a", 4) == b"0123"
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert read_regular(tmp_path / "link", 1) == b"0"
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe, not a file"):
        open_regular(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a device, not a file"):
        open_regular("/dev/zero")
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none")


def test_what_becomes_a_pipe_after_the_look_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"a")
    os.mkfifo(tmp_path / "pipe")
    known = os.stat(tmp_path / "a")
    monkeypatch.setattr(os, "stat", lambda path: known)
    with pytest.raises(OSError, match="it is a pipe"):
        open_regular(tmp_path / "pipe")


READERS: dict[str, tuple[str, Callable[[Path], object], type[ClaimscopeError]]] = {
    "page": ("a.txt", read_file, PageError),
    "folder of pages": (
        "pages/a.txt", lambda path: read_folder(path.parent), PageError
    ),
    "sitemap": ("pages/sitemap.xml", lambda path: read_folder(path.parent), PageError),
    "suite": ("suite.json", load_suite, SuiteError),
    "answers": ("answers.jsonl", text_of, SuiteError),
    "settings": (
        "claimscope.toml", lambda path: load(path.parent, {}, {}), ClaimscopeError
    ),
    "journal": (
        f"{RUN}/{RUN_JOURNAL}",
        lambda path: DiskRunStore(path.parents[1]).read(RUN),
        StoreError,
    ),
    "answer of check": ("a.md", lambda path: read_answer(str(path)), InputError),
    "views": ("views.json", lambda path: SavedViews(path.parent).read(), InputError),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("reader", READERS)
def test_no_reader_waits_for_a_pipe_or_reads_a_device(
    tmp_path: Path, reader: str, kind: str
) -> None:
    name, read, error = READERS[reader]
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(error):
        read(path)


def test_a_theme_that_is_a_pipe_is_told_of(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.toml")
    themes, (problem,) = read_themes([tmp_path])
    assert list(themes) == [] and "it is a pipe" in problem


def to_folder(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
        path.write_text("a file in place of a folder")
        return
    path.unlink()
    path.mkdir()


def to_pipe(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("change", [to_folder, to_pipe])
def test_files_of_chroma_that_are_none_are_built_anew(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    pages = [fakes.page("PMID:1", "The Varn reservoir leaks. Herons nest on it.")]
    made = tmp_path / "made"
    with closing(PageIndex(made, "dam", fakes.FakeEmbedder(), write=True)) as index:
        index.index_pages(pages)
        assert index.search("herons", k=1).hits[0].text == "Herons nest on it."
    # One of each kind: each costs a look by a process of its own.
    (folder,) = made.glob("dam/chroma-*")
    vectors = next(path for path in sorted(folder.iterdir()) if path.is_dir())
    places = [
        path.relative_to(made)
        for path in (folder / "chroma.sqlite3", next(vectors.iterdir()), vectors)
    ]
    for number, place in enumerate(places):
        root = tmp_path / f"copy{number}"
        shutil.copytree(made, root)
        change(root / place)
        embedder = fakes.FakeEmbedder()
        with closing(PageIndex(root, "dam", embedder)) as index:
            found = index.search("herons", k=1)
            assert found.hits[0].text == "Herons nest on it.", place
            assert found.fallback is None, place
            assert index.manifest.is_clean, place
        assert embedder.texts == ["herons"], "nothing is embedded again"
