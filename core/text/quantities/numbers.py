"""Quantities in a text, compared by value: 1,200 is 1200 is "twelve hundred".

No package does this well enough offline: those found either need a trained model
for units or know number words only, and none keeps code-point spans of both.
Identifiers (DAT-110, v1.2.3, PMID:123) are names, not quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from claimscope.core.text.quantities.dates import Clock, Day, clocks, days
from claimscope.core.text.quantities.number_words import (
    cardinals,
    fractions,
    multiples,
    ordinals,
)
from claimscope.core.text.quantities.numerals import numerals
from claimscope.core.text.quantities.qualifiers import speaks_of_change, with_qualifiers
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.text.quantities.units import unit_named

_IDENTIFIER = re.compile(
    r"https?://\S+|\b\w*@\w[\w.]*|\b[A-Za-z]+[-_:/]?\d[\w.-]*(?<![.-])"
    r"|\b\d+(?!(?:st|nd|rd|th|k|m|g|mg|kg|km|cm|mm|ml|l|h|s|min|bn|mn|hz|am|pm|x)\b)"
    r"[A-Za-z]\w*\d\w*|\bv?\d+(?:\.\d+){2,}\b|\[(?=[^\[\]]*\bS:\s*\d)[^\[\]]*\]"
    r"|\[\d[\d, –-]*\]",
)
REACH = 40
"""Characters before a number in which "from" or "between" is looked for."""


def quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text in order; dates, times and identifiers are left
    out (see `dates_and_times`)."""
    taken = bytearray(len(text))
    for match in _IDENTIFIER.finditer(text):
        if not _is_power(text, match):
            _mark(taken, match.start(), match.end())
    for day in days(text):
        _mark(taken, day.start, day.end)
    for clock in clocks(text):
        _mark(taken, clock.start, clock.end)
    found: list[Quantity] = []
    for source in (fractions, numerals, cardinals, multiples, ordinals):
        for quantity in source(text):
            if not any(taken[quantity.start : quantity.end]):
                _mark(taken, quantity.start, quantity.end)
                found.append(quantity)
    found.sort(key=lambda quantity: quantity.start)
    return tuple(with_qualifiers(text, quantity) for quantity in _joined(text, found))


def dates_and_times(text: str) -> tuple[tuple[Day, ...], tuple[Clock, ...]]:
    """Dates and times of day of a text."""
    found = tuple(days(text))
    return found, tuple(
        clock
        for clock in clocks(text)
        if not any(d.start < clock.end and clock.start < d.end for d in found)
    )


def identifiers(text: str) -> tuple[tuple[str, int, int], ...]:
    """(identifier, start, end): course codes, versions, ids; citations left out."""
    return tuple(
        (match.group(), match.start(), match.end())
        for match in _IDENTIFIER.finditer(text)
        if match.group()[0] not in "[h" or match.group()[1:2] != "t"
        if not _is_power(text, match)
    )


def _is_power(text: str, match: re.Match[str]) -> bool:
    """ "20 m2", "1.8 m3": a unit behind a figure."""
    before = text[max(0, match.start() - 2) : match.start()].rstrip()
    is_unit = match.group()[-1] in "23" and unit_named(match.group()) is not None
    return is_unit and before[-1:].isdigit()


def _mark(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\1" * (end - start)


def _joined(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Neighbours that make a range: "3-5 days", "between 3 and 5 days"."""
    place = 0
    while place < len(found):
        first = found[place]
        second = found[place + 1] if place + 1 < len(found) else None
        second = _short_year(text, first, second) if second else None
        if second is not None and _is_range(text, first, second):
            yield replace(
                second,
                text=text[first.start : second.end],
                start=first.start,
                low=min(first.low, second.low),
                high=max(first.low, second.low),
                kind="year" if "year" in (first.kind, second.kind) else "number",
                unit=second.unit or first.unit,
            )
            place += 2
        else:
            if second is not None and _goes_on(text, first, second):
                first = replace(first, unit=second.unit)
            yield first
            place += 1


def _short_year(text: str, first: Quantity, second: Quantity) -> Quantity:
    """The 05 of 1904–05 is 1905."""
    is_dash = text[first.end : second.start] in ("-", "–", "/")
    is_short = re.fullmatch(r"\d\d", second.text) is not None
    if not (is_dash and is_short and re.fullmatch(r"[12]\d{3}", first.text)):
        return second
    year = first.low - first.low % 100 + second.low
    return replace(second, low=year, high=year, kind="year")


def _goes_on(text: str, first: Quantity, second: Quantity) -> bool:
    """ "From 50 to 55 percent": the unit is said once."""
    if first.unit is not None or second.unit is None or first.kind != "number":
        return False
    is_to = text[first.end : second.start].strip().lower() == "to"
    return is_to and _just_before(text, first.start).endswith(" from")


def _just_before(text: str, place: int) -> str:
    """The last words before a place. Not all of the text: of many numbers each would
    copy what stands before it."""
    return text[max(0, place - REACH) : place].rstrip().lower()


def _is_range(text: str, first: Quantity, second: Quantity) -> bool:
    between = text[first.end : second.start].strip().lower()
    if first.is_range or first.kind in ("ordinal", "fraction"):
        return False
    if first.unit is not None and first.unit != second.unit:
        return False
    before = _just_before(text, first.start)
    if between == "to" and before.endswith(" from") and _is_change(text, first, second):
        return False
    if between in ("-", "–", "—", "−", "to"):
        # "fell by 12 % to 70 %" is none.
        return first.low < second.low and not before.endswith(" by")
    return between == "and" and before.endswith("between")


def _is_change(text: str, first: Quantity, second: Quantity) -> bool:
    """ "Rose from 5 to 7": a beginning and an end, no range."""
    near = text[max(0, first.start - 60) : second.end + 20]
    return first.kind != "year" and speaks_of_change(near)
