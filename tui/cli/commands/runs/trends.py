"""`claimscope runs trends [SUITE]`: the runs of a suite over time."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.process.output import write_json, write_view
from claimscope.tui.services.workspace import open_runs, open_workspace

if TYPE_CHECKING:
    from claimscope.core.analysis.compare.comparison import RunData

EPILOG = """\
SUITE is a suite's id; without it, that of the newest finished run. Each step is
measured over the samples that both runs have, and says what else is not the same.
Exit code: 0; 2 when the suite has no finished run or no such metric.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("suite", nargs="?", metavar="SUITE", help="a suite's id")
    add("--metrics", metavar="A,B", help="only these metrics, beside the pass rate")
    add("--domain", metavar="NAME", help="only cases of this domain")
    add("--last", type=int, metavar="N", help="only the newest N runs")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.trends import of_domain, runs_of, trends
    from claimscope.core.report.views.trends import trend_view
    from claimscope.tui.cli.commands.compare import run_data

    if arguments.last is not None and arguments.last < 1:
        raise InputError(f"--last {arguments.last} leaves no run", "give 1 or more")
    runs = open_runs(open_workspace(arguments))
    suite_id, mine, rest = runs_of(runs.runs(), arguments.suite)
    chosen = mine[-arguments.last :] if arguments.last else mine
    data: Iterable[RunData] = (
        run_data(runs, status.header.run_id) for status in chosen
    )
    if arguments.domain is not None:
        data = of_domain(data, arguments.domain)
    found = trends(suite_id, data, rest)
    metrics = [m.strip() for m in (arguments.metrics or "").split(",") if m.strip()]
    for name in metrics:
        if name not in found.metrics:
            raise InputError(
                f"no run of suite {suite_id!r} has a metric {name!r}",
                f"they have: {', '.join(found.metrics) or 'none'}",
            )
    if arguments.json:
        write_json(found)
    else:
        write_view(trend_view(found, metrics, arguments.domain))
    return 0
