"""Signs and words of outcomes and verdicts in reports: never colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.models import (
    Evidence,
    FailureKind,
    Label,
    SampleResult,
    Verdict,
)
from claimscope.core.report.terms import LIKELY, WORDS

FINE = 10.0
"""Up to this span a scale has three decimals, above it one."""


@dataclass(frozen=True)
class Sign:
    """A glyph, a word, and the name of a style."""

    glyph: str
    word: str
    style: str

    def __str__(self) -> str:
        return f"{self.glyph} {self.word}"


OUTCOMES = {
    True: Sign("✓", "passed", "good"),
    False: Sign("✗", "failed", "bad"),
    None: Sign("?", "unscored", "open"),
}
LABELS = {
    Label.SUPPORTED: Sign("✓", WORDS[Label.SUPPORTED], "good"),
    Label.CONTRADICTED: Sign("✗", WORDS[Label.CONTRADICTED], "bad"),
    Label.NOT_ENOUGH_INFO: Sign("○", WORDS[Label.NOT_ENOUGH_INFO], "weak"),
    Label.UNSCORED: Sign("?", WORDS[Label.UNSCORED], "open"),
}
_LIKELY = Sign("◐", LIKELY, "open")


def sign_of(verdict: Verdict) -> Sign:
    """The sign of a verdict: its label's, or that of "likely"."""
    return _LIKELY if verdict.is_likely else LABELS[verdict.label]


def figure(value: float | None) -> str:
    """Four digits, or a dash where there is no value."""
    return "–" if value is None else f"{value:.4g}"


def number(
    value: float | None, scale: tuple[float, float], *, sign: bool = False
) -> str:
    """A value; empty where there is none."""
    if value is None:
        return ""
    places = 3 if scale[1] - scale[0] <= FINE else 1
    return f"{value:{'+' if sign else ''}.{places}f}"


def interval_text(
    found: Interval | None, scale: tuple[float, float], *, sign: bool = False
) -> str:
    """`[0.61, 0.78]`, or nothing."""
    if found is None:
        return ""
    low, high = (number(v, scale, sign=sign) for v in (found.low, found.high))
    return f"[{low}, {high}]"


def page_name(evidence: Evidence) -> str:
    """Title and sentence id; the id alone where the page has no title."""
    if evidence.title:
        return f"{evidence.title} ({evidence.sentence_id})"
    return evidence.sentence_id


def why_unscored(sample: SampleResult) -> str:
    """The reason why a sample is neither pass nor fail."""
    if sample.error:
        return sample.error
    for failure in sample.failures:
        if failure.kind is FailureKind.UNSCORED:
            return failure.message
    return "nothing in it could be judged"
