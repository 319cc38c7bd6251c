"""Leaves of print for tests: words set at places, ten points high."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.stores.pages.layout.leaves import Leaf, Rule
from claimscope.stores.pages.layout.words import Line, Style, Word, lines_of

PLAIN = Style(10.0)
BOLD = Style(10.0, is_bold=True)
WIDTH = 5.0
"""Points of a letter."""
SPACE = 2.5


def words(text: str, x: float, top: float, style: Style = PLAIN) -> Iterator[Word]:
    """The words of a line that begins at `x`."""
    for one in text.split():
        width = WIDTH * len(one) * style.size / 10
        yield Word(one, x, x + width, top, top + style.size, style)
        x += width + SPACE


def line(text: str, x: float = 50, top: float = 0, style: Style = PLAIN) -> Line:
    return Line(tuple(words(text, x, top, style)))


def leaf(
    *lines: tuple[str, float, float] | tuple[str, float, float, Style],
    rules: Sequence[Rule] = (),
) -> Leaf:
    """A leaf of (text, x, top[, style]), in the order in which it was written."""
    found: list[Word] = []
    for text, x, top, *style in lines:
        found += words(text, x, top, style[0] if style else PLAIN)
    return Leaf(tuple(lines_of(found)), tuple(rules))


def paragraph(text: str, top: float = 0, x: float = 50) -> Leaf:
    """A leaf of running text, one printed line for each line of `text`."""
    lines = text.split("\n")
    return leaf(*((one, x, top + 12 * n) for n, one in enumerate(lines)))
