"""Statements put together from the words of a sentence, with the way back to them.

A fact taken out of a sentence repeats some of its words and may need a form of "to be"
of its own. Each character knows where in the sentence it stands, or beside what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from claimscope.core.text.code_names import begins_with_code
from claimscope.core.text.readable import MappedText

_NO_BLANK_BEFORE = frozenset(".,;:!?)]}%’”")
_STRAY = re.compile(r"[\s,;]+(?=[.!?]?$)")
_SOUNDED = re.compile(r"(?i)(?:[aeio]|u(?!ni|s[aeiu]|til|r[aeiou])|hou?rs?\b|hono)")
_ONE = re.compile(r"(?i)one\b|once\b|eur|ewe")


def assemble(pieces: Iterable[Any], *, begins: bool = False) -> MappedText:
    """Tokens, and words put between them, as a statement; `begins` gives it a capital
    where its first word is an ordinary one. Origins are offsets in the sentence."""
    chars: list[str] = []
    origins: list[int] = []
    before: Any = None
    at = 0
    taken = list(pieces)
    for place, piece in enumerate(taken):
        word = piece if isinstance(piece, str) else piece.text
        if word.casefold() in {"a", "an"} and place + 1 < len(taken):
            word = _article(word, piece, taken[place + 1])
        at = at if isinstance(piece, str) else piece.idx
        if chars and _is_apart(before, piece, word):
            chars.append(" ")
            origins.append(origins[-1])
        kept = word == getattr(piece, "text", None)
        chars += word
        origins += [at + offset if kept else at for offset in range(len(word))]
        at = at if isinstance(piece, str) else at + len(word) - 1
        before = piece
    return _tidy("".join(chars), origins, begins=begins)


def _is_apart(before: Any, piece: Any, word: str) -> bool:
    if isinstance(before, str) or isinstance(piece, str):
        return word[0] not in _NO_BLANK_BEFORE and not word.startswith("'")
    if piece.i == before.i + 1:
        return bool(before.whitespace_)
    return word[0] not in _NO_BLANK_BEFORE and before.text not in "([“‘"


def _article(word: str, piece: Any, following: Any) -> str:
    """ "a" or "an", where another word follows than in the sentence."""
    is_next = not isinstance(following, str) and not isinstance(piece, str)
    if is_next and following.i == piece.i + 1:
        return word
    text = following if isinstance(following, str) else following.text
    is_sounded = _SOUNDED.match(text) is not None and _ONE.match(text) is None
    return word[:1] + ("n" if is_sounded else "")


def _tidy(text: str, origins: Sequence[int], *, begins: bool) -> MappedText:
    """Without stray commas at the end and blanks at the edges."""
    stray = _STRAY.search(text)
    if stray is not None:
        origins = [*origins[: stray.start()], *origins[stray.end() :]]
        text = text[: stray.start()] + text[stray.end() :]
    whole = MappedText(text, tuple(origins)).part(0, len(text))
    capital = whole.text[:1].upper()
    if begins and len(capital) == 1 and not begins_with_code(whole.text):
        return MappedText(capital + whole.text[1:], whole.origins)
    return whole


def splice(left: MappedText, between: str, right: MappedText) -> MappedText:
    """Two pieces as one; what is put between them stands where the second begins."""
    return MappedText(
        left.text + between + right.text,
        (*left.origins, *(right.origins[:1] * len(between)), *right.origins),
    )


def map_origins(inner: MappedText, outer: MappedText) -> MappedText:
    """`inner`, whose origins are offsets in `outer.text`, by the origins of that."""
    return MappedText(inner.text, tuple(outer.origins[at] for at in inner.origins))
