"""`claimscope resume RUN`: go on where a run was stopped or killed."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument(
        "--retry-errors",
        action="store_true",
        help="judge again the samples that ended in an error",
    )
    parser.add_argument(
        "--detach", action="store_true", help="go on in the background and return"
    )


def run(arguments: argparse.Namespace) -> int:
    """Judges what is missing; a finished run is only reported."""
    from claimscope.tui.engine import go_on
    from claimscope.tui.flags import given
    from claimscope.tui.workspace import (
        configuration,
        open_runs,
        open_workspace,
        run_named,
    )

    workspace = open_workspace(arguments)
    run_id = run_named(open_runs(workspace), arguments.run_id)
    if arguments.detach:
        return detach(arguments, run_id)
    settings = configuration(workspace, given(arguments)).settings
    return go_on(
        workspace,
        settings,
        run_id,
        retry_errors=arguments.retry_errors,
        json=arguments.json,
    )


def detach(arguments: argparse.Namespace, run_id: str) -> int:
    """The same command again as a process of its own."""
    from claimscope.tui.detached import hand_over
    from claimscope.tui.workspace import open_workspace

    command = ["resume", run_id]
    if arguments.retry_errors:
        command.append("--retry-errors")
    return hand_over(open_workspace(arguments), run_id, command, json=arguments.json)
