"""A quantity of a text: value, unit, noun, bound; what equals it.

1,200 is 1200 is "twelve hundred", 5 miles are 8 km: compared by value, never by
spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from claimscope.core.text.quantities.units import Unit, rate_at, unit_at

Bound = Literal["least", "most"]
Kind = Literal["number", "year", "ordinal", "fraction"]
Lean = Literal["under", "over"]
Role = Literal["by", "to", "from", "since", "until", "before", "after"]
ROUNDING = 0.02
"""Relative difference a conversion may have between families of units."""
POUND = 453.59237
"""Grams."""
PLAIN_ROUNDING = 0.01
"""Part of a number by which it may be rounded to tens or more without saying so."""
_SPOKEN = re.compile(r"thousand|million|billion|trillion|\b(?:mn|bn|m|k)\b", re.I)
"""Numbers in words of size are round by nature: 2 million."""
_ONE_WORD = re.compile(r"\s([a-z]+)(?=\s[a-z])")
_LINKS = frozenset(
    "of in to and or per by on at for from with the a an last next this that each every"
    " same other".split()
)
_NOUN = re.compile(r"(?:\s|-)+([^\W\d_]+)(?:\s+([^\W\d_]+))?")


@dataclass(frozen=True)
class Quantity:
    """A number of a text; `text == source[start:end]`. A range has low < high."""

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
    is_strict: bool = False
    """The bound leaves its own end out: "more than", "under"."""
    is_turned: bool = False
    """The bound stands in a sentence that negates."""
    is_limit: bool = False
    """The bound is a rule or a capacity ("must be at least"), no estimate."""
    is_about: bool = False
    """Said with "about", "nearly", "or so" …"""
    lean: Lean | None = None
    """Said with "nearly" (the value is under it) or "just over"."""
    is_exact: bool = False
    """Said with "exactly"."""
    role: Role | None = None
    """Of a change: by 5, to 5, from 5; of a year: since, until, before, after."""
    is_era: bool = False
    """A decade or a century."""

    @property
    def is_range(self) -> bool:
        return self.low != self.high

    @property
    def is_multiple(self) -> bool:
        """ "Twice as", "three times the", "half as"."""
        return self.noun.startswith(("times as", "times the", "times more", "fold"))

    def same(self, other: Quantity) -> bool:
        """Equal by value and unit (METRICS F)."""
        return self.comparable(other) and all(
            are_close(a, b, self, other)
            for a, b in ((self.low, other.low), (self.high, other.high))
        )

    def within(self, other: Quantity) -> bool:
        """A single value that is an end of, or lies in, another's range."""
        if not other.is_range or self.is_range or not self.comparable(other):
            return False
        mine = self.base(self.low)
        return other.base(other.low) - 1e-9 <= mine <= other.base(other.high) + 1e-9

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


def are_close(left: float, right: float, mine: Quantity, other: Quantity) -> bool:
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


def with_counted_noun(
    text: str, start: int, end: int, value: float, quantity: Quantity
) -> Quantity:
    """A quantity of that span and value, with unit and noun that follow."""
    unit = quantity.unit
    if unit is None and not text[start:end].endswith("0s"):
        spot = unit_at(text, end + (text[end : end + 1] == "-"))
        spot = spot or rate_at(text, end) or _unit_after_word(text, end)
        if spot is not None:
            unit, end = spot
    return replace(
        quantity,
        text=text[start:end],
        start=start,
        end=end,
        low=value,
        high=value,
        unit=unit,
        noun=noun_at(text, end),
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


def noun_at(text: str, end: int) -> str:
    """The one or two words after a number, lower case."""
    noun = _NOUN.match(text, end)
    return " ".join(w.lower() for w in noun.groups() if w) if noun else ""
