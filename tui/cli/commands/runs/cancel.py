"""`claimscope runs cancel RUN`: end a run that works elsewhere."""

from __future__ import annotations

import argparse

from claimscope.tui.services.workspace import read_run

EPILOG = """\
Calls in flight are given up; what is finished stays, and `claimscope runs resume RUN`
can still go on with it later.
exit codes: 0 asked, with --wait: ended; 2 wrong use; 3 no engine is at work on the
run, or it ended otherwise
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", metavar="RUN", help="a run id, or `last`")
    add("--wait", action="store_true", help="return when the run has ended")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.services.run.control import steer

    reader = read_run(arguments)
    return steer(reader, "cancel", wait=arguments.wait, json=arguments.json)
