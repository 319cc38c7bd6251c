"""Pages, hits and the state of an index in words, for the Pages screen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from claimscope.core.models import Evidence, Sentence
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.index.page_list import PageHead
from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.table import ScreenColumn

PAGE_COLUMNS = (
    ScreenColumn("page"),
    ScreenColumn("title"),
    ScreenColumn("sentences", 9, "right"),
)
HIT_COLUMNS = (
    ScreenColumn("page", 24),
    ScreenColumn("sentence"),
    ScreenColumn("similarity", 10, "right"),
)


def page_cells(page_id: str, head: PageHead | None) -> list[Piece]:
    """A row of the list of pages."""
    if head is None:
        return [Piece(page_id), Piece(""), Piece("")]
    return [Piece(page_id), Piece(head.title or ""), Piece(f"{head.sentences:,}")]


def hit_cells(hit: Evidence) -> list[Piece]:
    """A row of the list of hits; – for the similarity of what only words found."""
    similarity = "–" if hit.similarity is None else f"{hit.similarity:.2f}"
    return [Piece(hit.page_id), Piece(hit.text), Piece(similarity)]


def page_lines(head: PageHead) -> Iterator[Paragraph]:
    """What is known of a page."""
    yield para(safe_piece(head.title or head.page_id, "strong"))
    facts = [head.page_id, head.source, head.published, head.path]
    known = "   ".join(fact for fact in dict.fromkeys(facts) if fact)
    yield para(safe_piece(known, "dim"))
    words = (
        f"{counted_noun(head.sentences, 'sentence')}, {head.characters:,} characters"
    )
    yield para(Piece(words, "dim"))


def hit_lines(hit: Evidence) -> Iterator[Paragraph]:
    """A hit between its neighbours."""
    yield para(
        safe_piece(hit.title or hit.page_id, "strong"), safe_piece(f"  S:{hit.index}")
    )
    before = f"{hit.before} " if hit.before else ""
    after = f" {hit.after}" if hit.after else ""
    yield para(
        safe_piece(before, "dim"),
        safe_piece(hit.text, "matched"),
        safe_piece(after, "dim"),
    )


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
