"""Several folders of pages read as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.core.errors import PageError
from claimscope.stores.pages.folder import read_folders, shared_root


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path.parent


def test_ids_and_paths_are_those_below_what_the_folders_share(tmp_path: Path) -> None:
    now = write(tmp_path / "docs" / "now" / "fees.md", "The fee is 40 marks.")
    old = write(tmp_path / "docs" / "old" / "fees.md", "The fee was 30 marks.")
    write(old / "sub" / "logo.png", "x")
    write(old / "broken.json", "{")
    found = read_folders([now, old])
    assert shared_root([now, old]) == tmp_path / "docs"
    assert [(page.page_id, page.path) for page in found.pages] == [
        ("now/fees.md", "now/fees.md"),
        ("old/fees.md", "old/fees.md"),
    ]
    assert found.files == 2
    assert found.ignored == ("old/sub/logo.png",)
    ((place, message),) = found.problems
    assert place == "old/broken.json" and message.startswith("old/broken.json")


def test_a_folder_within_another_is_read_once(tmp_path: Path) -> None:
    outer = write(tmp_path / "a.md", "The fee is 40 marks.")
    inner = write(tmp_path / "sub" / "b.md", "The door is green.")
    found = read_folders([outer, inner])
    assert shared_root([outer, inner]) == outer
    assert [page.page_id for page in found.pages] == ["a.md", "sub/b.md"]
    assert not found.problems


def test_an_id_that_two_pages_bring_is_told(tmp_path: Path) -> None:
    row = '[{"id": "PMID:1", "text": "%s"}]'
    one = write(tmp_path / "one" / "pages.json", row % "The dose was 10 mg.")
    two = write(tmp_path / "two" / "pages.json", row % "The dose was 20 mg.")
    found = read_folders([one, two])
    ((place, message),) = found.problems
    assert place == "two/pages.json"
    assert "already taken by one/pages.json" in message
    (page,) = found.pages
    assert page.path == "one/pages.json" and "10 mg" in page.text


def test_patterns_hold_in_each_and_an_empty_folder_is_told(tmp_path: Path) -> None:
    one = write(tmp_path / "one" / "a.md", "The fee is 40 marks.")
    write(one / "a.txt", "Something else.")
    two = write(tmp_path / "two" / "b.md", "The door is green.")
    found = read_folders([one, two], include=["/*.md"])
    assert [page.page_id for page in found.pages] == ["one/a.md", "two/b.md"]
    assert found.excluded == 1
    (tmp_path / "none").mkdir()
    with pytest.raises(PageError, match="none: there is no readable page"):
        read_folders([one, tmp_path / "none"])
