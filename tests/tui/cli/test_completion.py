"""What a shell is offered, asked as the shell asks; and the manual page."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.cli.command_table import COMMANDS, GROUPS
from claimscope.tui.cli.commands.help.completion import SHELLS
from claimscope.tui.cli.manual import commands_of, escape_roff, manual
from claimscope.tui.cli.parser import build_parser
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """A workspace with a finished run."""
    fakes.finished_run(DiskRunStore(Workspace(tmp_path).runs))
    return tmp_path


def offered(line: str, workspace: Path) -> list[str]:
    """What the shell would show behind `line`. The answer goes to descriptor 8, here
    standard output."""
    environment = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(workspace / "offered"),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "CLAIMSCOPE_WORKSPACE": str(workspace),
    }
    done = subprocess.run(
        [sys.executable, "-m", "claimscope"],
        env=environment,
        cwd=workspace,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    found = (workspace / "offered").read_text("utf-8").split("\n")
    return sorted(word.strip() for word in found if word.strip())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("claimscope r", ["report", "run", "runs"]),
        ("claimscope runs re", ["reanalyse", "repair", "resume"]),
        ("claimscope runs show ", ["last", RUN]),
        ("claimscope show s", ["settings", "stepper", "suite"]),
        ("claimscope labels override 2026", [RUN]),
        ("claimscope run med", ["medicine"]),
        ("claimscope check --gi", ["--github"]),
        ("claimscope help completion ", ["bash", "fish", "zsh"]),
        ("claimscope runs trends --metrics citation_f1,citation_rec", []),
    ],
)
def test_a_shell_is_offered_what_there_is(
    space: Path, line: str, words: list[str]
) -> None:
    found = offered(line, space)
    if line.startswith("claimscope runs show"):
        assert set(words) <= set(found)
    elif line.endswith("citation_rec"):
        assert found == ["citation_f1,citation_recall"]
    else:
        assert found == words


def test_every_shell_gets_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    codes = []
    for shell in SHELLS:
        assert main(["help", "completion", shell]) == 0
        codes.append(capsys.readouterr().out)
    assert "complete -o nospace" in codes[0]
    assert codes[1].startswith("#compdef claimscope")
    assert "complete --command claimscope" in codes[2]


# --- the manual page ----------------------------------------------------------------


def test_the_page_has_every_command_with_its_flags(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help", "man"]) == 0
    lines = capsys.readouterr().out.splitlines()
    sections = [line[4:] for line in lines if line.startswith(".SS ")]
    assert len(sections) == len(set(sections))
    assert set(sections) == {*COMMANDS, *GROUPS}
    assert ".SH EXIT STATUS" in lines
    for command in leaves():
        shown = (a for a in command._actions if a.help != argparse.SUPPRESS)
        for action in shown:
            for flag in set(action.option_strings) - {"-h", "--help"}:
                assert any(escape_roff(flag) in line for line in lines), flag


def leaves() -> list[argparse.ArgumentParser]:
    """The parsers of all commands."""
    known = commands_of(build_parser())
    return [
        commands_of(known[group])[part] if part else known[group]
        for group, _, part in (name.partition(" ") for name in COMMANDS)
    ]


def test_no_line_is_a_request_that_was_not_meant() -> None:
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi", ".nh", ".ad"}
    for line in manual(build_parser(), "1.0"):
        assert "\n" not in line
        if line.startswith((".", "'")):
            assert line.split()[0] in known, line


@given(st.text())
def test_escaped_text_begins_no_request(text: str) -> None:
    assert not escape_roff(text).startswith((".", "'"))


def test_the_page_of_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "man", "labels", "override"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH CLAIMSCOPE-LABELS-OVERRIDE 1")
    assert ".SS" not in page and "exit codes: 0 done" in page
    assert main(["help", "man", "labels", "overide"]) == 2
    assert "did you mean labels override?" in capsys.readouterr().err
