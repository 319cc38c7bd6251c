"""NaN and its kin are no values: not in suites, answers, imports, rows and pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.errors import SuiteError
from claimscope.stores.pages.folder import read_folder
from claimscope.stores.pages.parsing.missing_values import (
    missing_as_written,
    missing_in_cell,
)
from claimscope.stores.suites.importing import ImportResult, import_text
from claimscope.stores.suites.lint import lint
from claimscope.stores.suites.loading import load_suite, read_raw
from claimscope.tui.services.score.rows import row_of


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (float("nan"), "NaN"),
        (float("-inf"), "Infinity"),
        ("nan", "nan"),
        (" \n", "an empty text"),
        ([], "an empty list"),
        ("None", None),
        ("N/A", None),
        (0, None),
        (False, None),
    ],
)
def test_values_of_json(value: object, shown: str | None) -> None:
    assert missing_as_written(value) == shown


@pytest.mark.parametrize(
    ("cell", "column", "shown"),
    [
        ("", "reference", "an empty cell"),
        ("NaN", "response", "NaN"),
        ("None", "response", "None"),
        ("NULL", "reference", "NULL"),
        ("inf", "reference", "inf"),
        ("N/A", "reference", "N/A"),
        ("N/A", "response", None),
        ("NA", "id", None),
        ("None of them.", "response", None),
        ("0", "reference", None),
    ],
)
def test_cells_of_a_table(cell: str, column: str, shown: str | None) -> None:
    assert missing_in_cell(cell, column) == shown


def gone(found: ImportResult) -> dict[str, list[str]]:
    return {name: [place for place, _ in places] for name, places in found.missing}


def test_an_import_of_json_lines_names_what_is_missing_and_takes_the_rest() -> None:
    rows = [
        '{"user_input": "Who?", "response": NaN, "reference": "Ada.", '
        '"retrieved_contexts": ["Ada."]}',
        '{"user_input": "When?", "response": "At two.", "reference": Infinity, '
        '"retrieved_contexts": ["At two.", NaN]}',
        '{"user_input": "Where?", "response": "Here.", "reference": null, '
        '"retrieved_contexts": -Infinity}',
        '{"user_input": NaN, "response": "Lost.", "retrieved_contexts": ["Lost."]}',
    ]
    found = import_text("\n".join(rows), "rows.jsonl")
    assert [answer.text for answer in found.answers] == ["At two.", "Here."]
    assert [case.reference for case in found.suite.cases] == ["Ada.", None, None]
    assert [case.contexts for case in found.suite.cases] == [
        ("Ada.",),
        ("At two.",),
        (),
    ]
    assert gone(found) == {
        "response": ["line 1"],
        "reference": ["line 2", "line 3"],
        "retrieved_contexts[2]": ["line 2"],
        "retrieved_contexts": ["line 3"],
        "user_input": ["line 4"],
    }
    assert found.problems == ("rows.jsonl: line 4: field question: is missing",)


def test_an_import_of_a_table_does_not_take_nan_for_a_word() -> None:
    table = (
        "user_input,response,reference,retrieved_contexts\n"
        "a?,nan,Ada.,\"['Ada.', nan]\"\nb?,Two.,None,NULL\nc?,,Ada.,[]\n"
        "d?,None of them.,Ada.,\"['cut' ... 'off']\"\n"
    )
    found = import_text(table, "rows.csv")
    assert [answer.text for answer in found.answers] == ["Two."]
    assert [case.contexts for case in found.suite.cases] == [("Ada.",), (), ()]
    assert gone(found) == {
        "response": ["line 2", "line 4"],
        "retrieved_contexts[2]": ["line 2"],
        "reference": ["line 3"],
        "retrieved_contexts": ["line 3", "line 4"],
    }
    (problem,) = found.problems
    assert "rows.csv: line 5: field retrieved_contexts: the cell begins like" in problem


def test_promptfoo_fills_no_nan_into_a_prompt() -> None:
    test = {"vars": {"land": float("nan"), "question": "What of it?"}}
    config = {"prompts": ["Of {{land}}"], "tests": [test]}
    test["assert"] = [{"type": "equals", "value": "{{land}}"}]  # type: ignore[assignment]
    (case,) = import_text(json.dumps(config), "a.json").suite.cases
    assert case.reference is None and "nan" not in case.question


def suite_file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_suite_of_any_format_reads_nan_as_a_missing_field(tmp_path: Path) -> None:
    case = (
        '{"id": "a", "question": "Who?", "reference": NaN, "contexts": ["Ada.", NaN]}'
    )
    for name, text in (
        ("s.json", f'{{"id": "s", "cases": [{case}]}}'),
        ("s.jsonl", case),
        (
            "s.yaml",
            "id: s\ncases:\n- {id: a, question: Who?, reference: .nan, "
            "contexts: [Ada., .nan]}\n",
        ),
        ("s.csv", "id,question,reference,contexts\na,Who?,NaN,\"['Ada.', nan]\"\n"),
    ):
        path = suite_file(tmp_path, name, text)
        loaded = load_suite(path)
        assert loaded.suite.cases[0].reference is None
        assert loaded.suite.cases[0].contexts == ("Ada.",)
        assert any("reference is missing (NaN)" in note for note in loaded.notes)
        found = [f for f in lint(read_raw(path), path) if "reference is" in f.message]
        assert [f.level for f in found] == ["warning"]


def test_a_question_that_is_nan_is_a_mistake_as_one_that_is_not_there(
    tmp_path: Path,
) -> None:
    path = suite_file(tmp_path, "s.jsonl", '{"id": "a", "question": NaN}')
    with pytest.raises(SuiteError, match="field question: is missing"):
        load_suite(path)


def test_a_cell_of_a_suite_that_is_no_list_is_named_by_line_and_column(
    tmp_path: Path,
) -> None:
    text = "id,question,contexts\na,Who?,\"['Ada.' ... 'Bo.']\"\nb,When?,At two.\n"
    path = suite_file(tmp_path, "s.csv", text)
    with pytest.raises(SuiteError, match="line 2, contexts: the cell begins like a"):
        load_suite(path)
    assert [case.id for case in load_suite(path, lenient=True).suite.cases] == ["b"]


def test_an_answer_that_is_nan_leaves_its_case_without_an_answer(
    tmp_path: Path,
) -> None:
    cases = ", ".join(f'{{"id": "{n}", "question": "{n}?"}}' for n in "ab")
    text = f'{{"id": "s", "answers": "a.jsonl", "cases": [{cases}]}}'
    path = suite_file(tmp_path, "s.json", text)
    suite_file(
        tmp_path,
        "a.jsonl",
        '{"case_id": "a", "text": NaN}\n{"case_id": "b", "text": "None"}\n',
    )
    loaded = load_suite(path)
    assert [answer.text for answer in loaded.answers] == ["None"]
    assert "a.jsonl, line 1: the answer is missing (NaN)" in loaded.notes


def test_rows_to_score_and_pages(tmp_path: Path) -> None:
    row = row_of(b'{"id": 1, "question": "Who?", "answer": "Ada.", "reference": NaN}')
    assert row.reference is None
    assert row_of(b'{"id": 1, "question": "Who?", "answer": ""}').answer == ""
    with pytest.raises(ValueError, match="field answer: is missing"):
        row_of(b'{"id": 1, "question": "Who?", "answer": NaN}')
    (tmp_path / "p.csv").write_text("id,title,text\na,nan,Ada keeps it.\nb,B,NaN\n")
    (tmp_path / "q.jsonl").write_text('{"id": "q", "title": NaN, "text": "It rains."}')
    reading = read_folder(tmp_path)
    assert [(p.page_id, p.title) for p in reading.pages] == [("a", None), ("q", None)]
    assert [m for _, m in reading.problems] and "line 3" in reading.problems[0][1]
