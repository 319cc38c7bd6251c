"""accuracy and semantic_similarity: how near an answer is to its reference.

METRICS A: accuracy = 100 x cosine(answer, reference), the cosine clipped to [0, 1];
of several chunks of an answer each takes its best match in the reference, then mean or
max. METRICS D: semantic_similarity = cosine(answer, reference) of the whole texts.

Both compare what a reader sees: emphasis, link targets and citation markers are left
out, and characters are composed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.metrics.similarity import (
    NO_MODEL,
    NearestSentence,
    by_vectors,
    nearest,
    nearest_by_words,
)
from claimscope.core.metrics.tiers import level, tier
from claimscope.core.models import JsonValue, Score, ScoreSpan
from claimscope.core.ports import Floats
from claimscope.core.settings import Settings
from claimscope.core.text.chunks import Chunk, split_chunks
from claimscope.core.verify.word_vectors import word_overlap

NO_REFERENCE = "the case has no reference answer"


@dataclass(frozen=True)
class Accuracy:
    """100 x cosine of answer and reference, whole or by chunks."""

    id: str = "accuracy"
    title: str = "likeness to the reference"
    needs: frozenset[Need] = frozenset({"reference"})

    def score(self, findings: Findings) -> Score:
        """Scale 0-100. Evidence: every answer chunk with its best ground-truth
        sentence (source: its id, value: the similarity)."""
        settings = findings.settings
        right = chunks_of(findings.case.reference or "", settings)
        if not right:
            return inapplicable(self.id, NO_REFERENCE)
        left = chunks_of(findings.answer.text, settings)
        if findings.empty or not left:
            return self._score_of(0.0, settings, {"review": True})
        matrix, trouble = similarities(texts(left), texts(right), findings)
        best = [float(value) for value in matrix.max(axis=1)]
        takes_best = settings.accuracy_aggregation == "max"
        value = 100 * (max(best) if takes_best else sum(best) / len(best))
        near, trouble = nearest_truths(texts(left), findings, trouble)
        details: dict[str, JsonValue] = {
            "similarity": value / 100,
            "chunks": len(left),
            "reference_chunks": len(right),
            "method": "keywords" if trouble else "embeddings",
        }
        return self._score_of(
            value,
            settings,
            details,
            reason=trouble,
            spans=spans(findings.answer.text, left, best, near),
        )

    def _score_of(
        self,
        value: float,
        settings: Settings,
        details: dict[str, JsonValue],
        reason: str = "",
        spans: Sequence[ScoreSpan] = (),
    ) -> Score:
        value = min(100.0, max(0.0, value))
        return Score(
            metric=self.id,
            value=value,
            scale=(0, 100),
            tier=tier(value, settings),
            details=details,
            reason=reason,
            evidence=tuple(spans),
        )


@dataclass(frozen=True)
class SemanticSimilarity:
    """Cosine of answer and reference."""

    id: str = "semantic_similarity"
    title: str = "cosine of answer and reference"
    needs: frozenset[Need] = frozenset({"reference"})

    def score(self, findings: Findings) -> Score:
        """Scale 0-1. Without vectors it is unscored: words in common are no cosine."""
        right = whole(findings.case.reference or "")
        if not right:
            return inapplicable(self.id, NO_REFERENCE)
        left = whole(findings.answer.text)
        value = 0.0
        details: dict[str, JsonValue] = {}
        if findings.empty or not left:
            details["review"] = True
        elif findings.embed is None:
            return unscored(self.id, NO_MODEL)
        else:
            try:
                value = float(by_vectors(left, right, findings.embed)[0, 0])
            except EmbeddingError as error:
                return unscored(self.id, error.message)
        return Score(
            metric=self.id,
            value=value,
            level=level(value, findings.settings),
            details=details,
        )


def chunks_of(text: str, settings: Settings) -> list[Chunk]:
    """A text taken apart as the settings say."""
    return split_chunks(text, settings.accuracy_chunking, settings.embedding_window)


def whole(text: str) -> list[str]:
    """The readable text as one, or nothing."""
    return texts(split_chunks(text, "none", 0))


def texts(found: Sequence[Chunk]) -> list[str]:
    """What is compared."""
    return [chunk.text for chunk in found]


def similarities(
    left: Sequence[str], right: Sequence[str], findings: Findings
) -> tuple[Floats, str]:
    """Similarities in [0, 1], shape (left, right), and why they are those of words;
    empty where they are cosines."""
    if findings.embed is None:
        return word_overlap(left, right), keywords_because(NO_MODEL)
    try:
        return by_vectors(left, right, findings.embed), ""
    except EmbeddingError as error:
        return word_overlap(left, right), keywords_because(error.message)


def nearest_truths(
    left: Sequence[str], findings: Findings, trouble: str = ""
) -> tuple[list[NearestSentence | None], str]:
    """The nearest ground-truth sentence of each text, and why it is that by words;
    `trouble`: why it has to be."""
    if not trouble:
        try:
            return nearest(left, findings), ""
        except EmbeddingError as error:
            trouble = keywords_because(error.message)
    return nearest_by_words(left, findings) or [None] * len(left), trouble


def keywords_because(message: str) -> str:
    """The note on a score that was made without vectors."""
    return f"words compared instead of meanings: {message}"


def spans(
    answer: str,
    left: Sequence[Chunk],
    best: Sequence[float],
    near: Sequence[NearestSentence | None],
) -> list[ScoreSpan]:
    """Every answer chunk, as written, with what it was matched with."""
    return [
        ScoreSpan(
            kind="chunk",
            text=answer[chunk.start : chunk.end],
            start=chunk.start,
            end=chunk.end,
            source=truth.sentence_id if truth else None,
            address=truth.url if truth else None,
            value=truth.similarity if truth else None,
            note=f"reference {similarity:.2f}"
            + (f"; ground truth: {truth.text}" if truth else ""),
        )
        for chunk, similarity, truth in zip(left, best, near, strict=True)
    ]


POSITION = 18
METRICS: tuple[Metric, ...] = (Accuracy(), SemanticSimilarity())
