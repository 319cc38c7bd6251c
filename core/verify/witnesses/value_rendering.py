"""Values of a claim as the page writes them, for a model that reads badly in figures.

"1,200 metres" and "1.2 km", "8:15 p.m." and "20:15", "a quarter" and "25 per cent" are
one value. That is known without a model; a small one takes them for two. So it is given
the claim with the passage's own writing of every value that both have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from claimscope.core.text.quantities.qualifiers import qualified_span
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.rules.comparison import share_words_beside
from claimscope.core.verify.rules.figures import years_of_days
from claimscope.core.verify.rules.quantity_relations import counted_words, says
from claimscope.core.verify.token_alignment import AlignedText, aligned_text

_END = re.compile(r"\d+")
_AT = re.compile(r"(?i)\b(?:at|from|until|till|by|before|after|to|between|and)\s$")
_LINKS = re.compile(
    r"(?i),?\s+(?:either|too|as well|though|however|therefore)(?=\s*[.!]?$)"
    r"|(?<=\w)\s+(?:also|therefore)(?=\s+\w)"
)
_ON = re.compile(r"(?i)\b(?:in|on)\s+(?:the\s+)?$")
_THE = re.compile(r"(?i)\bthe\s+$")
LONGEST = 4000
"""Characters of a passage that is looked through."""


class Rendered(NamedTuple):
    """A claim with its values as a passage writes them."""

    text: str
    looser: tuple[str, ...] = ()
    """Values, as the passage writes them, that say less than the claim's: "in May" for
    12 May. What the passage says of the claim otherwise, it does not say that."""
    known: tuple[str, ...] = ()
    """Values of the claim that the passage has in another form."""


@lru_cache(maxsize=8192)
def render_values(claim: str, passage: str) -> Rendered:
    """The claim with its values as the passage writes them; both in canonical form."""
    if len(passage) > LONGEST:
        return Rendered(claim)
    mine, theirs = aligned_text(claim), aligned_text(passage)
    found = [
        (start, end, other, False)
        for start, end, other in _equal_values(mine, theirs)
        if not stands_in(claim[start:end], passage)
    ]
    found += [
        one
        for one in (*_implied_dates(mine, theirs), *_implied_figures(mine, theirs))
        if not stands_in(claim[one[0] : one[1]], passage)
    ]
    last, written = len(claim), claim
    looser: list[str] = []
    known: list[str] = []
    for start, end, other, is_looser in sorted(found, reverse=True):
        if end <= last:
            (looser if is_looser else known).append(
                other if is_looser else written[start:end]
            )
            claim, last = claim[:start] + other + claim[end:], start
    return Rendered(claim, tuple(looser), tuple(known))


def strip_connectives(claim: str) -> str:
    """The claim without what only ties it to the sentences before: "also", "either"."""
    return _LINKS.sub("", claim)


def stands_in(value: str, passage: str) -> bool:
    """Whether the passage writes it so: "9" does not stand in "19:00" or "9.5"."""
    plain = rf"(?<![\w.,:]){re.escape(value)}(?!\w|[.,:]\d)"
    return re.search(plain, passage, re.I) is not None


def _equal_values(
    mine: AlignedText, theirs: AlignedText
) -> Iterator[tuple[int, int, str]]:
    """(start, end of a value of the claim, how the passage writes it)."""
    for clock in mine.clocks:
        time = next((x.text for x in theirs.clocks if x.agrees(clock)), None)
        if time is not None and ":" in time:  # "half past 7" reads no better
            yield clock.start, clock.end, time
    for day in mine.days:
        when = (day.year, day.month, day.day)
        date = (x.text for x in theirs.days if (x.year, x.month, x.day) == when)
        yield from ((day.start, day.end, text) for text in list(date)[:1])
    for one in plain_figures(mine):
        if one.is_word and one.high <= 1:
            continue
        equal = [
            other.text
            for other in theirs.quantities
            if one.same(other) and one.is_about == other.is_about
        ]
        found = equal or _as_hour(one, mine, theirs)
        yield from ((one.start, one.end, text) for text in found[:1])


def plain_figures(side: AlignedText) -> Iterator[Quantity]:
    """Quantities that are no part of a date or time, nor places in a row."""
    taken = [(x.start, x.end) for x in side.clocks]
    taken += [(x.start, x.end) for x in side.days]
    for one in side.quantities:
        is_taken = any(start < one.end and one.start < end for start, end in taken)
        if not is_taken and one.kind != "ordinal":
            yield one


def _implied_dates(
    mine: AlignedText, theirs: AlignedText
) -> Iterator[tuple[int, int, str, bool]]:
    """Months of which the passage names the day, and days of which it names only the
    month: (start, end, how it writes it, whether that says less)."""
    for day in mine.days:
        for other in theirs.days:
            fits = day.month == other.month and day.year == other.year
            if not fits or day.month is None or day.swapped or other.swapped:
                continue
            if (day.day is None) == (other.day is None):
                continue
            word = "on " if other.day else "in "
            start = len(_ON.sub("", mine.text[: day.start]))
            text = other.text if start == day.start else word + other.text
            yield start, day.end, text, other.day is None
            break
        years = (x for x in theirs.quantities if x.kind == "year" and not x.role)
        for year in years if day.month is not None and day.year is not None else ():
            is_within = year.low <= (day.year or 0) <= year.high
            if is_within and not any(x.year == day.year for x in theirs.days):
                start = len(_ON.sub("", mine.text[: day.start]))
                text = year.text if start == day.start else f"in {year.text}"
                yield start, day.end, text, True
                break


def _implied_figures(
    mine: AlignedText, theirs: AlignedText
) -> Iterator[tuple[int, int, str, bool]]:
    """Figures of which the passage has another form that implies them ("1926" for the
    1920s, "64" for over 60), or that they imply."""
    others = [*theirs.quantities, *years_of_days(theirs)]
    for one in plain_figures(mine):
        if any(_is_alike(one, x) for x in theirs.quantities):
            continue
        placed = [x for x in others if _is_beside(one, x, mine, theirs)]
        implying = [x for x in placed if says(x, one, is_placed=True)]
        implied = [x for x in placed if says(one, x, is_placed=True)]
        for other in (implying or implied)[:1]:
            start, end = qualified_span(mine.text, one)
            if one.is_era:
                start = len(_THE.sub("", mine.text[:start]))
            first, last = qualified_span(theirs.text, other)
            text = theirs.text[first:last]
            if text.lower() != mine.text[start:end].lower():
                yield start, end, text, not implying


def _is_alike(one: Quantity, other: Quantity) -> bool:
    """One value, bounded and rounded alike."""
    is_bound = (one.bound, one.is_about) == (other.bound, other.is_about)
    return one.same(other) and is_bound


def _is_beside(
    one: Quantity, other: Quantity, mine: AlignedText, theirs: AlignedText
) -> bool:
    """The same things are counted, or the same words stand beside both."""
    if counted_words(one) & counted_words(other):
        return True
    return share_words_beside(mine, one, theirs, other)


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
