"""A text as the text-quality metrics read it: sentences, words, paragraphs, language.

Markdown, citation markers, white space and the Unicode form of a text say nothing of
its quality, so they are taken away before anything is counted; the way back to the
characters of the text as it was written is kept.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from claimscope.core.text.citations.markers import find_markers
from claimscope.core.text.readable import MappedText, strip_markup
from claimscope.core.text.sentences import split_sentences

_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\n[^\S\n]*\n")
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class ProseSentence:
    """A sentence as it reads, composed (NFC), and where it stands in the text."""

    text: str
    start: int
    end: int
    origins: tuple[int, ...]
    """`text[i]` was written at `origins[i]`."""
    words: tuple[str, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the text as written of the part `text[start:end]`."""
        if not self.origins or start >= end:
            return self.start, self.end
        last = self.origins[min(end, len(self.origins)) - 1] + 1
        return self.origins[min(start, len(self.origins) - 1)], last


@dataclass(frozen=True)
class ProseReading:
    """What is counted of a text."""

    sentences: tuple[ProseSentence, ...]
    """Those with a word in them, by the product's own splitter."""
    paragraphs: int
    """Parts between blank lines that hold a word."""

    @property
    def words(self) -> tuple[str, ...]:
        """Lower-case runs of word characters, in order."""
        return tuple(word for passage in self.sentences for word in passage.words)


@lru_cache(maxsize=1024)
def reading(text: str) -> ProseReading:
    """The text as it is counted; read once however many metrics ask."""
    # Half a character cannot be encoded by anything behind this.
    text = _HALF.sub("�", text)
    markers = find_markers(text)
    found = [
        _passage(strip_markup(text, span, markers), span)
        for span in split_sentences(text, "markdown")
    ]
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    parts = sum(1 for part in _GAP.split(lines) if _words(part))
    passages = tuple(passage for passage in found if passage.words)
    return ProseReading(passages, parts if passages else 0)


def words(text: str) -> tuple[str, ...]:
    """Lower-case runs of word characters of the text as it reads."""
    return reading(text).words


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(unicodedata.normalize("NFC", text).lower()))


def _passage(found: MappedText, span: tuple[int, int]) -> ProseSentence:
    composed = _composed(found)
    return ProseSentence(composed.text, *span, composed.origins, _words(composed.text))


def _composed(found: MappedText) -> MappedText:
    """The composed form; each character stands where its first part was written."""
    text = unicodedata.normalize("NFC", found.text)
    if text == found.text:
        return found
    chars: list[str] = []
    origins: list[int] = []
    start = 0
    for at in range(1, len(found.text) + 1):
        if at < len(found.text) and unicodedata.combining(found.text[at]):
            continue
        piece = unicodedata.normalize("NFC", found.text[start:at])
        chars.append(piece)
        origins += [found.origins[start]] * len(piece)
        start = at
    if "".join(chars) == text:
        return MappedText(text, tuple(origins))
    # Letters that join their neighbours (Hangul): the place of the sentence is enough.
    return MappedText(text, ())
