"""Text in roles, wrapped to a width: what every text pane is made of.

A role says what a piece of text is ("supported", "dim", "conflict"), not what it
looks like; `document.py` gives roles their colours from the theme. So whatever builds
the panes is plain data and is tested without a screen.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from rich.cells import cell_len, chop_cells

from claimscope.core.text.sanitising import sanitise

_TOKEN = re.compile(r"\n|[^\S\n]+|\S+")
TAB = "    "
WAITING = "Reading"
"""How a pane begins that waits for what is read; `give_up` looks for it."""


@dataclass(frozen=True)
class Piece:
    """Some text and its roles, names separated by spaces."""

    text: str
    roles: str = ""
    of: str = ""
    """What it is a part of, for a click on it; no meaning here."""

    def has(self, role: str) -> bool:
        return role in self.roles.split()


Line = tuple[Piece, ...]


def plain(text: str) -> str:
    """Foreign text as it may be shown: inert, tabs as spaces, one kind of newline."""
    return sanitise(text.replace("\r\n", "\n")).replace("\t", TAB)


def safe_piece(text: str, roles: str = "") -> Piece:
    """A piece of foreign text, made inert."""
    return Piece(plain(text), roles)


def spans(text: str, width: int, first: int | None = None) -> list[tuple[int, int]]:
    """Where the lines of `text` begin and end, none wider than `width` cells.

    first: width of the first line, where it has more room than the others. White space
    at a break is left out; a word wider than a line is cut.
    """
    width = max(width, 2)
    room = max(first or width, width)
    lines: list[tuple[int, int]] = []
    start = end = used = space = 0
    for token in _TOKEN.finditer(text):
        word, at, size = token.group(), token.start(), cell_len(token.group())
        if word == "\n":
            lines.append((start, end))
            start = end = token.end()
            used = space = 0
            room = width
        elif word.isspace():
            space += size
        else:
            if used + space + size > room:
                if end > start:
                    lines.append((start, end))
                start, used, space, room = at, 0, 0, width
            used += space + size
            space, end = 0, token.end()
            if used > room:
                *full, last = chop_cells(word, width)
                for part in full:
                    lines.append((start, start + len(part)))
                    start += len(part)
                used = cell_len(last)
    lines.append((start, end))
    return lines


def wrap(pieces: Iterable[Piece], width: int, hanging: int = 0) -> list[Line]:
    """Lines of at most `width` cells; all but the first indented by `hanging`."""
    parts = [piece for piece in pieces if piece.text]
    offsets = [0, *accumulate(len(piece.text) for piece in parts)]
    text = "".join(piece.text for piece in parts)
    lines: list[Line] = []
    for start, end in spans(text, width - hanging, width):
        line = _cut(parts, offsets, start, end)
        if hanging and lines:
            line = (Piece(" " * hanging), *line)
        lines.append(line)
    return lines


def _cut(parts: Sequence[Piece], offsets: Sequence[int], start: int, end: int) -> Line:
    """The pieces between two offsets of the joined text."""
    line: list[Piece] = []
    number = max(bisect_right(offsets, start) - 1, 0)
    while number < len(parts) and offsets[number] < end:
        low = max(start - offsets[number], 0)
        text = parts[number].text[low : end - offsets[number]]
        if text:
            line.append(replace(parts[number], text=text))
        number += 1
    return tuple(line)


def piece_at(line: Line, column: int) -> Piece | None:
    """The piece in that cell, from 0; None behind the end."""
    end = 0
    for piece in line:
        end += cell_len(piece.text)
        if column < end:
            return piece
    return None


def clip(text: str, width: int, more: str) -> str:
    """One line of at most `width` cells; `more` shows that something is missing."""
    text = " ".join(text.split())
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return more[:width]
    return chop_cells(text, width - 1)[0] + more


def line_text(line: Line) -> str:
    """A line without its roles."""
    return "".join(piece.text for piece in line)


def line_with(lines: Sequence[Line], role: str) -> int | None:
    """Number of the first line with a piece of this role."""
    for number, line in enumerate(lines):
        if any(piece.has(role) for piece in line):
            return number
    return None


@dataclass(frozen=True)
class Paragraph:
    """Pieces that flow together; lines after the first are indented by `hanging`."""

    pieces: tuple[Piece, ...] = ()
    hanging: int = 0


def para(*pieces: Piece, hanging: int = 0) -> Paragraph:
    """A paragraph of these pieces; none = an empty line."""
    return Paragraph(pieces, hanging)


def lay_out(paragraphs: Iterable[Paragraph], width: int) -> list[Line]:
    """All lines of all paragraphs."""
    return [
        line
        for paragraph in paragraphs
        for line in wrap(paragraph.pieces, width, paragraph.hanging)
    ]


def found_in(paragraphs: Iterable[Paragraph], needle: str) -> Sequence[Paragraph]:
    """The paragraphs with each place of a text marked, whatever the case of its
    letters and wherever pieces end."""
    wanted = re.compile(re.escape(plain(needle)), re.IGNORECASE)
    return [
        replace(paragraph, pieces=tuple(_mark_found(paragraph.pieces, wanted)))
        for paragraph in paragraphs
    ]


def _mark_found(pieces: Sequence[Piece], wanted: re.Pattern[str]) -> Iterator[Piece]:
    whole = "".join(piece.text for piece in pieces)
    places = [match.span() for match in wanted.finditer(whole)]
    offset = 0
    for piece in pieces:
        end = offset + len(piece.text)
        here = [
            (max(a, offset), min(b, end)) for a, b in places if a < end and b > offset
        ]
        last = offset
        for low, high in here:
            yield replace(piece, text=whole[last:low])
            roles = f"{piece.roles} found".strip()
            yield replace(piece, text=whole[low:high], roles=roles)
            last = high
        yield replace(piece, text=whole[last:end])
        offset = end
