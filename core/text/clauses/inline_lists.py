"""A list behind a colon: "The stops are: Quay, Mill Lane and Harbour."

Each of its items is read as an item of a list with bullets is: under what leads it in.
Without a comma ("two books: Salt and Light") it is not clear that there are several
items; a choice, a denial and a count that is not theirs leave the sentence whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimscope.core.text.clauses.assembly import splice
from claimscope.core.text.clauses.coordination import KEEPS_WHOLE, MOST
from claimscope.core.text.lead_ins import (
    counts_only,
    is_open_ended,
    lower_first,
    read_under,
)
from claimscope.core.text.linguistics import has_clause, is_plural, parse
from claimscope.core.text.readable import MappedText

_COLON = re.compile(r":\s+")
_COMMA = re.compile(r",\s+(?![^()\[\]]*[)\]])(?:and\s+)?")
_AND = re.compile(r"\s+and\s+")
_CHOICE = re.compile(r"(?i)\bor\b|[;?:“”\"]")
_GOES_ON = re.compile(
    r"(?i)(?:which|who|whose|where|when|while|if|as|including|such|with|but|so|because"
    r"|then|also|respectively)\b"
)
FEWEST = 3
WORDS = 12
"""Words of an item, at most."""


def split_inline_list(text: str) -> tuple[MappedText, ...]:
    """One statement for each item; empty where there is no such list."""
    stops = list(_COLON.finditer(text))
    if len(stops) != 1:
        return ()
    end = len(text) - text.endswith(".")
    lead, first = text[: stops[0].start()], stops[0].end()
    if KEEPS_WHOLE.search(lead) or _CHOICE.search(lead) or not _leads_in(lead):
        return ()
    places = _items(text, first, end)
    items = [text[start:stop] for start, stop in places]
    is_list = FEWEST <= len(items) <= MOST and counts_only(lead, len(items))
    if not is_list or not all(map(_is_item, items)) or _is_uneven(items):
        return ()
    whole = MappedText(text, tuple(range(len(text))))
    found: list[MappedText] = []
    for item, (start, stop) in zip(items, places, strict=True):
        read = read_under(lead, item)
        between = read[len(lead) : len(read) - len(item)]
        if read != lead + between + lower_first(item):
            return ()
        found.append(splice(whole.part(0, len(lead)), between, whole.part(start, stop)))
    return tuple(found)


def _leads_in(lead: str) -> bool:
    """Does it end with a verb that goes on, or with the kind of things that follow?"""
    doc = parse(lead)
    if doc is None or not has_clause(lead):
        return False
    nouns = [token for token in doc if token.pos_ in {"NOUN", "PROPN"}]
    return is_open_ended(lead) or (
        bool(nouns) and nouns[-1].i == len(doc) - 1 and is_plural(nouns[-1])
    )


def _is_uneven(items: Sequence[str]) -> bool:
    """Do only some have figures, so that one may be meant for others too?"""
    return len({any(map(str.isdigit, item)) for item in items}) > 1


def _items(text: str, first: int, end: int) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    start, has_and = first, False
    for match in _COMMA.finditer(text, first, end):
        places.append((start, match.start()))
        start, has_and = match.end(), match.group().rstrip().endswith("and")
    joined = [] if has_and else list(_AND.finditer(text, start, end))
    if len(joined) == 1:
        places.append((start, joined[0].start()))
        start = joined[0].end()
    places.append((start, end))
    return places


def _is_item(item: str) -> bool:
    return not (
        not item.strip()
        or len(item.split()) > WORDS
        or _CHOICE.search(item)
        or _GOES_ON.match(item)
        or has_clause(item)
    )
