"""Words that a claim has of its sentence: what it added, what it lost.

Decomposition, by code or by a model, may name what a word stands for and must neither
add nor lose anything else; these count it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from claimscope.core.text.clauses.facts import facts
from claimscope.core.text.readable import Plain

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")  # an underscore may be a mark of emphasis
_FUNCTION_WORDS = frozenset(
    """a an the and but so or of to in on at by for with from as is are was were be been
    it its they their he his she her this that these those which who whom whose while
    whereas also then there""".split()
)

_COPULAS = frozenset("is are was were has a an".split())
"""Words that a statement may need of its own."""


def added_words(claim: str, source: str) -> list[str]:
    """Numbers and names of a claim that do not occur in the text it was taken from."""
    known = {word.casefold() for word in _WORD.findall(source)}
    return [
        word
        for place, word in enumerate(_WORD.findall(claim))
        if (word[0].isdigit() or (place and word[0].isupper()))
        and word.casefold() not in known
    ]


def same(claim: str) -> str:
    """A claim as it is told from others: case, stops and emphasis make no other claim,
    a mark (✅, ❌), a sign or a unit does."""
    words = (word.strip(".,;:!?…\"'“”‘’*_`") for word in claim.casefold().split())
    return " ".join(word for word in words if word)


def lost_words(claims: Collection[str], source: str) -> list[str]:
    """Content words of a sentence that none of its claims keeps."""
    kept = {word.casefold() for claim in claims for word in _WORD.findall(claim)}
    return [
        word
        for word in _WORD.findall(source)
        if word.casefold() not in kept and word.casefold() not in _FUNCTION_WORDS
    ]


def apart(text: str) -> tuple[Plain, ...]:
    """The facts of a text; itself where one of its words would be lost or new."""
    found = facts(text)
    known = {word.casefold() for word in _WORD.findall(text)}
    told = {word.casefold() for one in found for word in _WORD.findall(one.text)}
    is_kept = not (
        told - known - _COPULAS or lost_words([one.text for one in found], text)
    )
    return found if is_kept else (Plain(text, tuple(range(len(text)))),)
