"""What is said when most of a folder was left aside, and the exit code for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope import evaluate_sync
from claimscope.core.models import Answer, Case, Suite
from claimscope.tui.cli import main
from claimscope.tui.ports.library import IndexOutcome
from claimscope.tui.views.pages import outcome_lines

WORDS = "3 of 4 files were not read (3 .textile)"


pytestmark = pytest.mark.usefixtures("fake_embeddings")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "ferry.md").write_text("The ferry leaves at 8:15.")
    for name in "abc":
        (made / f"{name}.textile").write_text("A crossing costs four crowns.")
    return made


def answer(tmp_path: Path, text: str) -> str:
    file = tmp_path / "answer.md"
    file.write_text(text)
    return str(file)


def test_index_warns_with_counts_and_fails_only_when_strict(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pages", "index", str(docs)]) == 0
    told = capsys.readouterr()
    assert f"WARNING: {docs}: {WORDS}" in told.err and "--exclude" in told.err
    assert WORDS in told.out
    assert main(["pages", "index", str(docs), "--strict"]) == 3
    assert (
        main(["pages", "index", str(docs), "--strict", "--exclude", "*.textile"]) == 0
    )
    assert "WARNING" not in capsys.readouterr().err.split("\n", 3)[-1]


def test_index_says_it_in_json(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pages", "index", str(docs), "--json", "--strict"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["mostly_unread"] == WORDS
    assert found["unread"] == {"files": 3, "of": 4, "kinds": {".textile": 3}}


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        ("The ferry leaves at 8:15.", (), 0),
        ("The ferry leaves at 8:15.", ("--strict",), 3),
        ("The ferry leaves at 8:15.", ("--strict", "--exclude", "*.textile"), 0),
        ("The ferry leaves at 9:40.", ("--strict",), 1),
        ("Penguins nest below the lighthouse.", ("--strict",), 3),
        ("Penguins nest below the lighthouse.", ("--strict", "--include", "*.md"), 1),
    ],
)
def test_check_says_it_and_is_no_pass_when_strict(
    tmp_path: Path,
    docs: Path,
    text: str,
    flags: tuple[str, ...],
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["check", answer(tmp_path, text), "--against", str(docs), *flags]
    assert main(words) == code
    told = capsys.readouterr()
    chosen = bool({"--exclude", "--include"} & set(flags))
    assert (f"docs: {WORDS}" in told.out.splitlines()[-1]) is not chosen
    assert ("WARNING" in told.err) is not chosen
    main([*words, "--json"])
    assert bool(json.loads(capsys.readouterr().out)["unread"]) is not chosen


@pytest.mark.slow
def test_the_python_api_notes_it(docs: Path) -> None:
    suite = Suite(id="s", cases=(Case(id="a", question="When does it leave?"),))
    given = [Answer(case_id="a", text="The ferry leaves at 8:15.")]
    result = evaluate_sync(suite, given, pages=docs)
    assert any(WORDS in note for note in result.notes)


def test_lint_warns_of_it(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = docs.parent / "s.json"
    citation = {"page_id": "ferry.md"}
    case = {"id": "a", "question": "When does it leave?", "citations": [citation]}
    suite.write_text(
        json.dumps(
            {"format": "claimscope.suite", "id": "s", "pages": "docs", "cases": [case]}
        )
    )
    main(["suite", "lint", str(suite)])
    assert WORDS in capsys.readouterr().out


def test_the_pages_screen_says_it() -> None:
    outcome = IndexOutcome("docs", 1, 2, 1, 0, 0, 0, 1, 0, WORDS)
    lines = [str(line) for line in outcome_lines(outcome)]
    assert any(WORDS in line for line in lines)
