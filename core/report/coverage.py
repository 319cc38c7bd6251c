"""An answer painted by what the ground truth has of it (METRICS A, `highlights`).

Verdicts say whether a claim holds; this says which sentence of which page a part of
the answer stands in, and which parts stand in none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.models import SampleResult, Score, ScoreSpan
from claimscope.core.text.sanitising import sanitise

NOT_ASKED = "highlights was not asked for in this run: --metrics +highlights has it"


@dataclass(frozen=True)
class CoverageSpan:
    """A piece of an answer; the pieces in order are the whole answer."""

    text: str
    span: ScoreSpan | None
    """What was looked up; None for what stands between sentences."""
    number: int | None = None
    """From 1, of a part that is covered."""

    @property
    def is_missing(self) -> bool:
        """No sentence of the ground truth has it."""
        return self.span is not None and self.number is None


@dataclass(frozen=True)
class Coverage:
    """An answer as the ground truth covers it."""

    percent: float
    """Of the characters of all sentences of the answer."""
    matched: int
    characters: int
    by_words: bool
    """Found by words alone, as the embedding model failed."""
    pieces: tuple[CoverageSpan, ...]
    chunks: tuple[ScoreSpan, ...]
    """Of the answer, as accuracy compares them; each with its nearest sentence."""

    @property
    def covered(self) -> list[CoverageSpan]:
        """Parts with a sentence, in the order of the answer."""
        return [piece for piece in self.pieces if piece.number is not None]

    @property
    def missing(self) -> list[CoverageSpan]:
        """Parts without one."""
        return [piece for piece in self.pieces if piece.is_missing]


def coverage(sample: SampleResult) -> Coverage | str:
    """The painted answer, or why there is none."""
    score = _score(sample, "highlights")
    if score is None:
        return NOT_ASKED
    if score.value is None:
        return f"highlights: {score.reason}"
    spans = [s for s in score.evidence if s.start is not None and s.end is not None]
    matched = sum(len(span.text) for span in spans if span.kind == "matched")
    accuracy = _score(sample, "accuracy")
    return Coverage(
        percent=score.value,
        matched=matched,
        characters=sum(len(span.text) for span in spans),
        by_words=score.details.get("method") == "keywords",
        pieces=tuple(_spans(sanitise(sample.answer.text), spans)),
        chunks=tuple(
            span for span in (accuracy.evidence if accuracy else ()) if span.source
        ),
    )


def _score(sample: SampleResult, metric: str) -> Score | None:
    found = (s for s in sample.scores if s.metric == metric and s.applicable)
    return next(found, None)


def _spans(text: str, spans: Sequence[ScoreSpan]) -> Iterator[CoverageSpan]:
    at, number = 0, 0
    for span in sorted(spans, key=lambda one: one.start or 0):
        start, end = max(span.start or 0, at), min(span.end or 0, len(text))
        if start >= end:
            continue
        if at < start:
            yield CoverageSpan(text[at:start], None)
        is_matched = span.kind == "matched"
        number += is_matched
        yield CoverageSpan(text[start:end], span, number if is_matched else None)
        at = end
    if at < len(text):
        yield CoverageSpan(text[at:], None)
