"""What becomes of each citation of an answer (METRICS C, the six states).

Two facts of each are told apart: that it *exists*, its page and sentence are in the
evidence, and that it *supports* a claim of its sentence. A citation is valid when it
does both, alone or as a part that the others lack; misattributed when the claim is true
by another sentence, which is named; unneeded when the others already carry the claim;
broken when it names nothing that exists; unverifiable when nobody could judge it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claimscope.core.cite.alternative_evidence import ask_elsewhere, found_elsewhere
from claimscope.core.cite.marker_resolution import ResolvedItem, SourceLookup, resolve
from claimscope.core.cite.support import (
    Key,
    Support,
    alone_says,
    joint_key,
    read_support,
    support_questions,
)
from claimscope.core.models import CitationResult, CitationState, ClaimResult, Label
from claimscope.core.ports import Corpus, Embedder, Verifier


@dataclass(frozen=True)
class CitationCheck:
    """A citation's result, and the texts it cites as (page id, text)."""

    result: CitationResult
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class AnswerCitations:
    """The citations of an answer: what they name, what they carry, how they end."""

    cited: Sequence[ResolvedItem]
    support: Support
    checks: Sequence[CitationCheck] = ()

    def others_of(self, number: int) -> list[int]:
        """The other citations of a citation's sentence."""
        owner = self.cited[number].owner
        return [
            n for n, one in enumerate(self.cited) if n != number and one.owner == owner
        ]

    def is_carried(self, number: int, index: int) -> bool:
        """Do the other citations of its sentence carry a claim, alone or together?"""
        others = self.others_of(number)
        alone = any(self.support.get((other, index)) for other in others)
        return alone or bool(self.support.get(joint_key(self.cited[number], index)))

    def carries(self, number: int, index: int, claim: str) -> bool | None:
        """Does it carry a claim or a part the others lack? None = not judged."""
        support = self.support
        alone = support.get((number, index))
        if alone:
            return True
        others = self.others_of(number)
        by_one = any(support.get((other, index)) for other in others)
        by_all = support.get(joint_key(self.cited[number], index), False)
        if by_one or by_all:
            is_against = (number, index) in support.against
            says_more = not is_against and alone_says(number, claim, self.cited)
            if says_more or (by_all and not by_one and self.is_half(number)):
                return True
            return None if alone is None else False
        return None if alone is None or by_all is None else False

    def carries_each(self, number: int) -> list[bool | None]:
        """The same of each claim that a citation stands behind."""
        claims = (result.claim for result in self.cited[number].claims)
        return [self.carries(number, one.index, one.text) for one in claims]

    def is_half(self, number: int) -> bool:
        """Whether only one other sentence is cited: where both are needed, each is."""
        cited = self.cited
        places = {
            frozenset(s.sentence_id for s in cited[other].sentences)
            for other in self.others_of(number)
            if cited[other].sentences
        }
        places.discard(frozenset(s.sentence_id for s in cited[number].sentences))
        return len(places) == 1


async def attribute(
    text: str,
    claims: Sequence[ClaimResult],
    corpus: Corpus | None,
    verifier: Verifier,
    embedder: Embedder,
    contexts: Sequence[str] = (),
    question: str | None = None,
) -> AnswerCitations:
    """The citations of an answer with a check for each item, in reading order."""
    lookup = SourceLookup(corpus, contexts)
    cited = await asyncio.to_thread(resolve, text, claims, lookup)
    keys, questions = await asyncio.to_thread(
        support_questions, cited, lookup, embedder
    )
    questions = [replace(asking, question=question) for asking in questions]
    verdicts = await verifier.verify(questions) if questions else ()
    found = AnswerCitations(cited, read_support(cited, keys, questions, verdicts))
    places, questions = await asyncio.to_thread(
        ask_elsewhere, citations_without_support(found), cited, lookup
    )
    questions = [replace(asking, question=question) for asking in questions]
    verdicts = await verifier.verify(questions) if questions else ()
    elsewhere = found_elsewhere(places, verdicts)
    checks = [check_citation(n, found, elsewhere) for n in range(len(cited))]
    return replace(found, checks=checks)


def citations_without_support(found: AnswerCitations) -> list[tuple[int, ClaimResult]]:
    """Citations that carry nothing, with the claims that no other carries and that may
    be true by another sentence; what is contradicted is not."""
    return [
        (number, result)
        for number, one in enumerate(found.cited)
        if one.problem is None
        and all(said is False for said in found.carries_each(number))
        for result in one.claims
        if result.verdict.label in (Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
        and not found.is_carried(number, result.claim.index)
    ]


def check_citation(
    number: int, found: AnswerCitations, elsewhere: Mapping[Key, str]
) -> CitationCheck:
    """The state of one citation, with a reason for people. `elsewhere`: sentences that
    support a claim by themselves where its citation does not."""
    one = found.cited[number]
    state, reason, supported_by = state_of(number, found, elsewhere)
    is_valid = state is CitationState.VALID
    result = CitationResult(
        text=one.marker.text,
        start=one.marker.start,
        end=one.marker.end,
        page_id=one.item.page_id,
        sentence=one.item.sentence,
        state=state,
        reason=reason,
        supported_by=supported_by,
        claim_indexes=tuple(result.claim.index for result in one.claims),
        exists=one.exists,
        supports=None if state is CitationState.UNVERIFIABLE else is_valid,
        is_likely=is_valid and is_likely(number, one, found.support),
    )
    texts = tuple((s.page_id, s.text) for s in one.sentences)
    return CitationCheck(result, texts)


def state_of(
    number: int, found: AnswerCitations, elsewhere: Mapping[Key, str]
) -> tuple[CitationState, str, str | None]:
    """(state, reason, sentence id that does support the claim)."""
    one = found.cited[number]
    marker = one.marker.text
    if one.problem is not None:
        broken = CitationState.BROKEN if one.broken else CitationState.UNVERIFIABLE
        return broken, f"{marker}: {one.problem}", None
    if not one.claims:
        reason = f"{marker}: its sentence states no claim"
        return CitationState.UNVERIFIABLE, reason, None
    carried = found.carries_each(number)
    if True in carried:
        return CitationState.VALID, "", None
    if None in carried:
        reason = f"{marker}: it could not be judged against its claim"
        return CitationState.UNVERIFIABLE, reason, None
    done = [found.is_carried(number, result.claim.index) for result in one.claims]
    if all(done):
        reason = f"{marker}: the other citations already carry the claim"
        return CitationState.UNNEEDED, reason, None
    place = true_elsewhere(number, one, done, elsewhere)
    if place is not None:
        reason = f"{marker} does not say it; {place} does"
        return CitationState.MISATTRIBUTED, reason, place
    reason = f"{marker} does not support the claim"
    if says_a_part(one, done):
        reason = f"{marker} alone does not say all of the claim"
    return CitationState.UNSUPPORTED, reason, None


def true_elsewhere(
    number: int, one: ResolvedItem, carried: Sequence[bool], found: Mapping[Key, str]
) -> str | None:
    """Sentence id that supports a claim which no other citation carries: one that does
    so by itself, else what its verdict rests on first."""
    named = {sentence.sentence_id for sentence in one.sentences}
    for result, done in zip(one.claims, carried, strict=True):
        if done:
            continue
        verdict = result.verdict
        place = found.get((number, result.claim.index))
        if place is None and verdict.label is Label.SUPPORTED and verdict.evidence:
            place = verdict.evidence[0].sentence_id
        if place is not None and place not in named:
            return place
    return None


def says_a_part(one: ResolvedItem, carried: Sequence[bool]) -> bool:
    """Whether a claim's own verdict rests on the cited sentence among others."""
    named = {sentence.sentence_id for sentence in one.sentences}
    return any(
        result.verdict.label is Label.SUPPORTED
        and not done
        and any(e.sentence_id in named for e in result.verdict.evidence)
        for result, done in zip(one.claims, carried, strict=True)
    )


def is_likely(number: int, one: ResolvedItem, support: Support) -> bool:
    """Whether all support for what it stands behind is only likely."""
    keys = [(number, r.claim.index) for r in one.claims]
    keys += [joint_key(one, r.claim.index) for r in one.claims]
    found = [key for key in keys if support.get(key)]
    return bool(found) and all(key in support.likely for key in found)
