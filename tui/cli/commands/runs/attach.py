"""`claimscope runs attach RUN`: follow a run that works elsewhere."""

from __future__ import annotations

import argparse

from claimscope.core.text.plurals import verb_of
from claimscope.tui.process.output import say
from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

EPILOG = """\
ctrl+c leaves; the run goes on. Any number of viewers may follow a run. A run that has
ended is summarised. stderr tells progress, stdout the summary (--json: as JSON).
exit codes: 0 the run is finished; 2 wrong use; 3 it failed, was cancelled, or its
engine is gone (`claimscope runs resume RUN` goes on); 130 left by ctrl+c
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.report.views.run_status import saved_words
    from claimscope.tui.services.run.attach import follow_run
    from claimscope.tui.services.run.engine import report, summarise_run

    runs = open_runs(open_workspace(arguments))
    run_id = run_named(runs, arguments.run_id)
    reader = runs.read(run_id)
    try:
        status = follow_run(reader)
    except KeyboardInterrupt:
        say(f"left; run {run_id} goes on (`claimscope runs attach {run_id}`)")
        return 130
    if status.state == "stopped":
        say(
            f"the engine of run {run_id} is gone; {saved_words(status)} "
            f"{verb_of(status.header.total_samples, 'is', 'are')} saved"
        )
    elif status.error:
        say(f"run {run_id} {status.state}: {status.error}")
    code = report(status, summarise_run(reader), json=arguments.json)
    return 3 if status.state == "stopped" else code
