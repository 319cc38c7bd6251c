"""The text of a page with marks, and the files of a folder that were not read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from claimscope.core.models import Sentence
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs


def page_body(
    text: str,
    sentences: Sequence[Sentence],
    marks: Collection[tuple[int, int]],
    current: tuple[int, int] | None,
    sign: str,
) -> Paragraph:
    """The text of a page: each sentence after its number, as citations count them,
    and marked spans (start, end) after `sign`."""
    numbers = {sentence.start: sentence.index for sentence in sentences}
    edges = {edge for span in marks for edge in span}
    pieces: list[Piece] = []
    for start, end in pairwise(sorted({0, len(text), *numbers, *edges})):
        if start in numbers:
            pieces.append(Piece(f"S:{numbers[start]} ", "dim"))
        around = [span for span in marks if span[0] <= start < span[1]]
        role = "current" if current in around else "matched" if around else ""
        if any(span[0] == start for span in around):
            pieces.append(Piece(f"{sign} ", role))
        pieces.append(safe_piece(text[start:end], role))
    return para(*pieces)


def skipped_lines(record: ReadingRecord, glyphs: Glyphs) -> Iterator[Paragraph]:
    """Which files were not read, each with its reason."""
    yield para(safe_piece(record.folder, "strong"))
    yield para(
        Piece(
            f"{counted_noun(record.files, 'file')} read, {record.problem_count:,} "
            f"skipped, "
            f"{record.ignored_count:,} of other formats, "
            f"{record.excluded:,} left aside by patterns",
            "dim",
        )
    )
    if record.unread:
        sign = Piece(f"{glyphs.contradicted} ", "contradicted")
        yield para(sign, safe_piece(f"Most of the folder: {record.unread}"), hanging=2)
    yield para()
    if not record.problem_count:
        yield para(Piece(f"{glyphs.supported} ", "supported"), Piece("Nothing skipped"))
    sign = Piece(f"{glyphs.contradicted} ", "contradicted")
    for path, message in record.problems:
        words = message.removeprefix(path).lstrip(": ")
        yield para(
            sign, safe_piece(path, "strong"), safe_piece(f"  {words}"), hanging=2
        )
    yield from _more(record.problem_count, len(record.problems))
    if record.ignored:
        yield para()
        yield para(Piece("No reader for their format:", "heading"))
        yield from (
            para(safe_piece(f"{glyphs.skipped} {name}")) for name in record.ignored
        )
        yield from _more(record.ignored_count, len(record.ignored))
    for note in record.notes:
        yield para(safe_piece(f"{glyphs.not_enough_info} {note}"), hanging=2)


def _more(count: int, named: int) -> Sequence[Paragraph]:
    left = count - named
    return [para(Piece(f"and {left:,} more", "dim"))] if left > 0 else []
