"""What of a text is in a language: its prose, without code, addresses and numbers.

A sentence about a program quotes it, and a key or a command of 60 letters says more to
a model that tells languages by their letters than the five words around it. So
languages are told by the words alone.
"""

from __future__ import annotations

import re

LEAST = 20
"""Letters of prose that a text needs; else what stands in its code counts as well."""
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.S | re.M)
_INLINE = re.compile(r"`[^`\n]*`")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
_PLAIN = re.compile(
    r"""["'“‘(\[*_]{0,4}(?:[A-Z][A-Za-z]*|[a-z]+)(?:['’-](?:[A-Z][A-Za-z]*|[a-z]+))*"""
    r"""["'”’)\]*_.,;:!?…]{0,6}"""
)
"""A word with the signs around it: no digit, no `_`, `/` or `=`, no `camelCase`."""
_CODE = re.compile(r"[\d_(){}\[\]=<>;\\/$@#|+*]")
_LETTERS = re.compile(r"[^\W\d_]+")


def spoken(text: str) -> str:
    """The words of a text in their order. Where its code holds nearly all of it, those
    that stand in the code too: an answer may be set as code as a whole. Words of
    capitals are names and commands (`SELECT`), and count where there is little else."""
    prose = _words(_INLINE.sub(" ", _FENCED.sub(" ", text)))
    for words in ([w for w in prose if not _is_shouted(w)], prose):
        if sum(map(len, words)) >= LEAST:
            return " ".join(words)
    return " ".join(_words(text.replace("`", " ")))


def _is_shouted(word: str) -> bool:
    return word.isascii() and word.isupper() and sum(map(str.isalpha, word)) > 1


def _words(text: str) -> list[str]:
    found: list[str] = []
    for token in _TAG.sub(" ", text).split():
        if token.isascii():
            if _PLAIN.fullmatch(token):
                found.append(token)
        elif not _CODE.search(token):
            found.append(token)
        else:
            # Scripts without spaces: what is beside the code in one run of signs.
            found.extend(run for run in _LETTERS.findall(token) if not run.isascii())
    return found
