"""Claim feedback: what an answer has of the claims of its case, and what it adds.

METRICS A, `claim_feedback`: found with evidence and confidence, missing with
importance, and what no page supports with its place. For each missing claim a sentence
that would be found for certain: the claim in its own words, and what completeness
(100 x required claims found / required claims) would be with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import (
    Importance,
    Label,
    Model,
    RequiredClaimResult,
    SampleResult,
)
from claimscope.core.text.form_faults import find_form_faults

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
        issues=tuple(find_form_faults(sample.answer.text)),
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


class Completion(Model):
    """One sentence to add, or to put in place of what the answer says instead."""

    claim: str
    importance: Importance
    sentence: str
    replaces: str | None
    """What the answer says that conflicts with it; None: it is to be added."""
    completeness: float
    """0-100, with this sentence alone."""
    completeness_with_all: float
    """0-100, with the sentences of all claims that are missing."""


def completions(sample: SampleResult) -> Iterator[Completion]:
    """In the order of the case. Nothing where completeness has no value; claims that
    are only expected or optional change no figure."""
    required = [one for one in sample.required_claims if one.importance == "required"]
    if not required or any(one.unscored_reason for one in required):
        return
    found = sum(one.found for one in required)
    for one in sample.required_claims:
        if one.found or one.unscored_reason:
            continue
        is_counted = one.importance == "required"
        yield Completion(
            claim=one.text,
            importance=one.importance,
            sentence=as_sentence(one.text),
            replaces=one.conflicts_with,
            completeness=100 * (found + is_counted) / len(required),
            completeness_with_all=100.0,
        )


def as_sentence(claim: str) -> str:
    """With a capital and a full stop.

    >>> as_sentence("the ferry leaves at 8:15")
    'The ferry leaves at 8:15.'
    """
    text = " ".join(claim.split())
    ending = "" if text[-1:] in ".!?…。" else "."
    return f"{text[:1].upper()}{text[1:]}{ending}"


def completion_words(one: Completion) -> str:
    """`add “…”: completeness 100`."""
    how = f"in place of “{one.replaces}” " if one.replaces else "add "
    return f"{how}“{one.sentence}”: completeness {one.completeness:.4g}"
