"""What is found of an answer as a whole, for its metrics; never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.models.verdicts import ClaimResult


@dataclass(frozen=True)
class CitedSentence:
    """An answer sentence that states something, and what its citations carry."""

    start: int
    end: int
    carried: bool | None
    """Do the sentences it cites entail it together? None = could not be judged."""
    citations: Sequence[bool | None] = ()
    """Of each of its citations: does it support the sentence alone, or do the others
    fail without it (leave one out)?"""
    texts: Sequence[str] = ()
    """The markers as written, in the same order."""


@dataclass(frozen=True)
class Directions:
    """Both directions of a comparison with a reference (METRICS D): never the counts of
    one used for the other."""

    answer_claims: Sequence[ClaimResult]
    """The answer's claims, verified against the reference."""
    reference_claims: Sequence[ClaimResult]
    """The reference's claims, verified against the answer."""
    reference_abstains: bool = False
    answer_failed: bool = False
    """The answer states facts and no claim was taken from it."""
    reference_failed: bool = False
