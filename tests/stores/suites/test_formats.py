"""Suites as CSV and YAML, their schema, and what lint says of a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from claimscope.core.errors import SuiteError
from claimscope.stores.suites import schema
from claimscope.stores.suites.exports import answered_in_suite, rows_for
from claimscope.stores.suites.formats.yaml_suite import load
from claimscope.stores.suites.lint import LintFinding, lint
from claimscope.stores.suites.loading import load_suite, read_raw, shipped_suites

FILES = Path(__file__).parent / "files"
GOOD, BROKEN = FILES / "good", FILES / "broken"


def findings(path: Path, *, pages: bool = True) -> list[LintFinding]:
    return list(lint(read_raw(path), path, pages=pages))


def test_csv() -> None:
    first, second = load_suite(GOOD / "suite.csv").suite.cases
    assert [claim.text for claim in first.claims] == [
        "It leaves at 22:15.",
        "It leaves from platform 4.",
        "It is a night train.",
    ]
    assert [claim.importance for claim in first.claims][1:] == ["required", "optional"]
    assert [(c.page_id, c.sentence) for c in first.citations] == [
        ("timetable.txt", None),
        ("PMID:12", 3),
    ]
    assert second.claims[0].text == "A berth costs 35 marks."
    assert second.difficulty is None


def test_yaml_and_json_lines() -> None:
    suite = load_suite(GOOD / "suite.yaml").suite
    assert (suite.id, len(suite.cases)) == ("trains", 2)
    assert suite.cases[1].contexts == ("A berth costs 35 marks.",)
    assert load("a: 2025-01-01", "a.yaml") == {"a": "2025-01-01"}
    for text in ("[" * 5000, "- " * 5000, "!!int x", "a: b: c", "!!python/name:os.x"):
        with pytest.raises(SuiteError):
            load(text, "a.yaml")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("suite.yaml", "case 2 (b), field question: is missing"),
        (
            "suite.csv",
            "line 2 (a), field dificulty: is not known; is difficulty meant?",
        ),
        ("suite-cells.csv", "line 3, it has 3 cells, the first row 2"),
    ],
)
def test_broken_suites(name: str, words: str) -> None:
    with pytest.raises(SuiteError) as caught:
        load_suite(BROKEN / name)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["ragas.jsonl", "deepeval.json", "ragchecker.json"])
def test_a_file_of_another_tool_is_named_with_the_way_in(name: str) -> None:
    with pytest.raises(SuiteError) as caught:
        load_suite(GOOD / name)
    assert f"claimscope suite import {name}" in caught.value.hint


def test_the_committed_schema_is_that_of_the_models() -> None:
    file = Path(schema.__file__).with_name("suite.schema.json")
    assert file.read_text("utf-8") == schema.schema_text()
    validator = jsonschema.Draft202012Validator(json.loads(file.read_text("utf-8")))
    for suite in shipped_suites().values():
        assert validator.is_valid(json.loads(suite.read_text("utf-8")))
    assert not validator.is_valid({"id": "a", "cases": [{"id": "b"}]})


def suite_file(folder: Path, cases: list[Any], **more: Any) -> Path:
    path = folder / "suite.json"
    path.write_text(json.dumps({"id": "s", "cases": cases, **more}), "utf-8")
    return path


def test_lint_names_file_case_field_and_remedy(tmp_path: Path) -> None:
    case = {"id": "a", "question": "When?", "reference": "Now."}
    path = suite_file(
        tmp_path,
        [
            case,
            {**case, "id": "b", "difficulty": "hrad", "categry": "x"},
            {"id": "c"},
            {**case, "question": "Where?"},
            {"id": "d", "question": "when? "},
        ],
        rubrik="general",
    )
    texts = [str(finding) for finding in findings(path)]
    assert texts == [
        "suite.json, field rubrik: error: is not known; is rubric meant?; rename it to"
        ' "rubric"',
        "suite.json: case 2 (b), field difficulty: error: 'hrad' is not one of easy,"
        ' medium, hard; write "hard"',
        "suite.json: case 2 (b), field categry: error: is not known; is category"
        ' meant?; rename it to "category"',
        'suite.json: case 3 (c), field question: error: is missing; add "question"',
        "suite.json: case 4 (a), field id: error: case 1 has the same id; give it"
        " another id",
        "suite.json: case 5 (d), field question: warning: case 1 (a) asks the same;"
        " remove one of them",
        "suite.json: case 5 (d), field reference: warning: without reference, claims"
        " and citations only support by pages is judged; add what a right answer says",
    ]


def test_lint_holds_citations_against_the_pages(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "train.txt").write_text("It leaves at 22:15. It is blue.")
    (tmp_path / "pages" / "draft.txt").write_text("A draft.")
    citations = [
        {"page_id": "train.txt", "sentence": 1, "key_phrase": "IT is  blue"},
        {"page_id": "trian.txt"},
        {"page_id": "train.txt", "sentence": 7},
        {"page_id": "train.txt", "key_phrase": "leaves at 23:15"},
        {"page_id": "draft.txt"},
    ]
    path = suite_file(
        tmp_path,
        [{"id": "a", "question": "When?", "citations": citations}],
        pages="pages",
        pages_exclude=["draft*"],
        answers="gone.jsonl",
    )
    found = {finding.field: finding for finding in findings(path)}
    assert set(found) == {
        "answers",
        "citations[2].page_id",
        "citations[3].sentence",
        "citations[4].key_phrase",
        "citations[5].page_id",
    }
    assert found["citations[2].page_id"].remedy == "is 'train.txt' meant?"
    assert {finding.field for finding in findings(path, pages=False)} == {"answers"}


def test_the_suites_that_ship_have_no_mistake() -> None:
    for path in shipped_suites().values():
        errors = [one for one in findings(path) if one.level == "error"]
        assert errors == []


def test_rows_of_ragas_come_back_as_they_went(tmp_path: Path) -> None:
    from claimscope.stores.suites.importing import import_text

    text = (GOOD / "ragas.jsonl").read_text("utf-8")
    found = import_text(text, "ragas.jsonl")
    rows = rows_for("ragas", answered_in_suite(found.suite.cases, found.answers))
    given = [json.loads(line) for line in text.splitlines()]
    assert rows == [{k: v for k, v in row.items() if k != "rubric"} for row in given]
    alone = rows_for("ragas", answered_in_suite(found.suite.cases, ()))
    assert "response" not in alone[0]
