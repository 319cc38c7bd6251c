"""Which part of an answer each of several facts of one sentence stands for.

Facts share words (their subject, their verb). Each has as its place the part of the
sentence from its own first word to where the next one's begins, so that the places of
all cover the sentence, and none is painted twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from claimscope.core.text.readable import Plain
from claimscope.core.text.sentences import Span


def shares(
    facts: Sequence[Plain], text: str, part: Plain, span: Span
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


def _origins(text: str, part: Plain) -> list[int]:
    """The place in the answer of each character of a text whose end is a part's."""
    same = 0
    own = part.text.rstrip(": ") if not text.endswith(":") else part.text
    while same < min(len(text), len(own)) and text[-1 - same] == own[-1 - same]:
        same += 1
    first = part.origins[0] if part.origins else 0
    ends = part.origins[len(own) - same : len(own)]
    return [first] * (len(text) - same) + list(ends)
