"""What a number counts: the unit and the words that follow it."""

from __future__ import annotations

import re
from dataclasses import replace

from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.text.quantities.units import Unit, rate_at, unit_at

_ONE_WORD = re.compile(r"\s([a-z]+)(?=\s[a-z])")
_LINKS = frozenset("of in to and or per by on at for from with the a an".split())
_NOUN = re.compile(r"(?:\s|-)+([^\W\d_]+)(?:\s+([^\W\d_]+))?")


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
