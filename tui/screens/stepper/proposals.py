"""The proposed citations of the item in hand, in words. No screen in here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.models import CitationProposal, SampleResult
from claimscope.tui.review.items import Item
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said


def proposals_of(sample: SampleResult, item: Item) -> list[CitationProposal]:
    """Those that would replace the citation in hand, or carry the claim in hand."""
    if item.kind == "citation":
        place = sample.citations[item.index].start
        return [
            one
            for one in sample.proposals
            if one.kind == "replace" and one.start == place
        ]
    if item.kind == "claim":
        index = sample.claims[item.index].claim.index
        return [one for one in sample.proposals if index in one.claim_indexes]
    return []


def proposal_paragraphs(
    proposals: Sequence[CitationProposal], key: str
) -> Iterator[Paragraph]:
    """What each would change, why, and what the key does."""
    for one in proposals:
        change = f"{one.text} becomes {one.by}" if one.text else f"add {one.by.strip()}"
        role = "supported" if one.accepted else "conflict"
        state = "Accepted" if one.accepted else "Proposal"
        does = "takes it back" if one.accepted else "accepts it"
        yield para(
            Piece(f"{state}  ", f"heading {role}" if one.accepted else "heading"),
            said(change, "citation"),
            Piece(f"  {'likely' if one.is_likely else 'proved'}; {key} {does}", "dim"),
            hanging=2,
        )
        for source, quote in zip(one.sources, one.quotes, strict=True):
            yield para(said(f"  {source}  ", "dim"), said(quote), hanging=4)
        if one.entry:
            yield para(Piece("  In the list of references  ", "dim"), said(one.entry))
