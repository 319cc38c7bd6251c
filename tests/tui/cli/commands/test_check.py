"""`claimscope check` as a user types it: embeddings are faked, all else is real."""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimscope.tui.cli import main
from claimscope.tui.process import output
from claimscope.tui.services.check import file_watch
from tests.doubles.fake_ollama import FakeOllama, Reply, contents, said
from tests.doubles.planted_model import ASKED, HARD, SURE, TRUTH, judging, well

pytestmark = pytest.mark.usefixtures("fake_embeddings")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "crane.md").write_text(
        "# The Orla crane\n\nThe Orla harbour crane was built in 1952. "
        "It lifts 40 tonnes. It was painted green in 1987.\n"
    )
    return folder


def checked(
    monkeypatch: pytest.MonkeyPatch, text: str, pages: Path, *flags: str
) -> int:
    """Exit code of a check of text from stdin."""

    class Stdin:
        buffer = io.BytesIO(text.encode())

        @staticmethod
        def isatty() -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Stdin())
    return main(["check", "-", "--against", str(pages), *flags])


def test_check_passes_what_the_pages_say(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "# Crane\n\nThe Orla harbour crane was built in 1952.\n"
    assert checked(monkeypatch, text, pages) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("-:3:1: supported: The Orla harbour crane was built")
    assert "crane.md:S:" in lines[0]
    assert lines[-1] == "1 claim: 1 supported; 1 part states no claim"


def test_a_model_is_asked_the_hard_claims_by_the_first_check_alone(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def support(text: str, claim: str) -> float:
        return well(text, claim) if claim in TRUTH else SURE

    def answer(body: dict[str, Any]) -> Reply:
        is_claim = ASKED.search(str(body["messages"][-1]["content"])) is not None
        return judging(support)(body) if is_claim else said("{}")

    counts = []
    with FakeOllama(answer=answer) as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        for _ in range(2):
            flags = ("--verifier", "ollama", "--model", "m:1b")
            checked(monkeypatch, "The Orla harbour crane is old.", pages, *flags)
            assert "30 of 30 true ones" in capsys.readouterr().err
            texts = contents(fake.chats)
            counts.append(sum(any(one in text for one in HARD) for text in texts))
            fake.chats.clear()
    assert counts[0] >= len(HARD) and counts[1] == 0


def test_check_fails_a_wrong_number_with_the_sentence_that_says_otherwise(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The Orla harbour crane was built in 1925."
    assert checked(monkeypatch, text, pages) == 1
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith("-:1:1: contradicted:")
    assert "The Orla harbour crane was built in 1952." in line


def test_check_of_an_invented_claim_fails_only_a_strict_check(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Penguins nest below the lighthouse every spring."
    assert checked(monkeypatch, text, pages) == 0
    assert "not enough info" in capsys.readouterr().out
    assert checked(monkeypatch, text, pages, "--strict") == 1


def test_check_writes_github_annotations(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The Orla harbour crane was built in 1925."
    assert checked(monkeypatch, text, pages, "--github", "--name", "a/b.md") == 1
    assert capsys.readouterr().out.startswith("::error file=a/b.md,line=1,col=1::")


def test_annotations_of_text_from_stdin_name_no_file_that_is_not_there(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The Orla harbour crane was built in 1925."
    assert checked(monkeypatch, text, pages, "--github") == 1
    out = capsys.readouterr().out
    assert out.startswith("::error::line 1, column 1: contradicted: The Orla")


def test_check_with_tui_and_no_terminal_refuses_before_it_judges(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: str, flags: int) -> int:
        raise OSError(errno.ENXIO, "no such device", path)

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("claimscope.tui.cli.terminal.os.open", refuse)
    assert checked(monkeypatch, "A claim is made here.", pages, "--tui") == 2
    shown = capsys.readouterr()
    assert "--tui needs a terminal" in shown.err and not shown.out


@pytest.mark.parametrize("text", ["", " \n", "Hello! Let me know if I can help."])
def test_check_of_nothing_is_not_a_pass(
    text: str, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checked(monkeypatch, text, pages) == 3


def test_check_without_a_readable_page_is_not_a_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert checked(monkeypatch, "A claim is made here.", folder) == 3
    assert "empty" in capsys.readouterr().err
    assert checked(monkeypatch, "A claim is made here.", tmp_path / "none") == 2


def test_check_shows_foreign_text_inert(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The crane \x1b[31mlifts\x1b[0m 40 tonnes [bold]today[/bold]."
    checked(monkeypatch, text, pages)
    out = capsys.readouterr().out
    assert "\x1b" not in out


# --- several answers, several folders -------------------------------------------

TRUE = "The Orla harbour crane was built in 1952."
FALSE = "The Orla harbour crane was built in 1925."


def answer(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_several_answers_are_judged_in_one_call_in_their_order(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = answer(tmp_path, "b.md", TRUE), answer(tmp_path, "a.md", FALSE)
    assert main(["check", good, bad, good, "--against", str(pages)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        [f"{good}:1:1", "supported"],
        [good, "1 claim"],
        [f"{bad}:1:1", "contradicted"],
        [bad, "1 claim"],
    ]
    assert main(["check", good, good, "--against", str(pages), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == good


def test_several_answers_as_json_are_a_list(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [answer(tmp_path, "b.md", TRUE), answer(tmp_path, "a.md", FALSE)]
    assert main(["check", *names, "--against", str(pages), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["answers"]
    assert [one["name"] for one in found] == names
    assert [one["findings"][0]["state"] for one in found] == [
        "supported",
        "contradicted",
    ]


def test_an_answer_that_cannot_be_read_does_not_keep_the_others_from_being_judged(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, gone = answer(tmp_path, "a.md", TRUE), str(tmp_path / "gone.md")
    assert main(["check", gone, good, "--against", str(pages)]) == 2
    shown = capsys.readouterr()
    assert f"{gone}: No such file" in shown.err and f"{good}: 1 claim" in shown.out
    assert main(["check", gone, "--against", str(pages)]) == 2


def test_pages_of_several_folders_are_all_true(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = tmp_path / "more" / "crane"
    more.mkdir(parents=True)
    (more / "crane.md").write_text("The Orla harbour crane has nine wheels.\n")
    text = f"{TRUE} The Orla harbour crane has nine wheels."
    given = [answer(tmp_path, "a.md", text), "--against", str(pages)]
    assert main(["check", *given, "--against", str(more)]) == 0
    out = capsys.readouterr().out
    assert "[pages/crane.md:S:" in out and "[more/crane/crane.md:S:0" in out
    assert out.endswith("2 claims: 2 supported\n")
    (tmp_path / "none").mkdir()
    assert main(["check", *given, "--against", str(tmp_path / "none")]) == 3
    assert "none: there is no readable page" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["a.md", "b.md", "--name", "c.md"], "--name names one answer"),
        (["a.md", "b.md", "--question", "Why?"], "--question is that of one answer"),
        (["a.md", "--question", " "], "--question is empty"),
        (["-", "--watch"], "--watch: standard input"),
        (["a.md", "--watch", "--tui"], "--watch and --tui"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(
    flags: list[str], said: str, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *flags, "--against", str(pages)]) == 2
    assert said in capsys.readouterr().err


def test_the_question_says_which_of_like_pages_is_meant(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (pages / "tarn.md").write_text(
        "# The Tarn crane\n\nThe crane was built in 1960. It lifts 25 tonnes.\n"
    )
    text = "The crane lifts 40 tonnes."
    assert checked(monkeypatch, text, pages, "--strict") == 0
    asked = "How much does the Tarn crane lift?"
    assert checked(monkeypatch, text, pages, "--strict", "--question", asked) == 1


def test_the_number_of_iterations_of_runs_is_no_matter_of_a_check(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_ITERATIONS", "3")
    name = answer(tmp_path, "a.md", TRUE)
    assert main(["check", name, "--against", str(pages)]) == 0


# --- watch ------------------------------------------------------------------------


def edits(*steps: Callable[[], object]) -> Callable[[float], None]:
    """A sleep in which the next step of somebody at work happens; then Ctrl-C."""
    left = list(steps)

    def sleep(seconds: float) -> None:
        assert seconds >= file_watch.EVERY_SECONDS
        if not left:
            raise KeyboardInterrupt
        left.pop(0)()

    return sleep


def test_watch_judges_again_after_each_change_and_ends_with_the_last_code(
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.md"
    path.write_text(FALSE)
    page = pages / "crane.md"
    sleep = edits(
        lambda: None,
        lambda: path.write_text(TRUE),
        lambda: None,
        lambda: path.unlink(),
        lambda: None,
        lambda: path.write_text(TRUE),
        lambda: None,
        lambda: page.write_text(page.read_text().replace("1952", "1961")),
        lambda: None,
    )
    monkeypatch.setattr(file_watch, "rest", sleep)
    assert main(["check", str(path), "--against", str(pages), "--watch"]) == 1
    shown = capsys.readouterr()
    verdicts = [line.split(": ")[1] for line in shown.out.splitlines()[::2]]
    assert verdicts == ["contradicted", "supported", "supported", "contradicted"]
    assert shown.err.count("changed: ") == 4
    assert f"{path}: No such file" in shown.err


def test_watch_prints_a_line_of_json_a_time(
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.md"
    path.write_text(FALSE)
    sleep = edits(lambda: path.write_text(TRUE), lambda: None)
    monkeypatch.setattr(file_watch, "rest", sleep)
    assert main(["check", str(path), "--against", str(pages), "--watch", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    states = [json.loads(line)["findings"][0]["state"] for line in lines]
    assert states == ["contradicted", "supported"]


def test_a_file_that_is_still_written_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("1")
    sleeps = iter(["22", "333", ""])

    def sleep(seconds: float) -> None:
        text = next(sleeps, None)
        if text is None:
            raise KeyboardInterrupt
        if text:
            path.write_text(text)

    found = file_watch.changes([path], [tmp_path], sleep)
    assert [next(found), next(found), path.read_text()] == ["", str(path), "333"]


def test_hidden_files_of_a_folder_are_not_watched(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_text("x")
    (tmp_path / ".a.md.swp").write_text("x")
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "lost.md").symlink_to(tmp_path / "nowhere")
    assert list(file_watch.state_of([], [tmp_path])) == [str(tmp_path / "a.md")]
    both = file_watch.in_words({"a": (1, 1, 1), "b": (1, 1, 1)}, {"a": (2, 1, 1)})
    assert both == "a and 1 more"


# --- progress ----------------------------------------------------------------------


def test_what_is_done_stands_on_one_line_that_the_next_thing_said_takes_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    size = os.terminal_size((9, 2))
    monkeypatch.setattr("shutil.get_terminal_size", lambda: size)
    output.stage("reading the pages")
    output.say("note")
    output.stage("")
    assert capsys.readouterr().err == "\r\x1b[Kreading…\r\x1b[Knote\n"


@pytest.mark.parametrize("term", ["dumb", ""])
def test_where_a_line_cannot_be_taken_away_or_nobody_looks_there_is_none(
    term: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", term or "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: bool(term))
    output.stage("reading the pages")
    assert not capsys.readouterr().err


def test_a_check_on_a_terminal_says_what_it_does_and_leaves_nothing_of_it(
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [answer(tmp_path, "b.md", TRUE), answer(tmp_path, "a.md", FALSE)]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["check", *names, "--against", str(pages)]) == 1
    assert "4/4" in capsys.readouterr().err
    assert main(["check", *names, "--against", str(pages)]) == 1
    told = capsys.readouterr().err.split("\r\x1b[K")
    judged = ["judging answer 1 of 2", "judging answer 2 of 2", "judging answer"]
    assert told == ["", "loading", "reading the pages", *judged, ""]


SARIF = Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json"


def test_what_was_found_is_valid_sarif(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jsonschema

    monkeypatch.chdir(tmp_path)
    text = f"# Crane\n\n{FALSE} {TRUE} Penguins guard it [gone.md, S:2].\n"
    answer(tmp_path, "an answer.md", text)
    out = tmp_path / "out" / "found.sarif"
    out.parent.mkdir()
    words = ["check", "an answer.md", "--against", str(pages), "--sarif", str(out)]
    assert main(words) == 1
    log = json.loads(out.read_text("utf-8"))
    jsonschema.Draft4Validator(json.loads(SARIF.read_text("utf-8"))).validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    results = run["results"]
    assert [(one["ruleId"], one["level"]) for one in results][0] == (
        "Contradicted",
        "error",
    )
    assert {one["ruleId"] for one in results} >= {"Contradicted", "BrokenCitation"}
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in results)
    first = results[0]
    (place,) = first["locations"]
    physical = place["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "an%20answer.md"}
    end = 1 + len(FALSE)
    assert physical["region"] == {
        "startLine": 3,
        "startColumn": 1,
        "endLine": 3,
        "endColumn": end,
    }
    (evidence, *_) = first["relatedLocations"]
    uri = evidence["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "pages/crane.md" and "crane.md:S:" in evidence["message"]["text"]


def test_a_project_says_what_is_judged_against_what(
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "answers").mkdir()
    answer(tmp_path / "answers", "a.md", TRUE)
    answer(tmp_path / "answers", "b.md", "Penguins nest below the lighthouse.")
    file = tmp_path / "claimscope.toml"
    file.write_text('against = "pages"\nanswers = ["answers/*.md"]\nstrict = true\n')
    monkeypatch.chdir(tmp_path / "answers")
    assert main(["check"]) == 1
    assert "a.md:1:1: supported" in capsys.readouterr().out
    assert main(["check", "a.md"]) == 0
    capsys.readouterr()
    file.write_text('verifier = "none"\n')
    assert main(["check"]) == 2
    assert "no answer is named" in capsys.readouterr().err
    assert main(["check", "a.md"]) == 2
    said = capsys.readouterr().err
    assert "--against is missing" in said and "claimscope.toml does not say" in said
