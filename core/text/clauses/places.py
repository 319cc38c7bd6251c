"""Where the statements of one sentence stand in the answer.

Clauses follow each other. Facts share words (their subject, their verb): each has as
its place the part of the sentence from its own first word to where the next one's
begins, so that the places of all cover the sentence, and none is painted twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from claimscope.core.text.clauses.facts import lost_words
from claimscope.core.text.linguistics import clause_cuts, pronoun_place
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
    """The part with the pronoun that is its subject named."""
    capital = part.text[:1].upper() + part.text[1:]
    place = pronoun_place(capital) if name is not None else None
    if name is None or place is None:
        return part
    start, end = place
    origins = part.origins[start : start + 1] * len(name)
    return MappedText(
        part.text[:start] + name + part.text[end:],
        (*part.origins[:start], *origins, *part.origins[end:]),
    )


def _trim_end(answer: str, start: int, end: int) -> int:
    return start + len(answer[start:end].rstrip())


def spans_of_facts(
    facts: Sequence[MappedText], text: str, part: MappedText, span: Span
) -> tuple[Span, ...]:
    """A span for each fact of `text`, which is `part` with another beginning: a name
    for its pronoun, what it stands under. A fact that says another again, and more, has
    as its own only what is more. One without a word of its own gets all."""
    origins = _origins(text, part)
    words = _own_words(facts)
    of = Counter(at for one in words for at in one)
    begins: list[int | None] = []
    for fact, one in zip(facts, words, strict=True):
        own = sorted(at for at in one if of[at] == 1)
        if len(one) < len(set(fact.origins)):
            own = _longest_run(own, text)
        first = next((at for at in own if text[at].isalnum()), None)
        begins.append(None if first is None else origins[first])
    known = sorted({at for at in begins if at is not None})
    if len(known) < 2:
        return tuple(span for _ in facts)
    edges = dict(zip(known, [*known[1:], span[1]], strict=True))
    return tuple(
        span if at is None else (span[0] if at == known[0] else at, edges[at])
        for at in begins
    )


def _longest_run(places: Sequence[int], text: str) -> list[int]:
    """What is more than other facts stands together; an "and" between them does not."""
    runs: list[list[int]] = []
    for at in places:
        if runs and not any(map(str.isalnum, text[runs[-1][-1] + 1 : at])):
            runs[-1].append(at)
        else:
            runs.append([at])
    return max(runs, key=len, default=[])


def _own_words(facts: Sequence[MappedText]) -> list[set[int]]:
    """Origins of each fact, without those of facts that it says again."""
    every = [set(fact.origins) for fact in facts]
    return [one.difference(*(other for other in every if other < one)) for one in every]


def _origins(text: str, part: MappedText) -> list[int]:
    """The place in the answer of each character of a text whose end is a part's."""
    same = 0
    own = part.text.rstrip(": ") if not text.endswith(":") else part.text
    while same < min(len(text), len(own)) and text[-1 - same] == own[-1 - same]:
        same += 1
    first = part.origins[0] if part.origins else 0
    ends = part.origins[len(own) - same : len(own)]
    return [first] * (len(text) - same) + list(ends)
