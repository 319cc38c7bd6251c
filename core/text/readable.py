"""Readable text of a Markdown sentence, with the way back to its characters.

Claims are read by models and people without bullets, emphasis, link targets and
citation markers; their spans must still point into the answer as it was written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from claimscope.core.text.citations.markers import Marker, removal_spans
from claimscope.core.text.code_names import INLINE_CODE
from claimscope.core.text.rules_between import RULE
from claimscope.core.text.sentences import Span

_OPENING = re.compile(
    r"\s*(?:>\s?)*\s*(?:#{1,6}\s+|(?:[-*+•‣◦▪·–]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+"
    r"(?:\[[ xX]\]\s+)?)?"
)
_HIDDEN = re.compile(
    r"(?P<image>!\[[^\[\]]*\]\([^()]*\))"
    r"|(?<=\])(?P<target>\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\))"
    r"|(?P<autolink><(?=https?://))|(?P<tag></?[a-zA-Z][^<>]*>)"
    r"|(?P<bold>\*\*\*|\*\*|__|~~|`+)"
    r"|(?P<star>(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*]))"
    r"|(?P<low>(?<!\w)_(?=[^\s_])|(?<=[^\s_])_(?!\w))"
    r"|(?P<escape>\\(?=[\\`*_{}\[\]#+.!|>~-]))",
    re.S,
)
_LINK_TEXT = re.compile(r"(?<!!)(\[)([^\[\]]*)(\])(?=\((?:[^()]|\([^()]*\))*\))")
_PICTURE = re.compile(
    "\\s*(?![\u2611\u2612\u2705\u2713-\u2718\u274c\u274e\u26d4\u2795\u2796\u2b06\u2b07"
    "\U0001f6ab\U0001f44d\U0001f44e\U0001f5f8])"
    "[\u25b6\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?\\s+(?=\\S)"
)
"""An emoji in the place of a list mark. A tick and a cross say yes and no."""
_NUMBERED = re.compile(
    r"[^\S\n]*\[{1,2}\^?\d{1,3}\]{1,2}\((?:[^()\s]|\([^()\s]*\))+\)"
    r"(?=\s*(?:$|[A-Z.,;:!?)\[\n]))"
)
"""A citation as a link with its address: [1](https://…). A figure may be one as well:
it is none where the answer has no first."""
_FIRST = re.compile(r"\[\^?1\]{1,2}\(")
BLOCK_TAGS = r"(?:br|p|li|ul|ol|div|td|th|tr|h[1-6])\b"
"""Names of tags that part the words before and behind them."""
_BLOCK_TAG = re.compile(rf"</?{BLOCK_TAGS}[^<>]*>", re.I)
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]:?")
_QUOTE_LINE = re.compile(r"\n[^\S\n]*>[^\S\n]?")
_START = attrgetter("start")
BLANK = 2
"""Mark of a character that is read as a blank: of a tag between two words."""
REACH = 64
"""Characters before a sentence that a marker at its beginning looks at."""


@dataclass(frozen=True)
class MappedText:
    """`text[i]` stands at `origins[i]` of the text it was taken from."""

    text: str
    origins: tuple[int, ...]

    def part(self, start: int, end: int) -> MappedText:
        """A slice, trimmed."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        return MappedText(self.text[start:end], self.origins[start:end])


def strip_markup(text: str, span: Span, markers: Sequence[Marker]) -> MappedText:
    """Readable text of a span; origins are offsets in `text`; `markers` in order."""
    start, end = span
    gone = bytearray(end - start)

    def leave_out(left: int, right: int) -> None:
        left, right = max(left, start), min(right, end)
        if left < right:
            gone[left - start : right - start] = b"\1" * (right - left)

    # Cut out, since a marker at the edge must not see what stands beyond the sentence.
    begin = max(0, start - REACH)
    source = text[begin:end]
    for left, right in removal_spans(
        source, _marker_places(markers, start, end, begin)
    ):
        leave_out(left + begin, right + begin)
    for span in _comments(text, start, end):
        leave_out(*span)
    for match in _LINK_TEXT.finditer(text, start, end):
        leave_out(*match.span(1))
        leave_out(*match.span(3))
    prose = bytearray(b"\1" * (end - start))
    for match in INLINE_CODE.finditer(text, start, end):
        left, right = match.span(2)
        prose[left - start : right - start] = bytes(right - left)
    numbered = (_NUMBERED,) if _has_numbered_links(text) else ()
    for pattern in (_HIDDEN, _FOOTNOTE, *numbered):
        for match in pattern.finditer(text, start, end):
            # Of `__init__` only the backticks go.
            if any(prose[match.start() - start : match.end() - start]):
                leave_out(*match.span())
    opening = _OPENING.match(text, start, end)
    if opening:
        leave_out(*opening.span())
    picture = _PICTURE.match(text, opening.end() if opening else start, end)
    if picture:
        leave_out(*picture.span())
    for match in _BLOCK_TAG.finditer(text, start, end):
        if prose[match.start() - start]:
            gone[match.start() - start] = BLANK
    for match in _QUOTE_LINE.finditer(text, start, end):
        leave_out(match.start() + 1, match.end())
    for match in RULE.finditer(text[start:end]) if "\n" in text[start:end] else ():
        leave_out(start + match.start(), start + match.end())
    return _keep_characters(text, start, gone)


@lru_cache(maxsize=8)
def _has_numbered_links(text: str) -> bool:
    """Whether an answer cites by links; kept, as each of its sentences asks."""
    return _FIRST.search(text) is not None


def _marker_places(
    markers: Sequence[Marker], start: int, end: int, begin: int
) -> Iterator[Span]:
    """Places, from `begin` on, of the markers that begin in a span. An answer has as
    many sentences as markers, so only those of this one are looked at."""
    first = bisect_left(markers, start, key=_START)
    for marker in islice(markers, first, None):
        if marker.start >= end:
            return
        yield marker.start - begin, min(marker.end, end) - begin


def _comments(text: str, start: int, end: int) -> Iterator[Span]:
    """Comments of HTML. No pattern: each unclosed one would be read to the end."""
    while (left := text.find("<!--", start, end)) >= 0:
        right = text.find("-->", left + 4, end)
        if right < 0:
            return
        start = right + 3
        yield left, start


def _keep_characters(source: str, start: int, gone: bytearray) -> MappedText:
    """The kept characters, white space folded."""
    chars: list[str] = []
    origins: list[int] = []
    for offset, is_gone in enumerate(gone):
        char = " " if is_gone == BLANK else source[start + offset]
        if is_gone and is_gone != BLANK:
            continue
        if char.isspace():
            if chars and chars[-1] != " ":
                chars.append(" ")
                origins.append(start + offset)
            continue
        chars.append(char)
        origins.append(start + offset)
    while chars and chars[-1] == " ":
        chars.pop()
        origins.pop()
    return MappedText("".join(chars), tuple(origins))
