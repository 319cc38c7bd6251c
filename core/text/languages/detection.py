"""Which language texts are in, and which of our parts can read it.

Rules, weights and the default embedding model were made for English. What they say of
another language is no better than a guess that looks sure, so who asks them finds out
first. Most texts are English and say so by their small words: the model that tells
languages apart (`prose.language`) is only asked where they do not.
"""

from __future__ import annotations

import re

from claimscope.core.text.languages.prose import language
from claimscope.core.text.languages.prose_parts import spoken

ENGLISH = frozenset(
    """the of and is are was were to with for that this from which by it has have been
    its at not be their or as into than after before they when where under how what"""
    # "in", "on", "an", "die", "so" are words of other languages as well
    .split()
)
LEAST = 2
"""Such words, different ones, that make a text English."""
SHARE = 0.2
"""Part of all words that they must be: a German text may quote an English title."""
LEAST_TOLD = 5
"""Words without a capital that an unaccented text needs to be told by."""
KNOWS_ENGLISH_ONLY = re.compile(r"(?i)\b(?:all-minilm|all-mpnet|all-distilroberta)\b")
_WORD = re.compile(r"[^\W\d_]+")
ASKED = 600
"""Characters of prose that a language is told by."""
READ = 6000
"""Characters that prose is looked for in."""


def language_of(*texts: str) -> str:
    """Two-letter code of the language of texts taken together; `en` unless another is
    clearly likelier. Together, because a short claim alone does not show it."""
    text = spoken(" ".join(texts)[:READ])[:ASKED]
    words = [word.lower() for word in _WORD.findall(text)]
    found = [word for word in words if word in ENGLISH]
    if len(set(found)) >= LEAST and len(found) >= SHARE * len(words):
        return "en"
    # Names are spelt alike everywhere: a list of them is in no language.
    told = sum(not word[:1].isupper() for word in _WORD.findall(text))
    return language(text) if told >= LEAST_TOLD or not text.isascii() else "en"


def name_of(code: str) -> str:
    """A language's name in English (Unicode CLDR); where it is not known, its code."""
    from babel import Locale

    return str(Locale("en").languages.get(code, code))


def reads_english_only(model_id: str) -> bool:
    """Was an embedding model of this name trained on English alone? Of a folder of
    the user's own it is taken that they chose it for their texts."""
    return KNOWS_ENGLISH_ONLY.search(model_id) is not None
