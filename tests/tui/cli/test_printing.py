"""Every screen as lines and as JSON, and the prompt for terminals without screens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.cli.command_table import COMMANDS, GROUPS
from claimscope.tui.cli.plain_mode import PROMPT, open_plain
from claimscope.tui.cli.printing import TABLE
from claimscope.tui.cli.terminal import is_dumb
from claimscope.tui.gateway.workspace import WorkspaceGateway
from claimscope.tui.screens.catalog import listed_screens
from tests.tui.sample_run import RUN_ID, finished_run

OWN = ["home", "suite", "new-run", "run", "stepper", "settings", "keys"]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    finished_run(DiskRunStore(Workspace(tmp_path).runs))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_the_table_has_every_screen_that_shows_data() -> None:
    inner = {"Page", "Prompt and reply", "Agreement"}  # parts of another screen
    names = {screen.NAME for screen in listed_screens()}
    listed = {one.screen for one in TABLE}
    assert {"Home", "Results", "Claim stepper", "Settings", "Help"} <= listed & names
    assert {one.name for one in TABLE if not one.command} == set(OWN)
    assert inner.isdisjoint(listed)


def test_without_a_name_the_screens_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = printed(capsys, "show")
    assert all(f"claimscope show {one.name}" in text for one in TABLE)
    rows = json.loads(printed(capsys, "show", "--json"))
    assert [row["name"] for row in rows] == [one.name for one in TABLE]


@pytest.mark.parametrize("name", OWN)
def test_each_is_printed_as_lines_and_as_json(
    name: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--workspace", str(workspace))
    text = printed(capsys, *where, "show", name)
    assert text.strip() and "\x1b" not in text
    assert json.loads(printed(capsys, *where, "show", name, "--json"))


@pytest.mark.parametrize(
    ("name", "words"),
    [("results", "Reservoirs"), ("compare", "A "), ("trends", "1 finished runs")],
)
def test_others_are_printed_by_their_commands(
    name: str, words: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--workspace", str(workspace))
    text = printed(capsys, *where, "show", name)
    assert json.loads(printed(capsys, *where, "show", name, "--json"))
    assert text and (words in text or RUN_ID in text)


def test_home_says_what_to_do_when_nothing_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "--workspace", str(tmp_path), "show", "home")
    assert "none yet: claimscope pages index FOLDER" in text
    assert "none yet: claimscope demo" in text


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["show", "pages"], "claimscope pages index FOLDER"),
        (["show", "compare"], "claimscope run SUITE"),
        (["show", "stepper"], "claimscope run SUITE"),
    ],
)
def test_an_empty_workspace_says_what_to_do(
    words: list[str], remedy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--workspace", str(tmp_path), *words]) == 2
    assert remedy in capsys.readouterr().err


def typed(*lines: str) -> Callable[[str], str]:
    """Reads these lines, then the end."""
    left = iter(lines)

    def read(prompt: str) -> str:
        assert prompt == PROMPT
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return read


def test_numbers_names_and_commands_are_done_line_by_line(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = open_plain(
        str(workspace),
        lambda: WorkspaceGateway(Workspace(workspace)),
        read=typed(
            "1", "stepper last", "claimscope runs", 'show "', "nonsense", "", "h", "q"
        ),
    )
    out, err = capsys.readouterr()
    assert code == 0
    assert out.count("  1  Home") == 2
    assert "health" in out and out.count(RUN_ID) >= 2
    assert "No closing quotation" in err and "(exit code 2)" in err


def test_the_end_of_input_leaves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = WorkspaceGateway(Workspace(tmp_path))
    assert open_plain(str(tmp_path), lambda: gateway, read=typed()) == 0
    assert "draws no screens" in capsys.readouterr().err


def test_a_pipe_is_no_dumb_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not is_dumb()


def test_every_command_that_is_named_exists() -> None:
    missing = {one.command for one in TABLE if one.command} - {*COMMANDS, *GROUPS}
    assert missing == set()
