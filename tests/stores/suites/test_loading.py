"""Suite and answers files: what loads, and what a mistake is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.errors import SuiteError
from claimscope.core.models import Case, CaseClaim
from claimscope.stores.suites.loading import (
    load_answers,
    load_suite,
    resolve_suite,
    share_fields,
    shipped_suites,
)


def a_case(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"kiln-{number:03}", "question": "How hot?", **more}


def write_suite(folder: Path, cases: list[Any], **more: Any) -> Path:
    path = folder / "suite.json"
    path.write_text(json.dumps({"id": "kilns", "cases": cases, **more}), "utf-8")
    return path


def write_answers(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    return path


def failure(path: Path) -> str:
    with pytest.raises(SuiteError) as caught:
        load_suite(path)
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize("name", ["medicine", "courses", "website"])
def test_shipped_suites_load_whole(name: str) -> None:
    loaded = load_suite(name)
    assert loaded.path == shipped_suites()[name]
    assert len(loaded.answers) == 2 * len(loaded.suite.cases)
    assert loaded.notes == ()
    assert loaded.suite.pages and (loaded.path.parent / loaded.suite.pages).is_dir()


def test_a_suite_and_its_answers(tmp_path: Path) -> None:
    write_suite(tmp_path, [a_case(1), a_case(2)], answers="answers.jsonl")
    write_answers(
        tmp_path,
        [
            {"case_id": "kiln-001", "provider": "oak", "text": "1,200 °C."},
            {"case_id": "kiln-001", "provider": "elm", "text": ""},
            {"case_id": "kiln-002", "provider": "elm", "text": "Hot."},
        ],
    )
    loaded = load_suite(tmp_path)
    assert [answer.provider for answer in loaded.answers] == ["oak", "elm", "elm"]
    assert loaded.notes == ("oak has no answer to 1 case: kiln-002",)
    again = load_suite(tmp_path / "suite.json")
    assert (again.digest, again.answers_digest) == (
        loaded.digest,
        loaded.answers_digest,
    )


def test_answers_of_a_flag_replace_the_named_ones(tmp_path: Path) -> None:
    path = write_suite(tmp_path, [a_case(1)], answers="gone.jsonl")
    assert "no such answers file" in failure(path)
    other = write_answers(tmp_path, [{"case_id": "kiln-001", "text": "Hot."}])
    loaded = load_suite(path, answers=other)
    assert loaded.answers[0].provider == "default"
    assert loaded.answers_path == other


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    head = {"format": "claimscope.suite", "title": "Small", "pages": "p"}
    lines = [json.dumps(row) for row in (head, a_case(1), a_case(2))]
    path.write_text("\n".join(lines), "utf-8")
    suite = load_suite(path).suite
    assert (suite.id, suite.title, len(suite.cases)) == ("small", "Small", 2)
    path.write_text("\n".join([*lines, '{"id": "x",']), "utf-8")
    assert "small.jsonl, line 4, column 12: not JSON" in failure(path)


def test_broken_json_is_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    path.write_text(
        '{\n"id": "a",\n"cases": [\n{"id": "b"\n"question": "?"}]}', "utf-8"
    )
    assert "suite.json, line 5, column 1: not JSON" in failure(path)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"difficulty": "hrad"}, "difficulty: 'hrad' is not one of easy, medium, hard"),
        ({"categry": "x"}, "field categry: is not known; is category meant?"),
        ({"claims": [{"txt": "a"}]}, "field claims[1].text: is missing"),
        ({"claims": [{"text": "a", "importnace": "required"}]}, "is importance meant?"),
        ({"question": 3}, "field question: must be text, not 3"),
        ({"id": ""}, "field id: is empty"),
        ({"citations": {}}, "field citations: must be a list, not an object"),
        (
            {"citations": [{"page_id": "p", "sentence": -1}]},
            "field citations[1].sentence: -1 is less than 0",
        ),
    ],
)
def test_a_mistake_in_a_case_is_named(
    tmp_path: Path, case: dict[str, Any], words: str
) -> None:
    path = write_suite(tmp_path, [a_case(1), {**a_case(2), **case}])
    message = failure(path)
    assert words in message
    assert "suite.json: case 2" in message


def test_all_mistakes_are_listed_or_left_out(tmp_path: Path) -> None:
    cases = [a_case(1), "text", {"id": "kiln-003"}, a_case(1)]
    path = write_suite(tmp_path, cases, rubrik="general")
    with pytest.raises(SuiteError, match="rubric"):
        load_suite(path, lenient=True)
    path = write_suite(tmp_path, cases)
    message = failure(path)
    assert "3 mistakes" in message
    assert "case 2, must be an object, not 'text'" in message
    assert "case 3 (kiln-003), field question: is missing" in message
    assert "case 4 (kiln-001): case 1 has the same id" in message
    loaded = load_suite(path, lenient=True)
    assert [case.id for case in loaded.suite.cases] == ["kiln-001"]
    assert len(loaded.notes) == 3


def test_answers_to_cases_that_were_left_out_are_left_out_and_no_others(
    tmp_path: Path,
) -> None:
    suite = write_suite(tmp_path, [a_case(1), {"id": "kiln-003"}])
    rows = [
        {"case_id": "kiln-003", "text": "Hot."},
        {"case_id": "kiln-001", "text": "Hot."},
    ]
    answers = write_answers(tmp_path, rows)
    with pytest.raises(SuiteError) as caught:
        load_suite(suite, answers=answers)
    assert "--strict" in caught.value.hint
    loaded = load_suite(suite, answers=answers, lenient=True)
    assert [answer.case_id for answer in loaded.answers] == ["kiln-001"]
    assert "kiln-003" in loaded.notes[0]
    write_answers(tmp_path, [*rows, {"case_id": "kiln-009", "text": "Hot."}])
    with pytest.raises(SuiteError, match="no case 'kiln-009'"):
        load_suite(suite, answers=answers, lenient=True)


def test_mistakes_in_answers_are_named(tmp_path: Path) -> None:
    suite = load_suite(write_suite(tmp_path, [a_case(1), a_case(2)])).suite
    path = write_answers(
        tmp_path,
        [
            {"case_id": "kiln-0O1", "text": "Hot."},
            {"case_id": "kiln-002", "text": "Hot."},
            {"case_id": "kiln-002", "text": "Hotter."},
            {"case_id": "kiln-001", "text": 7},
            {"case_id": "kiln-001", "text": "half \ud83e"},
        ],
    )
    with pytest.raises(SuiteError) as caught:
        load_answers(path, suite)
    message = caught.value.message
    assert "line 1: there is no case 'kiln-0O1' in suite kilns" in message
    assert "the nearest is 'kiln-001'" in message
    assert "line 3: provider 'default' answered case 'kiln-002' already in line 2" in (
        message
    )
    assert "line 4, field text: must be text, not 7" in message
    assert "line 5" in message and "half a character" in message


def test_what_is_no_suite(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="Is medicine meant?"):
        resolve_suite("medecine")
    with pytest.raises(SuiteError, match=r"no suite.json in this folder"):
        resolve_suite(tmp_path)
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    assert "no suite format for .xlsx" in failure(tmp_path / "a.xlsx")
    assert "no case" in failure(write_suite(tmp_path, []))
    (tmp_path / "suite.json").write_bytes(b"\xffx")
    assert "not UTF-8" in failure(tmp_path / "suite.json")
    (tmp_path / "suite.json").write_text("[]", "utf-8")
    assert 'no list "cases"' in failure(tmp_path / "suite.json")


def test_models_that_were_given_the_same_share_one_set() -> None:
    cases = [
        Case(id=name, question="?", claims=(CaseClaim(text=name),)) for name in "ab"
    ]
    before = [case.model_dump_json(exclude_unset=True) for case in cases]
    for case in cases:
        share_fields(case)
    one, other = cases
    assert one.model_fields_set is other.model_fields_set
    assert one.claims[0].model_fields_set is other.claims[0].model_fields_set
    assert [case.model_dump_json(exclude_unset=True) for case in cases] == before


def test_a_copy_with_more_fields_adds_to_no_other() -> None:
    one, other = (Case(id=name, question="?") for name in "ab")
    share_fields(one)
    share_fields(other)
    copy = one.model_copy(update={"category": "tides"})
    assert copy.model_fields_set == {"id", "question", "category"}
    assert other.model_fields_set == {"id", "question"}


def test_a_suite_is_read_so(tmp_path: Path) -> None:
    cases = [{"id": name, "question": "?"} for name in "abc"]
    suite = {"format": "claimscope.suite", "version": 1, "id": "s", "cases": cases}
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    loaded = load_suite(tmp_path / "suite.json").suite
    assert len({id(case.model_fields_set) for case in loaded.cases}) == 1
