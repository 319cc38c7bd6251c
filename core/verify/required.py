"""Are the claims of a case found in the answer? (METRICS A, claim_completeness.)

Found = the best cosine of the claim to an answer sentence, or to two neighbouring
ones, is strictly above the threshold (default 0.75) and no rule conflicts: a
different number, unit, date or negation makes it missing, shown as "conflicts with".

Cosine alone misses what is said in other words ("ten Tuesdays from half past six"), so
`look_again` has the verifier read the answer for what was not found. Its word changes
no score, which is the formula's, but keeps a claim that is there from being a failure:
only where it is proved, "likely" is not enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import numpy as np

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import (
    CaseClaim,
    Evidence,
    Label,
    RequiredClaimResult,
    RuleFinding,
)
from claimscope.core.ports import Embedder, Question, Verifier
from claimscope.core.text.sentences import Span
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.word_vectors import word_overlap

Rules = Callable[[str, Sequence[Evidence]], Sequence[RuleFinding]]
CONFLICTS = {"number", "unit", "date", "negation"}
WITH_QUESTION = 0.6
"""Support needed when the question must lend the answer its subject."""


def find_claims(
    claims: Sequence[CaseClaim],
    answer: str,
    sentences: Sequence[Span],
    embedder: Embedder,
    rules: Rules,
    *,
    threshold: float = 0.75,
    clean: Callable[[str], str] = str,
) -> tuple[RequiredClaimResult, ...]:
    """One result a claim, in order; by words when the embedding model fails, which they
    say. `sentences`: spans of answer; `clean` takes citation markers out of a text."""
    windows = windows_of(sentences)
    if not claims or not windows:
        return tuple(
            RequiredClaimResult(text=one.text, importance=one.importance, found=False)
            for one in claims
        )
    texts = [clean(answer[start:end]) for start, end in windows]
    try:
        vectors = embedder.embed([claim.text for claim in claims] + texts)
        similarities = vectors[: len(claims)] @ vectors[len(claims) :].T
        words = False
    except EmbeddingError:
        similarities = word_overlap([claim.text for claim in claims], texts)
        words = True
    found = (
        judge(claim, row, windows, texts, answer, rules, threshold)
        for claim, row in zip(claims, similarities, strict=True)
    )
    return tuple(one.model_copy(update={"by_words": words}) for one in found)


def windows_of(sentences: Sequence[Span]) -> list[Span]:
    """Single sentences first, then pairs of neighbours."""
    pairs = [(a[0], b[1]) for a, b in zip(sentences, list(sentences)[1:], strict=False)]
    return [*sentences, *pairs]


def judge(
    claim: CaseClaim,
    similarities: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    windows: Sequence[Span],
    texts: Sequence[str],
    answer: str,
    rules: Rules,
    threshold: float,
) -> RequiredClaimResult:
    """The best window decides; a conflict in it turns "found" into "missing"."""
    best = int(np.argmax(similarities))
    similarity = min(1.0, max(0.0, float(similarities[best])))
    start, end = windows[best]
    near = similarity > threshold
    conflict = conflict_in(claim.text, texts[best], windows[best], rules)
    return RequiredClaimResult(
        text=claim.text,
        importance=claim.importance,
        found=near and conflict is None,
        similarity=similarity,
        matched_text=answer[start:end] if near else None,
        start=start if near else None,
        end=end if near else None,
        conflicts_with=conflict if near else None,
    )


def conflict_in(claim: str, text: str, span: Span, rules: Rules) -> str | None:
    """What in text says it differently from claim; None when nothing does."""
    sentence = Evidence(
        page_id="answer", index=-1, text=text, start=span[0], end=span[1]
    )
    for finding in rules(claim, [sentence]):
        if finding.outcome == "conflict" and finding.rule in CONFLICTS:
            return finding.evidence_text or text
    return None


async def look_again(
    results: Sequence[RequiredClaimResult],
    answer: str,
    question: str,
    embedder: Embedder,
    verifier: Verifier,
) -> tuple[RequiredClaimResult, ...]:
    """The results, those not found marked as stated where the verifier reads them in
    the answer: as it stands, or, more surely, with the question as its title.
    `answer` is without citation markers."""
    open_ = [r for r in results if not r.found and r.conflicts_with is None]
    if not open_ or not answer.strip():
        return tuple(results)

    def ask() -> list[Question]:
        found = [candidates_from_text(r.text, [answer], embedder) for r in open_]
        titled = [
            tuple(one.model_copy(update={"title": question}) for one in evidence)
            for evidence in found
        ]
        return [
            Question(r.text, evidence)
            for r, evidence in zip(open_ + open_, found + titled, strict=True)
        ]

    verdicts = await verifier.verify(await asyncio.to_thread(ask))
    stated = {
        r.text
        for number, (r, verdict) in enumerate(zip(open_ + open_, verdicts, strict=True))
        if verdict.label is Label.SUPPORTED
        and not verdict.is_likely
        and (number < len(open_) or (verdict.support or 0) >= WITH_QUESTION)
    }
    return tuple(
        r.model_copy(update={"stated": True}) if not r.found and r.text in stated else r
        for r in results
    )
