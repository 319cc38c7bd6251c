"""An answer in pieces that an embedding model reads whole.

METRICS A, accuracy: none, sentences or paragraphs; by default the whole text when it
fits the model's window, else sentences packed to the window: never a silent cut.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from claimscope.core.text.citations.markers import find_markers
from claimscope.core.text.readable import strip_markup
from claimscope.core.text.sentences import Span, split_sentences

_BLANK = re.compile(r"\n[^\S\n]*\n")
_RUN = re.compile(r"[a-zA-Z]+|\d|[^\W\d_]|[^\w\s]|_", re.ASCII)
LETTERS = 5
"""Letters that a token stands for at least, in all but the rarest English words."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a text: where it stands, and how it reads without markup."""

    text: str
    """Readable: no emphasis, link targets or citation markers, composed characters."""
    start: int
    end: int


def split_chunks(text: str, strategy: str, window: int) -> list[Chunk]:
    """Pieces of text by `auto`, `none`, `sentences` or `paragraphs`, in order; empty
    when nothing can be read in it. `window` in tokens, for `auto`."""
    parts = readable_sentences(text)
    if not parts:
        return []
    if strategy == "sentences":
        return parts
    if strategy == "paragraphs":
        return [_join_sentences(group) for group in _group_by_paragraph(text, parts)]
    whole = _join_sentences(parts)
    if strategy == "none" or estimate_tokens(whole.text) <= window:
        return [whole]
    return [_join_sentences(group) for group in _pack_sentences(parts, window)]


def readable_sentences(text: str) -> list[Chunk]:
    """The sentences of a Markdown text that have anything to read."""
    markers = find_markers(text)
    found = []
    for start, end in split_sentences(text, "markdown"):
        words = unicodedata.normalize(
            "NFC", strip_markup(text, (start, end), markers).text
        )
        if words:
            found.append(Chunk(words, start, end))
    return found


def estimate_tokens(text: str) -> int:
    """About as many tokens as a model's vocabulary of word pieces makes of a text,
    rather too many than too few: five letters a token, other signs one each."""
    return sum(-(-len(run) // LETTERS) for run in _RUN.findall(text)) + sum(
        1 for char in text if ord(char) > 127 and char.isalnum()
    )


def _join_sentences(parts: Sequence[Chunk]) -> Chunk:
    return Chunk(" ".join(part.text for part in parts), parts[0].start, parts[-1].end)


def _pack_sentences(parts: Sequence[Chunk], window: int) -> Iterator[list[Chunk]]:
    """As many neighbouring sentences as the window holds; a longer one alone."""
    group: list[Chunk] = []
    used = 0
    for part in parts:
        size = estimate_tokens(part.text)
        if group and used + size > window:
            yield group
            group, used = [], 0
        group.append(part)
        used += size
    if group:
        yield group


def _group_by_paragraph(text: str, parts: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    """Sentences between blank lines."""
    breaks: list[Span] = [match.span() for match in _BLANK.finditer(text)]
    group: list[Chunk] = []
    for part in parts:
        if group and _is_broken(breaks, group[-1].end, part.start):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _is_broken(breaks: Sequence[Span], end: int, start: int) -> bool:
    """Whether a break lies between two pieces; it may share a character with each."""
    first = bisect_left(breaks, end - 1, key=itemgetter(0))
    return first < len(breaks) and breaks[first][1] - 1 <= start
