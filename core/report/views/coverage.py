"""What the ground truth has of an answer, part by part, and what of it the answer
lacks."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.summary.claim_feedback import (
    completion_words,
    completions,
)
from claimscope.core.models import (
    HumanVerdict,
    RequiredClaimResult,
    SampleResult,
    ScoreSpan,
)
from claimscope.core.report.coverage import Coverage, CoverageSpan, coverage
from claimscope.core.report.view import Prose, Sign, Span, line, sign_span
from claimscope.core.report.views.claim import human_line


def coverage_words(found: Coverage) -> str:
    """`50 of 96 characters (52 %) stand in the ground truth`."""
    words = (
        f"{found.matched} of {found.characters} characters "
        f"({found.percent:.0f} %) stand in the ground truth"
    )
    return f"{words}, found by words alone" if found.by_words else words


def coverage_lines(sample: SampleResult) -> Iterator[Prose]:
    """Every part in the order of the answer; nothing where highlights has no value."""
    found = coverage(sample)
    if isinstance(found, str):
        return
    yield line(f"covered: {coverage_words(found)}", level=1)
    for piece in found.pieces:
        if piece.span is not None:
            place = f"{'not ' * piece.is_missing}covered ({_place(piece)}): "
            by = "" if piece.is_missing else f" by {covering_words(piece.span)}"
            yield line(f"{place}“{piece.text}”{by}", level=2)


def _place(piece: CoverageSpan) -> str:
    assert piece.span is not None
    return f"{piece.span.start}-{piece.span.end}"


def covering_words(span: ScoreSpan) -> str:
    """`harbour:S:0, 0.99: “The spring tide …”`: which sentence, how like, its text."""
    like = f", {span.value:.2f}" if span.value is not None else ""
    text = f": “{span.note}”" if span.note else ""
    return f"{span.source}{like}{text}"


def beside_answer(sample: SampleResult) -> Iterator[Prose]:
    """Beside the painted answer: the sentences by the numbers in it, what no sentence
    has, what the case lacks, and the chunks that accuracy compares."""
    found = coverage(sample)
    if isinstance(found, str):
        yield line(Span(found, "faint"))
    else:
        yield line(Span(coverage_words(found), "strong"))
        for piece in found.covered:
            assert piece.span is not None
            number = sign_span(f"{piece.number} ", "supported")
            yield line(number, covering_words(piece.span))
        for piece in found.missing:
            head = Span("no sentence has: ", "faint")
            yield line(sign_span("", "not_enough_info"), head, piece.text)
    if any(not wanted.found for wanted in sample.required_claims):
        yield line()
        yield line(Span("Claims of the case that the answer lacks", "heading"))
        yield from missing_claims(sample)
    if not isinstance(found, str) and found.chunks:
        yield line()
        head = Span("Chunks by accuracy, each with its nearest sentence", "heading")
        yield line(head)
        for span in found.chunks:
            like = "" if span.value is None else f" {span.value:.2f}"
            yield line(f"{span.source}{like}  ", Span(span.text, "faint"))


def missing_claims(sample: SampleResult) -> Iterator[Prose]:
    """Required claims that are not in the answer, each with what would add it."""
    proposed = {one.claim: one for one in completions(sample)}
    for wanted in sample.required_claims:
        if not wanted.found:
            sign = sign_span("", "not_enough_info")
            yield line(sign, f"{wanted.importance}: {wanted.text}", _conflict(wanted))
            if (one := proposed.get(wanted.text)) is not None:
                yield line(Span(completion_words(one), "faint"), level=1)


def _conflict(wanted: RequiredClaimResult) -> str:
    if not wanted.conflicts_with:
        return ""
    return f" (conflicts with “{wanted.conflicts_with}”)"


def missing_claim_view(
    wanted: RequiredClaimResult, word: HumanVerdict | None = None
) -> Iterator[Prose]:
    """A claim of the case that the answer lacks, whole."""
    required = wanted.importance == "required"
    if wanted.unscored_reason:
        yield line(sign_span(f"{wanted.importance} claim", "unscored"), hangs=False)
        yield line(f"Not judged: {wanted.unscored_reason}", hangs=False)
    else:
        sign: Sign = "contradicted" if required else "not_enough_info"
        yield line(
            sign_span(f"{wanted.importance} claim is missing", sign), hangs=False
        )
    if word is not None:
        yield human_line(word)
    head = Span("A good answer says  ", "heading")
    yield line(head, wanted.text, hangs=False)
    if wanted.conflicts_with:
        yield line(sign_span("conflicts with  ", "contradicted"), wanted.conflicts_with)
    if wanted.matched_text:
        near = "" if wanted.similarity is None else f" ({wanted.similarity:.2f})"
        head = Span(f"Nearest in the answer{near}  ", "heading")
        yield line(head, wanted.matched_text, hangs=False)


def required_claims(sample: SampleResult) -> Iterator[Prose]:
    """All of them, in the order of the case, with where the answer has each."""
    proposed = {one.claim: one for one in completions(sample)}
    for wanted in sample.required_claims:
        state = "found" if wanted.found else "missing"
        if wanted.stated:
            state = "stated in other words"
        elif wanted.unscored_reason:
            state = "not judged"
        words = " (by words alone: the embedding model failed)"
        yield line(
            f"{wanted.importance} claim {state}: {wanted.text}",
            words if wanted.by_words else "",
            _conflict(wanted),
            level=1,
        )
        if (one := proposed.get(wanted.text)) is not None:
            yield line(completion_words(one), level=2)
        if wanted.found and wanted.matched_text:
            share = f"{wanted.similarity:.2f} " if wanted.similarity else ""
            yield line(f"{share}answer: “{wanted.matched_text}”", level=2)
