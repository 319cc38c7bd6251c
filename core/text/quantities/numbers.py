"""Quantities in a text, compared by value: 1,200 is 1200 is "twelve hundred".

No package does this well enough offline: those found either need a trained model
for units or know number words only, and none keeps code-point spans of both.
Identifiers (DAT-110, v1.2.3, PMID:123) are names, not quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from claimscope.core.text.quantities.dates import Clock, Day, clocks, days
from claimscope.core.text.quantities.notations import Notation, notations, noted
from claimscope.core.text.quantities.number_words import (
    SCALE_WORDS,
    SCALES,
    SHORT_SCALES,
    articled,
    cardinals,
    century,
    fractions,
    mixed,
    multiples,
    ordinals,
)
from claimscope.core.text.quantities.qualifiers import speaks_of_change, with_qualifiers
from claimscope.core.text.quantities.quantity import Kind, Quantity, with_counted_noun
from claimscope.core.text.quantities.units import Unit, unit_named

_IDENTIFIER = re.compile(
    r"https?://\S+|\b\w*@\w[\w.]*|\b24/7\b|\b0[xXbBo][\dA-Fa-f]+\b|\b(?!mid-\d)[A-Za-z]+[-_:/]?\d[\w.-]*(?<![.-])"
    r"|\b\d+(?!(?:st|nd|rd|th|k|m|g|mg|kg|km|cm|mm|ml|l|h|s|min|bn|mn|hz|am|pm|x)\b)"
    r"[A-Za-z]\w*\d\w*|\bv?\d+(?:\.\d+){2,}\b|\[(?=[^\[\]]*\bS:\s*\d)[^\[\]]*\]"
    r"|\[\d[\d, –-]*\]"
)
REACH = 40
"""Characters before a number that are looked at for "from", "between" or a year."""
MOST_DIGITS = 100
"""A longer one is no quantity of anything, and too large for a float at 309."""
_NUMERAL = re.compile(
    r"(?<![\w.,/:])(?:(?<=\bmid[-–])|(?<![^\W\d_][-–—]))"
    r"(?P<cur>(?:(?:US)?[$€£¥]|\b(?:USD|EUR|GBP|CHF|AUD|CAD|NZD|SEK|NOK|DKK|JPY)\s)\s?)?"
    r"(?P<sign>(?<![\w%)][-−+])(?<![\w%)])[-−+](?=\d))?"
    r"(?P<num>(?!0[,'’])\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\d,])"
    r"|(?P<comma>(?:\d{1,3}(?:\.\d{3})+|\d+),\d{1,2}|0,\d{3,4})(?!\d)|\d+\.\d+|\d+)"
    r"(?:(?P<vulgar>[½¼¾⅓⅔])"
    r"|(?<!\d{4})[\s-](?P<top>[1-9])/(?P<below>[2-9]|1[0-6])(?![\w/]))?"
    rf"(?:\s?(?P<scale>{SCALE_WORDS})\b"
    r"|(?P<short>bn|mn|tn|k|(?-i:[MB])|(?(cur)[mb]|(?!)))\b|(?P<ord>st|nd|rd|th)\b|(?P<era>(?<=\d{4})s)\b)?"
    r"(?!\d)(?![.,]\d)(?!:\d)",
    re.I,
)
_PRICE = re.compile(r"(?:US)?[$€£¥]", re.I)
"""What stands before figures: of "$5-10" both are prices."""
_MINUS = re.compile(r"(?i)\b(?:minus|negative)\s$")
_BELOW_ZERO = re.compile(r"(?i)\s+below (?:zero|freezing|sea level)\b")
_BEFORE_CHRIST = re.compile(r"\s(?:BC|BCE|B\.C\.)(?![\w])")
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_CENTURY = re.compile(r"[\s-]centur(?:y|ies)\b", re.I)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|of|to|and|between|before|after|during"
    r"|early|late|mid|circa|year|years|spring|summer|autumn|fall|winter|around)\s+"
    r"|[(,–-]\s?)$",
    re.I,
)


def quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities in order; dates, times and identifiers are left out."""
    taken = bytearray(len(text))
    found = list(noted(text))
    for quantity in found:
        _mark(taken, quantity.start, quantity.end)
    for match in _named(text, found):
        _mark(taken, match.start(), match.end())
    for day in days(text):
        _mark(taken, day.start, day.end)
    for clock in clocks(text):
        _mark(taken, clock.start, clock.end)
    for source in _SOURCES:
        for quantity in source(text):
            if not any(taken[quantity.start : quantity.end]):
                _mark(taken, quantity.start, quantity.end)
                found.append(quantity)
    found.sort(key=lambda quantity: quantity.start)
    signed = [_signed(text, quantity) for quantity in found]
    joined = _join_ranges(text, list(_join_measures(text, signed)))
    return tuple(with_qualifiers(text, quantity) for quantity in joined)


def _signed(text: str, quantity: Quantity) -> Quantity:
    """ "Minus five degrees"; of other things it is a sum."""
    is_degrees = quantity.unit is not None and quantity.unit.dimension == "temperature"
    start = max(0, quantity.start - REACH)
    minus = _MINUS.search(text, start, quantity.start) if is_degrees else None
    if minus is None:
        return quantity
    return replace(
        quantity,
        text=text[minus.start() : quantity.end],
        start=minus.start(),
        low=-quantity.high,
        high=-quantity.low,
    )


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
        for match in _named(text, tuple(notations(text)))
        if match.group()[0] not in "[h" or match.group()[1:2] != "t"
    )


def _named(
    text: str, written: Sequence[Quantity | Notation]
) -> Iterator[re.Match[str]]:
    """Codes, addresses and citations: digits that are no figures. `written`: figures in
    other notations, which look like codes."""
    for match in _IDENTIFIER.finditer(text):
        is_figure = any(
            one.start < match.end() and match.start() < one.end for one in written
        )
        if not is_figure and not _is_power(text, match):
            yield match


def _is_power(text: str, match: re.Match[str]) -> bool:
    """ "20 m2", "1.8 m3": a unit behind a figure."""
    before = text[max(0, match.start() - 2) : match.start()].rstrip()
    is_unit = match.group()[-1] in "23" and unit_named(match.group()) is not None
    return is_unit and before[-1:].isdigit()


def _mark(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\1" * (end - start)


def _join_measures(text: str, found: Sequence[Quantity]) -> Iterator[Quantity]:
    """One of two figures that are one measure: "1 h 50 min", "5 feet 3 inches"."""
    last: Quantity | None = None
    for quantity in (_as_inches(text, found, at) for at in range(len(found))):
        if last is not None and _continues(text, last, quantity):
            assert last.unit is not None
            assert quantity.unit is not None
            share = quantity.low * quantity.unit.factor / last.unit.factor
            value = last.low + share
            last = replace(
                last,
                text=text[last.start : quantity.end],
                end=quantity.end,
                low=value,
                high=value,
                digits=2,
                noun=quantity.noun,
            )
            continue
        if last is not None:
            yield last
        last = quantity
    if last is not None:
        yield last


_INCHES = re.compile(
    r"\s?(?:in\b(?=\.?(?:$|[\s)][^a-z]|\s(?:tall|long|wide|high|deep|and|or)\b|[,;)]))|[\"”″])"
)
"""Behind feet; "in" by itself is mostly none."""


def _as_inches(text: str, found: Sequence[Quantity], at: int) -> Quantity:
    """The 10 of "5 ft 10 in", and the two of "six foot two", with its unit."""
    quantity = found[at]
    feet = found[at - 1] if at else None
    if (
        feet is None
        or feet.unit != unit_named("ft")
        or quantity.unit
        or quantity.low >= 12
    ):
        return quantity
    inches = _INCHES.match(text, quantity.end)
    is_short = feet.text.lower().endswith("foot")
    if not text[feet.end : quantity.start].isspace() or not (inches or is_short):
        return quantity
    end = inches.end() if inches else quantity.end
    return replace(
        quantity, text=text[quantity.start : end], end=end, unit=unit_named("inch")
    )


_VERB = re.compile(r"\s+(?:is|are|was|were|can|will|has|have|may|must|should)\b")
_BETWEEN_MEASURES = re.compile(r"\s+(?:and\s+)?")


def _continues(text: str, first: Quantity, second: Quantity) -> bool:
    """The second is less than one of the first's unit, and stands right behind it."""
    one, other = first.unit, second.unit
    if one is None or other is None or one.per or other.per or first.digits > 0:
        return False
    is_measure = one.dimension in ("time", "length", "mass")
    is_kin = (one.dimension, one.family) == (other.dimension, other.family)
    is_less = other.factor < one.factor and second.low * other.factor < one.factor
    between = _BETWEEN_MEASURES.fullmatch(text, first.end, second.start)
    if between is not None and "and" in between[0] and _VERB.match(text, second.end):
        return False  # "2 hours and 30 minutes are for reading"
    return is_measure and is_kin and is_less and between is not None


def _join_ranges(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Neighbours that make a range: "3-5 days", "between 3 and 5 days"."""
    place = 0
    while place < len(found):
        first = found[place]
        second = found[place + 1] if place + 1 < len(found) else None
        second = _short_year(text, first, second) if second else None
        first = _in_unit_of(text, first, second) if second else first
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
            if second is not None and _shares_unit(text, first, second):
                first = replace(first, unit=second.unit)
            yield first
            place += 1


def _in_unit_of(text: str, first: Quantity, second: Quantity) -> Quantity:
    """The 500 mg of "500 mg to 1 g", as 0.5 g."""
    mine, other = first.unit, second.unit
    if mine is None or other is None or mine == other or mine.per or other.per:
        return first
    is_kin = (mine.dimension, mine.family) == (other.dimension, other.family)
    between = text[first.end : second.start].strip().lower()
    if not is_kin or mine.offset or between not in ("-", "–", "—", "to"):
        return first
    value = first.low * mine.factor / other.factor
    if first.is_range or value >= second.low:
        return first
    return replace(first, low=value, high=value, unit=other)


def _short_year(text: str, first: Quantity, second: Quantity) -> Quantity:
    """The 05 of 1904–05 is 1905."""
    is_dash = text[first.end : second.start] in ("-", "–", "/")
    is_short = re.fullmatch(r"\d\d", second.text) is not None
    if not (is_dash and is_short and re.fullmatch(r"[12]\d{3}", first.text)):
        return second
    year = first.low - first.low % 100 + second.low
    return replace(second, low=year, high=year, kind="year")


def _shares_unit(text: str, first: Quantity, second: Quantity) -> bool:
    """ "From 50 to 55 percent": the unit is said once."""
    if first.unit is not None or second.unit is None or first.kind != "number":
        return False
    between = text[first.end : second.start].strip().lower()
    if between in ("x", "×", "by"):
        return second.unit.dimension == "length"
    return between == "to" and _just_before(text, first.start).endswith(" from")


def _just_before(text: str, place: int) -> str:
    """The last words before a place; all of the text would be copied too often."""
    return text[max(0, place - REACH) : place].rstrip().lower()


def _is_range(text: str, first: Quantity, second: Quantity) -> bool:
    between = text[first.end : second.start].strip().lower()
    if first.is_range or first.kind in ("ordinal", "fraction"):
        return False
    is_priced = second.unit is None and _PRICE.match(first.text) is not None
    if first.unit is not None and first.unit != second.unit and not is_priced:
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


def numerals(text: str) -> Iterator[Quantity]:
    for match in _NUMERAL.finditer(text):
        digits = _normalise_digits(match)
        if len(digits) > MOST_DIGITS:
            continue
        value = float(digits) + _part_of_one(match)
        if match["sign"] in ("-", "−"):
            value = -value
        places = len(digits.partition(".")[2])
        scale = (match["scale"] or match["short"] or "").lower()
        if scale:
            factor = SCALES.get(scale) or SHORT_SCALES[scale]
            value, places = value * factor, places - len(str(int(factor))) + 1
        elif "." not in digits and digits.endswith("0"):
            places = -(len(digits) - len(digits.rstrip("0")))
        unit = _currency(match["cur"])
        kind: Kind = "ordinal" if match["ord"] else "number"
        blank = Quantity("", 0, 0, 0, 0, unit, kind, digits=places)
        quantity = with_counted_noun(text, match.start(), match.end(), value, blank)
        whole = None if scale else mixed(text, match.end(), value, 1.0)
        if whole:
            quantity = with_counted_noun(text, match.start(), whole[1], whole[0], blank)
        if match["sign"] is None and _BELOW_ZERO.match(text, quantity.end):
            quantity = replace(quantity, low=-quantity.low, high=-quantity.high)
        if match["sign"] is None and _BEFORE_CHRIST.match(text, quantity.end):
            quantity = replace(quantity, low=-value, high=-value, kind="year")
        elif match["era"]:
            last = value + (99 if value % 100 == 0 else 9)
            quantity = replace(quantity, kind="year", high=last, is_era=True)
        elif kind == "number" and _is_year(text, match, quantity):
            quantity = replace(quantity, kind="year")
        of = _CENTURY.match(text, match.end()) if match["ord"] else None
        yield (
            century(text[match.start() : of.end()], match.start(), of.end(), value)
            if of
            else quantity
        )


def _part_of_one(match: re.Match[str]) -> float:
    """The half of 1½ and of 1 1/2."""
    if match["top"]:
        part = int(match["top"]) / int(match["below"])
        return part if part < 1 else 0.0
    return _VULGAR.get(match["vulgar"] or "", 0.0)


def _normalise_digits(match: re.Match[str]) -> str:
    """The digits with a decimal point at most: 1.200,5 and 12,5 have commas for it."""
    if match["comma"]:
        return match["num"].replace(".", "").replace(",", ".")
    return re.sub(r"[,'’\s\u00a0\u202f]", "", match["num"])


def _currency(sign: str | None) -> Unit | None:
    if not sign:
        return None
    name = sign.strip()
    return unit_named(name if name.isalpha() else name[-1])


def _is_year(text: str, match: re.Match[str], quantity: Quantity) -> bool:
    number = match["num"]
    if len(number) != 4 or not number.isdigit() or quantity.unit is not None:
        return False
    if not 1000 <= int(number) <= 2100:
        return False
    start = match.start()
    before = _YEAR_BEFORE.search(text, max(0, start - REACH), start)
    return before is not None or not quantity.noun


_SOURCES = (
    fractions,
    numerals,
    cardinals,
    multiples,
    ordinals,
    articled,
)
"""Of what two find the first has its way."""
