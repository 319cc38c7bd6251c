"""`claimscope runs`: the runs of the workspace, newest first."""

from __future__ import annotations

import argparse

from claimscope.tui.process.output import say, write_json_line
from claimscope.tui.services.workspace import open_runs, open_workspace


def arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing of its own."""


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.report.text import one_line
    from claimscope.core.report.views.run_status import run_line

    statuses = list(open_runs(open_workspace(arguments)).runs())
    for status in statuses:
        if arguments.json:
            write_json_line(status)
        else:
            print(run_line(status))
            if status.error:
                print(f"    {one_line(status.error)}")
    if not statuses:
        say("no runs yet: `claimscope demo` or `claimscope run SUITE` makes one")
    return 0
