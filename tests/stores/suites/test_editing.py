"""Editing a suite file: what is unknown stays, what ships is untouched, undo works."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.errors import StoreError, SuiteError
from claimscope.stores.suites.editing import (
    editable_copy,
    is_editable,
    mark_of,
    new_id,
    open_draft,
)
from claimscope.stores.suites.loading import load_suite, shipped_suites

CASES: list[dict[str, Any]] = [
    {"id": "kiln-1", "question": "How hot?", "claims": [{"text": "It is 900 °C."}]},
    {
        "id": "kiln-2",
        "question": "How long?",
        "metadata": {"generated": True, "accepted": None, "from": "kiln.md"},
    },
]


def written(folder: Path, name: str = "kilns.json") -> Path:
    """A suite with fields that we do not know, cases not last."""
    path = folder / name
    if path.suffix == ".jsonl":
        rows = [{"format": "claimscope.suite", "id": "kilns", "odd": 1}, *CASES]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        data = {"id": "kilns", "cases": CASES, "x-colour": {"of": ["clay", 1.5]}}
        path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize("name", ["kilns.json", "kilns.jsonl"])
def test_a_change_is_saved_and_everything_else_kept(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    draft = open_draft(path)
    draft.change(0, {**draft.cases[0], "question": "How hot is it?", "odd": [1]})
    again = open_draft(path)
    assert again.fields == draft.fields
    assert again.cases[0]["question"] == "How hot is it?"
    assert again.cases[0]["odd"] == [1]
    assert again.cases[0]["claims"] == CASES[0]["claims"]
    assert again.cases[1] == CASES[1]
    if path.suffix == ".json":
        assert list(json.loads(path.read_text())) == ["id", "cases", "x-colour"]


def test_every_change_is_taken_back_in_turn(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = json.loads(path.read_text())
    draft = open_draft(path)
    assert draft.undo() is None and draft.last_change is None
    draft.add({"id": "kiln-3", "question": "Why?"})
    draft.accept(1)
    assert mark_of(draft.cases[1]) == "accepted"
    assert draft.cases[1]["metadata"]["from"] == "kiln.md"
    draft.delete(0)
    assert [case["id"] for case in open_draft(path).cases] == ["kiln-2", "kiln-3"]
    assert draft.undo() == ("deletion of case kiln-1", 0)
    assert draft.undo() == ("acceptance of case kiln-2", 1)
    assert draft.last_change == "new case kiln-3"
    assert draft.undo() == ("new case kiln-3", 1)
    assert json.loads(path.read_text()) == before


def test_marks_of_generated_cases_load_as_a_suite(tmp_path: Path) -> None:
    path = written(tmp_path)
    data = json.loads(path.read_text())
    del data["x-colour"]
    path.write_text(json.dumps(data))
    assert [mark_of(case) for case in CASES] == [None, "candidate"]
    assert load_suite(path).suite.cases[1].metadata["accepted"] is None


def test_a_file_changed_by_another_program_is_not_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path)
    draft = open_draft(path)
    theirs = path.read_text().replace("How long?", "How long is it?")
    path.write_text(theirs)
    with pytest.raises(StoreError, match="another program has changed"):
        draft.delete(0)
    assert path.read_text() == theirs
    assert len(draft.cases) == 2 and draft.last_change is None


def test_what_ships_is_copied_with_its_pages_and_answers(tmp_path: Path) -> None:
    shipped = shipped_suites()["courses"]
    assert not is_editable(shipped)
    before = shipped.read_bytes()
    copy = editable_copy(shipped, tmp_path / "suites")
    assert is_editable(copy)
    open_draft(copy).delete(0)
    assert shipped.read_bytes() == before
    assert editable_copy(shipped, tmp_path / "suites") == copy
    loaded = load_suite(shipped)
    assert len(open_draft(copy).cases) == len(loaded.suite.cases) - 1
    assert (copy.parent / str(loaded.suite.pages)).is_dir()
    assert copy.stat().st_mode & 0o777 == 0o600


def test_yaml_is_copied_as_json_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "tides.yaml"
    path.write_text("id: tides\ncases:\n- {id: a, question: How high?, odd: 1}\n")
    with pytest.raises(SuiteError, match="read, not edited"):
        open_draft(path)
    copy = editable_copy(path, tmp_path / "suites")
    assert copy == tmp_path / "tides.json"
    assert open_draft(copy).cases == [{"id": "a", "question": "How high?", "odd": 1}]


def test_a_line_that_could_not_be_written_back_refuses_editing(tmp_path: Path) -> None:
    path = written(tmp_path, "kilns.jsonl")
    path.write_text(path.read_text() + "{broken\n")
    with pytest.raises(SuiteError, match="line 4"):
        open_draft(path)


def test_new_ids_meet_no_other() -> None:
    assert new_id([{"id": "case-003"}, {"id": "b"}]) == "case-004"
    assert new_id([]) == "case-001"
