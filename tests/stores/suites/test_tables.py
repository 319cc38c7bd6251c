"""Suites of tables that are no text, of any columns, and back to other tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import SuiteError
from claimscope.core.models import Answer, Case, RetrievedText
from claimscope.stores.suites.exports import (
    ROWS,
    answered_in_suite,
    file_text,
    rows_for,
)
from claimscope.stores.suites.importing import (
    ImportResult,
    import_file,
    import_text,
    read_other_tools_file,
)
from claimscope.stores.suites.imports import tables
from claimscope.stores.suites.imports.column_mapping import parse_mapping
from claimscope.stores.suites.imports.deepeval import without_tables_cut
from claimscope.tui.cli import main
from tests.stores.suites.make_tables import ROWS as RAGAS_ROWS
from tests.stores.suites.make_tables import dataset, excel, parquet

FILES = Path(__file__).parent / "files"
GOOD = FILES / "good"


def refused(path: Path, mapping: str | None = None) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        import_file(path, mapping=mapping)
    assert caught.value.hint
    return caught.value


def taken(name: str) -> ImportResult:
    return import_file(GOOD / name)


@pytest.mark.parametrize("name", ["ragas.parquet", "ragas-dataset"])
def test_parquet_and_saved_datasets_give_what_json_lines_give(name: str) -> None:
    text = "\n".join(map(json.dumps, RAGAS_ROWS))
    assert taken(name).suite.cases == import_text(text, "a.jsonl").suite.cases
    assert [one.text for one in taken(name).answers] == ["At 8:15.", "Nine crowns."]
    assert taken(name).suite.cases[1].reference is None


def test_every_split_of_a_dataset_is_read(tmp_path: Path) -> None:
    dataset(tmp_path / "d" / "train", RAGAS_ROWS[:1])
    dataset(tmp_path / "d" / "test", RAGAS_ROWS[1:])
    splits = {"splits": ["train", "test", "../x"]}
    (tmp_path / "d" / "dataset_dict.json").write_text(json.dumps(splits))
    found = import_file(tmp_path / "d")
    assert [case.question for case in found.suite.cases] == [
        "When does it leave?",
        "What does it cost?",
    ]
    assert found.suite.id == "d"


def test_a_fetched_dataset_is_parquet_below_data(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    parquet(tmp_path / "data" / "train-00000-of-00001.parquet", RAGAS_ROWS)
    assert len(import_file(tmp_path).suite.cases) == 2


def test_a_fetched_dataset_may_be_files_of_rows(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A dataset")
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, RAGAS_ROWS)))
    assert len(import_file(tmp_path).suite.cases) == 2
    (tmp_path / "README.md").unlink()
    assert "it is no folder of a dataset" in refused(tmp_path).message


def test_a_dataset_names_no_file_outside_and_is_whole(tmp_path: Path) -> None:
    dataset(tmp_path / "a", RAGAS_ROWS)
    state = tmp_path / "a" / "state.json"
    state.write_text(json.dumps({"_data_files": [{"filename": "../b.arrow"}]}))
    assert "there is no row in it" in refused(tmp_path / "a").message
    state.write_text(json.dumps({"_indices_files": [{"filename": "i.arrow"}]}))
    assert "flatten_indices" in refused(tmp_path / "a").hint
    state.write_text("{")
    assert "a/state.json: cannot be read" in refused(tmp_path / "a").message
    dataset(tmp_path / "b", RAGAS_ROWS, missing=True)
    assert "its file data-00000-of-00001.arrow is missing" in (
        refused(tmp_path / "b").message
    )


def test_values_that_json_has_not(tmp_path: Path) -> None:
    import datetime

    row: dict[str, Any] = {
        "user_input": "When?",
        "response": float("nan"),
        "reference": "Now.",
        "seen": datetime.date(2025, 4, 1),
        "picture": b"\x89PNG",
    }
    parquet(tmp_path / "a.parquet", [row])
    found = import_file(tmp_path / "a.parquet")
    assert found.answers == () and [name for name, _, _ in found.left] == ["seen"]
    assert found.missing == (("response", (("row 1", "NaN"),)),)


def test_a_table_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet(tmp_path / "a.parquet", RAGAS_ROWS * 3)
    monkeypatch.setattr(tables, "MOST_ROWS", 5)
    assert "more than 5 rows" in refused(tmp_path / "a.parquet").message


def test_excel_is_read_as_a_csv_is(tmp_path: Path) -> None:
    found = taken("deepeval.xlsx")
    assert found.suite.cases[0].contexts == ("It leaves at 8:15.",)
    assert [name for name, _, _ in found.left] == ["sheet Notes 1"]
    head = ("user_input", "response")
    excel(tmp_path / "a.xlsx", [head, ("When?", "nan"), ("Where?", "[1 ... 2]")])
    two = import_file(tmp_path / "a.xlsx")
    assert len(two.suite.cases) == 2 and len(two.answers) == 1
    excel(tmp_path / "b.xlsx", [("a", "a"), ("x", "y")])
    assert "column a stands there twice" in refused(tmp_path / "b.xlsx").message
    excel(tmp_path / "c.xlsx", [])
    assert "there is no row in it" in refused(tmp_path / "c.xlsx").message
    (tmp_path / "d.xlsx").write_bytes(b"PK")
    assert "it is no XLSX file" in refused(tmp_path / "d.xlsx").message


MAPPING = "question=Frage,answer=Antwort,reference=Soll,contexts=Quelle 1+Quelle 2"


def test_any_columns_by_their_names() -> None:
    found = import_file(GOOD / "mapped.xlsx", mapping=MAPPING)
    (case,) = found.suite.cases
    assert (case.question, case.reference) == ("Wann fährt sie?", "Um 8:15.")
    assert case.contexts == ("Sie fährt um 8:15.", "Täglich.")
    assert [one.text for one in found.answers] == ["Um neun."]
    assert found.left == () and found.problems == ()


def test_fields_inside_of_others_and_lists(tmp_path: Path) -> None:
    row = {"q": {"text": "When?"}, "id": 7, "facts": "['One.', 'Two.']", "who": "small"}
    (tmp_path / "a.jsonl").write_text(json.dumps({**row, "a": "Now.", "rest": 1}))
    mapping = "question=q.text,id=id,claims=facts,answer=a,provider=who,citations=who"
    found = import_file(tmp_path / "a.jsonl", mapping=mapping)
    (case,) = found.suite.cases
    assert (case.id, case.question) == ("7", "When?")
    assert [claim.text for claim in case.claims] == ["One.", "Two."]
    assert [one.page_id for one in case.citations] == ["small"]
    assert found.answers[0].provider == "small"
    assert [name for name, _, _ in found.left] == ["rest"]


def test_rows_in_any_list_of_an_object(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"v": 1, "turns": [{"q": "When?"}]}))
    found = import_file(tmp_path / "a.json", mapping="question=q")
    assert found.suite.cases[0].question == "When?"


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ("question", "'question' is not TARGET=COLUMN"),
        ("question=", "is not TARGET=COLUMN"),
        ("question=q,colour=c", "'colour' is nothing that a column becomes"),
        ("question=a+b", "question is one column, not 2"),
        ("answer=a", "no column is the question"),
    ],
)
def test_a_mapping_that_says_nothing_is_refused(mapping: str, words: str) -> None:
    with pytest.raises(SuiteError) as caught:
        parse_mapping(mapping)
    assert words in caught.value.message and caught.value.hint


def test_a_column_that_is_not_there_is_named_with_those_that_are() -> None:
    error = refused(GOOD / "mapped.xlsx", "question=Frage,answer=Reply")
    assert "no column is named Reply (columns: Frage, Antwort, Soll" in error.message
    assert error.hint == "Correct --map answer=Reply."
    error = refused(FILES / "broken" / "unknown.xlsx")
    assert "--map question=COLUMN" in error.hint


def test_promptfoo_flat_rows_scenarios_and_results() -> None:
    first, second = taken("promptfoo-flat.yaml").suite.cases
    assert (first.question, first.reference) == ("When does it leave?", "At 8:15")
    assert (second.reference, second.category) == ("Four crowns.", "prices")
    cases = taken("promptfoo-scenarios.yaml").suite.cases
    assert [case.reference for case in cases] == [
        "It leaves at 8:15.",
        "Four crowns.",
    ] * 2
    left = {name: why for name, why, _ in taken("promptfoo-scenarios.yaml").left}
    assert "promptfoo checks none in vars" in left["assert in vars"]
    found = taken("promptfoo-results.json")
    assert [case.reference for case in found.suite.cases] == ["At 8:15.", None]
    assert [(one.provider, one.text) for one in found.answers] == [
        ("small", "At 8:15."),
        ("ollama:b", "At 9:40."),
    ]


def test_two_models_of_ragchecker_and_ids_of_two_data_sets() -> None:
    found = taken("ragchecker-models.json")
    assert [case.id for case in found.suite.cases] == ["ferries/7", "trains/7"]
    assert [case.domain for case in found.suite.cases] == ["ferries", "trains"]
    assert [(one.case_id, one.provider) for one in found.answers] == [
        ("ferries/7", "small"),
        ("ferries/7", "large"),
        ("trains/7", "large"),
    ]
    assert found.missing == (("model1.response", (("row 2", "an empty text"),)),)


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("a.|b.", "a.|b."),
        ("| P | C |\n|---|---|\n| x | 1 |", ["| P | C |\n|---|---|\n| x | 1 |"]),
        ("| P | C |\n|---|---|\n| x | 1 ||b|c",
         ["| P | C |\n|---|---|\n| x | 1 |", "b", "c"]),
        ("a.||b.\n| P | C |\n|---|---|\n| x || 1 |",
         ["a.", "b.\n| P | C |\n|---|---|\n| x || 1 |"]),
    ],
)  # fmt: skip
def test_the_pipes_of_a_table_part_no_passages(cell: str, parts: object) -> None:
    assert without_tables_cut(cell) == parts


ODD = ("yes", "1.5", "- a: b", "It's 'so'.", "# no", "日本語", "a | b", "2025-04-01")
TEXTS = st.text("abcdexyzäé ", min_size=1, max_size=9).map(lambda text: f"q{text}q")
TEXTS |= st.sampled_from(ODD)
CASES = st.lists(
    st.builds(
        Case,
        id=TEXTS,
        question=TEXTS,
        reference=st.none() | TEXTS,
        contexts=st.lists(TEXTS, max_size=3).map(tuple),
        category=st.none() | TEXTS,
        difficulty=st.none() | st.sampled_from(["easy", "hard"]),
        rationale=st.none() | TEXTS,
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda case: case.id,
)


@given(CASES, st.lists(TEXTS, max_size=2, unique=True), TEXTS)
@pytest.mark.parametrize(
    ("tool", "suffix"), [("deepeval", "json"), ("promptfoo", "yaml")]
)
def test_what_is_exported_comes_back(
    tool: str, suffix: str, cases: list[Case], providers: list[str], text: str
) -> None:
    answers = [
        Answer(case_id=case.id, provider=one, text=text)
        for case in cases
        for one in providers
    ]
    rows = rows_for(tool, answered_in_suite(cases, answers))
    found = import_text(file_text(tool, rows), f"a.{suffix}")
    assert list(found.suite.cases) == cases
    assert list(found.answers) == answers


def test_what_an_answer_was_given_with_is_written() -> None:
    case = Case(id="a", question="When?")
    given = (RetrievedText(text="It leaves at 8:15."), "PMID:7:S:2")
    answer = Answer(case_id="a", text="Now.", retrieved=given)
    one = next(answered_in_suite([case], [answer]))
    assert ROWS["deepeval"](one)["retrieval_context"] == ["It leaves at 8:15."]
    assert ROWS["promptfoo"](one)["vars"]["context"] == ["It leaves at 8:15."]
    assert ROWS["ragas"](one)["retrieved_contexts"] == ["It leaves at 8:15."]


def test_the_command_maps_and_exports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "s.json"
    file = str(GOOD / "mapped.xlsx")
    assert main(["suite", "import", file, "-o", str(suite), "--map", MAPPING]) == 0
    assert "columns: 1 row, 1 case, 1 answer" in capsys.readouterr().err
    assert main(["suite", "export", str(suite), "--format", "promptfoo"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("prompts:\n- '{{question}}'\n")
    assert "providerOutput: Um neun." in out
    assert main(["suite", "export", str(suite), "--format", "deepeval", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["input"], row["expected_output"]) == ("Wann fährt sie?", "Um 8:15.")
    assert main(["suite", "import", file, "-o", str(suite), "--map", "x"]) == 2


def test_a_file_of_ours_is_no_table_of_others(tmp_path: Path) -> None:
    suite = {"format": "claimscope.suite", "id": "a", "cases": []}
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    (tmp_path / "README.md").write_text("# Suites")
    assert read_other_tools_file(tmp_path) is None
    assert read_other_tools_file(tmp_path / "suite.json") is None
    assert read_other_tools_file(GOOD / "ragas.parquet") is not None
