"""An answer painted by what the ground truth has of it."""

from __future__ import annotations

from claimscope.core.report.coverage import Coverage
from claimscope.tui.widgets.flow import Piece, said
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
