"""Values of a claim as the page writes them, for a model that reads badly in figures.

"1,200 metres" and "1.2 km", "8:15 p.m." and "20:15", "a quarter" and "25 per cent" are
one value. That is known without a model; a small one takes them for two. So it is given
the claim with the passage's own writing of every value that both have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.token_alignment import AlignedText

_END = re.compile(r"\d+")
_AT = re.compile(r"(?i)\b(?:at|from|until|till|by|before|after|to|between|and)\s$")
_LINKS = re.compile(
    r"(?i),?\s+(?:either|too|as well|though|however|therefore)(?=\s*[.!]?$)"
    r"|(?<=\w)\s+(?:also|therefore)(?=\s+\w)"
)
LONGEST = 4000
"""Characters of a passage that is looked through."""


@lru_cache(maxsize=2048)
def _side(text: str) -> AlignedText:
    return AlignedText(text)


def as_said(claim: str, passage: str) -> str:
    """The claim with its values as the passage writes them; both in canonical form."""
    if len(passage) > LONGEST:
        return claim
    found = [
        (start, end, other)
        for start, end, other in _twins(_side(claim), _side(passage))
        if not _stands(claim[start:end], passage)
    ]
    last = len(claim)
    for start, end, other in sorted(found, reverse=True):
        if end <= last:
            claim, last = claim[:start] + other + claim[end:], start
    return claim


def strip_connectives(claim: str) -> str:
    """The claim without what only ties it to the sentences before: "also", "either"."""
    return _LINKS.sub("", claim)


def _stands(value: str, passage: str) -> bool:
    """Whether the passage writes it so: "9" does not stand in "19:00" or "9.5"."""
    plain = rf"(?<![\w.,:]){re.escape(value)}(?!\w|[.,:]\d)"
    return re.search(plain, passage, re.I) is not None


def _twins(mine: AlignedText, theirs: AlignedText) -> Iterator[tuple[int, int, str]]:
    """(start, end of a value of the claim, how the passage writes it)."""
    for clock in mine.clocks:
        time = next((x.text for x in theirs.clocks if x.agrees(clock)), None)
        if time is not None and ":" in time:  # "half past 7" reads no better
            yield clock.start, clock.end, time
    for day in mine.days:
        when = (day.year, day.month, day.day)
        date = (x.text for x in theirs.days if (x.year, x.month, x.day) == when)
        yield from ((day.start, day.end, text) for text in list(date)[:1])
    taken = [(x.start, x.end) for x in mine.clocks]
    taken += [(x.start, x.end) for x in mine.days]
    for one in mine.quantities:
        is_taken = any(start < one.end and one.start < end for start, end in taken)
        if is_taken or one.kind == "ordinal" or (one.is_word and one.high <= 1):
            continue
        equal = [
            other.text
            for other in theirs.quantities
            if one.same(other) and one.is_about == other.is_about
        ]
        found = equal or _as_hour(one, mine, theirs)
        yield from ((one.start, one.end, text) for text in found[:1])


def _as_hour(one: Quantity, mine: AlignedText, theirs: AlignedText) -> list[str]:
    """ "At nine" of a page that says "9:00": the one time there that it may be; "from 2
    to 5" of one that says "02:00" and "05:00"."""
    before = mine.text[max(0, one.start - 8) : one.start]
    if one.unit is not None or not _AT.search(before):
        return []
    if not one.is_range:
        clock = _clock(one.low, theirs)
        return [clock] if clock is not None else []
    ends = [_clock(one.low, theirs), _clock(one.high, theirs)]
    if None in ends or len(_END.findall(one.text)) != len(ends):
        return []
    clocks = iter(ends)
    return [_END.sub(lambda _: next(clocks) or "", one.text)]


def _clock(hour: float, theirs: AlignedText) -> str | None:
    """The only time of a text that a bare hour may be."""
    if hour != int(hour) or not 1 <= hour <= 24:
        return None
    found = {x.text for x in theirs.clocks if x.minutes % 720 == hour * 60 % 720}
    return found.pop() if len(found) == 1 else None
