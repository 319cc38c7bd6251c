"""An imported suite as files: the command and the interface write the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.stores.suites.loading import load_suite
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.gateway.library import LibraryGateway

HOSTILE = "Who \x9b2J built \u202eit\u202c, and \x7f why?"
ROW = {"user_input": HOSTILE, "response": f"Nobody. {HOSTILE}", "reference": HOSTILE}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file of ragas with what a terminal would obey in every field."""
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW, ensure_ascii=False) + "\n", "utf-8")
    return path


def test_the_command_and_the_interface_write_the_same(
    rows: Path, tmp_path: Path, workspace: Workspace
) -> None:
    typed = tmp_path / "typed" / "suite.json"
    typed.parent.mkdir()
    assert main(["suite", "import", str(rows), "-o", str(typed)]) == 0
    pressed = LibraryGateway(workspace).import_suite(rows).path
    suites = [json.loads(path.read_text("utf-8")) for path in (typed, pressed)]
    for one in suites:  # only names and titles are the face's own
        del one["answers"], one["title"]
    assert suites[0] == suites[1] and list(suites[1])[:2] == ["format", "version"]
    for path in (typed, pressed):
        loaded = load_suite(path)
        assert loaded.suite.cases[0].question == HOSTILE
        assert HOSTILE in loaded.answers[0].text
        for file in path.parent.glob("*.json*"):
            text = file.read_text("utf-8")
            assert not {"\x7f", "\x9b", "\u202e", "\u202c"} & set(text), file


def test_a_suite_without_answers_has_no_file_of_them(
    rows: Path, workspace: Workspace
) -> None:
    rows.write_text(json.dumps({**ROW, "response": ""}), "utf-8")
    path = LibraryGateway(workspace).import_suite(rows).path
    assert [file.name for file in path.parent.iterdir()] == ["suite.json"]
    assert load_suite(path).answers == ()
