"""Abstentions that the pages prove wrong.

An answer that says "the text gives no fee for adults" abstains where the text gives
none, and is wrong where it does. What it denies is held against the pages; only where a
statement has all words of it, and the figure that was asked for, the abstention becomes
a claim, and a contradicted one. Nothing else of an abstention is judged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from claimscope.core.models import Claim, ClaimResult, Label, Skipped
from claimscope.core.text.abstentions import Denial, denial
from claimscope.core.verify.decomposition import Decomposition

Verify = Callable[[Decomposition], Awaitable[Sequence[ClaimResult]]]
WITNESS = "mention"
"""Who must have found it (core/verify/witnesses/whole_list.py): likeness alone proves
nothing."""


async def refuted_abstentions(
    taken: Decomposition, verify: Verify
) -> tuple[Decomposition, tuple[ClaimResult, ...]]:
    """The decomposition without the abstentions that are wrong, and these as claims."""
    found = [
        (part, said)
        for part in taken.skipped
        if part.reason == "abstention" and (said := denial(part.text)) is not None
    ]
    if not found:
        return taken, ()
    asked = tuple(_claim(n, part, said.text) for n, (part, said) in enumerate(found))
    results = await verify(Decomposition(asked, (), abstained=False))
    wrong = [
        (part, result)
        for (part, said), result in zip(found, results, strict=True)
        if _is_wrong(said, result)
    ]
    parts = {id(part) for part, _ in wrong}
    left = tuple(part for part in taken.skipped if id(part) not in parts)
    claims = tuple(
        result.model_copy(
            update={"claim": result.claim.model_copy(update={"text": part.text})}
        )
        for part, result in wrong
    )
    abstained = taken.abstained and not claims
    return Decomposition(taken.claims, left, abstained), claims


def in_order(
    claims: Sequence[ClaimResult], more: Sequence[ClaimResult]
) -> tuple[ClaimResult, ...]:
    """All claims by their place in the answer, numbered anew."""
    if not more:
        return tuple(claims)
    both = sorted([*claims, *more], key=lambda result: result.claim.start)
    return tuple(
        one.model_copy(update={"claim": one.claim.model_copy(update={"index": index})})
        for index, one in enumerate(both)
    )


def _claim(index: int, part: Skipped, text: str) -> Claim:
    return Claim(
        index=index,
        text=text,
        start=part.start,
        end=part.end,
        sentence_start=part.start,
        sentence_end=part.end,
    )


def _is_wrong(said: Denial, result: ClaimResult) -> bool:
    verdict = result.verdict
    found = [one for one in verdict.testimony if one.witness == WITNESS]
    if verdict.label is not Label.CONTRADICTED or not found:
        return False
    shown = " ".join(one.text for one in verdict.evidence[:1])
    return not said.needs_figure or any(char.isdigit() for char in shown)
