"""`claimscope cite FILE`: what becomes of each citation of an answer."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.models import CitationResult
    from claimscope.core.scoring import ScoredRow

EPILOG = """\
in:  rows as `claimscope score` takes them: {"id", "question", "answer"} with
     "contexts": [text], or "pages": [{"page_id", "text"}], or --against FOLDER
out: {"id", "citations": [{"text", "start", "end", "page_id", "sentence", "state",
     "reason", "supported_by"}], "scores": {metric: {"value", …}}} a line
A citation is valid, broken, misattributed (the sentence that does support the claim is
named), unsupported, unneeded or unverifiable.
exit codes: 2 a line was skipped; 3 a score that applies could not be made out
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, pages and models."""
    from claimscope.tui.flags import add_row_flags

    add_row_flags(parser)


def citation_metrics() -> tuple[str, ...]:
    """All metrics that read citations."""
    from claimscope.core.metrics.base import discover

    kinds = {"citations", "expected_citations", "cited_support"}
    return tuple(name for name, m in discover().items() if m.needs & kinds)


def run(arguments: argparse.Namespace) -> int:
    """A line for each row that could be read."""
    from claimscope.tui.rows import Tally, scored_file, settings_of, write_all

    settings = settings_of(arguments).model_copy(update={"judge": False})
    tally = Tally()
    rows = scored_file(arguments, settings, citation_metrics(), tally)
    asyncio.run(write_all(rows, lambda row: as_line(row, details=arguments.details)))
    return tally.exit_code()


def as_line(row: ScoredRow, *, details: bool) -> dict[str, object]:
    """Citations in the order of the answer, then the figures."""
    from claimscope.tui.rows import scores_line

    found = row.result.citations if row.result else ()
    return {
        "citations": [citation_line(one) for one in found],
        "scores": scores_line(row, details=details),
    }


def citation_line(citation: CitationResult) -> dict[str, object]:
    """One citation."""
    return citation.model_dump(mode="json", exclude={"claim_indexes"})
