"""`claimscope run SUITE`: judge the answers of a suite."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.cli.flags import add_cluster_flag, add_custom_flags, add_model_flags
from claimscope.tui.cli.gate import EXIT_CODES, add_gate_flags, code_with_gate, prepare
from claimscope.tui.services.workspace import (
    command_settings,
    open_runs,
    open_workspace,
)

if TYPE_CHECKING:
    from claimscope.tui.services.run.planning import RunRequest

EPILOG = (
    """\
SUITE is a shipped suite (medicine, courses, website), a suite file, or its folder.
A run survives a kill: `claimscope runs resume RUN` goes on and repeats nothing.
exit codes: 0 all samples were judged or shown as unscored; 2 wrong use; 3 the run
could not be done, or not one sample could be judged; 130 stopped by a signal
"""
    + EXIT_CODES
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("suite", metavar="SUITE")
    add("--answers", type=Path, metavar="FILE", help="answers in place of the suite's")
    add("--pages", type=Path, metavar="FOLDER", help="pages in place of the suite's")
    add(
        "--metrics",
        metavar="A,B",
        help="only these metrics (default: all); +NAME adds one, +quality those of "
        "text quality",
    )
    add(
        "--judge",
        action="store_true",
        default=None,
        help="ask the model for grades of faithfulness and completeness",
    )
    add(
        "--pass-rule",
        choices=("both", "grades", "claims"),
        help="what decides whether a sample passes: the judge's grades, the claims, or "
        "both (default)",
    )
    add(
        "--progress-file",
        type=Path,
        metavar="FILE",
        help="rewrite FILE after each sample with what is done; {iteration} in its "
        "name: one file an iteration",
    )
    add("--iterations", type=int, metavar="N", help="default 1")
    add("--concurrency", type=int, metavar="N", help="samples at once, default 5")
    add("--seed", type=int, metavar="N", help="of model calls, default 7")
    add(
        "--strict",
        action="store_true",
        help="end at a malformed case of the suite; else it is told, left out, and "
        "the others are judged",
    )
    add(
        "--skip-bad-cases", action="store_true", help=argparse.SUPPRESS
    )  # what is done anyhow, in scripts from before --strict
    add(
        "--include-unreviewed",
        action="store_true",
        help="judge by generated cases too that nobody has accepted yet",
    )
    add(
        "--detach",
        action="store_true",
        help="go on in the background; print the run id and return",
    )
    add_cluster_flag(parser)
    add("--run-id", help=argparse.SUPPRESS)
    add_gate_flags(parser)
    add_model_flags(parser)
    add_custom_flags(parser)


def wanted_of(arguments: argparse.Namespace) -> RunRequest:
    """What the flags ask for; files and folders that do not exist are refused."""
    from claimscope.tui.services.run.planning import RunRequest
    from claimscope.tui.services.run.progress_file import progress_file

    for flag in ("answers", "pages"):
        path = getattr(arguments, flag)
        if path is not None and not path.exists():
            raise InputError(f"--{flag} {path}: no such file or folder", "")
    metrics = arguments.metrics or ""
    return RunRequest(
        suite=arguments.suite,
        answers=arguments.answers,
        pages=arguments.pages,
        metrics=tuple(name.strip() for name in metrics.split(",") if name.strip()),
        skip_bad_cases=not arguments.strict,
        include_unreviewed=arguments.include_unreviewed,
        run_id=arguments.run_id,
        progress_file=progress_file(arguments.progress_file),
    )


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.services.scoring import resolve_names
    from claimscope.tui.services.run.engine import begin

    workspace = open_workspace(arguments)
    prepare(arguments, open_runs(workspace))
    settings = command_settings(workspace, arguments)
    wanted = wanted_of(arguments)
    wanted = replace(wanted, metrics=resolve_names(wanted.metrics, settings))
    if arguments.detach:
        return detach(arguments, wanted)
    code = begin(workspace, settings, wanted, json=arguments.json)
    return code_with_gate(arguments, workspace, arguments.run_id, code)


def detach(arguments: argparse.Namespace, wanted: RunRequest) -> int:
    """The same command again as a process of its own."""
    from claimscope.stores.runs.run_store import new_run_id
    from claimscope.tui.services.run.detached import hand_over
    from claimscope.tui.services.run.planning import load

    load(wanted)  # what is wrong with the suite is said here, not in a log
    run_id = new_run_id()
    flags = [word for word in arguments.words if word not in ("--detach", "--json")]
    command = [*flags, "--run-id", run_id]
    return hand_over(open_workspace(arguments), run_id, command, json=arguments.json)
