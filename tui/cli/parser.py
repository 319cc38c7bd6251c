"""The parser of the command line: one module a command (tui/cli/commands/).

`help` of the whole lists the words of tui/cli/command_table.py by task.

Only argparse is imported to answer `--help`; a command loads what it needs when it
runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from claimscope.tui.cli.command_table import (
    COMMANDS,
    FIRST,
    GROUPS,
    TASKS,
    module_of,
    parts_of,
    words_help,
)
from claimscope.tui.process.logs import add_log_level

if TYPE_CHECKING:
    Parsers = argparse._SubParsersAction[argparse.ArgumentParser]

TOP = [name for names in TASKS.values() for name in names]
"""What may stand first."""
DESCRIPTION = "Judge AI answers against ground-truth text, claim by claim, offline."

EPILOG = """\
exit codes:
  0  done; `check`: nothing stands against the answer
  1  `check`: a claim is contradicted (--strict: or not supported); `models
     probe`: unfit; `run`, `runs resume`, `report`: the gate failed
  2  wrong use, or input that cannot be used
  3  it could not be done or could not be judged (never mistaken for a pass)
  130  interrupted; what was finished is saved

Without a command the terminal interface opens.
"""


def parse_words(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command, else of the interface. That one is opened without
    the names and helps of all commands, which take as long as a frame."""
    if not {*TOP, "-h", "--help"}.intersection(words):
        parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
        _add_general(parser)
        try:
            arguments, others = parser.parse_known_args(words)
        except argparse.ArgumentError:
            others = list(words)
        if not others:
            return arguments
    return build_parser(words).parse_args(words)


def build_parser(words: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser; imports nothing slow. words: only the arguments of commands among
    these are known, since reading all of them takes as long as the first frame may."""
    parser = argparse.ArgumentParser(
        prog="claimscope",
        usage="%(prog)s [-h] [--version] [--workspace DIR] [--log-level LEVEL] "
        "[COMMAND ...]",
        description=f"{DESCRIPTION}\n\n{_by_task()}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_general(parser)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog="claimscope", help=argparse.SUPPRESS
    )
    for name in TOP:
        if words is not None and name not in words:
            commands.add_parser(name, help=words_help(name))
        elif name in GROUPS:
            _add_group(commands, name, words)
        else:
            _add_command(commands, name, COMMANDS[name], name)
    return parser


def _by_task() -> str:
    """What `--help` lists: every word with what it does."""
    lines: list[str] = []
    for task, names in TASKS.items():
        lines.append(f"{task}:")
        lines += [f"  {name:<9} {words_help(name)}" for name in names]
        lines.append("")
    lines.append(
        "`claimscope COMMAND --help` has the flags, or what a group consists of."
    )
    return "\n".join(lines)


def _add_group(commands: Parsers, group: str, words: Sequence[str] | None) -> None:
    text = GROUPS[group]
    first = f" Without one of them: {FIRST[group]}." if group in FIRST else ""
    parser = commands.add_parser(
        group, help=text, description=f"{text[0].upper()}{text[1:]}.{first}"
    )
    parts = parser.add_subparsers(dest="part", metavar="COMMAND", required=True)
    for part, meaning in parts_of(group).items():
        if words is not None and part not in words:
            parts.add_parser(part, help=meaning)
        else:
            _add_command(parts, part, meaning, f"{group} {part}")


def _add_command(commands: Parsers, word: str, text: str, name: str) -> None:
    module = import_module(f"claimscope.tui.cli.commands.{module_of(name)}")
    command = commands.add_parser(
        word,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog=getattr(module, "EPILOG", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.arguments(command)
    add_workspace(command, default=argparse.SUPPRESS)
    add_log_level(command, default=argparse.SUPPRESS)
    command.add_argument("--json", action="store_true", help="print JSON to stdout")
    elsewhere = getattr(module, "elsewhere", None)
    command.set_defaults(run=module.run, elsewhere=elsewhere)


def _add_general(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="store_true", help="print the version")
    add_workspace(parser)
    add_log_level(parser)


def add_workspace(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """--workspace works before and after the command."""
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        default=default,
        help="folder of index, runs and settings (default: CLAIMSCOPE_WORKSPACE, "
        "else the user's data folder)",
    )
