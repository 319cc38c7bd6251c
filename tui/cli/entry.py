"""The program from its arguments to its exit code. stdout is data, stderr is talk."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from claimscope.core.telemetry import switch_off
from claimscope.tui.cli.command_table import in_present_names, rename_note
from claimscope.tui.cli.exit_codes import run_to_exit_code
from claimscope.tui.cli.parser import build_parser, parse_words
from claimscope.tui.process.logs import open_log
from claimscope.tui.process.output import spare_signs

log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code. No traceback reaches a user."""
    switch_off()
    spare_signs()
    typed = list(sys.argv[1:] if argv is None else argv)
    if "_ARGCOMPLETE" in os.environ:
        from claimscope.tui.cli.completion import complete, words_of

        complete(build_parser(words_of(os.environ.get("COMP_LINE", ""))))
    words, before, now = in_present_names(typed)
    arguments = parse_words(words)
    if before and "--json" not in words:
        print(rename_note(before, now), file=sys.stderr)
    arguments.words = words
    if arguments.version:
        from claimscope.tui.process.version import version

        print(version())
        return 0
    # What another process may do for us is asked of it before anything is loaded.
    elsewhere = getattr(arguments, "elsewhere", None)
    code = elsewhere(arguments) if elsewhere else None
    if code is not None:
        return int(code)
    run: Callable[[argparse.Namespace], int] = getattr(arguments, "run", interface)
    with open_log(arguments.workspace, arguments.log_level):
        parts = (getattr(arguments, name, None) for name in ("command", "part"))
        command = " ".join(part for part in parts if part)
        log.info("claimscope %s", command or "opens the interface")
        code = run_to_exit_code(run, arguments)
        log.info("exit code %d", code)
        return code


def interface(arguments: argparse.Namespace) -> int:
    command = import_module("claimscope.tui.cli.commands.interface")
    code: int = command.run(arguments)
    return code
