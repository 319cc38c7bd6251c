"""Quantities in a text, compared by value: 1,200 is 1200 is "twelve hundred".

No package does this well enough offline: those found either need a trained model
for units or know number words only, and none keeps code-point spans of both.
Identifiers (DAT-110, v1.2.3, PMID:123) are names, not quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from claimscope.core.text.dates import Clock, Day, clocks, days
from claimscope.core.text.units import Unit, rate_at, unit_at

Bound = Literal["least", "most"]
Kind = Literal["number", "year", "ordinal", "fraction"]
ROUNDING = 0.02
"""Relative difference a conversion may have between families of units."""
POUND = 453.59237
"""Grams."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS: dict[str, int] = {word: n for n, word in enumerate(_ONES)}
_WORDS |= {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_ORDINALS = {
    word: n
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
        " twelfth".split(),
        start=1,
    )
}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_PARTS |= {"sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

_ALL_WORDS = "|".join(sorted(_WORDS, key=len, reverse=True))
_NUMERAL = re.compile(
    r"(?<![\w.,/:])(?<![^\W\d_][-–—])(?P<cur>(?:US)?[$€£¥]\s?)?"
    r"(?P<sign>(?<![\w%)][-−+])(?<![\w%)])[-−+](?=\d))?"
    r"(?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\d,])"
    r"|\d+\.\d+|\d+)"
    r"(?P<vulgar>[½¼¾⅓⅔])?"
    r"(?:\s?(?P<scale>hundred|thousand|million|billion|trillion)\b"
    r"|(?P<short>bn|mn|tn|[kK])\b|(?P<ord>st|nd|rd|th)\b|(?P<era>(?<=\d{4})s)\b)?"
    r"(?!\d)(?![.,]\d)(?!:\d)",
    re.I,
)
_SECOND = re.compile(
    r"\s?(?P<join>-|–|—|−|\bto\b|\band\b|\bor\b)\s?(?=[$€£¥]?\d)", re.I
)
_WORD_NUMBER = re.compile(
    rf"\b(?:(?:{_ALL_WORDS}|hundred|thousand|million|billion|dozen)\b"
    rf"(?:[\s-]+(?:and[\s-]+)?(?=(?:{_ALL_WORDS}|hundred|thousand|million|billion"
    rf"|dozen)\b))?)+",
    re.I,
)
_FRACTION = re.compile(
    rf"\b(?:(?P<top>an?|one|two|three|four|five|six|seven|eight|nine|\d+)[\s-])?"
    rf"(?P<part>half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)"
    rf"\b(?=\s+(?:of|the|as|an?)\b)|\b(?P<in>(?:{_ALL_WORDS}|\d+))\s+(?:in|out\s+of)\s+"
    rf"(?:every\s+)?(?P<of>{_ALL_WORDS}|\d+)\b|(?<![\w/.])(?P<n>\d+)/(?P<d>\d+)(?![\w/])",
    re.I,
)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.I)
_AND_HALF = re.compile(r"\s+and\s+(?:a\s+)?(half|quarter|three quarters)\b", re.I)
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_HALVES = {"half": 0.5, "quarter": 0.25, "three quarters": 0.75}
_IDENTIFIER = re.compile(
    r"https?://\S+|\b\w*@\w[\w.]*|\b[A-Za-z]+[-_:/]?\d[\w.-]*(?<![.-])"
    r"|\b\d+(?!(?:st|nd|rd|th|k|m|g|mg|kg|km|cm|mm|ml|l|h|s|min|bn|mn|hz|am|pm|x)\b)"
    r"[A-Za-z]\w*\d\w*|\bv?\d+(?:\.\d+){2,}\b|\[[^\[\]]*\bS:\s*\d[^\[\]]*\]"
    r"|\[\d[\d, –-]*\]",
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|of|to|and|between|before|after|during"
    r"|early|late|mid|circa|year|years|spring|summer|autumn|fall|winter|around)\s+"
    r"|[(,–-]\s?)$",
    re.I,
)
_LEAST = re.compile(
    r"\b(?:at least|not less than|no less than|no fewer than|minimum of|over|above"
    r"|(?<!no )(?<!not )more than|older than|exceed(?:s|ing)?|[≥>])\s*$",
    re.I,
)
_LEAST_AFTER = re.compile(
    r"\s*(?:or|and)\s+(?:more|older|over|above|higher|longer|later)\b|\s?\+", re.I
)
_MOST = re.compile(
    r"\b(?:at most|(?<!add )(?<!adds )(?<!adding )up to|no more than|not more than"
    r"|maximum of|under|below"
    r"|(?<!no )(?<!not )less than|(?<!no )fewer than|younger than|[≤<])\s*$",
    re.I,
)
_MOST_AFTER = re.compile(
    r"\s*(?:or|and)\s+(?:less|fewer|younger|under|below|lower|earlier)\b|\s+at most\b",
    re.I,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?"
    r"|close to|just under|just over|an estimated|in the region of)|[~≈])\s*$",
    re.I,
)
_ABOUT_AFTER = re.compile(r"\s*(?:or so|or thereabouts)\b", re.I)
_SPOKEN = re.compile(r"thousand|million|billion|trillion|\b(?:mn|bn|m|k)\b", re.I)
"""Numbers in words of size are round by nature: 2 million."""
_ONE_WORD = re.compile(r"\s([a-z]+)(?=\s[a-z])")
_LINKS = frozenset("of in to and or per by on at for from with the a an".split())
_OF_UNIT = re.compile(r"\s+(?:of\s+)?an?\s+(?=[a-z])", re.I)
_NOUN = re.compile(r"(?:\s|-)+([^\W\d_]+)(?:\s+([^\W\d_]+))?")


PLAIN_ROUNDING = 0.01
"""Part of a number by which it may be rounded to tens or more without saying so."""


@dataclass(frozen=True)
class Quantity:
    """A number of a text; `text == source[start:end]`, with its unit when there is
    one. A range has low < high."""

    text: str
    start: int
    end: int
    low: float
    high: float
    unit: Unit | None = None
    kind: Kind = "number"
    noun: str = ""
    """The words after it, lower case: what is counted."""
    digits: int = 0
    """Digits after the decimal point; negative for round thousands."""
    is_word: bool = False
    bound: Bound | None = None
    """Set by "at least", "or more", "up to", "under" …"""
    is_about: bool = False
    """Said with "about", "nearly", "or so" …"""

    @property
    def is_range(self) -> bool:
        return self.low != self.high

    def same(self, other: Quantity) -> bool:
        """Equal by value and unit (METRICS F)."""
        return self.comparable(other) and all(
            close(a, b, self, other)
            for a, b in ((self.low, other.low), (self.high, other.high))
        )

    def within(self, other: Quantity) -> bool:
        """A single value that is an end of, or lies in, another's range."""
        if not other.is_range or self.is_range or not self.comparable(other):
            return False
        mine = self.base(self.low)
        return other.base(other.low) - 1e-9 <= mine <= other.base(other.high) + 1e-9

    def allows(self, other: Quantity) -> bool:
        """A bound that another single value keeps: "at least 2" allows 3."""
        if self.bound is None or self.is_range or other.is_range:
            return False
        if not self.comparable(other):
            return False
        mine, theirs = self.base(self.low), other.base(other.low)
        return theirs >= mine if self.bound == "least" else theirs <= mine

    def base(self, value: float) -> float:
        """A value in the unit's base; parts of a whole as percent."""
        if self.kind == "fraction":
            return value * 100
        return self.unit.base(value) if self.unit else value

    @property
    def dimension(self) -> str:
        """What can be compared with it."""
        if self.kind == "fraction":
            return "percent"
        return self.unit.key if self.unit else ""

    def comparable(self, other: Quantity) -> bool:
        """Of one dimension; a bare number only with a bare number."""
        if (self.kind == "ordinal") != (other.kind == "ordinal"):
            return False
        if self.dimension == other.dimension or self._is_pound(other):
            return True
        # "1 g" of a text that says "a day" elsewhere.
        mine, _, per = self.dimension.partition("/")
        theirs, _, other_per = other.dimension.partition("/")
        return mine == theirs and not (per and other_per) and mine != "count"

    def _is_pound(self, other: Quantity) -> bool:
        """ "Pounds" are money or weight; either may be meant."""
        pair = {self.dimension, other.dimension}
        return pair in ({"pounds", "pound"}, {"pounds", "mass"})


def close(left: float, right: float, mine: Quantity, other: Quantity) -> bool:
    """Whether two values are one, with the rounding a conversion brings."""
    a, b = mine.base(left), other.base(right)
    if mine.unit and other.unit and bool(mine.unit.per) != bool(other.unit.per):
        a, b = left * mine.unit.factor, right * other.unit.factor
    if mine.dimension != other.dimension and "mass" in (
        mine.dimension,
        other.dimension,
    ):
        a = a * POUND if mine.dimension == "pounds" else a
        b = b * POUND if other.dimension == "pounds" else b
    if mine.unit and other.unit and mine.unit.lineage != other.unit.lineage:
        if mine.unit.offset != other.unit.offset:  # degrees
            return abs(a - b) <= 0.6
        return abs(a - b) <= ROUNDING * max(abs(a), abs(b))
    if mine.kind == "fraction" or other.kind == "fraction":
        return abs(a - b) <= 0.5
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-12)


def is_rounded(coarse: Quantity, fine: Quantity) -> bool:
    """`coarse` is `fine` rounded to the digits it shows: 14 % of 13.8 %.

    Tens and hundreds for a number written out take a word that says so: "about 40
    metres" may be 38, "40 metres" is not.
    """
    if coarse.is_range or fine.is_range or not coarse.comparable(fine):
        return False
    if coarse.digits >= fine.digits or coarse.kind in ("year", "ordinal"):
        return False
    scale = (coarse.unit.scale if coarse.unit else 1.0) or 1.0
    step = 0.5 * 10.0**-coarse.digits * scale
    gap = abs(coarse.base(coarse.low) - fine.base(fine.low))
    is_loose = coarse.digits >= 0 or coarse.is_about or _SPOKEN.search(coarse.text)
    most = (0.1 if is_loose else PLAIN_ROUNDING) * abs(coarse.base(coarse.low))
    return gap <= step * 1.0001 and gap <= most


def quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text in order; dates, times and identifiers are left
    out (see `dated`)."""
    taken = bytearray(len(text))
    for match in _IDENTIFIER.finditer(text):
        _mark(taken, match.start(), match.end())
    for day in days(text):
        _mark(taken, day.start, day.end)
    for clock in clocks(text):
        _mark(taken, clock.start, clock.end)
    found: list[Quantity] = []
    for source in (_fractions, _numerals, _words, _ordinals):
        for quantity in source(text):
            if not any(taken[quantity.start : quantity.end]):
                _mark(taken, quantity.start, quantity.end)
                found.append(quantity)
    found.sort(key=lambda quantity: quantity.start)
    return tuple(
        replace(
            quantity,
            bound=_bound(text, quantity),
            is_about=_is_about(text, quantity),
        )
        for quantity in _joined(text, found)
    )


def _bound(text: str, quantity: Quantity) -> Bound | None:
    before = text[max(0, quantity.start - 24) : quantity.start]
    after = text[quantity.end : quantity.end + 24]
    if _LEAST.search(before) or _LEAST_AFTER.match(after):
        return "least"
    if _MOST.search(before) or _MOST_AFTER.match(after):
        return "most"
    return None


def _is_about(text: str, quantity: Quantity) -> bool:
    before = text[max(0, quantity.start - 24) : quantity.start]
    after = text[quantity.end : quantity.end + 24]
    return bool(_ABOUT.search(before) or _ABOUT_AFTER.match(after))


def dated(text: str) -> tuple[tuple[Day, ...], tuple[Clock, ...]]:
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
    )


def number_word(word: str) -> str | None:
    """The digits of a single number word above one: "twelve" → "12"."""
    value = _WORDS.get(word)
    return str(value) if value is not None and value > 1 else None


def _mark(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\1" * (end - start)


def _finish(
    text: str, start: int, end: int, value: float, quantity: Quantity
) -> Quantity:
    """With unit and noun that follow."""
    unit = quantity.unit
    if unit is None and not text[start:end].endswith("0s"):
        spot = unit_at(text, end + (text[end : end + 1] == "-"))
        spot = spot or rate_at(text, end) or _unit_after_word(text, end)
        if spot is not None:
            unit, end = spot
    noun = _NOUN.match(text, end)
    words = [w.lower() for w in noun.groups() if w] if noun else []
    return replace(
        quantity,
        text=text[start:end],
        start=start,
        end=end,
        low=value,
        high=value,
        unit=unit,
        noun=" ".join(words),
    )


def _unit_after_word(text: str, end: int) -> tuple[Unit, int] | None:
    """ "48 taught hours": a unit of time with one word before it."""
    word = _ONE_WORD.match(text, end)
    if word is None or word[1] in _LINKS:
        return None
    spot = unit_at(text, word.end())
    if spot is None or spot[0].dimension != "time" or spot[1] - word.end() < 4:
        return None
    return spot


def _numerals(text: str) -> Iterator[Quantity]:
    for match in _NUMERAL.finditer(text):
        digits = re.sub(r"[,\s\u00a0\u202f]", "", match["num"])
        value = float(digits) + _VULGAR.get(match["vulgar"] or "", 0.0)
        if match["sign"] in ("-", "−"):
            value = -value
        places = len(digits.partition(".")[2])
        scale = (match["scale"] or match["short"] or "").lower()
        if scale:
            factor = _SCALES.get(scale) or _SHORT[scale]
            value, places = value * factor, places - len(str(int(factor))) + 1
        elif "." not in digits and digits.endswith("0"):
            places = -(len(digits) - len(digits.rstrip("0")))
        unit = _currency(match["cur"])
        kind: Kind = "ordinal" if match["ord"] else "number"
        blank = Quantity("", 0, 0, 0, 0, unit, kind, digits=places)
        quantity = _finish(text, match.start(), match.end(), value, blank)
        half = _AND_HALF.match(text, match.end())
        if half and not scale:
            value += _HALVES[half[1].lower()]
            quantity = _finish(text, match.start(), half.end(), value, blank)
        if match["era"] or (kind == "number" and _is_year(text, match, quantity)):
            quantity = replace(quantity, kind="year")
        yield quantity


def _currency(sign: str | None) -> Unit | None:
    if not sign:
        return None
    spot = unit_at(sign.strip().removeprefix("US").removeprefix("us"), 0)
    return spot[0] if spot else None


def _is_year(text: str, match: re.Match[str], quantity: Quantity) -> bool:
    number = match["num"]
    if len(number) != 4 or not number.isdigit() or quantity.unit is not None:
        return False
    if not 1000 <= int(number) <= 2100:
        return False
    return bool(_YEAR_BEFORE.search(text[: match.start()])) or not quantity.noun


def _words(text: str) -> Iterator[Quantity]:
    for match in _WORD_NUMBER.finditer(text):
        words = [w for w in re.split(r"[\s-]+", match.group().lower()) if w]
        value = _value_of([word for word in words if word != "and"])
        if value is None:
            continue
        blank = Quantity("", 0, 0, 0, 0, is_word=True)
        end = match.start() + len(match.group().rstrip(" -"))
        half = _AND_HALF.match(text, end)
        if half:
            value, end = value + _HALVES[half[1].lower()], half.end()
        yield _finish(text, match.start(), end, value, blank)


def _value_of(words: list[str]) -> float | None:
    """Value of number words; None when they are no one number ("two three")."""
    total, part = 0.0, 0.0
    last = 0.0
    for word in words:
        if word in _WORDS:
            value = float(_WORDS[word])
            if last and (last < 20 or value >= 10 or last % 10):
                return None
            part, last = part + value, value
        elif word == "dozen":
            part, last = (part or 1) * 12, 0
        elif word == "hundred":
            part, last = (part or 1) * 100, 0
        else:
            total, part, last = total + (part or 1) * _SCALES[word], 0, 0
    return total + part


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text):
        value = _fraction_value(match)
        if value is not None:
            start, end = match.span()
            of = _OF_UNIT.match(text, end)
            spot = unit_at(text, of.end()) if of else None
            if spot is not None and spot[0].dimension == "time":
                blank = Quantity("", 0, 0, 0, 0, spot[0], digits=2)
                yield _finish(text, start, spot[1], value, blank)
                continue
            yield Quantity(match.group(), start, end, value, value, None, "fraction")


def _fraction_value(match: re.Match[str]) -> float | None:
    if match["part"]:
        part = match["part"].lower()
        below = _PARTS.get(part) or _PARTS[part.removesuffix("s")]
        top = (match["top"] or "a").lower()
        if match["top"] is None and below != 2:
            return None
        above = 1 if top in ("a", "an") else _number(top)
    elif match["in"]:
        above, below = _number(match["in"]), int(_number(match["of"]))
    else:
        above, below = float(match["n"]), int(match["d"])
    return above / below if below and above <= below else None


def _number(word: str) -> float:
    return float(word) if word.isdigit() else float(_WORDS[word.lower()])


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL.finditer(text):
        value = float(_ORDINALS[match.group().lower()])
        blank = Quantity("", 0, 0, 0, 0, None, "ordinal", is_word=True)
        noun = _NOUN.match(text, match.end())
        words = [w.lower() for w in noun.groups() if w] if noun else []
        yield replace(
            blank,
            text=match.group(),
            start=match.start(),
            end=match.end(),
            low=value,
            high=value,
            noun=" ".join(words),
        )


def _joined(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Neighbours that make a range: "3-5 days", "between 3 and 5 days"."""
    place = 0
    while place < len(found):
        first = found[place]
        second = found[place + 1] if place + 1 < len(found) else None
        if second is not None and _is_range(text, first, second):
            yield replace(
                second,
                text=text[first.start : second.end],
                start=first.start,
                low=min(first.low, second.low),
                high=max(first.low, second.low),
                kind="number" if first.kind != "year" else "year",
                unit=second.unit or first.unit,
            )
            place += 2
        else:
            yield first
            place += 1


def _is_range(text: str, first: Quantity, second: Quantity) -> bool:
    between = text[first.end : second.start].strip().lower()
    if first.is_range or first.kind in ("ordinal", "fraction"):
        return False
    if first.unit is not None and first.unit != second.unit:
        return False
    before = text[: first.start].rstrip().lower()
    if between in ("-", "–", "—", "−", "to"):
        # "fell by 12 % to 70 %" is none.
        return first.low < second.low and not before.endswith(" by")
    return between == "and" and before.endswith("between")
