"""Values of a claim as the page writes them, for a model that reads badly in figures.

"1,200 metres" and "1.2 km", "8:15 p.m." and "20:15", "a quarter" and "25 per cent" are
one value. That is known without a model; a small one takes them for two. So it is given
the claim with the passage's own writing of every value that both have.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from claimscope.core.verification.windows import Side

LONGEST = 4000
"""Characters of a passage that is looked through."""


@lru_cache(maxsize=2048)
def _side(text: str) -> Side:
    return Side(text)


def as_said(claim: str, passage: str) -> str:
    """The claim with its values as the passage writes them; both in canonical form."""
    if not any(sign.isdigit() for sign in passage) or len(passage) > LONGEST:
        return claim
    found = [
        (start, end, other)
        for start, end, other in _twins(_side(claim), _side(passage))
        if claim[start:end].lower() not in passage.lower()
    ]
    last = len(claim)
    for start, end, other in sorted(found, reverse=True):
        if end <= last:
            claim, last = claim[:start] + other + claim[end:], start
    return claim


def _twins(mine: Side, theirs: Side) -> Iterator[tuple[int, int, str]]:
    """(start, end of a value of the claim, how the passage writes it)."""
    for clock in mine.clocks:
        same = (x.text for x in theirs.clocks if x.minutes == clock.minutes)
        yield from ((clock.start, clock.end, text) for text in list(same)[:1])
    for day in mine.days:
        when = (day.year, day.month, day.day)
        same = (x.text for x in theirs.days if (x.year, x.month, x.day) == when)
        yield from ((day.start, day.end, text) for text in list(same)[:1])
    taken = [(x.start, x.end) for x in (*mine.clocks, *mine.days)]
    for one in mine.quantities:
        is_taken = any(start < one.end and one.start < end for start, end in taken)
        if is_taken or one.kind == "ordinal" or (one.is_word and one.high <= 1):
            continue
        same = (
            other.text
            for other in theirs.quantities
            if one.same(other) and one.is_about == other.is_about
        )
        yield from ((one.start, one.end, text) for text in list(same)[:1])
