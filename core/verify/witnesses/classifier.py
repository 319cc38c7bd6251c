"""Verdicts with a local classifier: NLI or grounded factuality.

Such a model was trained for the very question, so its probability is the support, not
weighed with that of the evidence. It is one witness beside those of the verifier
without a model (core/verify/witnesses/without_model.py), and the same table makes the
verdict. It contradicts by one sentence of the pages that says so by itself, clearly,
about the same subject, where nothing supports the claim.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from claimscope.core.models import Evidence, Label, Verdict
from claimscope.core.ports import PairClassifier, PairProbabilities, Question, Verifier
from claimscope.core.verify.other_languages import as_left_open
from claimscope.core.verify.resolve import SHOWN, policy, resolve
from claimscope.core.verify.rules.comparison import Laid, same_subject
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.token_alignment import AlignedWindow as Surroundings
from claimscope.core.verify.witnesses.classifier_windows import pieces, windows_for
from claimscope.core.verify.witnesses.model_windows import ModelWindow, place
from claimscope.core.verify.witnesses.without_model import with_classifier
from claimscope.core.verify.word_forms import rarity

NAME = "classifier"
STRONG = 0.9
"""A window that supports a claim so clearly ends the search."""
CONTRADICTED = 0.9
"""Probability from which one sentence contradicts a claim."""
LEAST_ROOM = 24
"""Tokens a premise needs beside a claim."""


@dataclass
class ClassifierReading:
    """What the classifier said on one question so far."""

    question: Question
    room: int
    windows: tuple[ModelWindow, ...] = ()
    support: float | None = None
    """Highest over all that was read."""
    holds: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    """Page and sentence of what it was highest on."""
    against: Evidence | None = None
    contradiction: float = 0.0
    """Of `against`, the sentence that contradicts the claim most."""

    @property
    def is_decided(self) -> bool:
        """No further window can change much."""
        return self.support is not None and self.support >= STRONG

    def take(
        self, judged: PairProbabilities | None, holds: frozenset[tuple[str, int]]
    ) -> None:
        """Notes the word on a text."""
        if judged is not None and judged.support > (self.support or 0.0):
            self.support, self.holds = judged.support, holds
        elif judged is not None and self.support is None:
            self.support = judged.support


class ClassifierVerifier:
    """A Verifier that asks a sequence classifier."""

    def __init__(self, classifier: PairClassifier, without_model: Verifier) -> None:
        """`without_model` finds evidence, rules and pages that disagree."""
        self._classifier = classifier
        self._without_model = without_model

    @property
    def name(self) -> str:
        return NAME

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order; blocking work is done in a thread.

        Raises SettingsError when the classifier cannot be loaded, ModelError when it
        fails.
        """
        bases = [as_left_open(b) for b in await self._without_model.verify(questions)]
        open_ = [
            question
            for question, base in zip(questions, bases, strict=True)
            if _is_open(question, base)
        ]
        readings = iter(await asyncio.to_thread(self.read, open_))
        return [
            self._verdict(next(readings), base)
            if _is_open(question, base)
            else base.model_copy(update=self._common())
            for question, base in zip(questions, bases, strict=True)
        ]

    def read(self, questions: Sequence[Question]) -> list[ClassifierReading]:
        """In rounds: each open question its next window, then, where nothing supports
        it, each candidate sentence alone."""
        readings = [
            ClassifierReading(question, self._classifier.room(question.claim))
            for question in questions
        ]
        able = [reading for reading in readings if reading.room >= LEAST_ROOM]
        for one in able:
            one.windows = windows_for(
                one.question.evidence, self._classifier.tokens, one.room
            )
        for turn in range(max((len(one.windows) for one in able), default=0)):
            asked = [r for r in able if turn < len(r.windows) and not r.is_decided]
            pairs = [(r.windows[turn].text, r.question.claim) for r in asked]
            for one, judged in zip(asked, self._classifier.judge(pairs), strict=True):
                held = {(page, number) for page, number, _ in one.windows[turn].places}
                one.take(judged, frozenset(held))
        if self._classifier.can_contradict:
            self._read_sentences(
                [
                    r
                    for r in able
                    if r.support is not None and r.support < policy().classifier
                ]
            )
        return readings

    def _read_sentences(self, readings: Sequence[ClassifierReading]) -> None:
        asked = [
            (reading, one, piece)
            for reading in readings
            for one in reading.question.evidence
            for piece in pieces(one.text, self._classifier.tokens, reading.room)
        ]
        pairs = [(piece, reading.question.claim) for reading, _, piece in asked]
        for (reading, one, _), judged in zip(
            asked, self._classifier.judge(pairs), strict=True
        ):
            reading.take(judged, frozenset({place(one)[:2]}))
            against = judged.contradiction if judged is not None else None
            if (
                against is not None
                and against > reading.contradiction
                and _is_of_subject(reading.question.claim, one)
            ):
                reading.against, reading.contradiction = one, against

    def _common(self) -> dict[str, str]:
        return {"verifier": self.name, "model": self._classifier.name}

    def _verdict(self, reading: ClassifierReading, base: Verdict) -> Verdict:
        shown = _shown(reading, base)
        support = reading.support
        if support is None:
            return Verdict(
                label=Label.UNSCORED,
                evidence=shown,
                rules=base.rules,
                unscored_reason=_problem(reading),
                **self._common(),
            )
        against = reading.against if reading.contradiction >= CONTRADICTED else None
        told = (against.sentence_id, reading.contradiction) if against else None
        place_ = shown[0].sentence_id if shown else None
        outcome = resolve(
            with_classifier(base.testimony, support, told, place_, policy())
        )
        conflicting: tuple[Evidence, ...] = ()
        if base.label is Label.CONTRADICTED is outcome.label:
            shown = base.evidence
        elif against is not None and outcome.label is Label.CONTRADICTED:
            shown = (against, *(one for one in shown if one != against))[:SHOWN]
        elif against is not None and outcome.label is Label.SUPPORTED:
            conflicting = (against,)
        return Verdict(
            label=outcome.label,
            support=support,
            band=outcome.band,
            evidence=shown,
            conflicting=conflicting,
            rules=base.rules,
            reason=outcome.reason or outcome.testimony[0].reason,
            testimony=outcome.testimony,
            **self._common(),
        )


def _is_open(question: Question, base: Verdict) -> bool:
    """There is something to read, and it is not settled that pages disagree."""
    return bool(question.evidence) and base.label is not Label.UNSCORED


def _is_of_subject(claim: str, one: Evidence) -> bool:
    """Classifiers call a like sentence on another thing a contradiction."""
    side, around = AlignedText(claim), Surroundings(one)
    return same_subject(side, Laid(around, around.alignment(side.topic, rarity)))


def _shown(reading: ClassifierReading, base: Verdict) -> tuple[Evidence, ...]:
    """Of what the classifier read when it was surest, the sentence nearest to the
    claim; then the evidence found without a model, what was read in it first."""
    topic = AlignedText(reading.question.claim).topic
    candidates = reading.question.evidence
    held = [one for one in candidates if place(one)[:2] in reading.holds]
    held.sort(key=lambda one: -Surroundings(one).alignment(topic, rarity))
    found = base.evidence or candidates
    others = sorted(found, key=lambda one: place(one)[:2] not in reading.holds)
    return tuple(dict.fromkeys((*held[:1], *others)))[:SHOWN]


def _problem(reading: ClassifierReading) -> str:
    if reading.room < LEAST_ROOM:
        return (
            "the claim is too long for the classifier: beside it there is room for "
            f"{max(0, reading.room)} tokens of the pages"
        )
    return "the classifier gave no number"
