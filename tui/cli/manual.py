"""The manual page, made from the parser of the command line: it cannot be out of date.

Written in the macros of man(7), which groff, mandoc and what reads them understand.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from claimscope.tui.cli.command_table import COMMANDS, GROUPS, TASKS, parts_of
from claimscope.tui.cli.parser import DESCRIPTION

ENVIRONMENT = (
    ("CLAIMSCOPE_WORKSPACE", "folder of index, runs and settings"),
    ("CLAIMSCOPE_CACHE", "folder of exported models and of the indexes of `check`"),
    ("CLAIMSCOPE_<NAME>", "any setting; `claimscope doctor` lists them with values"),
    ("OLLAMA_HOST", "address of Ollama"),
    ("CLAIMSCOPE_API_KEY", "key of a server with the OpenAI API (--server openai)"),
    ("VISUAL, EDITOR", "what opens a file from the terminal interface"),
    ("NO_COLOR", "no colours, when it is set"),
)
FILES = (
    ("claimscope.toml", "settings of a workspace"),
    ("logs/claimscope.log", "what went wrong in it"),
)


def manual(parser: argparse.ArgumentParser, version: str) -> Iterator[str]:
    """Lines of the page of the whole program, each command with its flags."""
    commands = commands_of(parser)
    yield from _head("claimscope", version, DESCRIPTION)
    yield ".SH SYNOPSIS"
    yield from _synopsis("claimscope", parser)
    yield ".SH DESCRIPTION"
    yield from _prose(DESCRIPTION)
    yield from _prose("Without a command the terminal interface opens.")
    yield ".SH OPTIONS"
    yield from _flags(parser, skip=())
    yield ".SH COMMANDS"
    for name in (name for names in TASKS.values() for name in names):
        yield f".SS {name}"
        yield from _command(name, commands[name])
        for part in parts_of(name):
            yield f".SS {name} {part}"
            yield from _command(f"{name} {part}", commands_of(commands[name])[part])
    yield from _tail(parser)


def manual_of(
    name: str, parser: argparse.ArgumentParser, version: str
) -> Iterator[str]:
    """Lines of the page of one command."""
    group, _, part = name.partition(" ")
    command = commands_of(parser)[group]
    command = commands_of(command)[part] if part else command
    yield from _head(
        f"claimscope-{name.replace(' ', '-')}", version, command.description or ""
    )
    yield ".SH SYNOPSIS"
    yield from _synopsis(f"claimscope {name}", command)
    yield ".SH DESCRIPTION"
    yield from _command(name, command, synopsis=False)
    yield from _tail(parser)


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


# --- parts -----------------------------------------------------------------------


def _head(title: str, version: str, purpose: str) -> Iterator[str]:
    yield f'.TH {title.upper()} 1 "" "claimscope {version}" "Claimscope"'
    yield ".nh"  # no hyphens in names that are typed
    yield ".ad l"
    yield ".SH NAME"
    purpose = purpose.rstrip(".")
    yield f"{escape_roff(title)} \\- {escape_roff(purpose[:1].lower() + purpose[1:])}"


def _tail(parser: argparse.ArgumentParser) -> Iterator[str]:
    epilog = (parser.epilog or "").partition("\n\n")[0]
    codes = epilog.partition("\n")[2]
    for head, rows in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        yield f".SH {head}"
        for name, meaning in rows:
            yield from _item(name, meaning)
    yield ".SH EXIT STATUS"
    yield from _as_it_is(codes)


def _command(
    name: str, command: argparse.ArgumentParser, *, synopsis: bool = True
) -> Iterator[str]:
    yield from _prose(command.description or "")
    if synopsis:
        yield from _synopsis(f"claimscope {name}", command)
    yield from _flags(command, skip=("workspace", "log_level", "json"))
    for part, parser in commands_of(command).items():
        if name in GROUPS:  # each has a section of its own
            yield from _item(f"{name} {part}", COMMANDS[f"{name} {part}"])
            continue
        yield from _synopsis(f"claimscope {name} {part}", parser)
        yield from _flags(parser, skip=("workspace", "log_level", "json"))
    yield from _as_it_is(command.epilog or "")


def _synopsis(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """The usage, wrapped by the reader, with its placeholders as argparse writes it."""
    usage = " ".join(parser.format_usage().split())
    words = usage.removeprefix("usage:").strip().removeprefix(name).strip()
    yield ".PP"
    yield f".B {escape_roff(name)}"
    yield escape_roff(words)


def _flags(parser: argparse.ArgumentParser, skip: Sequence[str]) -> Iterator[str]:
    formatter = parser._get_formatter()
    for action in parser._actions:
        hidden = action.help == argparse.SUPPRESS or action.dest in (*skip, "help")
        if hidden or isinstance(action, argparse._SubParsersAction):
            continue
        name = formatter._format_action_invocation(action)
        yield from _item(name, formatter._expand_help(action) if action.help else "")


def _item(name: str, meaning: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {escape_roff(name)}"
    yield escape_roff(" ".join(meaning.split())) or "\\&"


def _prose(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph:
            yield ".PP"
            yield escape_roff(" ".join(paragraph.split()))


def _as_it_is(text: str) -> Iterator[str]:
    """A text whose lines are laid out already: tables and examples."""
    if text.strip():
        yield ".PP"
        yield ".nf"
        yield from (
            escape_roff(line) or "\\&" for line in text.strip("\n").splitlines()
        )
        yield ".fi"


def escape_roff(text: str) -> str:
    """Text that no reader takes for a request: no backslash, no dot or quote at the
    start; hyphens stay what is typed."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
