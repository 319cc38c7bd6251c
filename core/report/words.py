"""Signs and words of outcomes and verdicts in reports: never colour alone."""

from __future__ import annotations

from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.models import Evidence, FailureKind, SampleResult

FINE = 10.0
"""Up to this span a scale has three decimals, above it one."""


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
