"""Whether a text contains a phrase, small differences aside."""

from __future__ import annotations

import re
from functools import lru_cache

FUZZY = 90.0
THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
NUMBER = re.compile(r"\d+")


@lru_cache(maxsize=4096)
def contains_phrase(text: str, phrase: str) -> bool:
    """Does text contain phrase, case, blanks and small differences aside? Its numbers
    must stand there exactly: "412 adults" and "413 adults" are 0.9 alike."""
    from rapidfuzz import fuzz, utils

    text, phrase = (
        utils.default_process(THOUSANDS.sub("", part)) for part in (text, phrase)
    )
    if len(text) < len(phrase):
        return False
    if not set(NUMBER.findall(phrase)) <= set(NUMBER.findall(text)):
        return False
    return fuzz.partial_ratio(phrase, text) >= FUZZY
