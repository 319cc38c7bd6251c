"""`claimscope runs reanalyse RUN`: stored answers against changed pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.tui.cli.gate import EXIT_CODES, add_gate_flags, code_with_gate, prepare
from claimscope.tui.services.workspace import (
    configuration,
    open_runs,
    open_workspace,
    run_named,
)

EPILOG = (
    """\
A new run: results are taken over where the pages still say what they rest on, the
others are judged again, with the settings of RUN. Suite, answers, models and settings
must be as they were (`claimscope runs resume RUN --as-new` judges all of it anew).
Results of a version that did not keep what they rest on are judged again.
exit codes: 0 all samples are judged or shown as unscored; 2 wrong use; 3 it could not
be done, or something else than the pages changed; 130 stopped by a signal
"""
    + EXIT_CODES
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("old_id", metavar="RUN", help="a run id, or `last`")
    add(
        "--pages",
        type=Path,
        metavar="FOLDER",
        help="other pages (default: those of RUN as they are now)",
    )
    add_gate_flags(parser)
    add("--run-id", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.stores.runs.run_store import new_run_id
    from claimscope.tui.services.run.engine import reanalyse

    if arguments.pages is not None and not arguments.pages.exists():
        raise InputError(f"--pages {arguments.pages}: there is no such folder", "")
    workspace = open_workspace(arguments)
    runs = open_runs(workspace)
    prepare(arguments, runs)
    new_id = arguments.run_id or new_run_id()
    code = reanalyse(
        workspace,
        configuration(workspace, {}).settings,
        run_named(runs, arguments.old_id),
        arguments.pages,
        new_id=new_id,
        json=arguments.json,
    )
    return code_with_gate(arguments, workspace, new_id, code)
