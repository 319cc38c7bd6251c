"""`claimscope runs pause RUN`: let a run that works elsewhere wait."""

from __future__ import annotations

import argparse

from claimscope.tui.services.workspace import read_run

EPILOG = """\
What is in flight is finished and saved, then the engine waits, and keeps its models
loaded. `claimscope runs resume RUN` lets it go on.
exit codes: 0 asked, with --wait: paused; 2 wrong use; 3 no engine is at work on the
run, or it ended before it paused
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", metavar="RUN", help="a run id, or `last`")
    add("--wait", action="store_true", help="return when the run is paused")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.services.run.control import steer

    reader = read_run(arguments)
    return steer(reader, "pause", wait=arguments.wait, json=arguments.json)
