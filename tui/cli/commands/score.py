"""`claimscope score FILE`: rows of question and answer in, scores out."""

from __future__ import annotations

import argparse
import asyncio

from claimscope.tui.cli.flags import add_row_flags

EPILOG = """\
in:  {"id", "question", "answer", "reference"?, "contexts"?: [text], "domain"?,
     "brands"?: [text], "claims"?: [{"text", "importance"}],
     "citations"?: [{"page_id", "sentence"?, "key_phrase"?}],
     "pages"?: [{"page_id", "text"}], "retrieved"?: [sentence id, page id or text,
     best first]} a line
out: {"id", "scores": {metric: {"value", "scale", "tier" or "level", "reason"}}} a
     line; value is null with its reason; "applicable" is false where a metric has no
     meaning for a row
[2] in an answer cites the second context, whose page id is passage:1; a citation that
is expected may name it by the number 2 as well. `claimscope help metrics` lists the
metrics; only what the chosen ones need is done. Judge grades need --judge --model NAME.
A line that cannot be read is reported on stderr and skipped; the exit code is then
2, or 3 when a score that applies could not be made out.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_row_flags(parser)
    add = parser.add_argument
    add(
        "--metrics",
        metavar="A,B",
        help="only these metrics (default: all); +NAME adds one, +quality those "
        "of text quality",
    )
    add("--judge", action="store_true", default=None, help="ask the model for grades")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.metrics.discovery import discover
    from claimscope.core.services.scoring import chosen_metrics, metrics_needed
    from claimscope.tui.services.score.rows import (
        FileOutcome,
        scored_file,
        scores_line,
        settings_of,
        write_all,
    )

    settings = settings_of(arguments)
    asked = (arguments.metrics or "").split(",")
    names = chosen_metrics(asked, settings)
    by_name = chosen_metrics(
        [name.strip().removeprefix("+") for name in asked], settings
    )
    needs_judge = any("judge" in m.needs for m in metrics_needed(by_name, settings))
    if arguments.metrics and needs_judge and not settings.judge:
        settings = settings.model_copy(update={"judge": True})
    if not any("judge" in discover()[name].needs for name in names):
        settings = settings.model_copy(update={"judge": needs_judge and settings.judge})
    tally = FileOutcome()
    rows = scored_file(arguments, settings, names, tally)
    details = arguments.details
    asyncio.run(
        write_all(rows, lambda row: {"scores": scores_line(row, details=details)})
    )
    return tally.exit_code()
