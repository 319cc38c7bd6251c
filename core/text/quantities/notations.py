"""Figures in other notations: 5 × 10^-6, 1.2e-3, 27p, MDCCXC."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from claimscope.core.text.quantities.quantity import Quantity, with_counted_noun
from claimscope.core.text.quantities.units import Unit, unit_named


@dataclass(frozen=True)
class Notation:
    """A figure as it could be written plainly."""

    start: int
    end: int
    plain: str
    """Its digits: 0.000005."""
    unit: str = ""
    """A unit that is part of it."""


_POWER_OF_TEN = re.compile(
    r"(?<![\w.,])(?:(\d+(?:\.\d+)?)\s{0,2}[x×·*]\s{0,2})?10\s?\^\s?\(?\{?([-−–]?\d{1,2})\}?\)?(?!\w|\.\d)"
)
_EXPONENT = re.compile(
    r"(?<![\w.])(?:(\d+(?:\.\d+)?)[eE]([-+]\d{1,2})|(\d+\.\d+)[eE](\d{1,2}))(?!\w|\.\d)"
)
"""1e-3, 1.2E6; 12e4 alone may be a name."""
_PENCE = re.compile(r"(?<![\w.])(?!(?:144|240|360|480|576|720)p)(\d{1,3})p\b")
"""32p; 720p is the height of a picture."""
_HOURS = re.compile(r"(?<![\w.])(?<!\bat )(\d|1[0-2])h([0-5]\d)(?:m(?:in)?)?\b")
"""1h30, a length of time; 17h00 is a time of day."""
_ROMAN_YEAR = re.compile(
    r"\b(?=[MDCLXVI]{4})M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b"
)
_ROMAN = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def notations(text: str) -> Iterator[Notation]:
    """All of them, those of one kind in order; kinds do not overlap."""
    for pattern, read in _KINDS:
        for match in pattern.finditer(text):
            plain, unit = read(match)
            yield Notation(match.start(), match.end(), plain, unit)


def plainly(text: str) -> str:
    """The text with each of them as a plain figure."""
    found = sorted(notations(text), key=lambda one: one.start, reverse=True)
    for one in found:
        figure = f"{one.plain} {one.unit}" if one.unit else one.plain
        text = text[: one.start] + figure + text[one.end :]
    return text


def noted(text: str) -> Iterator[Quantity]:
    """The same as quantities, with the unit behind them."""
    for one in notations(text):
        unit: Unit | None = unit_named(one.unit) if one.unit else None
        places = len(one.plain.partition(".")[2])
        blank = Quantity("", 0, 0, 0, 0, unit, digits=places)
        yield with_counted_noun(text, one.start, one.end, float(one.plain), blank)


def _scaled(match: re.Match[str]) -> tuple[str, str]:
    *figures, power = (one for one in match.groups() if one is not None)
    figure = figures[0] if figures else "1"
    power = power.replace("−", "-").replace("–", "-")
    return format(Decimal(figure).scaleb(int(power)).normalize(), "f"), ""


def _pence(match: re.Match[str]) -> tuple[str, str]:
    return match[1], "pence"


def _hours(match: re.Match[str]) -> tuple[str, str]:
    return str(int(match[1]) * 60 + int(match[2])), "minutes"


def _roman_year(match: re.Match[str]) -> tuple[str, str]:
    values = [_ROMAN[letter] for letter in match.group()]
    following = [*values[1:], 0]
    pairs = zip(values, following, strict=True)
    return str(sum(-one if one < after else one for one, after in pairs)), ""


_KINDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, str]]], ...]
_KINDS = (
    (_POWER_OF_TEN, _scaled),
    (_EXPONENT, _scaled),
    (_PENCE, _pence),
    (_HOURS, _hours),
    (_ROMAN_YEAR, _roman_year),
)
