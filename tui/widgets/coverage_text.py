"""An answer painted by what the ground truth has of it, and the list of its parts."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.summary.missing_claims import (
    completion_words,
    completions,
)
from claimscope.core.models import SampleResult
from claimscope.core.report.coverage import Coverage, coverage, coverage_words
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs


def painted_pieces(found: Coverage, glyphs: Glyphs) -> list[Piece]:
    """The answer: a number before what is covered, a sign before what is not."""
    pieces: list[Piece] = []
    for piece in found.pieces:
        if piece.number is not None:
            pieces.append(Piece(f"{glyphs.supported}{piece.number} ", "supported"))
            pieces.append(said(piece.text, "supported"))
        elif piece.is_missing:
            pieces.append(Piece(glyphs.not_enough_info, "not_enough_info"))
            pieces.append(said(piece.text, "not_enough_info place"))
        else:
            pieces.append(said(piece.text))
    return pieces or [Piece("(the answer is empty)", "dim")]


def coverage_paragraphs(sample: SampleResult, glyphs: Glyphs) -> Iterator[Paragraph]:
    """Which sentence has which part, what none has, and what the case lacks."""
    found = coverage(sample)
    if isinstance(found, str):
        yield para(said(found, "dim"))
    else:
        yield para(Piece(coverage_words(found), "strong"))
        yield from _parts(found, glyphs)
    lacking = [wanted for wanted in sample.required_claims if not wanted.found]
    if lacking:
        yield para()
        yield para(Piece("Claims of the case that the answer lacks", "heading"))
    proposed = {one.claim: one for one in completions(sample)}
    for wanted in lacking:
        sign = Piece(f"{glyphs.not_enough_info} ", "not_enough_info")
        yield para(sign, said(f"{wanted.importance}: {wanted.text}"), hanging=2)
        if wanted.text in proposed:
            words = completion_words(proposed[wanted.text])
            yield para(Piece("  "), said(words, "dim"), hanging=2)
    if not isinstance(found, str) and found.chunks:
        yield para()
        yield para(
            Piece("Chunks by accuracy, each with its nearest sentence", "heading")
        )
        for span in found.chunks:
            like = "" if span.value is None else f" {span.value:.2f}"
            yield para(
                said(f"{span.source}{like}  "), said(span.text, "dim"), hanging=2
            )


def _parts(found: Coverage, glyphs: Glyphs) -> Iterator[Paragraph]:
    for piece in found.covered:
        span = piece.span
        assert span is not None
        like = "" if span.value is None else f" {span.value:.2f}"
        yield para(
            Piece(f"{glyphs.supported}{piece.number} ", "supported"),
            said(f"{span.source}", "citation"),
            Piece(f"{like}  ", "dim"),
            said(span.note),
            hanging=3,
        )
    for piece in found.missing:
        yield para(
            Piece(f"{glyphs.not_enough_info} ", "not_enough_info"),
            Piece("no sentence has: ", "dim"),
            said(" ".join(piece.text.split())),
            hanging=3,
        )
