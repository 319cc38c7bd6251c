"""Words, paragraphs and language of a text, as the text-quality metrics count them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LEAST_LETTERS = 20
"""Shorter texts are taken for English: too short to tell a language by."""
_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\n[^\S\n]*\n")


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Lower-case runs of word characters, of the composed form (NFC)."""
    return tuple(_WORD.findall(unicodedata.normalize("NFC", text).lower()))


def paragraphs(text: str) -> tuple[str, ...]:
    """Parts between blank lines that hold something."""
    parts = _GAP.split(text.replace("\r\n", "\n").replace("\r", "\n"))
    return tuple(part.strip() for part in parts if part.strip())


@lru_cache(maxsize=4096)
def language(text: str) -> str:
    """Two-letter code of the language, by a model inside the package py3langid."""
    composed = unicodedata.normalize("NFC", text).strip()
    if sum(character.isalpha() for character in composed) < LEAST_LETTERS:
        return "en"
    import py3langid

    found = py3langid.classify(composed.encode("utf-8", "replace").decode("utf-8"))
    return str(found[0])
