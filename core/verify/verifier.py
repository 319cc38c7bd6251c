"""The verifier without a language model: rules, an entailment model, likeness.

Each is a witness (core/verify/witnesses/without_model.py) and one table makes a verdict
of what they say (core/verify/resolve.py). Beside it stands the support, a probability
fitted on public data: how likely a claim with such evidence, and such a word of the
entailment model, is to be true at even odds. It orders claims; it decides nothing by
itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import (
    Evidence,
    Label,
    RuleFinding,
    Testimony,
    Verdict,
    digest,
)
from claimscope.core.ports import Embedder, EntailmentReader, Floats, Question
from claimscope.core.text.languages import reads_english_only
from claimscope.core.verify.compound import join_verdicts, parts_of
from claimscope.core.verify.decomposition import CLAIMS_ID
from claimscope.core.verify.fit.calibration import (
    Doubles,
    EvidenceModel,
    evidence_model,
    fitted_digest,
    matrix,
    support_model,
)
from claimscope.core.verify.fit.features import features, texts_of
from claimscope.core.verify.normalisation import legible
from claimscope.core.verify.other_languages import (
    foreign_verdict,
    language_of_question,
)
from claimscope.core.verify.passages import Passage, passage_of
from claimscope.core.verify.resolve import (
    SHOWN,
    SOURCES_CONFLICT,
    Policy,
    policy,
    policy_digest,
    resolve,
    settling_first,
)
from claimscope.core.verify.rules.arithmetic import is_sum
from claimscope.core.verify.rules.comparison import WindowFinding
from claimscope.core.verify.rules.findings import inspect, sources_conflict
from claimscope.core.verify.rules.registry import Rule, rules_digest, without
from claimscope.core.verify.token_alignment import AlignedWindow, aligned_text
from claimscope.core.verify.witnesses.alignment import by_alignment
from claimscope.core.verify.witnesses.comparison import by_comparison
from claimscope.core.verify.witnesses.table import Settled, settling_cell, with_cell
from claimscope.core.verify.witnesses.table_sentences import (
    settling_cell_of_sentence,
)
from claimscope.core.verify.witnesses.whole_list import by_sweeping
from claimscope.core.verify.witnesses.without_model import (
    Heard,
    by_derivation,
    by_entailment,
    by_rules,
    by_substitution,
    by_wording,
    hear,
    heard_features,
)
from claimscope.core.verify.witnesses.working import by_working
from claimscope.core.verify.word_vectors import BY_WORDS, say_once, word_vectors

NAME = "evidence-2"
WITNESSES_ID = "witnesses-13"
"""Raised with each change of a witness that is code: verdicts of two would mix."""
LIKENESS = "likeness"
MATTERS = 0.75
"""Least part of the best candidate's score that a second sentence must have."""


@dataclass(frozen=True)
class EvidenceReading:
    """A question with what was measured of it."""

    question: Question
    findings: tuple[WindowFinding, ...]
    row: dict[str, float]
    windows: tuple[AlignedWindow, ...]
    heard: Heard | None = None
    """What the entailment model said; None without one."""
    by_words: bool = False
    """Likeness is of words alone: the embedding model failed."""
    cell: Settled | None = None
    """The cell of the pages that settles it; its sentence is among the candidates."""

    @cached_property
    def passage(self) -> Passage:
        """What is read for it."""
        return self.heard.passage if self.heard else passage_of(self.question)


class EvidenceVerifier:
    """Implements core.ports.Verifier with rules, an entailment model and likeness."""

    def __init__(
        self,
        embedder: Embedder,
        entailment: EntailmentReader | None,
        rules_off: Collection[str] = (),
    ) -> None:
        """`entailment`: None = rules and likeness alone. `rules_off`: ids of rules that
        are not asked. Raises SettingsError for an id that is no rule."""
        self._rules = without(rules_off)
        self._embedder = embedder
        self._entailment = entailment

    @property
    def name(self) -> str:
        return NAME

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order; blocking work is done in a thread."""
        return await asyncio.to_thread(self.verify_now, questions)

    def verify_now(self, questions: Sequence[Question]) -> list[Verdict]:
        """The same, blocking. All texts are embedded together, equal ones once. A claim
        of several facts is judged fact by fact."""
        parts = [parts_of(one.claim) if one.evidence else () for one in questions]
        single = [
            replace(question, claim=claim)
            for question, claims in zip(questions, parts, strict=True)
            for claim in claims
        ]
        verdicts = self._verify_each([*questions, *single])
        of_parts = iter(verdicts[len(questions) :])
        return [
            join_verdicts(whole, claims, [next(of_parts) for _ in claims])
            if claims
            else whole
            for whole, claims in zip(verdicts, parts, strict=False)
        ]

    def _verify_each(self, questions: Sequence[Question]) -> list[Verdict]:
        """One verdict a question, each claim read as a whole."""
        asked = [question for question in questions if question.evidence]
        readings = self.read(asked)
        judged = iter(self._verdicts(readings))
        return [
            next(judged) if question.evidence else self._no_candidates()
            for question in questions
        ]

    def read(self, questions: Sequence[Question]) -> list[EvidenceReading]:
        """What was measured of questions that have evidence."""
        cells = [
            settling_cell(one) or settling_cell_of_sentence(one) for one in questions
        ]
        questions = [
            with_cell(question, cell)
            for question, cell in zip(questions, cells, strict=True)
        ]
        texts = list(
            dict.fromkeys(
                text
                for question in questions
                for text in texts_of(question.claim, question.evidence)
            )
        )
        vectors, by_words = self._vectors(texts)
        readings = [
            replace(_measure(one, vectors, self._rules), by_words=by_words, cell=cell)
            for one, cell in zip(questions, cells, strict=True)
        ]
        if self._entailment is None:
            return readings
        heard = hear(self._entailment, questions)
        return [
            replace(a, heard=b, row=a.row | heard_features(b))
            for a, b in zip(readings, heard, strict=True)
        ]

    def _vectors(self, texts: Sequence[str]) -> tuple[dict[str, Floats], bool]:
        """(vectors by text, are they of words alone because the model failed)."""
        if not texts:
            return {}, False
        try:
            found, by_words = self._embedder.embed(texts), False
        except EmbeddingError as error:
            say_once(error.message)
            found, by_words = word_vectors(texts), True
        return dict(zip(texts, found, strict=True)), by_words

    def _verdicts(self, readings: Sequence[EvidenceReading]) -> list[Verdict]:
        """A verdict a reading, in order. What is in another language goes by likeness
        alone: nobody has trained the entailment model on it."""
        likeness = supports_by(evidence_model(), readings)
        read = iter(
            supports_by(support_model(), [one for one in readings if one.heard])
        )
        found = []
        for reading, alike in zip(readings, likeness.tolist(), strict=True):
            language = language_of_question(reading.question)
            support = float(next(read)) if reading.heard else alike
            if language == "en":
                found.append(self._judge(reading, alike, support))
            else:
                found.append(self._foreign(reading, language, alike))
        return found

    def _foreign(
        self, reading: EvidenceReading, language: str, likeness: float
    ) -> Verdict:
        return foreign_verdict(
            reading.question,
            language,
            best_evidence(reading.question.evidence, ()),
            likeness,
            evidence_model(),
            only_english=reads_english_only(self._embedder.model_id),
            verifier=NAME,
        )

    def _judge(
        self, reading: EvidenceReading, likeness: float, support: float
    ) -> Verdict:
        """Pages that disagree are no verdict; else what the witnesses say."""
        question, found = reading.question, reading.findings
        rules = tuple(finding.shown for finding in found)
        disagreeing = sources_conflict(question.claim, reading.windows)
        if disagreeing is not None:
            return _disagreement(disagreeing, support, rules)
        outcome = resolve(testimony_of(reading, likeness))
        shown = best_evidence(question.evidence, found)
        shown = settling_first(outcome.testimony, question.evidence, shown)
        if outcome.label is Label.CONTRADICTED:
            support = min(support, evidence_model().low / 2)
        return Verdict(
            label=outcome.label,
            support=support,
            band=outcome.band,
            evidence=shown,
            rules=rules,
            reason=outcome.reason or "No candidate sentence says as much.",
            verifier=NAME,
            testimony=outcome.testimony,
        )

    def _no_candidates(self) -> Verdict:
        """There is no candidate at all: nothing speaks for the claim."""
        return Verdict(
            label=Label.NOT_ENOUGH_INFO,
            support=0.0,
            band="not_supported",
            reason="There is no sentence to hold it against.",
            verifier=NAME,
        )


def witnesses_digest(entailment: EntailmentReader | None) -> str:
    """Of claims, witnesses, rules, models and policy: verdicts of two never mix in a
    run."""
    return digest(
        CLAIMS_ID,
        WITNESSES_ID,
        fitted_digest(),
        policy_digest(),
        rules_digest(),
        entailment.digest if entailment else "none",
    )


def supports_by(model: EvidenceModel, readings: Sequence[EvidenceReading]) -> Doubles:
    """What the model makes of each reading, shape (len(readings),)."""
    rows = [reading.row for reading in readings]
    return model.support(matrix(rows, model.features)) if rows else np.zeros(0)


def testimony_of(
    reading: EvidenceReading,
    likeness: float,
    counting: Policy | None = None,
) -> list[Testimony]:
    """What each witness says; likeness last. `counting`: the shipped policy."""
    counting = counting or policy()
    is_near = likeness >= evidence_model().threshold
    said = by_rules(reading.findings, reading.heard, counting)
    said += by_wording(reading.question)
    said += by_alignment(reading.question.claim, reading.passage)
    said += [reading.cell.testimony] if reading.cell is not None else []
    said += by_sweeping(reading.question.claim, reading.passage)
    said += by_comparison(reading.question, reading.passage)
    said += by_working(reading.question, reading.passage)
    if is_near:
        said += by_derivation(reading.findings, reading.heard, counting)
    if reading.heard is not None and likeness >= counting.far:
        is_total = is_sum(aligned_text(reading.question.claim))
        said += by_entailment(
            reading.heard,
            is_near,
            counting,
            shared=reading.row["share.min"],
            is_sum=is_total,
        )
        said += by_substitution(
            reading.heard,
            counting,
            shared=reading.row["share.min"],
            is_sum=is_total,
        )
    # Likeness proves nothing. Where nobody reads for entailment it is all there is,
    # and the verdict is no more than likely.
    is_all = (
        reading.heard is None
        and is_near
        and not any(one.says in ("contradicts", "doubts") for one in said)
    )
    place = max(reading.question.evidence, key=_nearness)
    said.append(
        Testimony(
            witness=LIKENESS,
            says="entails" if is_all else "silent",
            strength=likeness,
            place=place.sentence_id,
            reason=_likeness(place, is_near=is_near, by_words=reading.by_words),
        )
    )
    return said


def _likeness(place: Evidence, *, is_near: bool, by_words: bool) -> str:
    """What likeness says of a sentence; empty when nothing."""
    near = f"{place.sentence_id} is near enough" if is_near else ""
    if by_words:
        return (
            f"{near}; {BY_WORDS}." if near else f"{BY_WORDS[0].upper()}{BY_WORDS[1:]}."
        )
    return f"{near} in words and vectors." if near else ""


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


def _legible(one: Evidence) -> Evidence:
    """As a reader of the page sees it."""
    texts = {"text": one.text, "before": one.before, "after": one.after}
    changed = {
        name: plain
        for name, text in texts.items()
        if text and (plain := legible(text)) != text
    }
    return one.model_copy(update=changed) if changed else one


def _measure(
    question: Question, vectors: dict[str, Floats], rules: Sequence[Rule]
) -> EvidenceReading:
    windows = tuple(AlignedWindow(one) for one in question.evidence)
    seen = [_legible(one) for one in question.evidence]
    read = tuple(
        window if one is window.evidence else AlignedWindow(one)
        for one, window in zip(seen, windows, strict=True)
    )
    found = inspect(legible(question.claim), read, question.question, rules)
    row = features(question.claim, windows, found, vectors.__getitem__)
    return EvidenceReading(question, found, row, read)


def best_evidence(
    evidence: Sequence[Evidence], found: Sequence[WindowFinding]
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
