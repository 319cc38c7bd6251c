"""What is another between paired samples: outcomes, verdicts on claims, required claims
that were found. Each with both sides, so that a person sees why.

The same answer judged twice has its claims at the same places. Of a changed answer
equal texts belong together, then the likest texts; what is left over is no flip but a
claim that went or came.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from claimscope.core.analysis.compare.differences import Pair
from claimscope.core.models import ClaimResult, Model, SampleKey, SampleResult

PairedBy = Literal["place", "text", "likeness"]
LEAST_LIKENESS = 0.6
"""Below, two claims are about different things."""


class ClaimPair(NamedTuple):
    """A claim before and after."""

    before: ClaimResult
    after: ClaimResult
    by: PairedBy
    likeness: float
    """Of the texts, [0, 1]."""


class Pairing(NamedTuple):
    """All claims of two answers."""

    pairs: list[ClaimPair]
    gone: list[ClaimResult]
    """Only in the answer before."""
    new: list[ClaimResult]
    """Only in the answer after."""


def pair_claims(
    before: Sequence[ClaimResult], after: Sequence[ClaimResult], *, same_answer: bool
) -> Pairing:
    """Each claim is in one pair, or in `gone` or `new`; pairs in the order of
    `before`."""
    pairs: list[ClaimPair] = []
    left, right = list(before), list(after)
    if same_answer:
        left, right = _by_key(left, right, _place, "place", pairs)
    left, right = _by_key(left, right, _text, "text", pairs)
    left, right = _by_likeness(left, right, pairs)
    pairs.sort(key=lambda pair: pair.before.claim.index)
    return Pairing(pairs, left, right)


def _place(result: ClaimResult) -> Hashable:
    return result.claim.start, result.claim.end, _text(result)


def _text(result: ClaimResult) -> str:
    return " ".join(result.claim.text.split()).casefold()


def _by_key(
    left: Sequence[ClaimResult],
    right: Sequence[ClaimResult],
    key: Callable[[ClaimResult], Hashable],
    by: PairedBy,
    pairs: list[ClaimPair],
) -> tuple[list[ClaimResult], list[ClaimResult]]:
    """Pairs equal keys, each claim once and in order; gives what is left."""
    waiting: dict[Hashable, list[ClaimResult]] = {}
    for result in right:
        waiting.setdefault(key(result), []).append(result)
    rest = []
    for result in left:
        found = waiting.get(key(result))
        if found:
            pairs.append(ClaimPair(result, found.pop(0), by, 1.0))
        else:
            rest.append(result)
    remaining = {id(result) for found in waiting.values() for result in found}
    return rest, [result for result in right if id(result) in remaining]


def _by_likeness(
    left: list[ClaimResult], right: list[ClaimResult], pairs: list[ClaimPair]
) -> tuple[list[ClaimResult], list[ClaimResult]]:
    """Pairs the likest texts first (normalised indel likeness of rapidfuzz)."""
    if not left or not right:
        return left, right
    from rapidfuzz import fuzz, process

    likeness = process.cdist(
        [_text(r) for r in left], [_text(r) for r in right], scorer=fuzz.ratio
    )
    order = sorted(
        (-float(likeness[i][j]), abs(i - j), i, j)
        for i in range(len(left))
        for j in range(len(right))
        if likeness[i][j] >= LEAST_LIKENESS * 100
    )
    taken_left: set[int] = set()
    taken_right: set[int] = set()
    for negative, _, i, j in order:
        if i in taken_left or j in taken_right:
            continue
        taken_left.add(i)
        taken_right.add(j)
        pairs.append(ClaimPair(left[i], right[j], "likeness", -negative / 100))
    return (
        [result for i, result in enumerate(left) if i not in taken_left],
        [result for j, result in enumerate(right) if j not in taken_right],
    )


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
