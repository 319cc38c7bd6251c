"""The clauses of a sentence, each with its share of the sentence's place."""

from __future__ import annotations

import re

from claimscope.core.text.clauses.changed_words import lost_words
from claimscope.core.text.linguistics import clause_cuts
from claimscope.core.text.readable import Plain
from claimscope.core.text.sentences import Span

_OPENERS = frozenset("*_`[(\"“‘'")


def parts(answer: str, span: Span, readable: Plain) -> list[tuple[Plain, Span]]:
    """The statements of a sentence with a subject and a verb of their own; the sentence
    itself where one of them would be empty or a word would be lost. Spans and origins
    are offsets in the answer."""
    text = readable.text
    found: list[tuple[Plain, Span]] = []
    left, left_edge = 0, span[0]
    given: str | None = None
    for cut in clause_cuts(text):
        part = _named(readable.part(left, cut.end), given)
        edge = readable.origins[cut.start]
        while answer[edge - 1] in _OPENERS:
            edge -= 1
        start = cut.start + (5 if text.startswith("that ", cut.start) else 0)
        found.append((part, (left_edge, _trimmed(answer, left_edge, edge))))
        left, left_edge, given = start, edge, cut.subject
    last = _named(readable.part(left, len(text)), given)
    found.append((last, (left_edge, span[1])))
    if len(found) > 1 and (
        lost_words([part.text for part, _ in found], text)
        or not all(part.text for part, _ in found)
    ):
        return [(readable, span)]
    return found


def _named(part: Plain, name: str | None) -> Plain:
    """The part with the pronoun it opens with named."""
    if name is None:
        return part
    rest = re.sub(r"^\w+", "", part.text)
    shift = len(part.text) - len(rest)
    origins = (part.origins[:1] * len(name)) + part.origins[shift:]
    return Plain(name + rest, origins)


def _trimmed(answer: str, start: int, end: int) -> int:
    return start + len(answer[start:end].rstrip())
