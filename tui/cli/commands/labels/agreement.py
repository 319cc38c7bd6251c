"""`claimscope labels agreement [RUN]`: the judge against the people who looked."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.process.output import say, write_json, write_view
from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

if TYPE_CHECKING:
    from claimscope.core.analysis.agreement.human_agreement import HumanAgreement
    from claimscope.core.ports import RunStore

EPILOG = """\
People agree with verdicts and overrule them in the claim stepper, or by `claimscope
overrule`. Each figure has its interval (95 %) and what it is over. "of all" weighs
what was looked at by how often the judge gives each label. The corrected rates put
the judge's measured error right; they are refused, with the reason, when too little
was looked at or the judge is no better than chance.
exit codes: 0 done (also when nobody looked yet), 2 wrong use, 3 a run cannot be read
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_id",
        nargs="?",
        metavar="RUN",
        help="a run id, or `last` (default: all runs of the workspace)",
    )


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.report.views.agreement import human_agreement_view

    runs = open_runs(open_workspace(arguments))
    name = arguments.run_id
    found = agreement_of(runs, None if name is None else run_named(runs, name))
    if arguments.json:
        write_json(found)
    else:
        write_view(human_agreement_view(found))
    return 0


def agreement_of(runs: RunStore, run_id: str | None) -> HumanAgreement:
    """Of one run, or of all that people left a word in. Runs that cannot be read are
    named on stderr. Raises InputError when there is no run at all."""
    from claimscope.core.analysis.agreement.human_agreement import human_agreement
    from claimscope.core.analysis.agreement.labels import labels_of_all, read_labels
    from claimscope.core.report.text import one_line

    if run_id is not None:
        return human_agreement([read_labels(runs.read(run_id))])
    labels, problems = labels_of_all(runs)
    for problem in problems:
        say(one_line(problem))
    if not labels:
        raise InputError(
            "there is no run that can be read", "`claimscope run SUITE` makes one"
        )
    return human_agreement(labels)
