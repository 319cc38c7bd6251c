"""Most of a folder left aside is told from pictures and programs beside the pages."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from claimscope.stores.pages.folder import read_folder
from claimscope.stores.pages.reading_record import read_reading, save_reading
from claimscope.stores.pages.unread import kinds_text


def folder(path: Path, *names: str) -> Path:
    """A page, and further files of no format that is read."""
    for name in ("page.md", *names):
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text("The ferry leaves at 8:15.")
    return path


@pytest.mark.parametrize("suffix", [".textile", ".doc", ".pptx", ".org", ""])
def test_files_of_formats_that_may_hold_pages_count(
    tmp_path: Path, suffix: str
) -> None:
    unread = read_folder(folder(tmp_path, f"a{suffix}", f"sub/b{suffix}")).unread()
    assert (unread.count, unread.of, unread.is_most) == (2, 3, True)
    assert unread.words() == (f"2 of 3 files were not read (2 {suffix or 'no suffix'})")


def test_pictures_programs_settings_and_hidden_files_do_not(tmp_path: Path) -> None:
    names = ("a.png", "b.svg", "c.css", "d.py", "e.yaml", "f.woff2", "g.mp4", "h.lock")
    reading = read_folder(folder(tmp_path, *names, ".hidden/x.textile", ".y.textile"))
    assert len(reading.ignored) == len(names)
    assert reading.unread().count == 0 and not reading.unread().is_most


def test_half_is_not_most(tmp_path: Path) -> None:
    assert not read_folder(folder(tmp_path, "a.textile")).unread().is_most
    assert read_folder(folder(tmp_path, "a.textile", "b.textile")).unread().is_most


def test_files_of_which_nothing_could_be_read_count_and_half_read_ones_do_not(
    tmp_path: Path,
) -> None:
    folder(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"\0\1\2binary")
    (tmp_path / "b.csv").write_text("name,price\nx,1\n")
    (tmp_path / "c.jsonl").write_text('{"text": "The dam leaks."}\nbroken\n')
    unread = read_folder(tmp_path).unread()
    assert (unread.count, unread.of) == (2, 4)
    assert unread.kinds == ((".csv", 1), (".txt", 1))


def test_what_the_patterns_leave_out_is_not_missed(tmp_path: Path) -> None:
    folder(tmp_path, "a.textile", "b.textile", "c.textile")
    assert not read_folder(tmp_path, exclude=["*.textile"]).unread().is_most
    assert not read_folder(tmp_path, include=["*.md"]).unread().is_most


@pytest.mark.parametrize("alone", [True, False])
def test_members_of_an_archive_without_a_reader_are_left_aside_not_lost(
    tmp_path: Path, alone: bool
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("one.md", "two.pptx", "three.pptx", "logo.png"):
            archive.writestr(name, "The ferry leaves at 8:15.")
    (tmp_path / "docs.zip").write_bytes(packed.getvalue())
    reading = read_folder(tmp_path / "docs.zip" if alone else tmp_path)
    assert [page.page_id for page in reading.pages] == ["docs.zip/one.md"]
    assert set(reading.ignored) == {"docs.zip/two.pptx", "docs.zip/three.pptx"}
    assert reading.unread().words() == "2 of 3 files were not read (2 .pptx)"


def test_the_record_of_an_index_keeps_it(tmp_path: Path) -> None:
    pages = folder(tmp_path / "pages", "a.textile", "b.textile")
    (tmp_path / "root" / "pages").mkdir(parents=True)
    save_reading(tmp_path / "root", "pages", pages, read_folder(pages))
    record = read_reading(tmp_path / "root", "pages")
    assert record is not None
    assert record.unread == "2 of 3 files were not read (2 .textile)"


def test_many_formats_are_cut() -> None:
    kinds = [(f".{letter}", 1) for letter in "abcdefg"]
    assert kinds_text(kinds) == "1 .a, 1 .b, 1 .c, 1 .d, 1 .e and 2 of other formats"
