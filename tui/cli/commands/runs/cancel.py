"""`claimscope runs cancel RUN`: end a run that works elsewhere."""

from __future__ import annotations

import argparse

EPILOG = """\
Calls in flight are given up; what is finished stays, and `claimscope runs resume RUN`
can still go on with it later.
exit codes: 0 asked, with --wait: ended; 2 wrong use; 3 no engine is at work on the
run, or it ended otherwise
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument(
        "--wait", action="store_true", help="return when the run has ended"
    )


def run(arguments: argparse.Namespace) -> int:
    """Leaves the request."""
    from claimscope.tui.services.run.control import steer
    from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

    runs = open_runs(open_workspace(arguments))
    reader = runs.read(run_named(runs, arguments.run_id))
    return steer(reader, "cancel", wait=arguments.wait, json=arguments.json)
