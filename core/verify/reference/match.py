"""Answer and reference held against one another, both ways (METRICS D).

The answer's claims are verified against the reference, the reference's claims against
the answer: two sets of questions, and never the counts of one used for the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from claimscope.core.models import Claim, ClaimResult, Verdict
from claimscope.core.models.findings import Directions
from claimscope.core.ports import Embedder, Question, Verifier
from claimscope.core.text.citations.markers import strip_markers
from claimscope.core.text.framing import answer_as_sentence
from claimscope.core.verify.decomposition import Decomposition
from claimscope.core.verify.evidence import candidates_from_text, documents_of
from claimscope.core.verify.reference.short_answers import (
    are_lists,
    bare_claim,
    is_bare,
    item_claims,
    items,
    names_another_time,
    not_stated,
    same_answer,
    same_as_any,
    says_only,
    states,
    verdict,
)
from claimscope.core.verify.verifier import NAME as EVIDENCE

NO_FACTS = frozenset({"greeting", "question", "offer", "abstention"})
"""Skipped parts that state nothing: with nothing else no claim is no failure."""
TakeApart = Callable[[str], Awaitable[Decomposition]]


@dataclass(frozen=True)
class ReferenceSide:
    """Answer or reference: its text, its claims, and whether it is a bare answer."""

    text: str
    """As a verifier reads it: without citation markers."""
    claims: tuple[Claim, ...]
    is_bare: bool = False
    abstains: bool = False
    failed: bool = False
    items: tuple[str, ...] = ()
    """Of a bare list held against another, its items: each is a claim of its own."""


async def both_directions(
    question: str,
    answer: str,
    taken: Decomposition,
    reference: str,
    take_apart: TakeApart,
    verifier: Verifier,
    embedder: Embedder,
    k: int = 8,
) -> Directions:
    """The claims of answer (`taken`) and reference, each verified against the other.

    Raises ModelError, EmbeddingError.
    """
    mine = side_of(question, answer, taken)
    theirs = side_of(question, reference, await take_apart(reference))
    if mine.is_bare and theirs.is_bare and are_lists(mine.text, theirs.text):
        mine, theirs = split_items(question, mine), split_items(question, theirs)
    results: list[tuple[ClaimResult, ...]] = [(), ()]
    if not (mine.abstains or theirs.abstains):  # then no count decides
        results = [
            await verify_against(question, *pair, verifier, embedder, k)
            for pair in ((mine, theirs), (theirs, mine))
        ]
    return Directions(
        answer_claims=results[0],
        reference_claims=results[1],
        reference_abstains=theirs.abstains,
        answer_failed=mine.failed,
        reference_failed=theirs.failed,
    )


def side_of(question: str, text: str, taken: Decomposition) -> ReferenceSide:
    """A text with its claims. A bare answer is one claim, with its question."""
    plain = strip_markers(text).strip()
    states_nothing = bool(taken.skipped) and all(
        part.reason in NO_FACTS for part in taken.skipped
    )
    if is_bare(plain) and not (states_nothing and not taken.claims):
        return ReferenceSide(plain, (bare_claim(question, plain),), is_bare=True)
    failed = not taken.claims and not states_nothing
    return ReferenceSide(plain, taken.claims, abstains=taken.abstained, failed=failed)


def split_items(question: str, side: ReferenceSide) -> ReferenceSide:
    """A bare list with a claim for each item."""
    parts = tuple(side.text[start:end] for start, end in items(side.text))
    return replace(side, items=parts, claims=item_claims(question, side.text))


async def verify_against(
    question: str,
    one: ReferenceSide,
    other: ReferenceSide,
    verifier: Verifier,
    embedder: Embedder,
    k: int,
) -> tuple[ClaimResult, ...]:
    """One verdict for each claim of `one`, from the text of `other` alone."""
    can_ask = verifier.name != EVIDENCE
    verdicts = [by_words(question, claim, one, other, can_ask) for claim in one.claims]
    open_ = [c.text for c, v in zip(one.claims, verdicts, strict=True) if v is None]
    questions = await asyncio.to_thread(
        lambda: [
            question_on_reference(question, text, other, embedder, k) for text in open_
        ]
    )
    given = iter(await verifier.verify(questions) if questions else ())
    return tuple(
        ClaimResult(claim=claim, verdict=next(given) if found is None else found)
        for claim, found in zip(one.claims, verdicts, strict=True)
    )


def by_words(
    question: str,
    claim: Claim,
    one: ReferenceSide,
    other: ReferenceSide,
    can_ask: bool = True,
) -> Verdict | None:
    """What code alone can tell where a bare answer takes part; None = ask.

    Two bare answers that share too few words are asked of a model alone. With
    embeddings (not `can_ask`) they are not stated: both would be read inside the same
    sentence about the question, and its words make any two answers alike (kappa with
    people on 300 rows of openqa_eval without this rule: 0.47, with it: 0.61).
    """
    if one.is_bare and other.is_bare:
        said = one.text
        if one.items:
            said = one.items[claim.index]
            same = same_as_any(said, other.items)
        else:
            same = same_answer(said, other.text)
        if same is None and not can_ask:
            return not_stated(said, other.text)
        if same is None:
            return None
        return verdict(same, said, other.text, is_list=bool(one.items))
    if one.is_bare and names_another_time(other.text, one.text):
        return verdict(False, one.text, other.text)
    if other.is_bare and names_another_time(claim.text, other.text):
        return verdict(False, claim.text, other.text)
    if one.is_bare and states(other.text, one.text):
        return verdict(True, one.text, other.text)
    if other.is_bare and says_only(claim.text, question, other.text):
        return verdict(True, claim.text, other.text)
    return None


def question_on_reference(
    question: str, claim: str, other: ReferenceSide, embedder: Embedder, k: int
) -> Question:
    """A claim with the best sentences of the other text."""
    text = answer_as_sentence(question, other.text) if other.is_bare else other.text
    passages: Sequence[str] = (text,)
    found = candidates_from_text(claim, passages, embedder, k=k)
    return replace(Question(claim, found, question), documents=documents_of(passages))
