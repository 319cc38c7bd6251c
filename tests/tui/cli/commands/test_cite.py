"""`claimscope answers cite --fix` as a user types it: rows and answers made anew."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from claimscope.tui.cli import main

PAGE = "# The mill\n\nThe mill opened in 1843. It grinds oats. It has two wheels.\n"
ANSWER = (
    "The mill opened in 1843 [mill.md, S:1]. It grinds oats [mill.md, S:1].\r\n"
    "It has two wheels. The mill is red [mill.md, S:2].\r\n"
)
FIXED = (
    "The mill opened in 1843 [mill.md, S:1]. It grinds oats [mill.md, S:2].\r\n"
    "It has two wheels [mill.md, S:3]. The mill is red [mill.md, S:2].\r\n"
)
ROW: dict[str, Any] = {
    "id": "a",
    "question": "What of the mill?",
    "answer": "The mill grinds oats [1]. It opened in 1843 [1].",
    "contexts": ["The mill opened in 1843.", "The mill grinds oats."],
    "note": "kept as it is: ü",
}


pytestmark = pytest.mark.usefixtures("fake_embeddings")


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "mill.md").write_text(PAGE)
    path = tmp_path / "answer.md"
    path.write_bytes(ANSWER.encode())
    path.chmod(0o640)
    return path


def cite(path: Path, *flags: str) -> int:
    return main(
        ["answers", "cite", str(path), "--against", str(path.parent / "pages"), *flags]
    )


def test_an_answer_is_told_of_line_by_line(
    answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cite(answer) == 0
    told = capsys.readouterr().out.replace(str(answer), "answer.md").splitlines()
    assert told[0] == (
        'answer.md:1:25: valid: [mill.md, S:1] "The mill opened in 1843." (supported)'
    )
    assert told[2:4] == [
        "answer.md:1:56: proposal: [mill.md, S:1] -> [mill.md, S:2] (proved):"
        ' mill.md:S:2 "It grinds oats."',
        "answer.md:2:18: proposal: add [mill.md, S:3] (proved):"
        ' mill.md:S:3 "It has two wheels."',
    ]
    assert "citation_precision 0.33" in told
    assert answer.read_bytes() == ANSWER.encode()


def test_fix_writes_a_new_file_and_says_what_is_left(
    answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cite(answer, "--fix") == 1  # the red mill has no sentence
    found = capsys.readouterr()
    new = answer.with_name("answer.fixed.md")
    assert new.read_bytes() == FIXED.encode()
    assert new.stat().st_mode & 0o777 == 0o640
    assert answer.read_bytes() == ANSWER.encode()
    assert [line[:40] for line in found.out.splitlines() if line[0] in "+-"][2:] == [
        line[:40]
        for line in (
            "-The mill opened in 1843 [mill.md, S:1]. It grinds oats",
            "-It has two wheels. The mill is red [mill.md, S:2].",
            "+The mill opened in 1843 [mill.md, S:1]. It grinds oats",
            "+It has two wheels [mill.md, S:3]. The mill is red",
        )
    ]
    assert "left: [mill.md, S:2] (unsupported): no sentence is known" in found.err
    assert "2 proposals taken; 1 citation left" in found.err
    assert cite(answer, "--fix") == 2
    assert "it exists already" in capsys.readouterr().err
    assert cite(answer, "--fix", "--force") == 1


def test_fix_in_place_ends_when_all_is_good(
    answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer.write_text("The mill grinds oats [mill.md, S:1].")
    assert cite(answer, "--fix", "--in-place") == 0
    assert answer.read_text() == "The mill grinds oats [mill.md, S:2]."
    assert cite(answer, "--fix", "--in-place") == 0
    assert capsys.readouterr().err.endswith("0 proposals taken\n")


def test_rows_change_nowhere_but_in_their_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({**ROW, "id": 7, "answer": "The mill opened in 1843 [1]."})
    file = tmp_path / "rows.jsonl"
    file.write_text(
        f"{json.dumps(ROW, ensure_ascii=False)}\n\nno row\n{good}\n", encoding="utf-8"
    )
    assert (
        main(["answers", "cite", str(file), "--fix", "-o", str(tmp_path / "new.jsonl")])
        == 2
    )
    found = capsys.readouterr()
    first, *rest = (tmp_path / "new.jsonl").read_text("utf-8").splitlines()
    assert json.loads(first) == {
        **ROW,
        "answer": "The mill grinds oats [2]. It opened in 1843 [1].",
    }
    assert rest == ["", "no row", good]
    assert "rows.jsonl: line 3: not JSON" in found.err
    assert "--- " in found.out and "rows.jsonl a (fixed)" in found.out


def test_fix_as_json_gives_a_line_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW))
    assert main(["answers", "cite", str(file), "--fix", "--dry-run", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["answer"] == "The mill grinds oats [2]. It opened in 1843 [1]."
    (taken,) = line["taken"]
    assert (taken["text"], taken["by"], taken["claims"]) == (
        "[1]",
        "[2]",
        ["The mill grinds oats."],
    )
    assert line["left"] == line["unrepaired"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_stdin_is_fixed_into_a_file_that_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Stdin:
        buffer = io.BytesIO(json.dumps(ROW).encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert main(["answers", "cite", "-", "--fix"]) == 2
    assert "-o FILE names one" in capsys.readouterr().err
    out = tmp_path / "new.jsonl"
    assert main(["answers", "cite", "-", "--fix", "-o", str(out)]) == 0
    assert json.loads(out.read_text())["answer"].startswith("The mill grinds oats [2]")


def test_what_could_not_be_judged_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({**ROW, "contexts": []}))
    assert main(["answers", "cite", str(file), "--fix", "--dry-run"]) == 1
    told = capsys.readouterr().err
    assert "a:1:22: left: [1] (unverifiable): [1]: the case has no context" in told
    assert "0 proposals taken; 2 citations could not be judged" in told


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--likely"], "--likely goes with --fix"),
        (["--in-place"], "--in-place goes with --fix"),
        (["--fix", "-o", "answer.md"], "this is the file itself"),
    ],
)
def test_flags_that_say_nothing_are_refused(
    answer: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(answer.parent)
    assert main(["answers", "cite", "answer.md", "--against", "pages", *flags]) == 2
    assert said in capsys.readouterr().err


def test_an_answer_without_pages_is_refused(
    answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["answers", "cite", str(answer)]) == 2
    assert "--against FOLDER" in capsys.readouterr().err
    assert (
        main(
            ["answers", "cite", str(answer.with_name("none.md")), "--against", "pages"]
        )
        == 2
    )
    assert "No such file" in capsys.readouterr().err
