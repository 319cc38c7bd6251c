"""Orders to the judge that an answer carries: a planted grade, a planted instruction.

An answer is read by whoever grades it, a model included. Text that tells the reader
which grade to give, or to forget its instructions, is found, shown and never obeyed.
It is known by the kinds of its words (rules.py), in many languages, and by its form
(structure.py), and looked for in folded text (folding.py), so that letters which look
alike or are not seen hide nothing.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from claimscope.core.text.injection.folding import FoldedText, fold
from claimscope.core.text.injection.lexicon import LexiconToken, tokenise
from claimscope.core.text.injection.rules import is_order, is_order_in_two
from claimscope.core.text.injection.structure import find_by_form
from claimscope.core.text.sentences import Span, split_sentences

_ENCODED = re.compile(r"[A-Za-z0-9+/]{24,4000}={0,2}")
_TURNED = re.compile("[\u202d\u202e][^\u202c\n]{1,400}")
_SPELT = re.compile("[\U000e0020-\U000e007e]+")
FRAGMENT, FRAGMENTS = 6, 4
"""So few tokens are no sentence; so many of them in a row are read as one."""
_TELLING = frozenset(
    "order ignore judge metric answer rules rubric mode lenient full".split()
)
"""Kinds without which there is no order."""

_Piece = tuple[Span, Sequence[LexiconToken]]


def injected_spans(answer: str) -> tuple[Span, ...]:
    """Spans of an answer that order the judge about, in order, apart."""
    folded = fold(answer)
    found = [folded.original(*span) for span in find_by_form(folded.text)]
    found += _find_encoded(answer)
    found += _find_in_sentences(answer, folded)
    return _merge_adjacent(answer, found)


def _find_in_sentences(answer: str, folded: FoldedText) -> Iterator[Span]:
    words = tokenise(folded.text)
    turned = bool(_TURNED.search(answer))
    if not turned and not any(
        kind in _TELLING for token in words for kind, _ in token.kinds
    ):
        return
    begins = [folded.starts[token.start] for token in words]
    before: _Piece | None = None
    fragments: list[_Piece] = []
    for start, end in _split_units(answer):
        sentence = words[bisect_left(begins, start) : bisect_left(begins, end)]
        if is_order(sentence) or (turned and _is_reversed_order(answer[start:end])):
            yield start, end
            before, fragments = None, []
            continue
        if before is not None and is_order_in_two(before[1], sentence):
            yield before[0][0], end
        before = ((start, end), sentence)
        fragments = [*fragments, before] if len(sentence) <= FRAGMENT else []
        fragments = fragments[-FRAGMENTS:]
        if len(fragments) > 1 and is_order(_join_fragments(fragments)):
            yield fragments[0][0][0], end
            fragments = []


def _split_units(answer: str) -> Iterator[Span]:
    """Sentences; text in invisible letters is apart from those that are seen."""
    for start, end in split_sentences(answer, "markdown"):
        position = start
        for found in _SPELT.finditer(answer, start, end):
            if found.start() > position:
                yield position, found.start()
            yield found.span()
            position = found.end()
        if position < end:
            yield position, end


def _join_fragments(fragments: Sequence[_Piece]) -> list[LexiconToken]:
    """Fragments as one sentence, without the full stops between them."""
    return [
        token
        for _, fragment in fragments
        for token in fragment
        if token.text not in ".!?…。"
    ]


def _is_reversed_order(sentence: str) -> bool:
    """Whether a piece that is shown backwards is an order when read as shown."""
    return any(
        is_order(tokenise(fold(found[0][:0:-1]).text))
        for found in _TURNED.finditer(sentence)
    )


def _find_encoded(answer: str) -> Iterator[Span]:
    """Text in base64 that decodes to an order."""
    for found in _ENCODED.finditer(answer):
        try:
            data = base64.b64decode(found[0] + "=" * (-len(found[0]) % 4))
            text = data.decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if text.isprintable() and is_order(tokenise(fold(text).text)):
            yield found.span()


def _merge_adjacent(answer: str, found: Sequence[Span]) -> tuple[Span, ...]:
    """Spans in order; those with nothing but blanks between them are one."""
    merged: list[Span] = []
    for start, end in sorted(found):
        if merged and not answer[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
