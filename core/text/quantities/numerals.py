"""Numbers in figures: 1,200, $29.00, 4.2 million, 12½, 1990s, -3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from claimscope.core.text.quantities.counted_nouns import with_counted_noun
from claimscope.core.text.quantities.number_words import SCALES, and_half, century
from claimscope.core.text.quantities.quantity import Kind, Quantity
from claimscope.core.text.quantities.units import Unit, unit_at

MOST_DIGITS = 100
"""A longer one is no quantity of anything, and too large for a float at 309."""
REACH = 40
"""Characters before a number in which what makes it a year is looked for."""
_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_NUMERAL = re.compile(
    r"(?<![\w.,/:])(?<![^\W\d_][-–—])(?P<cur>(?:US)?[$€£¥]\s?)?"
    r"(?P<sign>(?<![\w%)][-−+])(?<![\w%)])[-−+](?=\d))?"
    r"(?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\d,])"
    r"|(?P<comma>(?:\d{1,3}(?:\.\d{3})+|\d+),\d{1,2})(?!\d)|\d+\.\d+|\d+)"
    r"(?P<vulgar>[½¼¾⅓⅔])?"
    r"(?:\s?(?P<scale>hundred|thousand|million|billion|trillion)\b"
    r"|(?P<short>bn|mn|tn|[kK])\b|(?P<ord>st|nd|rd|th)\b|(?P<era>(?<=\d{4})s)\b)?"
    r"(?!\d)(?![.,]\d)(?!:\d)",
    re.I,
)
_BELOW_ZERO = re.compile(r"(?i)\s+below (?:zero|freezing)\b")
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_CENTURY = re.compile(r"[\s-]centur(?:y|ies)\b", re.I)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|of|to|and|between|before|after|during"
    r"|early|late|mid|circa|year|years|spring|summer|autumn|fall|winter|around)\s+"
    r"|[(,–-]\s?)$",
    re.I,
)


def numerals(text: str) -> Iterator[Quantity]:
    for match in _NUMERAL.finditer(text):
        digits = _plain(match)
        if len(digits) > MOST_DIGITS:
            continue
        value = float(digits) + _VULGAR.get(match["vulgar"] or "", 0.0)
        if match["sign"] in ("-", "−"):
            value = -value
        places = len(digits.partition(".")[2])
        scale = (match["scale"] or match["short"] or "").lower()
        if scale:
            factor = SCALES.get(scale) or _SHORT[scale]
            value, places = value * factor, places - len(str(int(factor))) + 1
        elif "." not in digits and digits.endswith("0"):
            places = -(len(digits) - len(digits.rstrip("0")))
        unit = _currency(match["cur"])
        kind: Kind = "ordinal" if match["ord"] else "number"
        blank = Quantity("", 0, 0, 0, 0, unit, kind, digits=places)
        quantity = with_counted_noun(text, match.start(), match.end(), value, blank)
        half = and_half(text, match.end())
        if half and not scale:
            value += half[0]
            quantity = with_counted_noun(text, match.start(), half[1], value, blank)
        if match["sign"] is None and _BELOW_ZERO.match(text, quantity.end):
            quantity = replace(quantity, low=-quantity.low, high=-quantity.high)
        if match["era"]:
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


def _plain(match: re.Match[str]) -> str:
    """The digits with a decimal point at most: 1.200,5 and 12,5 have commas for it."""
    if match["comma"]:
        return match["num"].replace(".", "").replace(",", ".")
    return re.sub(r"[,\s\u00a0\u202f]", "", match["num"])


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
    start = match.start()
    before = _YEAR_BEFORE.search(text, max(0, start - REACH), start)
    return before is not None or not quantity.noun
