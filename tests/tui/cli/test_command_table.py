"""Commands by task, their groups, and names of before that still work."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from claimscope.tui.cli import main
from claimscope.tui.cli.command_table import (
    BEFORE,
    COMMANDS,
    FIRST,
    GROUPS,
    TASKS,
    in_present_names,
    module_of,
    parts_of,
)

# Every command of version 0.1.0 under the name it had then.
OF_BEFORE = (
    "check daemon lsp demo index search pages run suite resume attach pause cancel "
    "reanalyse runs repair export show compare trends stats overrule agreement labels "
    "report validate verify score judge cite metrics rules generate lab split models "
    "pull probe serve doctor completion man"
).split()


def test_the_words_of_the_help_are_the_commands_and_groups_once_each() -> None:
    listed = [name for names in TASKS.values() for name in names]
    single = [name for name in COMMANDS if " " not in name]
    assert sorted(listed) == sorted([*single, *GROUPS])
    assert len(listed) == 16
    assert all(parts_of(group) for group in GROUPS)
    assert all(part in parts_of(group) for group, part in FIRST.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_lies_under_its_words(name: str) -> None:
    module = import_module(f"claimscope.tui.cli.commands.{module_of(name)}")
    assert callable(module.arguments) and callable(module.run)


@pytest.mark.parametrize("name", OF_BEFORE)
def test_each_name_of_before_still_finds_its_command(name: str) -> None:
    words = in_present_names([name]).words
    assert " ".join(words) in COMMANDS
    assert (name in BEFORE) == (words[0] != name)


@pytest.mark.parametrize(
    ("typed", "words", "before"),
    [
        ("resume last --json", "runs resume last --json", "resume"),
        ("--workspace w index pages", "--workspace w pages index pages", "index"),
        ("--log-level=debug judge a", "--log-level=debug answers grade a", "judge"),
        ("runs", "runs list", ""),
        ("runs --json", "runs list --json", ""),
        ("runs --help", "runs --help", ""),
        ("runs trends", "runs trends", ""),
        ("runs last", "runs last", ""),
        ("labels last", "labels export last", ""),
        ("pages tides", "pages list tides", ""),
        ("serve --port 0", "serve web --port 0", ""),
        ("help", "--help", ""),
        ("help run", "run --help", ""),
        ("help runs show", "runs show --help", ""),
        ("help metrics", "help metrics", ""),
        ("check index", "check index", ""),
        ("--workspace index", "--workspace index", ""),
        ("", "", ""),
    ],
)
def test_words_are_taken_in_the_names_of_now(
    typed: str, words: str, before: str
) -> None:
    found = in_present_names(typed.split())
    assert " ".join(found.words) == words
    assert found.before == before


def test_an_old_name_works_and_says_the_new_one_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help", "metrics", "claim_support"]) == 0
    now = capsys.readouterr()
    assert main(["metrics", "claim_support"]) == 0
    before = capsys.readouterr()
    assert before.out == now.out and now.err == ""
    assert before.err == (
        "note: `claimscope metrics` is now `claimscope help metrics`; the old name "
        "goes with the next release\n"
    )


def test_nothing_is_said_where_a_program_reads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_a_run_is_still_shown_by_the_command_of_screens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--workspace", str(tmp_path)]
    assert main([*where, "runs", "show", "nothing"]) == 3
    now = capsys.readouterr().err
    assert now.startswith("claimscope: Store cannot be used: There is no run 'nothing'")
    assert main([*where, "show", "nothing"]) == 3
    said, _, rest = capsys.readouterr().err.partition("\n")
    assert said.startswith(
        "note: `claimscope show RUN` is now `claimscope runs show RUN`"
    )
    assert rest == now


def test_a_word_that_no_group_has_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["runs", "lst"])
    assert ended.value.code == 2
    assert "invalid choice: 'lst'" in capsys.readouterr().err
