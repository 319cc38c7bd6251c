"""Claim feedback: what an answer has of the claims of its case, and what it adds.

METRICS A, `claim_feedback`: found with evidence and confidence, missing with
importance, and what no page supports with its place.
"""

from __future__ import annotations

from claimscope.core.models import Label, Model, RequiredClaimResult, SampleResult
from claimscope.core.models.base import Importance
from claimscope.core.text.form_faults import faults

NOT_IN_PAGES = (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO)


class FoundClaim(Model):
    """A claim of the case that the answer makes."""

    claim: str
    importance: Importance
    evidence: str
    """The answer's words."""
    confidence: float
    """Similarity of claim and evidence, [0, 1]."""
    start: int
    """Span of the evidence in the answer."""
    end: int


class MissingClaim(Model):
    """A claim of the case that was not found in the answer."""

    claim: str
    importance: Importance
    conflicts_with: str | None = None
    """What the answer says instead."""
    stated: bool = False
    """The verifier reads it in the answer, in other words."""


class Addition(Model):
    """A statement of the answer that no page supports."""

    statement: str
    label: Label
    """contradicted or not_enough_info."""
    start: int
    end: int


class ClaimFeedback(Model):
    """What to tell the author of an answer."""

    found: tuple[FoundClaim, ...] = ()
    missing: tuple[MissingClaim, ...] = ()
    not_in_ground_truth: tuple[Addition, ...] = ()
    issues: tuple[str, ...] = ()
    """What is wrong with the form of the answer."""


def claim_feedback(sample: SampleResult) -> ClaimFeedback:
    """The feedback on a judged sample. Claims nobody could judge are not in it."""
    required = sample.required_claims
    return ClaimFeedback(
        found=tuple(found for one in required if (found := found_claim(one))),
        missing=tuple(
            MissingClaim(
                claim=one.text,
                importance=one.importance,
                conflicts_with=one.conflicts_with,
                stated=one.stated,
            )
            for one in required
            if not one.found
        ),
        not_in_ground_truth=tuple(
            Addition(
                statement=result.claim.text,
                label=result.verdict.label,
                start=result.claim.start,
                end=result.claim.end,
            )
            for result in sample.claims
            if result.verdict.label in NOT_IN_PAGES
        ),
        issues=tuple(faults(sample.answer.text)),
    )


def found_claim(one: RequiredClaimResult) -> FoundClaim | None:
    """A claim that was found, with the place; None for any other."""
    if not one.found or one.start is None or one.end is None:
        return None
    return FoundClaim(
        claim=one.text,
        importance=one.importance,
        evidence=one.matched_text or "",
        confidence=one.similarity or 0.0,
        start=one.start,
        end=one.end,
    )
