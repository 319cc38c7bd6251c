"""`claimscope help man`: the manual page."""

from __future__ import annotations

import argparse

from claimscope.core.errors import InputError
from claimscope.tui.process.output import write_json
from claimscope.tui.process.version import version

EPILOG = """\
read it:     claimscope help man | man -l -
install it:  claimscope help man > ~/.local/share/man/man1/claimscope.1
exit codes: 0 done, 2 no such command
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="*", metavar="COMMAND", help="the page of one command only"
    )


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.cli.command_table import BEFORE, COMMANDS, GROUPS
    from claimscope.tui.cli.manual import manual, manual_of
    from claimscope.tui.cli.parser import build_parser

    name = " ".join(arguments.name) or None
    name = BEFORE.get(name, name) if name else None
    if name is not None and name not in (*COMMANDS, *GROUPS):
        raise unknown(name, [*COMMANDS, *GROUPS])
    # As wide as the lines of a page that is read at 80 columns.
    parser = build_parser()
    lines = manual_of(name, parser, version()) if name else manual(parser, version())
    text = "\n".join(lines)
    if arguments.json:
        write_json({"command": name, "page": text})
    else:
        print(text)
    return 0


def unknown(name: str, known: list[str]) -> Exception:
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "`claimscope --help` lists them"
    return InputError(f"there is no command {name!r}", hint)
