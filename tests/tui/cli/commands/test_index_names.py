"""A corpus is its folder: a second folder of the same name takes nothing from it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from claimscope.stores.index.manifest import corpora
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main

pytestmark = pytest.mark.usefixtures("fake_embeddings")


def docs(folder: Path, *texts: str) -> Path:
    """A folder `docs` with a page for each text."""
    made = folder / "docs"
    made.mkdir(parents=True)
    for number, text in enumerate(texts):
        (made / f"{number}.txt").write_text(text)
    return made


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of one name; the first is indexed."""
    one = docs(tmp_path / "a", "Herons nest on the dam.", "The dam leaks.")
    other = docs(tmp_path / "b", "The fee is 40 marks.")
    assert main(["pages", "index", str(one)]) == 0
    return one, other


def pages(capsys: pytest.CaptureFixture[str], corpus: str) -> int:
    capsys.readouterr()
    assert main(["pages", "--corpus", corpus, "--json"]) == 0
    return len(capsys.readouterr().out.splitlines())


def test_another_folder_of_the_same_name_is_refused_with_both_paths(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = two
    capsys.readouterr()
    for words in ((), ("--name", "docs"), ("--rebuild",)):
        assert main(["pages", "index", str(other), *words]) == 2
        said = capsys.readouterr().err
        assert str(one) in said and str(other) in said and "--name ANOTHER" in said
    assert pages(capsys, "docs") == 2


def test_both_are_kept_by_names_or_the_first_is_given_up_when_meant(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = two
    assert main(["pages", "index", str(other), "--name", "fees"]) == 0
    assert (pages(capsys, "docs"), pages(capsys, "fees")) == (2, 1)
    assert main(["pages", "index", str(other), "--replace"]) == 0
    assert pages(capsys, "docs") == 1
    assert main(["pages", "index", str(one)]) == 2, "it is the other folder's now"


def test_the_same_folder_by_another_way_and_a_moved_one_are_the_same(
    two: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = two
    (tmp_path / "link").symlink_to(one)
    assert main(["pages", "index", str(tmp_path / "link"), "--name", "docs"]) == 0
    monkeypatch.chdir(one.parent)
    assert main(["pages", "index", "docs"]) == 0
    shutil.move(one, tmp_path / "docs")
    assert main(["pages", "index", str(tmp_path / "docs")]) == 0


def test_the_second_of_two_suites_of_one_id_has_a_corpus_of_its_own(
    tmp_path: Path,
) -> None:
    for name, text in (("a", "The fee is 40 marks."), ("b", "The dam leaks.")):
        folder = tmp_path / name
        docs(folder, text)
        suite = {
            "format": "claimscope.suite",
            "version": 1,
            "id": "small",
            "pages": "docs",
            "cases": [{"id": "c1", "question": "What?"}],
        }
        (folder / "suite.json").write_text(json.dumps(suite))
        answer = {"case_id": "c1", "provider": "mine", "text": text}
        (folder / "answers.jsonl").write_text(json.dumps(answer))
        words = ["run", str(folder / "suite.json"), "--answers"]
        main([*words, str(folder / "answers.jsonl")])
    found = corpora(Workspace.find().index)
    assert len(found) == 2 and all(one.pages == 1 for one in found)
    assert found[0].name == "small" and found[1].name.startswith("small-")
