"""claim_completeness: required claims found in the answer (METRICS A)."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.metrics.tiers import tier
from claimscope.core.models import RequiredClaimResult, Score, ScoreSpan


@dataclass(frozen=True)
class ClaimCompleteness:
    """100 x required claims found / required claims; empty answer: 0."""

    id: str = "claim_completeness"
    title: str = "required claims found"
    needs: frozenset[Need] = frozenset({"required_claims"})

    def score(self, findings: Findings) -> Score:
        """Scale 0-100."""
        required = [r for r in findings.required if r.importance == "required"]
        if not required:
            return inapplicable(self.id, "the case names no required claims")
        unread = [r for r in required if r.unscored_reason]
        if unread:
            reason = unread[0].unscored_reason
            return unscored(self.id, f"{len(unread)} of {len(required)}: {reason}")
        found = sum(result.found for result in required)
        value = 100 * found / len(required)
        by_words = any(result.by_words for result in required)
        return Score(
            metric=self.id,
            value=value,
            scale=(0, 100),
            tier=tier(value, findings.settings),
            details={
                "found": found,
                "required": len(required),
                "stated_in_other_words": sum(result.stated for result in required),
                **({"method": "keywords"} if by_words else {}),
            },
            evidence=tuple(map(span_of, findings.required)),
        )


def span_of(result: RequiredClaimResult) -> ScoreSpan:
    """A claim of the case as found, with its place in the answer, or missing."""
    if result.found:
        return ScoreSpan(
            kind=f"{result.importance}, found",
            text=result.matched_text or "",
            start=result.start,
            end=result.end,
            value=result.similarity,
            note=result.text,
        )
    said = "stated in other words" if result.stated else ""
    if result.conflicts_with:
        said = f"conflicts with “{result.conflicts_with}”"
    return ScoreSpan(
        kind=f"{result.importance}, missing",
        text=result.text,
        value=result.similarity,
        note=said,
    )


POSITION = 20
METRICS: tuple[Metric, ...] = (ClaimCompleteness(),)
