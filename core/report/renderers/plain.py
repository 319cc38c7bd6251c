"""Views as plain lines for a terminal, a pipe or a text file: no colour, no control
bytes; words say what a colour would, and signs where they are asked for."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from claimscope.core.report.view import (
    Fields,
    Part,
    Prose,
    Section,
    Sign,
    Span,
    Table,
    spans_of,
)
from claimscope.core.text.sanitising import sanitise

STEP = "  "
LEAST_WIDTH = 40
"""Narrower text is not wrapped narrower."""
_BREAK = re.compile(r" *[^\S ]\s*")
"""White space that would leave the line or its columns."""
Signs = Mapping[Sign, str]


def lines(
    parts: Iterable[Part],
    *,
    signs: Signs | None = None,
    width: int | None = None,
    level: int = 0,
) -> Iterator[str]:
    """Every part, set in by its level. signs: put before marked texts; None = words
    only. width: text
    is wrapped, and a wider table cut into blocks of columns; None = as it comes."""
    for part in parts:
        match part:
            case Prose(spans=spans):
                shown = (STEP * (level + part.level) + text(spans, signs)).rstrip()
                yield from _wrap(shown, level + part.level + part.hangs, width)
            case Fields(rows=rows):
                names = [text([Span(label)]) for label, _ in rows]
                longest = max(map(len, names), default=0)
                for name, (_, value) in zip(names, rows, strict=True):
                    set_in = STEP * (level + value.level)
                    yield f"{set_in}{name:<{longest}}  {text(value.spans, signs)}"
            case Table():
                room = None if width is None else width - len(STEP) * level
                for found in table(part, signs, room):
                    yield (STEP * level + found).rstrip()
            case Section():
                yield from _section(part, signs, width, level)


def _wrap(shown: str, level: int, width: int | None) -> Iterator[str]:
    """Lines of a width; all but the first set in by a level."""
    if width is None or len(shown) <= width:
        yield shown
        return
    yield from textwrap.wrap(
        shown,
        max(width, LEAST_WIDTH),
        subsequent_indent=STEP * level,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _section(
    part: Section, signs: Signs | None, width: int | None, level: int
) -> Iterator[str]:
    yield from lines([part.title], signs=signs, width=width, level=level)
    yield from lines(part.parts, signs=signs, width=width, level=level + 1)
    if part.left:
        yield f"{STEP * (level + 1)}and {part.left:,} more (--all)"


def text(spans: Sequence[Span], signs: Signs | None = None) -> str:
    """Spans as one line."""
    return "".join(_span(span, signs) for span in spans)


def _span(span: Span, signs: Signs | None) -> str:
    shown = _BREAK.sub(" ", sanitise(span.text))
    if span.sign and signs is not None:
        return f"{signs[span.sign]} {shown}"
    return shown


def section_texts(found: Iterable[Section]) -> Iterator[str]:
    """Each section as one text of lines."""
    return ("\n".join(lines([section])) for section in found)


def table(
    found: Table, signs: Signs | None = None, width: int | None = None
) -> Iterator[str]:
    """Titles, then rows, each column as wide as its longest cell."""
    found = found.filled
    heads = tuple(Span(column.title) for column in found.columns)
    cells = [
        [text(spans_of(cell), signs).rstrip() for cell in row]
        for row in (heads, *found.rows)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for number, block in enumerate(_blocks(widths, width)):
        if number:
            yield ""
        for row in cells:
            yield "  ".join(
                f"{row[place]:>{widths[place]}}"
                if found.columns[place].align == "right"
                else f"{row[place]:<{widths[place]}}"
                for place in block
            ).rstrip()


def _blocks(widths: Sequence[int], width: int | None) -> Iterator[list[int]]:
    """Places of the columns that fit beside one another; the first is in each block."""
    if width is None or not widths:
        yield list(range(len(widths)))
        return
    block, used = [0], widths[0]
    for place in range(1, len(widths)):
        if used + 2 + widths[place] > width and len(block) > 1:
            yield block
            block, used = [0], widths[0]
        block.append(place)
        used += 2 + widths[place]
    yield block
