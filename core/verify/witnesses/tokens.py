"""A text as the words that carry what is said and its values, each one thing.

What near copies are laid side by side by (alignment.py): articles and forms of "be" are
left out, "12 kg", "3 May 1951" and "X-12" are one token each, and a token knows whether
it stands behind the verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from claimscope.core.text.quantities.dates import MONTHS, WEEKDAYS
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import Word

_EMPTY = frozenset(
    "a an the is are was were be been being am has have had do does did this that there"
    " it its they also of about exactly".split()
)
"""Words that come and go without a change of what is said; "of" so that "the price of
X" is as "X's price"."""
_VERBS = frozenset("is are was were be been has have had do does did can will".split())
_REFUSED = re.compile(
    r"\b(?:fail(?:s|ed)?|refus(?:e|es|ed)|declin(?:e|es|ed)|decided not"
    r"|(?:is|was|are|were) unable) to\b",
    re.I,
)
_AMBIGUOUS = re.compile(r"\D*\d{1,3}[.,]\d{3}\D*")
"""A thousand or decimals, by the country: the same only where it is written alike."""
_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?=[\w.-]*\d)(?:(?=[\w.-]*[A-Za-z])[\w-]+(?:\.\w+)*|\d+\.\d+\.\d[\w.]*)"
)
LOOSE = " about"
"""Ends the value of a figure that is a bound, a range or an estimate: it excludes no
other."""


@dataclass(frozen=True)
class Token:
    """A word, or a value that is one thing however many words it has."""

    key: tuple[str, str]
    """(kind, value); the kind of a word is "" and its value the stem."""
    text: str
    start: int = field(default=0, compare=False)
    quantity: Quantity | None = field(default=None, compare=False)
    is_predicate: bool = field(default=False, compare=False)
    """It stands behind a form of "be", "have" or "do"."""

    @property
    def is_value(self) -> bool:
        return bool(self.key[0])


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    """The words that carry what is said, and the values, in order."""
    text = _REFUSED.sub("not", text)
    side = AlignedText(text)
    spans = sorted(_values(side), key=lambda one: one[0])
    found: list[Token] = []
    end = 0
    is_predicate = False
    for word in side.words:
        if word.start < end:
            continue
        span = next((x for x in spans if x[0] <= word.start < x[1]), None)
        if span is not None:
            start, end, key = span
            quantity = None
            if key[0] != "identifier" and " " not in key[1]:
                own = (x for x in side.quantities if x.start == start)
                quantity = next(own, None)
            found.append(Token(key, text[start:end], start, quantity))
            continue
        is_first = not found or text[: word.start].rstrip()[-1:] in (".", ":", "")
        is_predicate |= word.text.lower() in _VERBS
        token = _word(word, is_first)
        if token is not None:
            found.append(replace(token, start=word.start, is_predicate=is_predicate))
    return tuple(found)


def _word(word: Word, is_first: bool) -> Token | None:
    low = word.text.lower().removesuffix("'s").removesuffix("’s")
    if word.text == "A" and not is_first:
        return Token(("identifier", "A"), "A")
    if word.is_negator and low != "without":
        return Token(("denial", low), word.text)
    if low in _EMPTY:
        return None
    if low.removesuffix("s") in WEEKDAYS:
        return Token(("weekday", low.removesuffix("s")), word.text)
    if low in MONTHS:
        return Token(("month", low), word.text)
    if len(word.text) == 1 and word.text.isupper() and word.text not in "AI":
        return Token(("identifier", word.text), word.text)
    return Token(("", word.stem), word.text)


def _values(side: AlignedText) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """(start, end, key) of each figure, date and time."""
    for day in side.days:
        value = f"{day.year}-{day.month}-{day.day}"
        parts = "".join(
            "ymd"[n] for n, x in enumerate((day.year, day.month, day.day)) if x
        )
        yield day.start, day.end, (f"date:{parts}", value)
    for clock in side.clocks:
        yield clock.start, clock.end, ("clock", str(clock.minutes))
    taken = [(x.start, x.end) for x in side.days]
    taken += [(x.start, x.end) for x in side.clocks]
    taken += [(x.start, x.end) for x in side.quantities if x.unit is not None]
    for match in _IDENTIFIER.finditer(side.text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            taken.append(match.span())
            yield *match.span(), ("identifier", match.group())
    for one in side.quantities:
        is_own = (one.start, one.end) in taken
        if is_own or not any(a < one.end and one.start < b for a, b in taken):
            yield one.start, one.end, _key(one)


def _key(one: Quantity) -> tuple[str, str]:
    kind = "number" if one.kind == "fraction" else one.kind
    low, high = one.base(one.low), one.base(one.high)
    bound = f" {one.bound}{one.is_strict}" if one.bound else ""
    if _AMBIGUOUS.fullmatch(one.text):
        return f"{kind}:{one.dimension}", f"{one.text}{LOOSE}"
    loose = bound or (LOOSE if one.is_about or one.is_range or one.is_multiple else "")
    return f"{kind}:{one.dimension}", f"{low:.6g}..{high:.6g}{loose}"
