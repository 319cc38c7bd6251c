"""Numbers in words: cardinals, ordinals, fractions, multiples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from claimscope.core.text.quantities.quantity import (
    Quantity,
    noun_at,
    with_counted_noun,
)
from claimscope.core.text.quantities.units import unit_at

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS: dict[str, int] = {word: n for n, word in enumerate(_ONES)}
_WORDS |= {word: 10 * n for n, word in enumerate(_TENS, start=2)}
TOO_LARGE = 1e100
"""No quantity of anything: "hundred" two hundred times over."""
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
SCALE_WORDS = "|".join(SCALES)
"""Part of a pattern."""
LARGE_SCALES = "|".join(word for word in SCALES if word != "hundred")
ORDINALS = {
    word: n
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
        " twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth"
        " nineteenth twentieth".split(),
        start=1,
    )
}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_PARTS |= {"sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

ALL_WORDS = "|".join(sorted(_WORDS, key=len, reverse=True))
_PART_OF_ONE = r"(?:three[\s-]quarters?|two[\s-]thirds?|one[\s-](?:half|quarter|third))"
_WORD_NUMBER = re.compile(
    rf"\b(?:(?:{ALL_WORDS}|{SCALE_WORDS}|dozen)\b"
    rf"(?:[\s-]+(?:and[\s-]+)?(?!{_PART_OF_ONE}\b)"
    rf"(?=(?:{ALL_WORDS}|{SCALE_WORDS}|dozen)\b))?)+(?!-(?:{'|'.join(list(ORDINALS)[:9])})\b)",
    re.I,
)
"""Not the twenty of "twenty-first"."""
_PART = re.compile(r"\b(?!and\b)[a-z]+(?:[\s-]+(?!and\b)[a-z]+)*", re.I)
_FIGURE = r"\d{1,30}"
"""A longer one is no part of anything, and may be too large for a float."""
_FRACTION = re.compile(
    rf"\b(?:(?P<top>an?|one|two|three|four|five|six|seven|eight|nine|{_FIGURE})[\s-])?"
    rf"(?P<part>half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)"
    rf"\b(?=\s+(?:of|the|as|an?)\b)"
    r"|(?<=\bby )(?:an?|one)\s"
    r"(?P<by>half|third|quarter|fourth|fifth|sixth|eighth|tenth)"
    r"\b(?=[.,;:)]|$|\s(?:in|at|on|for|from|to|and|or|but|if|when|after|during|over)\b)"
    rf"|\b(?P<in>(?:{ALL_WORDS}|{_FIGURE}))\s+(?:in|out\s+of)\s+"
    rf"(?:every\s+)?(?P<of>{ALL_WORDS}|{_FIGURE})\b"
    rf"|\b(?P<tops>two|three|four|five|six|seven|eight|nine|{_FIGURE})[\s-]"
    r"(?P<parts>thirds|fifths|sixths|eighths|tenths)\b"
    rf"|(?<![\w/.])(?<!\d\s)(?P<n>{_FIGURE})/(?P<d>{_FIGURE})(?![\w/])",
    re.I,
)
_TENS_WORDS = "|".join(_TENS)
_ORDINAL = re.compile(
    rf"\b(?:(?P<tens>{_TENS_WORDS})-)?(?P<word>{'|'.join(ORDINALS)})"
    r"\b(?P<century>[\s-]centur(?:y|ies)\b)?",
    re.I,
)
_TIMES = re.compile(rf"\b(?:twice|thrice|(?P<fold>{ALL_WORDS})-?fold)\b", re.I)
_COMPARED = re.compile(r"\s+as\b", re.I)
_OF_UNIT = re.compile(r"\s+(?:of\s+)?an?\s+(?=[a-z])", re.I)
_DIVIDED = frozenset(
    "time length mass volume area pounds pound dollar euro percent points".split()
)
"""Dimensions of which "half a" and "a quarter of a" are said."""
_ARTICLED = re.compile(r"\ban?\s(?=(?:fortnight|decade|century)\b)", re.I)
_AND_PART = re.compile(
    r"\s+and\s+(?:(?:a|one)[\s-])?"
    r"(half|quarter|third|three[\s-]quarters?|two[\s-]thirds?)\b(?!\s+of\b)",
    re.I,
)
_SCALED = re.compile(rf"[\s-](dozen|{SCALE_WORDS})\b", re.I)
_SCALE_OF = re.compile(rf"(?:\s+(?:of\s+)?an?\s+|[\s-])(dozen|{LARGE_SCALES})\b", re.I)
_ONE_AND_HALF = re.compile(
    rf"\b(?P<top>an?|{ALL_WORDS}|{_FIGURE})\s(?P<unit>minute|hour|day|week|month|year)s?"
    r"(?=\s+and\s+(?:a\s+)?(?:half|quarter|three quarters)\b)",
    re.I,
)
_PARTS_OF_ONE = {
    "half": 1 / 2,
    "quarter": 1 / 4,
    "third": 1 / 3,
    "three quarter": 3 / 4,
    "two third": 2 / 3,
}


def number_word(word: str) -> str | None:
    """The digits of a single number word above one: "twelve" → "12"."""
    value = _WORDS.get(word)
    return str(value) if value is not None and value > 1 else None


def and_part(text: str, end: int) -> tuple[float, int] | None:
    """(value, end) of "and a half" after a number."""
    part = _AND_PART.match(text, end)
    if part is None:
        return None
    name = part[1].lower().replace("-", " ")
    return _PARTS_OF_ONE[name.removesuffix("s")], part.end()


def mixed(text: str, end: int, value: float, scale: float) -> tuple[float, int] | None:
    """(value, end) of a number with a part behind it: "two and a half", "one and a
    quarter million", and with `scale`, the number's own last one: "a million and a
    half"."""
    part = and_part(text, end)
    if part is None:
        return None
    value, end = value + part[0] * scale, part[1]
    scaled = _SCALED.match(text, end) if scale == 1.0 else None
    if scaled is None:
        return value, end
    return value * _scale_of(scaled[1]), scaled.end()


def _scale_of(word: str) -> float:
    return 12.0 if word.lower() == "dozen" else SCALES[word.lower()]


def cardinals(text: str) -> Iterator[Quantity]:
    """Numbers in words with what they count."""
    blank = Quantity("", 0, 0, 0, 0, is_word=True)
    for start, end, value in in_words(text):
        yield with_counted_noun(text, start, end, value, blank)


def in_words(text: str) -> Iterator[tuple[int, int, float]]:
    """(start, end, value) of numbers in words, in order: "twelve", "two and a half
    thousand"; "four and seven" are two."""
    for match in _WORD_NUMBER.finditer(text):
        words = [w for w in re.split(r"[\s-]+", match.group().lower()) if w]
        value = _value_of([word for word in words if word != "and"])
        if value is None:
            for part in _PART.finditer(match.group()):
                one = _value_of(re.split(r"[\s-]+", part.group().lower()))
                start = match.start() + part.start()
                if one is not None:
                    yield start, start + len(part.group()), one
            continue
        end = match.start() + len(match.group().rstrip(" -"))
        last = words[-1] if words[-1] == "dozen" or words[-1] in SCALES else ""
        whole = mixed(text, end, value, _scale_of(last) if last else 1.0)
        value, end = whole or (value, end)
        yield match.start(), end, value


def of_scales(text: str) -> Iterator[tuple[int, int, float]]:
    """(start, end, value) of "half a million", "three quarters of a billion"."""
    for match in _FRACTION.finditer(text):
        many = _of_scale(text, match)
        if many is not None:
            yield match.start(), *many


def _of_scale(text: str, match: re.Match[str]) -> tuple[int, float] | None:
    """(end, value) of a part of a million or the like; None for other parts."""
    many = _SCALE_OF.match(text, match.end())
    value = _fraction_value(match) if many is not None else None
    if many is None or value is None:
        return None
    return many.end(), value * _scale_of(many[1])


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
            part, last = (part or 1.0) * 12, 0
        elif word == "hundred":
            part, last = (part or 1.0) * 100, 0
        else:
            total, part, last = total + (part or 1.0) * SCALES[word], 0, 0
    found = total + part
    return found if found < TOO_LARGE else None


def _units_and_half(text: str) -> Iterator[Quantity]:
    """ "An hour and a half", "two days and a quarter"."""
    for match in _ONE_AND_HALF.finditer(text):
        half = and_part(text, match.end())
        spot = unit_at(text, match.start("unit") - 1)
        if half is None or spot is None or spot[0].dimension != "time":
            continue
        value = (
            1.0 if match["top"].lower() in ("a", "an") else _parse_number(match["top"])
        )
        value += half[0]
        start, end = match.start(), half[1]
        yield Quantity(
            text[start:end], start, end, value, value, spot[0], digits=2, is_word=True
        )


def fractions(text: str) -> Iterator[Quantity]:
    """Parts of a whole, and of a unit of time."""
    yield from _units_and_half(text)
    for match in _FRACTION.finditer(text):
        many = _of_scale(text, match)
        if many is not None:
            blank = Quantity("", 0, 0, 0, 0, is_word=True)
            yield with_counted_noun(text, match.start(), *many, blank)
            continue
        value = _fraction_value(match)
        if value is not None:
            start, end = match.span()
            of = _OF_UNIT.match(text, end)
            spot = unit_at(text, of.end()) if of else None
            if spot is not None and spot[0].dimension in _DIVIDED:
                blank = Quantity("", 0, 0, 0, 0, spot[0], digits=2)
                yield with_counted_noun(text, start, spot[1], value, blank)
                continue
            noun = "times as" if _COMPARED.match(text, end) else ""
            yield Quantity(
                match.group(), start, end, value, value, None, "fraction", noun
            )


def articled(text: str) -> Iterator[Quantity]:
    """ "A fortnight", "a decade": one of a unit that is seldom part of a rate."""
    for match in _ARTICLED.finditer(text):
        blank = Quantity("", 0, 0, 0, 0, is_word=True)
        yield with_counted_noun(text, match.start(), match.end() - 1, 1.0, blank)


def _fraction_value(match: re.Match[str]) -> float | None:
    if match["part"]:
        part = match["part"].lower()
        below = _PARTS.get(part) or _PARTS[part.removesuffix("s")]
        top = (match["top"] or "a").lower()
        if match["top"] is None and below != 2:
            return None
        above = 1 if top in ("a", "an") else _parse_number(top)
    elif match["parts"]:
        above, below = (
            _parse_number(match["tops"]),
            _PARTS[match["parts"].lower().removesuffix("s")],
        )
    elif match["by"]:
        above, below = 1, _PARTS[match["by"].lower()]
    elif match["in"]:
        above, below = _parse_number(match["in"]), int(_parse_number(match["of"]))
    else:
        above, below = float(match["n"]), int(match["d"])
    return above / below if below and above <= below else None


def _parse_number(word: str) -> float:
    return float(word) if word.isdigit() else float(_WORDS[word.lower()])


def ordinals(text: str) -> Iterator[Quantity]:
    """ "Third", "nineteenth century"."""
    for match in _ORDINAL.finditer(text):
        value = float(ORDINALS[match["word"].lower()])
        value += _WORDS[match["tens"].lower()] if match["tens"] else 0
        if match["century"]:
            yield century(match.group(), *match.span(), value, is_word=True)
            continue
        yield Quantity(
            match.group(),
            *match.span(),
            value,
            value,
            None,
            "ordinal",
            noun=noun_at(text, match.end()),
            is_word=True,
        )


def century(
    text: str, start: int, end: int, number: float, *, is_word: bool = False
) -> Quantity:
    """The years of a century: the 19th are 1801 to 1900."""
    low, high = 100 * (number - 1) + 1, 100 * number
    return Quantity(
        text, start, end, low, high, None, "year", is_word=is_word, is_era=True
    )


def multiples(text: str) -> Iterator[Quantity]:
    """ "Twice as long", "twice a week"."""
    for match in _TIMES.finditer(text):
        blank = Quantity("", 0, 0, 0, 0, is_word=True)
        if match["fold"]:
            value = float(_WORDS[match["fold"].lower()])
            one = Quantity(match.group(), *match.span(), value, value, is_word=True)
            yield replace(one, noun="times as")
            continue
        value = 2.0 if match.group().lower() == "twice" else 3.0
        found = with_counted_noun(text, match.start(), match.end(), value, blank)
        yield replace(found, noun=f"times {found.noun}".strip())
