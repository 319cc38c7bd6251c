"""Views on a screen: spans as pieces with the styles of the theme, tables as columns
and cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rich.cells import cell_len

from claimscope.core.report.view import (
    TEXT_ONLY,
    Cell,
    Column,
    Fields,
    Part,
    Prose,
    Role,
    Row,
    Section,
    Span,
    Table,
    line,
    spans_of,
)
from claimscope.tui.widgets import table as screen
from claimscope.tui.widgets.flow import Paragraph, Piece, clip, para, plain
from claimscope.tui.widgets.glyphs import Glyphs

LEAST_CUT = 16
"""Cells that the last span of a line has, however little the others leave."""
STYLES: Mapping[Role, str] = {"faint": "dim"}
"""Roles whose style has another name."""


def piece(span: Span, glyphs: Glyphs) -> Piece:
    """A span with its sign, made inert."""
    mark = f"{getattr(glyphs, span.sign)} " if span.sign else ""
    roles = [STYLES.get(span.role, span.role), "strong" * span.is_strong]
    text = mark + plain(span.text)
    if span.share:
        text += " " * bool(text) + glyphs.bar(*span.share, span.bar)
    return Piece(text, " ".join(filter(None, roles)))


def paragraph(part: Prose, glyphs: Glyphs, level: int = 0) -> Paragraph:
    """Set in by its level; further lines hang below the first."""
    if not part.spans:
        return para()
    level += part.level
    start = [Piece("  " * level)] if level else []
    pieces = [piece(span, glyphs) for span in part.spans]
    if part.width is not None:
        *first, last = pieces
        left = part.width - sum(cell_len(one.text) for one in first)
        room = max(left, LEAST_CUT)
        if cell_len(last.text) > room:
            pieces = [*first, replace(last, text=clip(last.text, room, glyphs.more))]
    return para(*start, *pieces, hanging=2 * (level + part.hangs))


def paragraphs(
    parts: Iterable[Part], glyphs: Glyphs, level: int = 0
) -> Iterator[Paragraph]:
    """A part below the other. A table becomes lines of text; a long one has a widget of
    its own, by `columns` and `cells`."""
    for part in parts:
        match part:
            case Prose():
                yield paragraph(part, glyphs, level)
            case Fields(rows=rows):
                width = max((len(label) for label, _ in rows), default=0)
                for label, value in rows:
                    name = Span(f"{label:<{width}}  ", "faint")
                    spans = (name, *value.spans)
                    yield paragraph(Prose(spans, value.level), glyphs, level)
            case Section(title=title, parts=inner):
                yield paragraph(title, glyphs, level)
                yield from paragraphs(inner, glyphs, level + part.is_list)
                if part.left:
                    more = line(f"and {part.left:,} more")
                    yield paragraph(more, glyphs, level + 1)
            case Table():
                yield from _table(part, glyphs, level)


def _table(found: Table, glyphs: Glyphs, level: int) -> Iterator[Paragraph]:
    """Titles, then rows, each column as wide as its longest cell."""
    elsewhere = (one.title for one in found.columns if one.least == TEXT_ONLY)
    found = found.without(*elsewhere).filled
    heads = tuple(Span(column.title, "heading") for column in found.columns)
    rows = [
        [[piece(span, glyphs) for span in spans_of(cell)] for cell in row]
        for row in (heads, *found.rows)
    ]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = [Piece("  " * level)]
        for number, (cell, column) in enumerate(zip(row, found.columns, strict=True)):
            gap = Piece(" " * (widths[number] - _width(cell)))
            line += [gap, *cell] if column.align == "right" else [*cell, gap]
            line.append(Piece("  "))
        yield para(*line, hanging=2 * (level + 1))


def _width(cell: Iterable[Piece]) -> int:
    return sum(cell_len(one.text) for one in cell)


def columns(found: Sequence[Column], width: int) -> list[screen.ScreenColumn]:
    """Those that a screen of this width has room for."""
    return [
        screen.ScreenColumn(column.title, column.width, column.align)
        for column in found
        if column.least <= width
    ]


def cells(row: Row, found: Sequence[Column], width: int, glyphs: Glyphs) -> list[Piece]:
    """The cells of a row, beside `columns`."""
    return [
        _cell(cell, glyphs)
        for column, cell in zip(found, row, strict=True)
        if column.least <= width
    ]


def _cell(cell: Cell, glyphs: Glyphs) -> Piece:
    """One piece: a cell is cut as a whole. What its last span means, it means."""
    pieces = [piece(span, glyphs) for span in spans_of(cell)]
    roles = next((one.roles for one in reversed(pieces) if one.roles), "")
    return Piece("".join(one.text for one in pieces), roles)
