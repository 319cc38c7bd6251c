"""The interface for a terminal on which no screen can be drawn (TERM=dumb).

A numbered list of what the screens show, and a prompt that takes a number or any
command: everything can be done, line by line.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from claimscope.tui.cli.entry import main
from claimscope.tui.cli.parser import TOP
from claimscope.tui.cli.printing import NAMES, TABLE
from claimscope.tui.process.output import say

if TYPE_CHECKING:
    from claimscope.tui.ports.gateway import Gateway

LEAVE = frozenset({"q", "quit", "exit"})
PROMPT = "claimscope> "
WORDS = """\
  a number or name with what may follow it, e.g.  4   or  stepper last
  any command of claimscope, e.g.  run medicine   overrule last CASE 2 supported
  h  this list     q  leave"""


def open_plain(
    workspace: str | None,
    gateway: Callable[[], Gateway],
    *,
    run_id: str | None = None,
    read: Callable[[str], str] = input,
) -> int:
    """Asks and prints until somebody leaves; gives the exit code. Raises what keeps
    the gateway from being made."""
    gateway()  # a workspace that cannot be used is said at once
    flags = ["--workspace", workspace] if workspace else []
    say("This terminal draws no screens (TERM=dumb), so here are lines.")
    if run_id is not None:
        _do(["runs", "show", run_id], flags)
    menu()
    while True:
        try:
            line = read(PROMPT)
        except (EOFError, KeyboardInterrupt):
            print()
            return 0
        words = _words(line)
        if words and words[0] in LEAVE:
            return 0
        if words:
            _do(words, flags)


def menu() -> None:
    for number, one in enumerate(TABLE, 1):
        print(f"  {number:>2}  {one.screen:<14} {one.name} {one.takes}".rstrip())
    print(WORDS)


def _words(line: str) -> list[str]:
    """The words of a line; a number or a screen's name becomes `show NAME`."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        say(f"claimscope: {error}")
        return []
    if not words:
        return []
    if words[0] in ("h", "help", "?"):
        menu()
        return []
    first, *rest = words
    if first == "claimscope":
        return rest
    if first.isdecimal() and 1 <= int(first) <= len(TABLE):
        return ["show", TABLE[int(first) - 1].name, *rest]
    # `models` and the like are commands as well, and print the same.
    return ["show", *words] if first in NAMES and first not in TOP else words


def _do(words: list[str], flags: list[str]) -> None:
    """Runs a command; what is wrong with it has been said when it returns."""
    try:
        code = main([*flags, *words])
    except SystemExit as ended:  # the parser's way to say --help and wrong use
        code = ended.code if isinstance(ended.code, int) else 2
    if code:
        say(f"(exit code {code})")
