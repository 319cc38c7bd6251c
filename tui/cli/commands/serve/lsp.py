"""`claimscope serve lsp`: a language server that judges answers in an editor."""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.stores.workspace.interface_settings import workspace_root
from claimscope.tui.cli.flags import add_model_flags, add_selection_flags, words_of

EPILOG = """\
An editor starts it for Markdown and text files and speaks LSP with it on stdin and
stdout. A file is judged when it is opened and when it is saved, against the pages that
the project's file above it names (claimscope.toml: against = ["pages"]). Claims that
are contradicted or not supported are diagnostics, hovering shows the evidence, and an
action puts the page's value into the answer. Needs pip install 'claimscope[lsp]'.

Files are judged by the resident engine (claimscope serve daemon --help), which all
editors share: it is started when a file is to be judged and none runs, and ends by
itself when idle. Where it cannot be had, or with --no-daemon, the server judges by
itself.

exit codes: 0 the editor ended it; 2 wrong use, or pygls is missing
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--against",
        action="append",
        default=[],
        metavar="FOLDER",
        help="pages that are true, where a file has no project (repeatable)",
    )
    add("--stdio", action="store_true", help="speak on stdin and stdout (always so)")
    add(
        "--daemon",
        action=argparse.BooleanOptionalAction,
        help="have the resident engine judge, and start one where none runs (default)",
    )
    add_selection_flags(parser)
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serves until the editor ends it. Raises InputError when pygls is missing."""
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        raise InputError(
            "pygls, which speaks with editors, is not installed",
            "pip install 'claimscope[lsp]'",
        )
    from claimscope.tui.lsp.server import make_server

    make_server(arguments, check_words).start_io()
    return 0


def check_words(arguments: argparse.Namespace, folders: Sequence[Path]) -> list[str]:
    """The flags by which a check judges alike in another folder."""
    from claimscope.tui.cli.parser import add_workspace

    parser = argparse.ArgumentParser(add_help=False)
    add_selection_flags(parser)
    add_model_flags(parser)
    add_workspace(parser)
    placed = copy.copy(arguments)
    placed.workspace = workspace_root(arguments.workspace).absolute()
    if arguments.embedding_model and Path(arguments.embedding_model).exists():
        placed.embedding_model = Path(arguments.embedding_model).absolute()
    words = [f"--against={folder.absolute()}" for folder in folders]
    return words_of(parser, placed) + words
