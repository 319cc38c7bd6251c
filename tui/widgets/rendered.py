"""Views on a screen: spans as pieces with the styles of the theme, tables as columns
and cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from claimscope.core.report.view import (
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
    spans_of,
)
from claimscope.tui.widgets import table as screen
from claimscope.tui.widgets.flow import Paragraph, Piece, para, plain
from claimscope.tui.widgets.glyphs import Glyphs

STYLES: Mapping[Role, str] = {"faint": "dim"}
"""Roles whose style has another name."""


def piece(span: Span, glyphs: Glyphs) -> Piece:
    """A span with its sign, made inert."""
    mark = f"{getattr(glyphs, span.sign)} " if span.sign else ""
    return Piece(mark + plain(span.text), STYLES.get(span.role, span.role))


def paragraph(part: Prose, glyphs: Glyphs) -> Paragraph:
    """Set in by its level; further lines hang below the first."""
    if not part.spans:
        return para()
    start = [Piece("  " * part.level)] if part.level else []
    pieces = (piece(span, glyphs) for span in part.spans)
    return para(*start, *pieces, hanging=2 * (part.level + 1))


def paragraphs(parts: Iterable[Part], glyphs: Glyphs) -> Iterator[Paragraph]:
    """A part below the other; tables have a widget of their own and are not shown."""
    for part in parts:
        match part:
            case Prose():
                yield paragraph(part, glyphs)
            case Fields(rows=rows):
                yield from _fields(rows, glyphs)
            case Section(title=title, parts=inner):
                yield paragraph(title, glyphs)
                yield from paragraphs(inner, glyphs)
            case Table():
                raise TypeError("a table is shown by columns() and cells()")


def _fields(rows: Sequence[tuple[str, Prose]], glyphs: Glyphs) -> Iterator[Paragraph]:
    width = max((len(label) for label, _ in rows), default=0)
    for label, value in rows:
        pieces = (piece(span, glyphs) for span in value.spans)
        name = Piece("  " * value.level + f"{label:<{width}}  ", "heading")
        yield para(name, *pieces, hanging=2 * (value.level + 1))


def columns(found: Sequence[Column], width: int) -> list[screen.Column]:
    """Those that a screen of this width has room for."""
    return [
        screen.Column(column.title, column.width, column.align)
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
