"""`claimscope help metrics [ID]`: the metrics there are, or what one of them means."""

from __future__ import annotations

import argparse

from claimscope.tui.process.output import say, write_json_line, write_lines, write_view

EPILOG = """\
The text of a metric is the documentation beside its code. Metrics of other packages
(entry point claimscope.metrics) are listed last; one that could not be used is named
on stderr.
"""
WIDTH = 80


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", metavar="ID", nargs="?", help="explain this one")


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from claimscope.core.metrics.descriptions import page_of
    from claimscope.core.metrics.discovery import discover, found_plugins
    from claimscope.core.report.renderers.plain import lines
    from claimscope.core.report.text import one_line
    from claimscope.core.report.view import Section, Span, Table, line
    from claimscope.core.report.views.metrics import COLUMNS, metric_row, metric_view
    from claimscope.core.services.scoring import chosen_metrics

    names = (
        chosen_metrics([arguments.metric]) if arguments.metric else tuple(discover())
    )
    pages = [page_of(discover()[name]) for name in names]
    for problem in found_plugins().problems:
        say(f"note: {one_line(problem)}")
    if arguments.json:
        for page in pages:
            write_json_line(asdict(page))
    elif arguments.metric:
        (page,) = pages
        whole = Section(line(Span(page.id, "heading")), tuple(metric_view(page)))
        write_lines(lines([whole], width=WIDTH))
    else:
        write_view([Table(COLUMNS, tuple(map(metric_row, pages)))])
    return 0
