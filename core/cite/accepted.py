"""Which proposals people took, and the answers with them.

A proposal is meant as the person saw it: of a sample that was judged again, one that is
proposed no more counts no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from claimscope.core.cite.marker_edits import apply_changes
from claimscope.core.models import (
    CitationDecision,
    CitationProposal,
    SampleKey,
    SampleResult,
)

Taken = Mapping[SampleKey, frozenset[CitationProposal]]


def accepted_proposals(decisions: Iterable[CitationDecision]) -> Taken:
    """The proposals that stand accepted, by sample: the last word on each counts."""
    found: dict[SampleKey, dict[CitationProposal, bool]] = {}
    for one in decisions:
        found.setdefault(one.sample, {})[one.proposal] = one.accepted
    return {
        key: frozenset(proposal for proposal, yes in said.items() if yes)
        for key, said in found.items()
    }


def as_decided(sample: SampleResult, accepted: Taken) -> SampleResult:
    """A sample whose proposals say which of them people took."""
    known = accepted.get(sample.key, frozenset())
    if known.isdisjoint(sample.proposals):
        return sample
    proposals = tuple(
        one.model_copy(update={"accepted": True}) if one in known else one
        for one in sample.proposals
    )
    return sample.model_copy(update={"proposals": proposals})


def fixed_answer(sample: SampleResult) -> str:
    """The answer with the proposals that people took."""
    return apply_changes(
        sample.answer.text, [one for one in sample.proposals if one.accepted]
    )
