"""Where the statements of one sentence stand in the answer.

Clauses follow each other. Facts share words (their subject, their verb): each has as
its place the part of the sentence from its own first word to where the next one's
begins, so that the places of all cover the sentence, and none is painted twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from claimscope.core.text.clauses.facts import lost_words
from claimscope.core.text.linguistics import clause_cuts
from claimscope.core.text.readable import MappedText
from claimscope.core.text.sentences import Span

_OPENERS = frozenset("*_`[(\"“‘'")


def split_clauses(
    answer: str, span: Span, readable: MappedText
) -> list[tuple[MappedText, Span]]:
    """The statements of a sentence with a subject and a verb of their own; itself where
    one would be empty or lose a word. Spans and origins are offsets in the answer."""
    text = readable.text
    found: list[tuple[MappedText, Span]] = []
    left, left_edge = 0, span[0]
    given: str | None = None
    for cut in clause_cuts(text):
        part = _name_pronoun(readable.part(left, cut.end), given)
        edge = readable.origins[cut.start]
        while answer[edge - 1] in _OPENERS:
            edge -= 1
        start = cut.start + (5 if text.startswith("that ", cut.start) else 0)
        found.append((part, (left_edge, _trim_end(answer, left_edge, edge))))
        left, left_edge, given = start, edge, cut.subject
    last = _name_pronoun(readable.part(left, len(text)), given)
    found.append((last, (left_edge, span[1])))
    if len(found) > 1 and (
        lost_words([part.text for part, _ in found], text)
        or not all(part.text for part, _ in found)
    ):
        return [(readable, span)]
    return found


def _name_pronoun(part: MappedText, name: str | None) -> MappedText:
    """The part with the pronoun it opens with named."""
    if name is None:
        return part
    rest = re.sub(r"^\w+", "", part.text)
    shift = len(part.text) - len(rest)
    origins = (part.origins[:1] * len(name)) + part.origins[shift:]
    return MappedText(name + rest, origins)


def _trim_end(answer: str, start: int, end: int) -> int:
    return start + len(answer[start:end].rstrip())


def spans_of_facts(
    facts: Sequence[MappedText], text: str, part: MappedText, span: Span
) -> tuple[Span, ...]:
    """A span for each fact of `text`, which is `part` with another beginning: a name
    for its pronoun, what it stands under. One without a word of its own gets all."""
    origins = _origins(text, part)
    of = Counter(at for fact in facts for at in set(fact.origins))
    begins: list[int | None] = []
    for fact in facts:
        own = [at for at in fact.origins if of[at] == 1 and text[at].isalnum()]
        begins.append(origins[min(own)] if own else None)
    known = sorted({at for at in begins if at is not None})
    if len(known) < 2:
        return tuple(span for _ in facts)
    edges = dict(zip(known, [*known[1:], span[1]], strict=True))
    return tuple(
        span if at is None else (span[0] if at == known[0] else at, edges[at])
        for at in begins
    )


def _origins(text: str, part: MappedText) -> list[int]:
    """The place in the answer of each character of a text whose end is a part's."""
    same = 0
    own = part.text.rstrip(": ") if not text.endswith(":") else part.text
    while same < min(len(text), len(own)) and text[-1 - same] == own[-1 - same]:
        same += 1
    first = part.origins[0] if part.origins else 0
    ends = part.origins[len(own) - same : len(own)]
    return [first] * (len(text) - same) + list(ends)
