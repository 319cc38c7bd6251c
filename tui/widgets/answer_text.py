"""An answer as it was written, each claim marked in place by its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimscope.core.models import Label, SampleResult
from claimscope.core.report.coverage import Coverage
from claimscope.core.report.views.citations import is_good
from claimscope.tui.review.items import Item, Words
from claimscope.tui.widgets.flow import Piece, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs, verdict_role

_PLACED = (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO)
"""Verdicts whose claims are underlined, so that their end shows without colours."""


@dataclass(frozen=True)
class _Mark:
    start: int
    end: int
    role: str
    sign: str = ""
    of: str = ""
    """The item that a click on it selects."""


def answer_pieces(
    sample: SampleResult,
    current: Item | None,
    glyphs: Glyphs,
    words: Words | None = None,
) -> list[Piece]:
    """The answer in pieces; before each claim stands its sign, `current` is marked.

    words: a claim that a person overruled has the person's sign.

    Offsets count code points of the answer; spans outside of it are cut to it.
    """
    text = sample.answer.text
    if not text.strip():
        return [Piece("(the answer is empty)", "dim current" if current else "dim")]
    marks = _marks(sample, current, glyphs, words or Words())
    cuts = sorted({0, len(text), *(m.start for m in marks), *(m.end for m in marks)})
    pieces: list[Piece] = []
    for low, high in zip(cuts, cuts[1:], strict=False):
        for mark in marks:
            if mark.start == low and mark.sign:
                pieces.append(Piece(mark.sign, mark.role, mark.of))
        covering = [m for m in marks if m.start <= low and high <= m.end]
        piece = safe_piece(text[low:high], " ".join(m.role for m in covering))
        of = next((m.of for m in reversed(covering) if m.of), "")
        pieces.append(replace(piece, of=of))
    return pieces


def item_name(kind: str, index: int) -> str:
    """How pieces name the item they are a part of."""
    return f"{kind} {index}"


def _marks(
    sample: SampleResult, current: Item | None, glyphs: Glyphs, words: Words
) -> list[_Mark]:
    """Marks in the order of painting: what comes later lies on top."""
    marks = [_Mark(part.start, part.end, "skipped") for part in sample.skipped]
    for number, result in enumerate(sample.claims):
        claim, label = result.claim, result.verdict.label
        in_hand = _is(current, "claim", number)
        sign, role = _sign(sample, number, glyphs, words)
        sign = (glyphs.current if in_hand else "") + sign
        role += " current" if in_hand else ""
        if label in _PLACED and not in_hand:
            role += " place"
        name = item_name("claim", number)
        marks.append(_Mark(claim.start, claim.end, role, sign, name))
    signed: set[int] = set()
    for number, citation in enumerate(sample.citations):
        bad = not is_good(citation)
        role = "contradicted" if bad else "citation"
        sign = glyphs.contradicted if bad and citation.start not in signed else ""
        if sign:  # a marker with several pages is several citations in one place
            signed.add(citation.start)
        if _is(current, "citation", number):
            role += " current"
            sign = glyphs.current + sign
        name = item_name("citation", number)
        marks.append(_Mark(citation.start, citation.end, role, sign, name))
    if current is not None and current.kind not in ("claim", "citation"):
        if current.start is not None and current.end is not None:
            marks.append(_Mark(current.start, current.end, "current", glyphs.current))
    return _inside(marks, len(sample.answer.text))


def _sign(
    sample: SampleResult, number: int, glyphs: Glyphs, words: Words
) -> tuple[str, str]:
    """Sign and role of a claim: the person's, where there is a word."""
    word = words.on(sample, Item("claim", number))
    if word is None or word.human is None or not word.is_overrule:
        result = sample.claims[number]
        return glyphs.verdict(result.verdict), verdict_role(result.verdict)
    return (glyphs.label(word.human) if word.is_claim else glyphs.skipped), "human"


def _is(current: Item | None, kind: str, index: int) -> bool:
    return current is not None and (current.kind, current.index) == (kind, index)


def _inside(marks: Sequence[_Mark], length: int) -> list[_Mark]:
    """Marks cut to the text; empty ones dropped."""
    inside = []
    for mark in marks:
        start, end = max(mark.start, 0), min(mark.end, length)
        if start < end:
            inside.append(replace(mark, start=start, end=end))
    return inside


def coverage_pieces(found: Coverage, glyphs: Glyphs) -> list[Piece]:
    """The answer: a number before what is covered, a sign before what is not."""
    pieces: list[Piece] = []
    for piece in found.pieces:
        if piece.number is not None:
            pieces.append(Piece(f"{glyphs.supported}{piece.number} ", "supported"))
            pieces.append(safe_piece(piece.text, "supported"))
        elif piece.is_missing:
            pieces.append(Piece(glyphs.not_enough_info, "not_enough_info"))
            pieces.append(safe_piece(piece.text, "not_enough_info place"))
        else:
            pieces.append(safe_piece(piece.text))
    return pieces or [Piece("(the answer is empty)", "dim")]
