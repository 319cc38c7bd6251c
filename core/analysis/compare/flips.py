"""What is another between paired samples: outcomes, verdicts on claims, required claims
that were found. Each with both sides, so that a person sees why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.analysis.compare.claim_pairs import PairedBy, pair_claims
from claimscope.core.analysis.compare.differences import Pair
from claimscope.core.models import ClaimResult, Model, SampleKey, SampleResult


class SampleFlip(Model):
    """A sample whose outcome is another."""

    before_key: SampleKey
    after_key: SampleKey
    question: str
    before: bool | None
    """None = unscored."""
    after: bool | None
    answer_changed: bool
    gone: tuple[str, ...]
    """Messages of failures that are no longer there."""
    new: tuple[str, ...]
    """Messages of failures that were not there."""


class ClaimFlip(Model):
    """A claim with another label: both verdicts with their evidence."""

    before_key: SampleKey
    after_key: SampleKey
    before: ClaimResult
    after: ClaimResult
    paired_by: PairedBy
    likeness: float
    """Of the two texts, [0, 1]."""


class LoneClaim(Model):
    """A claim that only one of the two answers makes."""

    key: SampleKey
    result: ClaimResult


class RequiredFlip(Model):
    """A claim of the case that was found in only one of the two answers."""

    before_key: SampleKey
    after_key: SampleKey
    text: str
    before: bool
    after: bool


def sample_flip(a: SampleResult, b: SampleResult) -> SampleFlip:
    old = dict.fromkeys(failure.message for failure in a.failures)
    new = dict.fromkeys(failure.message for failure in b.failures)
    return SampleFlip(
        before_key=a.key,
        after_key=b.key,
        question=b.case.question,
        before=a.passed,
        after=b.passed,
        answer_changed=a.answer.text != b.answer.text,
        gone=tuple(message for message in old if message not in new),
        new=tuple(message for message in new if message not in old),
    )


@dataclass
class ClaimFlips:
    flips: list[ClaimFlip]
    paired: dict[PairedBy, int]
    gone: list[LoneClaim]
    new: list[LoneClaim]


def claim_flips(pairs: Sequence[Pair]) -> ClaimFlips:
    found = ClaimFlips([], {"place": 0, "text": 0, "likeness": 0}, [], [])
    for a, b in pairs:
        same = a.answer.text == b.answer.text
        pairing = pair_claims(a.claims, b.claims, same_answer=same)
        for before, after, by, likeness in pairing.pairs:
            found.paired[by] += 1
            if before.verdict.label != after.verdict.label:
                flip = ClaimFlip(
                    before_key=a.key,
                    after_key=b.key,
                    before=before,
                    after=after,
                    paired_by=by,
                    likeness=likeness,
                )
                found.flips.append(flip)
        found.gone += [LoneClaim(key=a.key, result=r) for r in pairing.gone]
        found.new += [LoneClaim(key=b.key, result=r) for r in pairing.new]
    return found


def required_flips(a: SampleResult, b: SampleResult) -> list[RequiredFlip]:
    later = {claim.text: claim.found for claim in b.required_claims}
    return [
        RequiredFlip(
            before_key=a.key,
            after_key=b.key,
            text=claim.text,
            before=claim.found,
            after=later[claim.text],
        )
        for claim in a.required_claims
        if later.get(claim.text, claim.found) != claim.found
    ]
