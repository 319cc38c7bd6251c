"""A grade of the judge: a line of it, or whole."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import Grade, GradeVote, SampleResult
from claimscope.core.report.view import Prose, Span, line, sign_span
from claimscope.core.report.views.claim import calls_words, judge_line


def grade_lines(sample: SampleResult) -> Iterator[Prose]:
    """Each grade with its reason, and those of several judges below it."""
    for grade in sample.grades:
        value = "unscored" if grade.value is None else f"{grade.value:.3g} of 5"
        reason = grade.reason or grade.unscored_reason or ""
        text = f": {reason}" if reason else ""
        yield line(f"judge, {grade.name}: {value}{text}", level=1)
        yield from _votes(grade, 2)


def grade_view(grade: Grade, *, is_low: bool, calls_key: str = "") -> Iterator[Prose]:
    """All of one. is_low: it makes its sample fail. calls_key: what shows its calls."""
    if grade.value is None:
        yield line(sign_span(f"{grade.name}: unscored", "unscored"), hangs=False)
        yield line(grade.unscored_reason or "no reason was kept", hangs=False)
    else:
        text = f"{grade.name}: {grade.value:.3g} of 5"
        sign = sign_span(text, "contradicted" if is_low else "supported")
        yield line(sign, hangs=False)
    yield from _votes(grade, 1)
    if grade.reason:
        yield line(Span("Reason  ", "heading"), grade.reason, hangs=False)
    if grade.raw_reply:
        yield line(Span("Raw reply", "heading"), hangs=False)
        yield line(Span(grade.raw_reply, "faint"), hangs=False)
    calls = calls_words(len(grade_calls(grade)), calls_key)
    yield line(Span(f"Grade by {grade.model or 'the judge'}{calls}", "faint"))


def _votes(grade: Grade, level: int) -> Iterator[Prose]:
    for vote in grade.votes:
        why = vote.unscored_reason or vote.reason
        yield judge_line(vote.judge, (_value(vote),), why, level)


def _value(vote: GradeVote) -> Span:
    if vote.value is None:
        return sign_span("unscored", "unscored")
    return Span(f"{vote.value} of 5")


def grade_calls(grade: Grade) -> tuple[str, ...]:
    """Keys of the calls behind a grade, judge by judge."""
    keys = [grade.call_key, *(vote.call_key for vote in grade.votes)]
    return tuple(dict.fromkeys(key for key in keys if key))
