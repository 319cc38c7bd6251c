"""Text as a reader would take it, whatever its letters are: folded, with offsets.

An order can hide behind characters that look alike, that are not seen at all, or
that stand apart. A language model reads it all the same, so it is looked for in a
folded text, of which each character knows its place in the original.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_SPELT = range(0xE0020, 0xE007F)
"""Tag characters: invisible, and each one spells an ASCII character."""
_STRIPPED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARABIC")
"""Scripts whose marks are accents; in Indic scripts they are vowels."""
_ALIKE = dict(
    zip(
        "абвгдеёзіїјкӏмнорсԁѕтухցһԛԝьαβγεηικνορτυχωℓıłøđðþ",
        "a6brgeeziijkimhopcdstyxghqwbabyenikvoptuxwlilodop",
        strict=True,
    )
)
"""Letters that look like a Latin one, or nearly."""
_LEET = str.maketrans("01345789@$!|", "oieastbgasil")
_ENTITY = re.compile(r"&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));")
_EMPHASIS = re.compile(r"(?<=\w)[*`~]{1,3}(?=\w)")
_APART = re.compile(
    r"(?<![^\W_])[^\W_](?=([ .\-_·*|]))(?:\1[^\W_](?![^\W_])){2,}(?![^\W_])"
)
"""Letters that stand one by one, three or more, all with the same thing between."""


@dataclass(frozen=True)
class FoldedText:
    """A folded text; character i stands for `original[starts[i]:ends[i]]`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original behind a span that is not empty."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> FoldedText:
    """Compatibility forms and case folded; accents, characters that are not seen and
    emphasis inside words dropped; letters that stand apart joined. Never raises."""
    if text.isascii() and "&#" not in text:
        plain = text.lower()
        starts: Sequence[int] = range(len(text))
        ends: Sequence[int] = range(1, len(text) + 1)
    else:
        plain, starts, ends = _fold_letters(text)
    dropped = _places_to_drop(plain)
    if not dropped:
        return FoldedText(plain, starts, ends)
    kept = [place for place in range(len(plain)) if place not in dropped]
    return FoldedText(
        "".join(plain[place] for place in kept),
        [starts[place] for place in kept],
        [ends[place] for place in kept],
    )


def _fold_letters(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Folded letters, and where each begins and ends in the original."""
    letters = [_fold_character(char) for char in text]
    if all(len(letter) == 1 for letter in letters) and "&#" not in text:
        return "".join(letters), range(len(text)), range(1, len(text) + 1)
    letters = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end, char in _characters(text):
        for folded in _fold_character(char):
            letters.append(folded)
            starts.append(start)
            ends.append(end)
    return "".join(letters), starts, ends


def _characters(text: str) -> Iterator[tuple[int, int, str]]:
    """Each character with its span; a numeric entity is one character."""
    position = 0
    for found in _ENTITY.finditer(text):
        for place in range(position, found.start()):
            yield place, place + 1, text[place]
        code = int(found[1], 16) if found[1] else int(found[2])
        if code < 0x110000:
            yield found.start(), found.end(), chr(code)
        position = found.end()
    for place in range(position, len(text)):
        yield place, place + 1, text[place]


@lru_cache(maxsize=4096)
def _fold_character(char: str) -> str:
    """What a character comes to: none, one or several."""
    if char.isascii():
        return char.lower()
    code = ord(char)
    if code in _SPELT:
        return chr(code - 0xE0000).lower()
    kind = unicodedata.category(char)
    if kind in ("Cf", "Cs") or 0xFE00 <= code <= 0xFE0F or char == "\u034f":
        return ""
    if kind == "Zs":
        return " "
    folded = unicodedata.normalize("NFKC", char).casefold()
    return "".join(_strip_accents(letter) for letter in folded)


def _strip_accents(letter: str) -> str:
    """A letter without its accents, in scripts where they are accents."""
    if unicodedata.category(letter) == "Mn":
        name = unicodedata.name(letter, "")
        return "" if name.startswith(("COMBINING", "ARABIC")) else letter
    apart = unicodedata.normalize("NFD", letter)
    if len(apart) > 1 and unicodedata.name(apart[0], "").startswith(_STRIPPED_SCRIPTS):
        return apart[0]
    return letter


def _places_to_drop(plain: str) -> set[int]:
    """Places of marks inside words and of what stands between lone letters."""
    dropped: set[int] = set()
    for found in _EMPHASIS.finditer(plain):
        dropped.update(range(*found.span()))
    for found in _APART.finditer(plain):
        if any(char.isalpha() for char in found[0]):
            dropped.update(range(found.start() + 1, found.end(), 2))
    return dropped


def look_alikes(word: str) -> tuple[str, ...]:
    """A folded word, and what it reads as with look-alikes or digits for letters."""
    forms = [word]
    if not word.isascii():
        forms.append("".join(_ALIKE.get(char, char) for char in word))
    if any(char.isalpha() for char in word) and not word.isalpha():
        forms.append(word.translate(_LEET))
        forms.append(word.replace("1", "l").translate(_LEET))
    return tuple(dict.fromkeys(forms))
