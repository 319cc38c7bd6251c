"""The citations of an answer: what became of each, of those that were expected, and of
those that are proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.models import (
    CitationProposal,
    CitationResult,
    CitationState,
    SampleResult,
    ScoreSpan,
)
from claimscope.core.report.view import Prose, line


def citations(sample: SampleResult) -> Iterator[Prose]:
    """All of them, one below the other."""
    for citation in sample.citations:
        yield line(f"citation {citation_text(citation)}", level=1)
    for proposal in sample.proposals:
        yield line(f"proposal {proposal_text(proposal)}", level=1)
    for marker in sample.unread_markers:
        yield line(f"read as no citation: {marker.text}: {marker.reason}", level=1)
    for span in missing_citations(sample):
        yield line(f"expected citation {fate(span)}", level=1)


def citation_text(citation: CitationResult) -> str:
    """`[PMID:7, S:2]: unsupported (exists, does not support): [PMID:7, S:2] does …`."""
    text = f"{citation.text}: {citation.word} ({two_facts(citation)})"
    if citation.state is not CitationState.VALID:
        text += f": {citation.reason}"
    return text


def two_facts(citation: CitationResult) -> str:
    """Whether it exists, and whether it supports."""
    exists = {True: "exists", False: "does not exist", None: "not looked up"}
    if citation.exists is not True:
        return exists[citation.exists]
    supports = {True: "supports", False: "does not support", None: "not judged"}
    return f"exists, {supports[citation.supports]}"


def missing_citations(sample: SampleResult) -> Sequence[ScoreSpan]:
    """Expected citations that the answer lacks, with what became of each."""
    for score in sample.scores:
        if score.metric == "citation_recall":
            return [span for span in score.evidence if span.kind != "cited"]
    return ()


def fate(span: ScoreSpan) -> str:
    """`PMID:7:S:2: retrieved, not cited (retrieved, place 3, …)`."""
    text = f"{span.source}: {span.kind} ({span.note})"
    return text if span.text == span.source else f"{text}: “{span.text}”"


def proposal_text(one: CitationProposal) -> str:
    """`[M:1, S:0] -> [M:1, S:1] (proved): M:1:S:1 "It grinds oats."`."""
    change = f"{one.text} -> {one.by}" if one.text else f"add {one.by.strip()}"
    entry = f", and {one.entry} to the list" if one.entry else ""
    said = "; ".join(
        f'{source} "{quote}"'
        for source, quote in zip(one.sources, one.quotes, strict=True)
    )
    return f"{change}{entry} ({one.word}): {said}"
