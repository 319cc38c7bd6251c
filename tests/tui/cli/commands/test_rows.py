"""`score`, `judge`, `cite`, `metrics` and `generate` as a user types them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.stores.suites.loading import load_suite
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes
from tests.doubles.fake_ollama import FakeOllama, Reply, contents, failed, said
from tests.doubles.planted_model import judging

ROW: dict[str, Any] = {
    "id": "r1",
    "question": "When was the Orla crane built?",
    "answer": "The Orla crane was built in 1952 [1]. It lifts 90 tonnes [2].",
    "contexts": [
        "The Orla crane was built in 1952.",
        "The Orla crane lifts 40 tonnes.",
    ],
}
PAGE = "# The Orla crane\n\nThe Orla crane was built in 1952. It lifts 40 tonnes.\n"


@pytest.fixture(autouse=True)
def fake_embeddings(monkeypatch: pytest.MonkeyPatch) -> list[fakes.FakeEmbedder]:
    made: list[fakes.FakeEmbedder] = []

    def make(settings: Settings) -> Embedder:
        made.append(fakes.FakeEmbedder())
        return made[-1]

    monkeypatch.setattr(judges, "make_embedder", make)
    return made


def rows_file(folder: Path, *rows: object) -> str:
    path = folder / "rows.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# --- score ----------------------------------------------------------------------


def test_score_writes_a_line_a_row_in_the_documented_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = rows_file(tmp_path, ROW, {**ROW, "id": 2, "contexts": []})
    assert main(["score", file, "--metrics", "claim_support,citation_precision"]) == 0
    first, second = lines(capsys.readouterr().out)
    assert first == {
        "id": "r1",
        "scores": {
            "claim_support": {"value": 0.5, "scale": [0, 1], "reason": ""},
            "citation_precision": {"value": 0.5, "scale": [0, 1], "reason": ""},
        },
    }
    assert second["id"] == 2
    assert second["scores"]["claim_support"]["value"] is None
    assert second["scores"]["claim_support"]["applicable"] is False


def test_score_reports_bad_lines_by_file_line_and_field_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {**ROW, "claims": [{"text": "x", "importance": "vital"}]}
    file = rows_file(tmp_path, "{no", [1], {"id": 1, "question": "?"}, bad, ROW)
    assert main(["score", file, "--metrics", "claim_completeness"]) == 2
    captured = capsys.readouterr()
    assert [line["id"] for line in lines(captured.out)] == ["r1"]
    assert f"{file}: line 1: not JSON" in captured.err
    assert f"{file}: line 2: not an object" in captured.err
    assert f"{file}: line 3: field answer: is missing" in captured.err
    assert "line 4: field claims[1].importance: 'vital' is not one of" in captured.err


def test_score_loads_no_embedder_for_metrics_that_need_none(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    fake_embeddings: list[fakes.FakeEmbedder],
) -> None:
    row = {**ROW, "contexts": [], "citations": [{"page_id": "PMID:1"}]}
    row["answer"] = "Built in 1952 [PMID:1]."
    file = rows_file(tmp_path, row)
    assert main(["score", file, "--metrics", "citation_recall"]) == 0
    assert lines(capsys.readouterr().out)[0]["scores"]["citation_recall"]["value"] == 1
    assert [embedder.texts for embedder in fake_embeddings] == [[]]


def test_score_weighs_by_flag_and_by_the_settings_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = rows_file(tmp_path, {**ROW, "claims": [{"text": ROW["contexts"][0]}]})
    asked = ["score", file, "--metrics", "overall,claim_completeness"]
    weights = ["--weights", "claim_support=1,claim_completeness=3"]
    assert main([*asked, *weights, "--set", "tier_excellent=100"]) == 0
    scores = lines(capsys.readouterr().out)[0]["scores"]
    # By hand: (1 x 0.5 + 3 x 1.0) / 4.
    assert scores["overall"]["value"] == pytest.approx(0.875)
    assert scores["claim_completeness"]["tier"] == "excellent"
    (tmp_path / "claimscope.toml").write_text("[metric_weights]\nclaim_support = 2\n")
    assert main([*asked, "--workspace", str(tmp_path)]) == 0
    scores = lines(capsys.readouterr().out)[0]["scores"]
    assert scores["overall"]["value"] == 0.5


@pytest.mark.parametrize(
    ("flags", "said_so"),
    [
        (["--metrics", "claim_suport"], "is 'claim_support' meant?"),
        (["--weights", "claim_suport=1"], "is 'claim_support' meant?"),
        (["--weights", "claim_support=x"], "'x' is not a number"),
        (["--set", "tier_good=90"], "90 must be below tier_excellent (85)"),
        (["--set", "tier_excellent=60"], "setting tier_good = 70"),
        (["--set", "nonsense=1"], "no setting named 'nonsense'"),
        (["--against", "nowhere"], "nowhere: no such folder"),
    ],
)
def test_score_refuses_what_it_cannot_use_before_it_scores(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    said_so: str,
) -> None:
    assert main(["score", rows_file(tmp_path, ROW), *flags]) == 2
    captured = capsys.readouterr()
    assert said_so in captured.err
    assert captured.out == ""


# --- cite -----------------------------------------------------------------------


def test_cite_gives_each_citation_its_state_and_the_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        {"page_id": "PMID:7", "text": "The Orla crane was built in 1952. It is red."}
    ]
    row = {**ROW, "contexts": [], "pages": pages}
    row["answer"] = (
        "The Orla crane was built in 1952 [PMID:7, S:0]. It is blue [PMID:9]."
    )
    assert main(["answers", "cite", rows_file(tmp_path, row, {**ROW, "id": 2})]) == 0
    first, second = lines(capsys.readouterr().out)
    found = [(c["page_id"], c["sentence"], c["state"]) for c in first["citations"]]
    assert found == [("PMID:7", 0, "valid"), ("PMID:9", None, "broken")]
    assert row["answer"][slice(33, 46)] == first["citations"][0]["text"]
    assert first["scores"]["citation_precision"]["value"] == 0.5
    assert [c["state"] for c in second["citations"]] == ["valid", "unsupported"]


def test_cite_shows_both_facts_and_the_claims_beside_each_citation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {**ROW, "contexts": ["The Orla crane was built in 1952.", "It is red."]}
    row["answer"] = (
        "The Orla crane was built in 1952 [2]. It was built in 1952 [9]. "
        "It is odd [S1]."
    )
    assert main(["answers", "cite", rows_file(tmp_path, row)]) == 0
    (line,) = lines(capsys.readouterr().out)
    first, second = line["citations"]
    assert (first["exists"], first["supports"]) == (True, False)
    assert (second["exists"], second["supports"]) == (False, False)
    claim = {"text": "The Orla crane was built in 1952.", "verdict": "supported"}
    assert first["claims"] == second["claims"] == [claim]
    assert [one["text"] for one in line["unread"]] == ["[S1]"]
    values = {name: one["value"] for name, one in line["scores"].items()}
    assert values["citation_existence"] == 0.5
    assert values["citation_precision"] == 0


def test_cite_says_where_an_expected_citation_was_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [{"page_id": "M:1", "text": "The mill is old. It grinds oats. Geese live."}]
    expected = [{"page_id": "M:1", "sentence": n} for n in (0, 1, 2)]
    row = {**ROW, "contexts": [], "pages": pages, "citations": expected}
    row["answer"] = "The mill grinds oats [M:1, S:0]."
    row["retrieved"] = ["M:1:S:1", {"page_id": "M:1", "sentence": 0}]
    assert main(["answers", "cite", rows_file(tmp_path, row)]) == 0
    (line,) = lines(capsys.readouterr().out)
    assert [(one["citation"], one["fate"]) for one in line["missing"]] == [
        ("M:1:S:1", "cited wrongly"),
        ("M:1:S:2", "not retrieved"),
    ]
    values = {name: one["value"] for name, one in line["scores"].items()}
    assert values["recall_at_1"] == pytest.approx(1 / 3)
    assert values["recall_at_3"] == pytest.approx(2 / 3)


def test_a_true_claim_cited_wrongly_is_faithful_and_its_citation_is_not_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        {
            "page_id": "PMID:81",
            "title": "The Orm trial",
            "text": "Two hundred hens took part. Eggs rose by 4 % in the Orm trial.",
        },
        {
            "page_id": "PMID:82",
            "title": "The Lund trial",
            "text": "It lasted a year. Eggs rose by 9 % in the Lund trial.",
        },
    ]
    row = {**ROW, "contexts": [], "pages": pages}
    row["answer"] = "Eggs rose by 9 % in the Lund trial [PMID:81, S:1]."
    file = rows_file(tmp_path, row)
    assert main(["answers", "cite", file]) == 0
    (line,) = lines(capsys.readouterr().out)
    (citation,) = line["citations"]
    assert citation["state"] == "misattributed"
    assert citation["supported_by"] == "PMID:82:S:1"
    assert citation["claims"][0]["verdict"] in ("supported", "likely")
    assert main(["score", file, "--metrics", "claim_support,citation_precision"]) == 0
    (line,) = lines(capsys.readouterr().out)
    values = {name: one["value"] for name, one in line["scores"].items()}
    assert values == {"claim_support": 1, "citation_precision": 0}


@pytest.mark.parametrize(
    ("answer", "states"),
    [
        (
            "The kiln opened in 1931 and a firing takes nine hours [1, 2].",
            ["valid", "valid"],
        ),
        (
            "The kiln opened in 1931 [1] and a firing takes nine hours [2].",
            ["valid", "valid"],
        ),
        (
            "The kiln opened in 1931 [1]. A firing takes nine hours [2].\n\n"
            "References:\n[1] Yearbook of the kiln\n[2] Notes on firing",
            ["valid", "valid"],
        ),
        (
            "The kiln opened in 1931.<sup>1</sup> A firing takes nine"
            " hours.<sup>2</sup>",
            ["valid", "valid"],
        ),
        ("The heat is in the interval [1, 2] kilowatts.", []),
    ],
)
def test_cite_reads_groups_lists_and_intervals(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    states: list[str],
) -> None:
    contexts = ["The kiln opened in 1931.", "A firing takes nine hours."]
    row = {"id": 1, "question": "What of the kiln?", "answer": answer}
    assert (
        main(["answers", "cite", rows_file(tmp_path, {**row, "contexts": contexts})])
        == 0
    )
    (line,) = lines(capsys.readouterr().out)
    assert [one["state"] for one in line["citations"]] == states
    assert line["unread"] == []


def test_cite_against_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "crane.md").write_text(PAGE)
    row = {**ROW, "contexts": []}
    row["answer"] = "The Orla crane was built in 1952 [crane.md, S:1]."
    file = rows_file(tmp_path, row)
    assert main(["answers", "cite", file, "--against", str(tmp_path / "pages")]) == 0
    (line,) = lines(capsys.readouterr().out)
    assert [c["state"] for c in line["citations"]] == ["valid"]


# --- judge ----------------------------------------------------------------------


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama() as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        yield fake


PLANTED = judging()


def grading(body: dict[str, Any]) -> Reply:
    """4 for faithfulness, 3 for completeness; nothing readable for some answers."""
    prompt = body["messages"][0]["content"]
    if body["options"]["num_predict"] == 1:  # planted claims, before any grade
        return PLANTED(body)
    if "UNREADABLE" in prompt:
        return said("I would rather not.")
    grade = 4 if "Grade the faithfulness" in prompt else 3
    return said(json.dumps({"explanation": f"It is a {grade}.", "grade": grade}))


def test_judge_asks_twice_a_row_and_gives_grades_with_reasons(
    ollama: FakeOllama, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ollama.answer = grading
    bare = {**ROW, "id": 2, "contexts": []}
    file = rows_file(tmp_path, ROW, bare)
    assert main(["answers", "grade", file, "--model", "m:1b"]) == 0
    first, second = lines(capsys.readouterr().out)
    assert first == {
        "id": "r1",
        "scores": {
            "judge_faithfulness": {"value": 4, "scale": [1, 5], "reason": "It is a 4."},
            "judge_completeness": {"value": 3, "scale": [1, 5], "reason": "It is a 3."},
        },
        "overall": 3.5,
        "passed": False,
    }
    assert second["scores"]["judge_faithfulness"]["applicable"] is False
    assert second["passed"] is None
    grades = [text for text in contents(ollama.chats) if "Grade the" in text]
    assert len(grades) == 2
    assert all(ROW["contexts"][1] in text for text in grades)


def test_judge_reads_rows_of_query_logs(
    ollama: FakeOllama, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ollama.answer = grading
    log = {
        "queryLogId": "ql-123",
        "question": ROW["question"],
        "answer": ROW["answer"],
        "context": [{"text": ROW["contexts"][0]}, ROW["contexts"][1]],
    }
    assert main(["answers", "grade", rows_file(tmp_path, log), "--model", "m:1b"]) == 0
    (line,) = lines(capsys.readouterr().out)
    assert (line["id"], line["overall"], line["passed"]) == ("ql-123", 3.5, False)
    grades = [text for text in contents(ollama.chats) if "Grade the" in text]
    assert len(grades) == 2
    assert all(text in grade for grade in grades for text in ROW["contexts"])


def test_judge_leaves_an_unreadable_grade_unscored_and_exits_3(
    ollama: FakeOllama, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ollama.answer = grading
    file = rows_file(tmp_path, {**ROW, "answer": "UNREADABLE"}, {**ROW, "id": 2})
    assert main(["answers", "grade", file, "--model", "m:1b"]) == 3
    first, second = lines(capsys.readouterr().out)
    assert first["scores"]["judge_faithfulness"]["value"] is None
    assert first["scores"]["judge_faithfulness"]["reason"]
    assert first["passed"] is None
    assert second["overall"] == 3.5


def test_judge_by_an_unfit_model_gives_no_grade_and_says_why(
    ollama: FakeOllama, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says_yes = judging(support=lambda text, claim: 0.9)
    ollama.answer = lambda body: (
        says_yes if body["options"]["num_predict"] == 1 else grading
    )(body)
    file = rows_file(tmp_path, ROW, {**ROW, "id": 2})
    assert main(["answers", "grade", file, "--model", "m:1b"]) == 3
    told = capsys.readouterr()
    assert told.err.count("m:1b cannot tell true claims from false ones") == 1
    for line in lines(told.out):
        assert (line["overall"], line["passed"]) == (None, None)
        for score in line["scores"].values():
            assert score["value"] is None and "gives no grades" in score["reason"]
    assert not [text for text in contents(ollama.chats) if "Grade the" in text]


def test_judge_without_a_model_says_how_to_name_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["answers", "grade", rows_file(tmp_path, ROW)]) == 2
    assert "--model NAME" in capsys.readouterr().err


# --- metrics --------------------------------------------------------------------


def test_metrics_lists_all_and_explains_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "metrics"]) == 0
    shown = capsys.readouterr().out
    assert "claim_completeness" in shown and "0-100  required claims found" in shown
    assert main(["help", "metrics", "citation_precision"]) == 0
    shown = capsys.readouterr().out
    assert "that exist and support their claim / all citations" in shown
    assert "needs  citations in the answer" in shown
    assert "from claimscope.core.metrics.citations" in shown
    assert main(["help", "metrics", "judge_faithfulness", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scale"] == [1, 5]
    assert main(["help", "metrics", "citation_precison"]) == 2
    assert "is 'citation_precision' meant?" in capsys.readouterr().err


# --- generate -------------------------------------------------------------------


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "crane.md").write_text(PAGE)
    questions = {"built": "When was the Orla crane built?", "who": "Who owns it?"}
    cases = [{"id": name, "question": text} for name, text in questions.items()]
    path = tmp_path / "suite.json"
    suite = {"format": "claimscope.suite", "version": 1, "id": "crane"}
    path.write_text(json.dumps({**suite, "pages": "pages", "cases": cases}))
    return path


def answering(body: dict[str, Any]) -> Reply:
    """Cites one sentence that was given, and one that does not exist."""
    if body["options"]["num_predict"] == 1:  # how much fits is measured
        return said("Yes", prompt_eval_count=50)
    if "Who owns it?" in body["messages"][0]["content"]:
        return said("It is owned by Ode [crane.md, S:9].")
    return said("The Orla crane was built in 1952 [crane.md, S:1].")


def test_generate_writes_answers_that_run_takes_and_reports_bad_citations(
    ollama: FakeOllama,
    suite: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ollama.answer = answering
    out = tmp_path / "out" / "answers.jsonl"
    command = [
        "answers",
        "generate",
        str(suite),
        "--model",
        "m:1b",
        "--out",
        str(out),
        "--json",
    ]
    assert main(command) == 0
    captured = capsys.readouterr()
    outcome = json.loads(captured.out)
    assert (outcome["written"], outcome["citations"], outcome["invalid"]) == (2, 2, 1)
    assert "who: broken: [crane.md, S:9]: crane.md ends at S:2" in captured.err
    prompts = [text for text in contents(ollama.chats) if "Rules:" in text]
    assert len(prompts) == 2
    given = (
        "[crane.md, S:1] The Orla crane was built in 1952.\n[crane.md, S:2] It lifts"
    )
    assert all(given in text for text in prompts)
    answers = {a.case_id: a for a in load_suite(suite, answers=out).answers}
    assert answers["built"].provider == "m:1b"
    assert answers["built"].metadata["valid_citations"] == 1
    assert answers["who"].metadata["not_given"] == 1
    assert main(["run", str(suite), "--answers", str(out), "--json"]) == 0


def test_generate_goes_on_where_it_was_killed_and_asks_nothing_twice(
    ollama: FakeOllama,
    suite: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ill(body: dict[str, Any]) -> Reply:
        if "Who owns it?" in body["messages"][0]["content"]:
            return failed(400, "no")
        return answering(body)

    ollama.answer = ill
    out = tmp_path / "answers.jsonl"
    command = [
        "answers",
        "generate",
        str(suite),
        "--model",
        "m:1b",
        "--out",
        str(out),
        "--json",
    ]
    assert main(command) == 3
    captured = capsys.readouterr()
    assert "who: not answered" in captured.err
    whole = out.read_bytes()
    out.write_bytes(whole + b'{"case_id": "who", "te')
    ollama.answer, asked = answering, len(ollama.chats)
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["known"] == 1
    again = [t for t in contents(ollama.chats[asked:]) if "Rules:" in t]
    assert len(again) == 1 and "Who owns it?" in again[0]
    assert out.read_bytes().startswith(whole)
    assert [json.loads(line)["case_id"] for line in out.read_text().splitlines()] == [
        "built",
        "who",
    ]
    capsys.readouterr()
    assert main([*command, "--seed", "8"]) == 2
    assert "was made otherwise" in capsys.readouterr().err


def test_generate_asks_once_more_for_citations(
    ollama: FakeOllama,
    suite: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def forgetful(body: dict[str, Any]) -> Reply:
        if len(body["messages"]) == 1:
            return said("The Orla crane was built in 1952.")
        return answering(body)

    ollama.answer = forgetful
    out = tmp_path / "a.jsonl"
    command = ["answers", "generate", str(suite), "--model", "m:1b", "--out", str(out)]
    assert main([*command, "--cases", "built"]) == 0
    assert "[crane.md, S:1]" in out.read_text()
    assert "cites nothing" not in capsys.readouterr().err
    assert main([*command, "--cases", "bilt"]) == 2
    assert "has no case 'bilt'" in capsys.readouterr().err


# --- a pinned set ---------------------------------------------------------------


def test_a_pinned_set_is_graded_again_when_the_weights_are_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    grade = 5
    planted = judging()

    def answer(body: dict[str, Any]) -> Reply:
        if body["options"]["num_predict"] == 1:
            return planted(body)
        return said(json.dumps({"explanation": "So it is.", "grade": grade}))

    with FakeOllama(answer=answer) as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        file, pin = rows_file(tmp_path, ROW), str(tmp_path / "pin.json")
        command = ["answers", "grade", file, "--model", "m:1b", "--pinned", pin]
        assert main(command) == 0
        assert "1 row pinned" in capsys.readouterr().err
        asked = len(ollama.chats)
        assert asked and main(command) == 0
        assert "the judge is the one that graded it" in capsys.readouterr().err
        assert len(ollama.chats) == asked
        grade = 2
        ollama.digests["m:1b"] = "c" * 64
        assert main([*command, "--accept"]) == 1
        shown = capsys.readouterr().out
        assert "changed since it was pinned: its weights; 1 row compared" in shown
        assert "faithfulness: 5.00 -> 2.00 (-3.00), same 0 of 1" in shown
        assert "outcomes that changed: 1" in shown
        assert main([*command, "--again", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["changed"], found["rows"], found["flips"]) == ([], 1, [])


def test_a_pinned_set_is_graded_again_when_the_pages_are_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same pages in another file are the same; another word is not."""
    planted = judging()

    def answer(body: dict[str, Any]) -> Reply:
        if body["options"]["num_predict"] == 1:
            return planted(body)
        grade = 2 if "9:40" in str(body["messages"]) else 5
        return said(json.dumps({"explanation": "So it is.", "grade": grade}))

    pages, pin = tmp_path / "pages", tmp_path / "pin.json"
    pages.mkdir()
    (pages / "harbour.md").write_text("# Harbour\n\nThe ferry leaves at 8:15.\n")
    row = {"id": 1, "question": "When?", "answer": "The ferry leaves at 8:15."}
    with FakeOllama(answer=answer) as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        command = ["answers", "grade", rows_file(tmp_path, row), "--model", "m:1b"]
        command += ["--pinned", str(pin), "--against", str(pages)]
        assert main(command) == 0 and main(command) == 0
        assert "the judge is the one that graded it" in capsys.readouterr().err
        (pages / "harbour.md").write_text("# Harbour\n\nThe ferry leaves at 9:40.\n")
        assert main(command) == 1
        shown = capsys.readouterr().out
        assert "changed since it was pinned: the pages of --against; 1 row" in shown
        assert "faithfulness: 5.00 -> 2.00 (-3.00), same 0 of 1" in shown
        assert "not all of this is the judge's" in shown
        command[-1] = str(tmp_path / "nowhere")
        assert main(command) == 2
        assert "nowhere: no such folder" in capsys.readouterr().err


def test_what_is_no_pinned_set_is_refused_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin = tmp_path / "pin.json"
    pin.write_text('{"rows": 3}')
    command = ["answers", "grade", rows_file(tmp_path, ROW), "--model", "m:1b"]
    assert main([*command, "--pinned", str(pin)]) == 2
    assert "it is no pinned set" in capsys.readouterr().err
