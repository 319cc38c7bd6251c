"""`claimscope cite FILE`: what becomes of each citation of an answer."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.models import CitationResult, SampleResult
    from claimscope.core.scoring import ScoredRow

EPILOG = """\
in:  rows as `claimscope score` takes them: {"id", "question", "answer"} with
     "contexts": [text], or "pages": [{"page_id", "text"}], or --against FOLDER
out: {"id", "citations": [{"text", "start", "end", "page_id", "sentence", "exists",
     "supports", "is_likely", "state", "reason", "supported_by", "claims": [{"text",
     "verdict"}]}], "unread": [{"text", "start", "end", "reason"}], "missing":
     [{"citation", "fate", "note"}], "scores": {metric: {"value", …}}} a line
A citation exists when its page and sentence are in the evidence, and supports when that
sentence by itself carries a claim it stands behind, or a part that the others lack.
citation_existence and citation_precision are those shares of all citations. Its state
is valid, broken, misattributed (the sentence that does support the claim is named),
unsupported, unneeded or unverifiable. "claims" are those it stands behind; "unread"
is what looks like a citation and was read as none. "missing" are expected citations of
the row: not retrieved, "retrieved, not cited", or cited wrongly.
exit codes: 2 a line was skipped; 3 a score that applies could not be made out
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, pages and models."""
    from claimscope.tui.flags import add_row_flags

    add_row_flags(parser)


def citation_metrics() -> tuple[str, ...]:
    """All metrics that read citations."""
    from claimscope.core.metrics.base import discover

    kinds = {"citations", "expected_citations", "cited_support", "retrieval"}
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
    from claimscope.core.report.citation_tables import missing_citations
    from claimscope.tui.rows import scores_line

    result = row.result
    return {
        "citations": [citation_line(one, result) for one in result.citations]
        if result
        else [],
        "unread": [one.model_dump(mode="json") for one in result.unread_markers]
        if result
        else [],
        "missing": [
            {"citation": one.source, "fate": one.kind, "note": one.note}
            for one in missing_citations(result)
        ]
        if result
        else [],
        "scores": scores_line(row, details=details),
    }


def citation_line(citation: CitationResult, result: SampleResult) -> dict[str, object]:
    """One citation with the claims that it stands behind."""
    behind = [r for r in result.claims if r.claim.index in citation.claim_indexes]
    line = citation.model_dump(mode="json", exclude={"claim_indexes"})
    line["claims"] = [
        {"text": one.claim.text, "verdict": one.verdict.word} for one in behind
    ]
    return line
