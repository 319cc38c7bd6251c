"""The verifier without a language model: rules first, then calibrated evidence.

Rules can forbid "supported" and are the only way to "contradicted", which always
shows a sentence that stands in the pages. The rest is a probability, fitted on
public data, and three bands that say how far it can be trusted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import Evidence, Label, RuleFinding, Verdict
from claimscope.core.ports import Embedder, Floats, Question
from claimscope.core.text.languages import reads_english_only
from claimscope.core.verification.calibrate import EvidenceModel, fitted, matrix
from claimscope.core.verification.comparison import Finding
from claimscope.core.verification.conflicts import SOURCES_CONFLICT
from claimscope.core.verification.features import features, texts_of
from claimscope.core.verification.foreign import (
    foreign_verdict,
    language_of_question,
)
from claimscope.core.verification.rules import inspect, sources_conflict
from claimscope.core.verification.windows import Window

NAME = "evidence-1"
SHOWN = 3
"""Evidence sentences kept in a verdict."""
MATTERS = 0.75
"""Least part of the best candidate's score that a second sentence must have."""


@dataclass(frozen=True)
class Reading:
    """A question with what was measured of it."""

    question: Question
    findings: tuple[Finding, ...]
    row: dict[str, float]
    windows: tuple[Window, ...]


class EvidenceVerifier:
    """Implements core.ports.Verifier with embeddings, words in common and rules."""

    def __init__(self, embedder: Embedder, model: EvidenceModel | None = None) -> None:
        self._embedder = embedder
        self._model = model

    @property
    def name(self) -> str:
        return NAME

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order; blocking work is done in a thread."""
        return await asyncio.to_thread(self.verify_now, questions)

    def verify_now(self, questions: Sequence[Question]) -> list[Verdict]:
        """The same, blocking. All texts are embedded together, equal ones once."""
        asked = [question for question in questions if question.evidence]
        try:
            readings = self.read(asked)
        except EmbeddingError as error:
            return [self._unscored(str(error)) for _ in questions]
        model = self._model or fitted()
        rows = [reading.row for reading in readings]
        supports = model.support(matrix(rows, model.features)) if rows else np.zeros(0)
        judged = iter(
            self._verdict(reading, float(support), model)
            for reading, support in zip(readings, supports, strict=True)
        )
        return [
            next(judged) if question.evidence else self._nothing()
            for question in questions
        ]

    def read(self, questions: Sequence[Question]) -> list[Reading]:
        """Findings and features of questions that have evidence."""
        texts = list(
            dict.fromkeys(
                text
                for question in questions
                for text in texts_of(question.claim, question.evidence)
            )
        )
        vectors: dict[str, Floats] = {}
        if texts:
            vectors = dict(zip(texts, self._embedder.embed(texts), strict=True))
        return [_reading(question, vectors) for question in questions]

    def _verdict(
        self, reading: Reading, support: float, model: EvidenceModel
    ) -> Verdict:
        language = language_of_question(reading.question)
        if language == "en":
            return self._judge(reading, support, model)
        return foreign_verdict(
            reading.question,
            language,
            best_evidence(reading.question.evidence, ()),
            support,
            model,
            only_english=reads_english_only(self._embedder.model_id),
            verifier=NAME,
        )

    def _judge(self, reading: Reading, support: float, model: EvidenceModel) -> Verdict:
        """Disagreeing pages, conflict, veto, probability: the first that applies."""
        question, found = reading.question, reading.findings
        shown = best_evidence(question.evidence, found)
        rules = tuple(finding.shown for finding in found)
        disagreeing = sources_conflict(question.claim, reading.windows)
        if disagreeing is not None:
            return _disagreement(disagreeing, support, rules)
        against = next(
            (f for f in found if f.shown.outcome == "conflict" and f.window), None
        )
        if against is not None and against.window is not None:
            first = against.window.evidence
            shown = (first, *(one for one in shown if one != first))[:SHOWN]
            label, reason = Label.CONTRADICTED, against.shown.message
            support = min(support, model.low / 2)
        elif any(finding.shown.veto for finding in found):
            veto = next(finding for finding in found if finding.shown.veto)
            label, reason = Label.NOT_ENOUGH_INFO, veto.shown.message
            support = min(support, model.low / 2)
        elif support >= model.threshold:
            label, reason = Label.SUPPORTED, f"{shown[0].sentence_id} says so."
        else:
            label, reason = Label.NOT_ENOUGH_INFO, "No candidate sentence says as much."
        return Verdict(
            label=label,
            support=support,
            band=model.band(support),
            evidence=shown,
            rules=rules,
            reason=reason,
            verifier=NAME,
        )

    def _nothing(self) -> Verdict:
        """There is no candidate at all: nothing speaks for the claim."""
        return Verdict(
            label=Label.NOT_ENOUGH_INFO,
            support=0.0,
            band="not_supported",
            reason="There is no sentence to hold it against.",
            verifier=NAME,
        )

    def _unscored(self, reason: str) -> Verdict:
        return Verdict(
            label=Label.UNSCORED,
            reason="The claim could not be judged.",
            verifier=NAME,
            unscored_reason=reason,
        )


def _disagreement(
    pages: tuple[Evidence, Evidence], support: float, rules: tuple[RuleFinding, ...]
) -> Verdict:
    """Pages that say different things of one subject: both shown, unscored."""
    pro, contra = pages
    return Verdict(
        label=Label.UNSCORED,
        support=support,
        band="review",
        evidence=(pro,),
        conflicting=(contra,),
        rules=rules,
        reason=f"{pro.page_id} supports it, {contra.page_id} says otherwise.",
        verifier=NAME,
        unscored_reason=SOURCES_CONFLICT,
    )


def _reading(question: Question, vectors: dict[str, Floats]) -> Reading:
    windows = tuple(Window(one) for one in question.evidence)
    found = inspect(question.claim, windows, question.question)
    row = features(question.claim, windows, found, vectors.__getitem__)
    return Reading(question, found, row, windows)


def best_evidence(
    evidence: Sequence[Evidence], found: Sequence[Finding]
) -> tuple[Evidence, ...]:
    """The one to three candidates that matter: where the claim's numbers stand, and
    those about as near to the claim as the best."""
    scored = sorted(evidence, key=lambda one: -_nearness(one))
    if not scored:
        return ()
    least = MATTERS * _nearness(scored[0])
    named = {
        finding.window.evidence.sentence_id
        for finding in found
        if finding.window is not None
    }
    kept = [
        one
        for place, one in enumerate(scored)
        if not place or _nearness(one) >= least or one.sentence_id in named
    ]
    return tuple(kept[:SHOWN])


def _nearness(one: Evidence) -> float:
    return one.similarity if one.similarity is not None else one.score or 0.0
