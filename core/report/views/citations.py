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
from claimscope.core.report.view import Prose, Sign, Span, line, sign_span, verdict_sign


def citations(sample: SampleResult) -> Iterator[Prose]:
    """All of them, one below the other."""
    for citation in sample.citations:
        yield line(f"citation {citation_text(citation)}", level=1)
    for proposal in sample.proposals:
        yield line(f"proposal {proposal_text(proposal)}", level=1)
    for marker in sample.unread_markers:
        yield line(f"read as no citation: {marker.text}: {marker.reason}", level=1)
    for span in missing_citations(sample):
        yield line(f"expected citation {expected_citation_text(span)}", level=1)


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


def citation_view(sample: SampleResult, citation: CitationResult) -> Iterator[Prose]:
    """A citation whole: what became of it, where it points, the claims it carries."""
    sign: Sign = "supported" if is_good(citation) else "contradicted"
    word = sign_span(f"citation {citation.word}  ", sign)
    yield line(word, Span(citation.text, "citation"))
    yield line(Span(two_facts(citation), "faint"), hangs=False)
    if citation.reason:
        yield line(citation.reason, hangs=False)
    if citation.page_id:
        head = Span("Points to  ", "heading")
        yield line(head, cited_place(citation), hangs=False)
    if citation.supported_by:
        head = Span("The claim is supported by  ", "heading")
        yield line(head, Span(citation.supported_by, "citation"), hangs=False)
    for result in sample.claims:
        if result.claim.index in citation.claim_indexes:
            head = Span("For the claim  ", "heading")
            mark = sign_span("", verdict_sign(result.verdict))
            yield line(head, mark, result.claim.text)


def is_good(citation: CitationResult) -> bool:
    """Whether nothing has to be done about it."""
    return citation.state in (CitationState.VALID, CitationState.UNNEEDED)


def cited_place(citation: CitationResult) -> str:
    """Page and sentence; the marker as written when it names no page."""
    if citation.page_id is None:
        return citation.text
    if citation.sentence is None:
        return citation.page_id
    return f"{citation.page_id}:S:{citation.sentence}"


def missing_citations(sample: SampleResult) -> Sequence[ScoreSpan]:
    """Expected citations that the answer lacks, with what became of each."""
    for score in sample.scores:
        if score.metric == "citation_recall":
            return [span for span in score.evidence if span.kind != "cited"]
    return ()


def expected_citation_text(span: ScoreSpan) -> str:
    """`PMID:7:S:2: retrieved, not cited (retrieved, place 3, …)`."""
    text = f"{span.source}: {span.kind} ({span.note})"
    return text if span.text == span.source else f"{text}: “{span.text}”"


def proposal_text(one: CitationProposal) -> str:
    """`[M:1, S:0] -> [M:1, S:1] (proved): M:1:S:1 "It grinds oats."`."""
    entry = f", and {one.entry} to the list" if one.entry else ""
    quotes = "; ".join(
        f'{source} "{quote}"'
        for source, quote in zip(one.sources, one.quotes, strict=True)
    )
    return f"{_change(one)}{entry} ({one.word}): {quotes}"


def proposal_view(one: CitationProposal, key: str) -> Iterator[Prose]:
    """What it would change, why, and what a key does about it."""
    does = "takes it back" if one.accepted else "accepts it"
    head = Span("Proposal  ", "heading")
    if one.accepted:
        head = Span("Accepted  ", "supported", is_strong=True)
    sure = f"  {'likely' if one.is_likely else 'proved'}; {key} {does}"
    yield line(head, Span(_change(one), "citation"), Span(sure, "faint"))
    for source, quote in zip(one.sources, one.quotes, strict=True):
        yield line(Span(f"{source}  ", "faint"), quote, level=1)
    if one.entry:
        head = Span("In the list of references  ", "faint")
        yield line(head, one.entry, level=1)


def _change(one: CitationProposal) -> str:
    return f"{one.text} -> {one.by}" if one.text else f"add {one.by.strip()}"
