"""A sample in full: question, answer, claim by claim, and all that was scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimscope.core.analysis.summary.claim_feedback import claim_feedback
from claimscope.core.models import Failure, SampleResult, Score, Skipped
from claimscope.core.report.terms import FAILURES
from claimscope.core.report.view import (
    Column,
    Part,
    Prose,
    Row,
    Section,
    Span,
    Table,
    line,
    outcome_span,
    row,
    sign_span,
    spans_of,
)
from claimscope.core.report.views.citations import citations
from claimscope.core.report.views.claim import claim_grounds, claim_line, overruled_line
from claimscope.core.report.views.coverage import coverage_lines, required_claims
from claimscope.core.report.views.grade import grade_lines
from claimscope.core.report.words import why_unscored

GAP = Span("  ")
LIST = (Column("outcome"), Column("sample"), Column("what failed", is_optional=True))


def sample_list(found: Iterable[SampleResult]) -> Table:
    """A row a sample."""
    return Table(LIST, tuple(map(sample_row, found)))


def sample_row(sample: SampleResult) -> Row:
    """Outcome, key, kinds of failure."""
    kinds = dict.fromkeys(FAILURES[failure.kind] for failure in sample.failures)
    return row(outcome_span(sample.passed), str(sample.key), ", ".join(kinds))


def sample_title(sample: SampleResult) -> Prose:
    """The same in one line."""
    spans = [span for cell in sample_row(sample) for span in (*spans_of(cell), GAP)]
    return line(*spans[:-1])


def sample_view(sample: SampleResult, *, whole: bool = True) -> Section:
    """All of it; not whole: without each score and what covers each part of the answer,
    for a file that holds many."""
    return Section(sample_title(sample), tuple(_parts(sample, whole=whole)))


def _parts(sample: SampleResult, *, whole: bool) -> Iterator[Part]:
    yield line(Span("question: ", "strong"), sample.case.question)
    yield line(Span("answer: ", "strong"), sample.answer.text.strip() or "(empty)")
    if sample.error or sample.passed is None:
        yield line(Span("not judged: ", "strong"), why_unscored(sample))
    for failure in sample.failures:
        yield line(f"failure, {FAILURES[failure.kind]}: {failure.message}", level=1)
    for result in sample.claims:
        yield claim_line(result, level=1)
        if result.machine is not None:
            yield overruled_line(result.machine, level=2)
        yield from claim_grounds(result, level=2)
    yield from required_claims(sample)
    feedback = claim_feedback(sample)
    for added in feedback.not_in_ground_truth:
        place = f"{added.start}-{added.end}"
        yield line(f"not in the ground truth ({place}): {added.statement}", level=1)
    yield from coverage_lines(sample) if whole else ()
    for issue in feedback.issues:
        yield line(f"malformed answer: {issue}", level=1)
    yield from citations(sample)
    yield from grade_lines(sample)
    for skipped in sample.skipped:
        yield line(f"skipped ({skipped.reason}): {skipped.text}", level=1)
    for score in sample.scores if whole else ():
        if score.applicable:
            yield line(f"score {score_text(score)}", level=1)


def failure_view(sample: SampleResult, failure: Failure) -> Iterator[Prose]:
    """A failure that belongs to no claim."""
    yield line(sign_span(FAILURES[failure.kind], "contradicted"), hangs=False)
    yield line(failure.message, hangs=False)
    if sample.error and sample.error not in failure.message:
        yield line()
        yield line(Span("Error  ", "heading"), sample.error, hangs=False)


def skipped_view(part: Skipped) -> Iterator[Prose]:
    """A part of an answer that was not judged."""
    text = f"not judged: {part.reason}"
    yield line(Span(text, "strong", "skipped"), hangs=False)
    yield line(part.text, hangs=False)
    counts = "It states no fact, so it counts neither way."
    yield line(Span(counts, "faint"), hangs=False)


def reference(sample: SampleResult) -> Iterator[Prose]:
    """What the case says of a good answer."""
    case = sample.case
    if case.reference:
        yield line()
        yield line(Span("Reference  ", "heading"), case.reference, hangs=False)
    if case.rationale:
        yield line(Span("Why  ", "heading"), case.rationale, hangs=False)


def score_text(score: Score) -> str:
    """`accuracy: 65.03 of 100, fair`; a tier or level where its metric has one."""
    if score.value is None:
        return f"{score.metric}: unscored: {score.reason}"
    placed = score.tier or score.level
    text = f"{score.metric}: {score.value:.2f} of {score.scale[1]:g}"
    return f"{text}, {placed}" if placed else text
