"""What becomes of each citation of an answer (METRICS C, the six states).

A marker belongs to the sentence before it; its claims are held against the cited
sentence, or the best sentences of the cited page. A citation is valid when it
supports a claim of its sentence, alone or together with the others there;
misattributed when the claim is true by another sentence, which is named; unneeded
when the others already carry the claim; broken when it names nothing that exists.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimscope.core.models import (
    CitationResult,
    CitationState,
    ClaimResult,
    Evidence,
    Label,
    Sentence,
)
from claimscope.core.ports import Corpus, Embedder, Question, Verifier
from claimscope.core.text.citations import Item, Marker, attach, find
from claimscope.core.text.sentences import split

PAGE_SENTENCES = 4
"""Best sentences of a page that is cited as a whole."""


@dataclass(frozen=True)
class CitationCheck:
    """A citation's result, and the texts it cites as (page id, text)."""

    result: CitationResult
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Cited:
    """One item of a marker, resolved."""

    marker: Marker
    item: Item
    owner: int | None
    """Index of the answer sentence it belongs to."""
    claims: tuple[ClaimResult, ...]
    sentences: tuple[Sentence, ...] = ()
    """What it names: one sentence, or all of a page or passage."""
    problem: str | None = None
    """Why it names nothing."""
    broken: bool = True
    """False: it could not be looked up at all."""

    @property
    def source(self) -> str | None:
        """Id of the page, or of the passage a position stands for, as in evidence."""
        return self.sentences[0].page_id if self.sentences else self.item.page_id


Support = dict[tuple[int, int], bool | None]
"""(number of the citation, claim index) -> supported; None = could not be judged."""


@dataclass(frozen=True)
class Attribution:
    """The citations of an answer: what they name, what they carry, how they end."""

    cited: Sequence[Cited]
    support: Support
    checks: list[CitationCheck]


async def check_citations(
    text: str,
    claims: Sequence[ClaimResult],
    corpus: Corpus | None,
    verifier: Verifier,
    embedder: Embedder,
    contexts: Sequence[str] = (),
    question: str | None = None,
) -> list[CitationCheck]:
    """One check for each item of each marker, in reading order."""
    found = await attribute(
        text, claims, corpus, verifier, embedder, contexts, question
    )
    return found.checks


async def attribute(
    text: str,
    claims: Sequence[ClaimResult],
    corpus: Corpus | None,
    verifier: Verifier,
    embedder: Embedder,
    contexts: Sequence[str] = (),
    question: str | None = None,
) -> Attribution:
    """The checks with what they were made from, for citation_support."""
    cited = await asyncio.to_thread(resolve, text, claims, corpus, contexts)
    asked, questions = await asyncio.to_thread(ask, cited, corpus, embedder)
    questions = [replace(asking, question=question) for asking in questions]
    verdicts = await verifier.verify(questions) if questions else ()
    support: Support = {
        key: None
        if verdict.label is Label.UNSCORED
        else verdict.label is Label.SUPPORTED
        for key, verdict in zip(asked, verdicts, strict=True)
    }
    for number, one in enumerate(cited):
        for claim in one.claims:
            if already_shown(one, claim):
                support[number, claim.claim.index] = True
    checks = [check(number, one, cited, support) for number, one in enumerate(cited)]
    return Attribution(cited, support, checks)


def resolve(
    text: str,
    claims: Sequence[ClaimResult],
    corpus: Corpus | None,
    contexts: Sequence[str],
) -> list[Cited]:
    """Every item with its claims and what it names."""
    spans = split(text, "markdown")
    markers = find(text, corpus.page_ids() if corpus else ())
    found = []
    for marker, owner in zip(markers, attach(text, spans, markers), strict=True):
        own = () if owner is None else claims_in(claims, spans[owner])
        for item in marker.items:
            sentences, problem, broken = look_up(item, corpus, contexts)
            found.append(Cited(marker, item, owner, own, sentences, problem, broken))
    return found


def claims_in(
    claims: Sequence[ClaimResult], span: tuple[int, int]
) -> tuple[ClaimResult, ...]:
    """Claims taken from an answer sentence."""
    start, end = span
    return tuple(
        result
        for result in claims
        if result.claim.start < end and start < result.claim.end
    )


def look_up(
    item: Item, corpus: Corpus | None, contexts: Sequence[str]
) -> tuple[tuple[Sentence, ...], str | None, bool]:
    """(sentences, problem, is it broken) of an item."""
    if item.position is not None:
        if item.position > 0 and not contexts:
            return (), "the case has no context list to count in", False
        if not 1 <= item.position <= len(contexts):
            problem = f"there is no passage {item.position} of {len(contexts)}"
            return (), problem, True
        passage = passage_sentences(item.position - 1, contexts)
        return passage, None if passage else f"passage {item.position} is empty", True
    if corpus is None or item.page_id is None:
        return (), "there are no indexed pages to look it up in", False
    sentences = tuple(corpus.sentences(item.page_id))
    if not sentences:
        known = corpus.page(item.page_id) is not None
        what = f"page {item.page_id} is empty" if known else f"no page {item.page_id}"
        return (), what, True
    if item.sentence is None:
        return sentences, None, True
    if item.sentence >= len(sentences):
        last = len(sentences) - 1
        return (), f"{item.page_id} ends at S:{last}, no S:{item.sentence}", True
    return (sentences[item.sentence],), None, True


def passage_sentences(number: int, contexts: Sequence[str]) -> tuple[Sentence, ...]:
    """Sentences of a passage of the case, numbered from 0, named as in evidence."""
    return tuple(
        Sentence(
            page_id=f"passage:{number}",
            index=index,
            text=contexts[number][start:end],
            start=start,
            end=end,
        )
        for index, (start, end) in enumerate(split(contexts[number]))
    )


def ask(
    cited: Sequence[Cited], corpus: Corpus | None, embedder: Embedder
) -> tuple[list[tuple[int, int]], list[Question]]:
    """What the verifier is to be asked: each claim against each of its citations,
    and, where there are several, against all of them together (number -1 - owner)."""
    keys: list[tuple[int, int]] = []
    questions: list[Question] = []
    together: dict[tuple[int, int], list[tuple[Evidence, ...]]] = {}
    for number, one in enumerate(cited):
        for result in one.claims if one.sentences else ():
            evidence = evidence_of(one, result.claim.text, corpus, embedder)
            together.setdefault(joint(one, result.claim.index), []).append(evidence)
            if not already_shown(one, result):
                keys.append((number, result.claim.index))
                questions.append(Question(result.claim.text, evidence))
    texts = {r.claim.index: r.claim.text for one in cited for r in one.claims}
    for key, shares in together.items():
        distinct = {e.sentence_id: e for share in shares for e in share}
        # Not for one citation, or for one cited twice: that was asked already.
        if len(distinct) > max(len(share) for share in shares):
            keys.append(key)
            questions.append(Question(texts[key[1]], tuple(distinct.values())))
    return keys, questions


def joint(one: Cited, index: int) -> tuple[int, int]:
    """Key of a claim's support by all citations of its sentence together."""
    return -1 - (one.owner or 0), index


def already_shown(one: Cited, result: ClaimResult) -> bool:
    """The claim's own verdict already rests on the cited sentence or page."""
    return result.verdict.label is Label.SUPPORTED and any(
        evidence.page_id == one.source and one.item.sentence in (None, evidence.index)
        for evidence in result.verdict.evidence[:1]
    )


def evidence_of(
    one: Cited, claim: str, corpus: Corpus | None, embedder: Embedder
) -> tuple[Evidence, ...]:
    """The cited sentence, or the best of a cited page or passage, with neighbours."""
    chosen = everything = one.sentences
    if corpus is not None and one.item.page_id is not None:
        everything = tuple(corpus.sentences(one.item.page_id))
    if len(chosen) > PAGE_SENTENCES:
        if corpus is not None and one.item.page_id is not None:
            vectors = corpus.vectors(one.item.page_id)
        else:
            vectors = embedder.embed([sentence.text for sentence in chosen])
        similarity = vectors @ embedder.embed([claim])[0]
        best = similarity.argsort()[::-1][:PAGE_SENTENCES]
        chosen = tuple(everything[int(index)] for index in best)
    page = corpus.page(one.item.page_id) if corpus and one.item.page_id else None
    return tuple(
        Evidence(
            page_id=sentence.page_id,
            index=sentence.index,
            text=sentence.text,
            start=sentence.start,
            end=sentence.end,
            before=neighbour(everything, sentence.index - 1),
            after=neighbour(everything, sentence.index + 1),
            title=page.title if page else None,
            url=page.url if page else None,
        )
        for sentence in chosen
    )


def neighbour(sentences: Sequence[Sentence], index: int) -> str | None:
    """Text of a sentence of the page, None beyond its ends."""
    return sentences[index].text if 0 <= index < len(sentences) else None


def check(
    number: int, one: Cited, cited: Sequence[Cited], support: Support
) -> CitationCheck:
    """The state of one citation, with a reason for people."""
    state, reason, supported_by = state_of(number, one, cited, support)
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
    )
    texts = tuple((s.page_id, s.text) for s in one.sentences)
    return CitationCheck(result, texts)


def state_of(
    number: int, one: Cited, cited: Sequence[Cited], support: Support
) -> tuple[CitationState, str, str | None]:
    """(state, reason, sentence id that does support the claim)."""
    if one.problem is not None:
        broken = CitationState.BROKEN if one.broken else CitationState.UNVERIFIABLE
        return broken, f"{one.marker.text}: {one.problem}", None
    if not one.claims:
        reason = f"{one.marker.text}: its sentence states no claim"
        return CitationState.UNVERIFIABLE, reason, None
    others = [
        other
        for other in range(len(cited))
        if other != number and cited[other].owner == one.owner
    ]
    indexes = [result.claim.index for result in one.claims]
    alone = [support.get((number, index)) for index in indexes]
    carried = [any(support.get((o, index)) for o in others) for index in indexes]
    # What all citations show together counts where no other shows it alone.
    jointly = [
        False if done else support.get(joint(one, index), False)
        for index, done in zip(indexes, carried, strict=True)
    ]
    if any(alone) or any(jointly):
        return CitationState.VALID, "", None
    if None in alone or None in jointly:
        reason = f"{one.marker.text}: it could not be judged against its claim"
        return CitationState.UNVERIFIABLE, reason, None
    if all(carried):
        reason = f"{one.marker.text}: the other citations already carry the claim"
        return CitationState.UNNEEDED, reason, None
    elsewhere = true_elsewhere(one, carried)
    if elsewhere is not None:
        reason = f"{one.marker.text} does not say it; {elsewhere} does"
        return CitationState.MISATTRIBUTED, reason, elsewhere
    reason = f"{one.marker.text} does not support the claim"
    return CitationState.UNSUPPORTED, reason, None


def true_elsewhere(one: Cited, carried: Sequence[bool]) -> str | None:
    """Sentence id that supports a claim which no other citation carries."""
    for result, done in zip(one.claims, carried, strict=True):
        verdict = result.verdict
        if verdict.label is Label.SUPPORTED and verdict.evidence and not done:
            return verdict.evidence[0].sentence_id
    return None
