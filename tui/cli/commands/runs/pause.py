"""`claimscope runs pause RUN`: let a run that works elsewhere wait."""

from __future__ import annotations

import argparse

EPILOG = """\
What is in flight is finished and saved, then the engine waits, and keeps its models
loaded. `claimscope runs resume RUN` lets it go on.
exit codes: 0 asked, with --wait: paused; 2 wrong use; 3 no engine is at work on the
run, or it ended before it paused
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument(
        "--wait", action="store_true", help="return when the run is paused"
    )


def run(arguments: argparse.Namespace) -> int:
    """Leaves the request."""
    from claimscope.tui.services.run.control import steer
    from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

    runs = open_runs(open_workspace(arguments))
    reader = runs.read(run_named(runs, arguments.run_id))
    return steer(reader, "pause", wait=arguments.wait, json=arguments.json)
