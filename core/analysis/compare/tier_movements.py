"""Scores that came into another tier or level between two runs, and the claims that
changed with them: "accuracy fell from good to fair" says little without the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.compare.differences import Pair
from claimscope.core.analysis.compare.flips import ClaimFlips, RequiredFlip
from claimscope.core.analysis.summary.tier_distribution import LEVELS, TIERS
from claimscope.core.models import Model, SampleKey, Score


class TierMove(Model):
    """One score of one sample."""

    before_key: SampleKey
    after_key: SampleKey
    metric: str
    before: str
    """Tier or level."""
    after: str
    before_value: float
    after_value: float
    rose: bool
    claims: tuple[str, ...]
    """What changed in the sample: claims with another verdict, required claims that
    were found or lost, claims of only one of the answers."""


def tier_moves(
    pairs: Sequence[Pair], flips: ClaimFlips, required: Sequence[RequiredFlip]
) -> tuple[TierMove, ...]:
    """Those that fell first; then by sample, in the order of the run."""
    moves = []
    for a, b in pairs:
        changed = tuple(_changed_claims(a.key, b.key, flips, required))
        earlier = {score.metric: score for score in a.scores}
        for now in b.scores:
            was = earlier.get(now.metric)
            move = _move(was, now) if was is not None else None
            if move is None:
                continue
            before, after, rose = move
            moves.append(
                TierMove(
                    before_key=a.key,
                    after_key=b.key,
                    metric=now.metric,
                    before=before,
                    after=after,
                    before_value=was.value if was and was.value is not None else 0.0,
                    after_value=now.value if now.value is not None else 0.0,
                    rose=rose,
                    claims=changed,
                )
            )
    return tuple(sorted(moves, key=lambda move: move.rose))


def _move(was: Score, now: Score) -> tuple[str, str, bool] | None:
    """(before, after, whether it rose), where both are known and differ."""
    for first, second, order in (
        (was.tier, now.tier, TIERS),
        (was.level, now.level, LEVELS),
    ):
        if first is None or second is None or first == second:
            continue
        if first in order and second in order:
            return first, second, order.index(second) < order.index(first)
    return None


def _changed_claims(
    before: SampleKey,
    after: SampleKey,
    flips: ClaimFlips,
    required: Sequence[RequiredFlip],
) -> Iterator[str]:
    for flip in flips.flips:
        if (flip.before_key, flip.after_key) == (before, after):
            words = f"{flip.before.verdict.word} -> {flip.after.verdict.word}"
            yield f"{words}: {flip.after.claim.text}"
    found = {True: "found", False: "missing"}
    for one in required:
        if (one.before_key, one.after_key) == (before, after):
            words = f"{found[one.before]} -> {found[one.after]}"
            yield f"required, {words}: {one.text}"
    for gone in flips.gone:
        if gone.key == before:
            yield f"only before, {gone.result.verdict.word}: {gone.result.claim.text}"
    for new in flips.new:
        if new.key == after:
            yield f"only after, {new.result.verdict.word}: {new.result.claim.text}"
