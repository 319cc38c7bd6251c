"""Words of a printed leaf, and the lines that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from operator import itemgetter

GAP = 0.5
"""Widths of a font size between two words that are set apart, as in two columns."""
SPACE = 0.12
"""Font sizes between two words of one line that are written apart."""
ON_LINE = 0.5
"""Share of the smaller height that two words of one line have in common."""
PITCH = 1.45
"""Font sizes from a line to the next one of a cell, at most."""
YEAR = re.compile(r"(?:19|20)\d\d(?:[/–-]\d{2,4})?")
"""What may head a column of figures, though it is a figure."""
_SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


@dataclass(frozen=True, slots=True)
class Style:
    """How a word is printed."""

    size: float
    is_bold: bool = False
    color: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word; places in points from the left and the top of its leaf."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    style: Style
    is_apart: bool = False
    """A space stands before it, however narrow."""

    @property
    def middle(self) -> tuple[float, float]:
        """Across and down."""
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Line:
    """Words of one line in order, without what is set apart on it."""

    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        """Its words. Those that touch are one: "Pebble" in bold and a comma."""
        return "".join(space + text for space, text, _ in self._spelled)

    @cached_property
    def marked(self) -> str:
        """The same with bold print as in Markdown: "called **Pebble**, costs"."""
        parts: list[str] = []
        for is_bold, run in groupby(self._spelled, key=itemgetter(2)):
            (space, first, _), *rest = run
            text = first + "".join(before + one for before, one, _ in rest)
            parts.append(f"{space}**{text}**" if is_bold else space + text)
        return "".join(parts)

    @cached_property
    def _spelled(self) -> tuple[tuple[str, str, bool], ...]:
        """(space before it, text, is bold) of each word."""
        found = [("", self.words[0].text, self.words[0].style.is_bold)]
        for before, word in pairwise(self.words):
            size = min(before.style.size, word.style.size)
            touches = not word.is_apart and word.x0 - before.x1 < SPACE * size
            text = word.text
            if touches and _is_raised(word, before):
                text = text.translate(_SUPERSCRIPTS)
            found.append(("" if touches else " ", text, word.style.is_bold))
        return tuple(found)

    @cached_property
    def x0(self) -> float:
        return min(word.x0 for word in self.words)

    @cached_property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    @cached_property
    def top(self) -> float:
        return min(word.top for word in self.words)

    @cached_property
    def bottom(self) -> float:
        return max(word.bottom for word in self.words)

    @cached_property
    def size(self) -> float:
        """Of most of its characters."""
        sizes: dict[float, int] = {}
        for word in self.words:
            sizes[word.style.size] = sizes.get(word.style.size, 0) + len(word.text)
        return max(sizes, key=lambda size: (sizes[size], size))

    @cached_property
    def is_bold(self) -> bool:
        """Every word of it."""
        return all(word.style.is_bold for word in self.words)

    def is_beside(self, other: Line | Word) -> bool:
        """Whether two stand on one line of the leaf."""
        common = min(self.bottom, other.bottom) - max(self.top, other.top)
        height = min(self.bottom - self.top, other.bottom - other.top)
        return common > ON_LINE * height


def _is_raised(word: Word, before: Word) -> bool:
    """Whether a word is printed small above the line, as an exponent or the mark of a
    note is: "750¹" is not 7501."""
    is_small = word.style.size < 0.95 * before.style.size
    return is_small and word.bottom < before.bottom - 0.15 * before.style.size


def lines_of(words: Iterable[Word]) -> Iterator[Line]:
    """The lines of words in the order in which they were written to the leaf; what is
    set apart on a line is a line of its own."""
    line: list[Word] = []
    for word in words:
        if line and not _goes_on(line, word):
            yield Line(tuple(line))
            line = []
        line.append(word)
    if line:
        yield Line(tuple(line))


def _goes_on(line: Sequence[Word], word: Word) -> bool:
    last = line[-1]
    gap = word.x0 - last.x1
    size = max(word.style.size, last.style.size)
    return Line((last,)).is_beside(word) and -0.5 * size < gap < GAP * size


def room_for(line: Line, space: float) -> float:
    """Points that the first word of a line takes, with a space before it."""
    first = line.words[0]
    return first.x1 - first.x0 + space


def top_of(line: Line) -> float:
    """To sort lines from above."""
    return line.top


def joined(first: Line, second: Line) -> Line:
    """Two that stand on one line of the leaf, as one."""
    return Line((*first.words, *second.words))
