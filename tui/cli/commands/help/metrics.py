"""`claimscope metrics [ID]`: the metrics there are, or what one of them means."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.metrics.descriptions import MetricPage

EPILOG = """\
The text of a metric is the documentation beside its code. Metrics of other packages
(entry point claimscope.metrics) are listed last; one that could not be used is named
on stderr.
"""
WIDTH = 80


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which one."""
    parser.add_argument("metric", metavar="ID", nargs="?", help="explain this one")


def run(arguments: argparse.Namespace) -> int:
    """A line a metric, or the page of one; with --json a JSON line each."""
    from dataclasses import asdict

    from claimscope.core.metrics.descriptions import page_of
    from claimscope.core.metrics.discovery import brought, discover
    from claimscope.core.report.text import one_line
    from claimscope.core.services.scoring import chosen
    from claimscope.tui.process.output import say, write_json_line, write_lines

    names = chosen([arguments.metric]) if arguments.metric else tuple(discover())
    pages = [page_of(discover()[name]) for name in names]
    for problem in brought().problems:
        say(f"note: {one_line(problem)}")
    if arguments.json:
        for page in pages:
            write_json_line(asdict(page))
    elif arguments.metric:
        write_lines(page_lines(pages[0]))
    else:
        width = max(len(page.id) for page in pages)
        write_lines(
            f"{page.id:<{width}}  {scale_words(page):>5}  {one_line(page.title)}"
            for page in pages
        )
    return 0


def scale_words(page: MetricPage) -> str:
    """`0-100`."""
    return "-".join(f"{end:g}" for end in page.scale)


def page_lines(page: MetricPage) -> list[str]:
    """A page for a terminal."""
    import textwrap

    from claimscope.core.report.text import one_line

    lines = [f"{page.id}: {one_line(page.title)}", f"scale: {scale_words(page)}"]
    lines.append(f"needs: {'; '.join(page.needs) or 'nothing but the answer'}")
    for paragraph in page.paragraphs:
        lines += ["", *textwrap.wrap(one_line(paragraph), WIDTH)]
    return [*lines, "", f"from {page.origin}"]
