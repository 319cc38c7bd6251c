"""Quotations that a model gives, held to the document: a quote counts where it stands.

Models quote from memory: a word is changed, a number is bent, a sentence is made up.
So a quote is looked for in the text, white space, quotation marks and case aside, and
what is kept is the text's own wording.

Asked by itself which sentence says otherwise, a small model names none or a wrong one
(of 35 claims of the shipped suites, none in which a rule then saw a conflict), so it is
not asked; a quotation counts where a model gives it with its verdict (model_batch.py),
or has proved that it reads (witnesses/proven_reader.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LEAST_LETTERS = 12
"""A shorter quote stands in almost any text."""
LEAST_WORDS = 3
LIKENESS = 95.0
"""Least per cent of a quote that is in the text, for slips of a letter or two."""

_ALIKE = str.maketrans("‘’‚‛`´“”„‟«»‐‑‒–—−", "''''''\"\"\"\"\"\"------")
_DETAIL = re.compile(
    r"\d+(?:[.,:]\d+)*|\b(?:no|not|never|none|neither|nor|without|cannot)\b|n't\b"
)
"""Numbers and negations: no slip of a letter is allowed in them."""
_ENDS = " \"'.…"


@dataclass(frozen=True)
class Quote:
    """A stretch of a document in its own words."""

    text: str
    start: int
    end: int
    """Code points of the document, half open."""


def find_quote(document: str, said: str) -> Quote | None:
    """Where a quote stands in a document; None when it does not, or is too short."""
    wanted = "".join(letter for letter, _ in _plain(said)).strip(_ENDS)
    if len(wanted) < LEAST_LETTERS or len(wanted.split()) < LEAST_WORDS:
        return None
    plain = _plain(document)
    text = "".join(letter for letter, _ in plain)
    begin = text.find(wanted)
    end = begin + len(wanted)
    if begin < 0:
        near = _nearest_stretch(text, wanted)
        if near is None:
            return None
        begin, end = near
    begin, end = _whole_words(text, begin, end)
    if begin >= end:
        return None
    end += text[end : end + 1] in (".", "!", "?")
    start, stop = plain[begin][1], plain[end - 1][1] + 1
    return Quote(document[start:stop], start, stop)


def _nearest_stretch(text: str, wanted: str) -> tuple[int, int] | None:
    """The stretch most like the quote, if no number or negation of it differs."""
    from rapidfuzz import fuzz

    if len(wanted) > len(text):
        return None
    found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=LIKENESS)
    if found is None:
        return None
    begin, end = _whole_words(text, found.dest_start, found.dest_end)
    if sorted(_DETAIL.findall(text[begin:end])) != sorted(_DETAIL.findall(wanted)):
        return None
    return begin, end


def _whole_words(text: str, begin: int, end: int) -> tuple[int, int]:
    """The stretch without white space at its ends and without halves of words."""
    while begin > 0 and text[begin - 1].isalnum() and text[begin].isalnum():
        begin -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    while begin < end and text[begin] == " ":
        begin += 1
    while begin < end and text[end - 1] == " ":
        end -= 1
    return begin, end


def _plain(text: str) -> list[tuple[str, int]]:
    """Letters with their places, in one case, one quotation mark, single blanks."""
    found: list[tuple[str, int]] = []
    for place, letter in enumerate(text):
        if letter.isspace():
            if found and found[-1][0] != " ":
                found.append((" ", place))
            continue
        found += [(part, place) for part in letter.translate(_ALIKE).casefold()]
    return found
