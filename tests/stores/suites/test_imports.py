"""Files of other tools, as each documents them, and their broken twins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import SuiteError
from claimscope.core.models import Case
from claimscope.stores.suites.formats.contexts import passages
from claimscope.stores.suites.importing import ImportResult, import_text, tool_of_text

FILES = Path(__file__).parent / "files"


def taken(name: str, folder: str = "good") -> ImportResult:
    return import_text((FILES / folder / name).read_text("utf-8"), name)


def refusal(name: str) -> str:
    with pytest.raises(SuiteError) as caught:
        taken(name, "broken")
    assert caught.value.hint
    return caught.value.message


def left(found: ImportResult) -> set[str]:
    return {source for source, _, _ in found.left}


@pytest.mark.parametrize(
    ("name", "tool", "cases", "answers"),
    [
        ("ragas.jsonl", "ragas", 2, 2),
        ("ragas.csv", "ragas", 2, 2),
        ("ragas-testset.json", "ragas", 1, 0),
        ("ragas-old.json", "ragas", 1, 1),
        ("promptfooconfig.yaml", "promptfoo", 3, 0),
        ("promptfoo.csv", "promptfoo", 2, 0),
        ("promptfoo-tests.jsonl", "promptfoo", 1, 0),
        ("deepeval.json", "DeepEval", 2, 1),
        ("deepeval.csv", "DeepEval", 1, 0),
        ("deepeval-platform.json", "DeepEval", 1, 0),
        ("ragchecker.json", "RAGChecker", 2, 2),
        ("query-logs.json", "query logs", 2, 3),
        ("cited-cases.json", "test set with expected citations", 1, 0),
    ],
)
def test_a_file_is_known_by_what_stands_in_it(
    name: str, tool: str, cases: int, answers: int
) -> None:
    text = (FILES / "good" / name).read_text("utf-8")
    found = taken(name)
    assert (found.tool, len(found.suite.cases), len(found.answers)) == (
        tool,
        cases,
        answers,
    )
    renamed = f"export{Path(name).suffix}"
    assert tool_of_text(text, renamed) == tool
    ids = {case.id for case in found.suite.cases}
    assert {answer.case_id for answer in found.answers} <= ids


def test_ragas_contexts_references_and_what_has_no_place() -> None:
    found = taken("ragas.jsonl")
    second = found.suite.cases[1]
    assert second.reference == "35 marks."
    assert second.contexts[1].startswith("A berth costs 35 marks; children")
    assert found.answers[1].text == "A berth costs 53 marks."
    assert left(found) == {"rubric"}
    # A CSV of ragas holds lists as Python prints them.
    assert taken("ragas.csv").suite.cases == found.suite.cases
    assert left(taken("ragas-testset.json")) == {"persona_name", "query_style"}


def test_promptfoo_states_references_and_leaves_checks() -> None:
    found = taken("promptfooconfig.yaml")
    plain, berth, seat = found.suite.cases
    assert plain.reference == "At 22:15, from platform 4."
    assert (plain.category, plain.difficulty) == ("timetable", "easy")
    assert plain.rationale == "A plain fact"
    assert plain.contexts == ("The night train to Ostwick leaves platform 4 at 22:15.",)
    assert [case.question for case in (berth, seat)] == [
        "What does a berth cost?",
        "What does a seat cost?",
    ]
    assert berth.rationale == "Names both prices"
    assert {"assert contains", "assert javascript", "providers"} <= left(found)
    assert "file://more-tests.yaml is not followed" in found.problems[0]
    assert taken("promptfoo.csv").suite.cases[0].reference == "It leaves at 22:15."


def test_promptfoo_fills_a_prompt_when_no_variable_is_the_question() -> None:
    config = {
        "prompts": ["What is the capital of {{ land }} in {{year}}?"],
        "tests": [{"vars": {"land": "Ost", "year": 1911}}],
    }
    (case,) = import_text(json.dumps(config), "a.json").suite.cases
    assert case.question == "What is the capital of Ost in 1911?"


def test_deepeval_ragchecker_and_logs() -> None:
    golden = taken("deepeval.json")
    assert golden.suite.cases[1].category == "prices"
    assert left(golden) == {"source_file", "owner"}
    assert len(taken("deepeval.csv").suite.cases[0].contexts) == 2
    checked = taken("ragchecker.json")
    assert [case.id for case in checked.suite.cases] == ["train-1", "train-2"]
    assert checked.suite.cases[1].claims[0].text == "A berth costs 35 marks"
    assert left(checked) == {"metrics", "retrieved_context.doc_id"}
    logs = taken("query-logs.json")
    assert logs.suite.cases[0].contexts == (
        "subject: Ropework I\ndetail: Tie ten knots\ndetail: Splice a rope",
    )
    assert [(a.provider, a.model) for a in logs.answers[:2]] == [
        ("imported", "harbour-small"),
        ("imported-2", "harbour-large"),
    ]
    cited = taken("cited-cases.json").suite.cases[0].citations[0]
    assert (cited.page_id, cited.sentence) == ("PMID:90000001", 2)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("promptfooconfig.yaml", "promptfooconfig.yaml, line 4, column 6: not YAML"),
        ("promptfoo.csv", "promptfoo.csv: line 2, not CSV"),
        ("promptfoo-no-question.json", "test 1: no variable is the question"),
        ("deepeval.json", "deepeval.json, line 1, column 71: not JSON"),
        ("unknown.json", "no file of a tool that is known here (fields: name, price)"),
        ("suite.yaml", "it is a suite already"),
    ],
)
def test_a_file_that_gives_nothing_is_refused(name: str, words: str) -> None:
    assert words in refusal(name)


@pytest.mark.parametrize(
    ("name", "cases", "words"),
    [
        ("ragas.jsonl", 1, "line 3: a conversation of several turns"),
        ("ragas.jsonl", 1, "ragas.jsonl, line 2, column 16: not JSON"),
        ("ragchecker.json", 1, "result 2: id 'a' is another question's already"),
        ("ragchecker.json", 1, "result 3: field question: is missing"),
        ("query-logs.json", 1, "row 1: field question: is missing"),
        ("cited-cases.json", 1, "field expectedCitations[1] names no page"),
        ("cited-cases.json", 1, "field citations[1].sentence: -1 is less than 0"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_taken(
    name: str, cases: int, words: str
) -> None:
    found = taken(name, "broken")
    assert len(found.suite.cases) == cases
    assert any(words in problem for problem in found.problems), found.problems


def test_lists_that_hold_one_another_end() -> None:
    bomb: list[object] = ["x"]
    for _ in range(12):
        bomb = [bomb] * 9
    assert sum(map(len, passages(bomb))) < 10_000_000
    bomb.append(bomb)
    assert passages({"a": bomb}) is not None


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "user_input question query input vars tests results gt_answer answer"
                " queryLogId expectedCitations contexts context response assert value"
                " type testCases goldens expected_output metadata pmid".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(NESTED)
def test_any_json_is_taken_or_refused_in_words(value: object) -> None:
    try:
        found = import_text(json.dumps(value), "any.json")
    except SuiteError as error:
        assert error.hint
        return
    assert found.suite.cases
    assert all(isinstance(case, Case) for case in found.suite.cases)


def test_a_test_case_of_a_difficulty_the_document_does_not_know_is_malformed() -> None:
    rows = [
        {"id": "a", "query": "When?", "difficulty": "Hard", "expectedCitations": []},
        {"id": "b", "query": "Who?", "difficulty": "impossible"},
        {"id": "c", "query": "Why?"},
    ]
    found = import_text(json.dumps({"testCases": rows}), "set.json")
    assert [(case.id, case.difficulty) for case in found.suite.cases] == [
        ("a", "hard"),
        ("c", None),
    ]
    (problem,) = found.problems
    assert problem.endswith("'impossible' is not easy, medium or hard")
    assert problem.startswith("set.json: testCase 2: field difficulty")
