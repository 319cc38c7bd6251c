"""`claimscope answers cite FILE`: what becomes of each citation, and repair."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.tui.cli.flags import add_row_flags

if TYPE_CHECKING:
    from claimscope.core.models import CitationResult, SampleResult
    from claimscope.core.services.scoring import ScoredRow

EPILOG = """\
in:  rows as `claimscope score` takes them: {"id", "question", "answer"} with
     "contexts": [text], or "pages": [{"page_id", "text"}], or --against FOLDER; or an
     answer as a file *.md or *.txt, with --against FOLDER
out: {"id", "citations": [{"text", "start", "end", "page_id", "sentence", "exists",
     "supports", "is_likely", "state", "reason", "supported_by", "claims": [{"text",
     "verdict"}]}], "unread": [{"text", "start", "end", "reason"}], "missing":
     [{"citation", "fate", "note"}], "proposals": [{"kind", "start", "end", "text",
     "by", "sources", "quotes", "is_likely", "claims"}], "unrepaired": [{"text",
     "start", "end", "state", "reason"}], "scores": {metric: {"value", …}}} a line;
     of an answer as a file, lines for people (--json: the same as for a row)
A citation exists when its page and sentence are in the evidence, and supports when that
sentence by itself carries a claim it stands behind, or a part that the others lack.
citation_existence and citation_precision are those shares of all citations. Its state
is valid, broken, misattributed (the sentence that does support the claim is named),
unsupported, unneeded or unverifiable. "claims" are those it stands behind; "unread"
is what looks like a citation and was read as none. "missing" are expected citations of
the row: not retrieved, "retrieved, not cited", or cited wrongly. "proposals" make
citations good: `answer[start:end]` becomes "by".

--fix writes the answers anew, into FILE.fixed beside the file (answer.fixed.md), and
prints the difference (--json: a line a row, with the new answer). Markers are written
as the answer writes its own; nothing is taken away.
exit codes: 1 with --fix: a citation is left that does not hold, or could not be
judged; 2 a line was skipped; 3 a score that applies could not be made out
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_row_flags(parser)
    group = parser.add_argument_group("repair")
    add = group.add_argument
    add(
        "--fix",
        action="store_true",
        help="take the proposals whose sentence is proved to support the claim",
    )
    add("--likely", action="store_true", help="take those too that are only likely")
    place = group.add_mutually_exclusive_group()
    place.add_argument("-o", "--out", type=Path, metavar="FILE", help="write it there")
    place.add_argument(
        "--in-place", action="store_true", help="write it into FILE itself"
    )
    place.add_argument(
        "--dry-run", action="store_true", help="print the difference, write nothing"
    )
    add("--force", action="store_true", help="replace a file that exists")


def citation_metrics() -> tuple[str, ...]:
    from claimscope.core.metrics.discovery import discover

    kinds = {"citations", "expected_citations", "cited_support", "retrieval"}
    return tuple(name for name, m in discover().items() if m.needs & kinds)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.services.score.answer_rows import is_text, source_of
    from claimscope.tui.services.score.citation_repair import check_flags, fix
    from claimscope.tui.services.score.rows import FileOutcome, scored_file, settings_of

    check_flags(arguments)
    settings = settings_of(arguments).model_copy(update={"judge": False})
    tally = FileOutcome()
    # Rows that are only judged are read as they come: stdin may not have an end.
    whole = arguments.fix or is_text(arguments.file)
    source = source_of(arguments) if whole else None
    rows = scored_file(
        arguments,
        settings,
        citation_metrics(),
        tally,
        given=source.rows(tally.problems) if source else None,
        stages=frozenset({"repair"}),
    )
    if arguments.fix and source is not None:
        return asyncio.run(fix(arguments, source, rows, tally))
    asyncio.run(show(arguments, rows))
    return tally.exit_code()


async def show(arguments: argparse.Namespace, rows: AsyncIterator[ScoredRow]) -> None:
    """What was found out, for people of a text, else a line of JSON for each row."""
    from claimscope.tui.services.score.answer_rows import is_text
    from claimscope.tui.services.score.rows import write_row

    async for row in rows:
        if is_text(arguments.file) and not arguments.json:
            for line in as_text(arguments.file, row):
                print(line)
        else:
            write_row({"id": row.row.id, **as_line(row, details=arguments.details)})


def as_line(row: ScoredRow, *, details: bool) -> dict[str, object]:
    """Citations in the order of the answer, then the figures."""
    from claimscope.core.report.views.citations import missing_citations
    from claimscope.tui.services.score.citation_repair import left_line, proposal_line
    from claimscope.tui.services.score.rows import scores_line

    result = row.result
    found: dict[str, object] = {
        "citations": [],
        "unread": [],
        "missing": [],
        "proposals": [],
        "unrepaired": [],
    }
    if result is not None:
        from claimscope.core.cite.repair import citations_without_repair

        found["citations"] = [citation_line(one, result) for one in result.citations]
        found["unread"] = [m.model_dump(mode="json") for m in result.unread_markers]
        found["missing"] = [
            {"citation": one.source, "fate": one.kind, "note": one.note}
            for one in missing_citations(result)
        ]
        found["proposals"] = [proposal_line(one, result) for one in result.proposals]
        found["unrepaired"] = [
            left_line(one) for one in citations_without_repair(result)
        ]
    return {**found, "scores": scores_line(row, details=details)}


def citation_line(citation: CitationResult, result: SampleResult) -> dict[str, object]:
    """One citation with the claims that it stands behind."""
    behind = [r for r in result.claims if r.claim.index in citation.claim_indexes]
    line = citation.model_dump(mode="json", exclude={"claim_indexes"})
    line["claims"] = [
        {"text": one.claim.text, "verdict": one.verdict.word} for one in behind
    ]
    return line


def as_text(name: str, row: ScoredRow) -> Iterator[str]:
    """For people: FILE:LINE:COLUMN: state: marker "claim"; what would make it good."""
    from claimscope.core.report.text import one_line
    from claimscope.core.report.views.citations import proposal_text
    from claimscope.tui.services.score.citation_repair import PlaceNames

    result = row.result
    if result is None:
        yield f"{one_line(name)}: {row.scores[0].reason if row.scores else 'no result'}"
        return
    at = PlaceNames(name, result.answer.text)
    told: list[tuple[int, str]] = []
    for one in result.citations:
        behind = [r for r in result.claims if r.claim.index in one.claim_indexes]
        claims = "; ".join(f'"{r.claim.text}" ({r.verdict.word})' for r in behind)
        why = f"; {one.reason}" if one.reason else ""
        told.append((one.start, f"{one.word}: {one.text} {claims}{why}"))
    told += [
        (m.start, f"read as no citation: {m.text}: {m.reason}")
        for m in result.unread_markers
    ]
    told += [(one.start, f"proposal: {proposal_text(one)}") for one in result.proposals]
    for start, text in sorted(told, key=lambda pair: pair[0]):
        yield one_line(f"{at(start)}: {text}")
    for score in row.scores:
        if score.applicable and score.metric.startswith("citation_"):
            value = score.reason if score.value is None else f"{score.value:.2f}"
            yield one_line(f"{score.metric} {value}")
