"""Readable text of a Markdown sentence, with the way back to its characters.

Claims are read by models and people without bullets, emphasis, link targets and
citation markers; their spans must still point into the answer as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.text.citations import Marker, removals
from claimscope.core.text.sentences import Span

_OPENING = re.compile(
    r"\s*(?:>\s?)*\s*(?:#{1,6}\s+|(?:[-*+•‣◦▪·–]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+"
    r"(?:\[[ xX]\]\s+)?)?"
)
_HIDDEN = re.compile(
    r"(?P<image>!\[[^\[\]]*\]\([^()]*\))"
    r"|(?<=\])(?P<target>\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\))"
    r"|(?P<autolink><(?=https?://))|(?P<comment><!--.*?-->|</?[a-zA-Z][^<>]*>)"
    r"|(?P<bold>\*\*\*|\*\*|__|~~|`+)"
    r"|(?P<star>(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*]))"
    r"|(?P<low>(?<!\w)_(?=[^\s_])|(?<=[^\s_])_(?!\w))"
    r"|(?P<escape>\\(?=[\\`*_{}\[\]()#+.!|>~-]))",
    re.S,
)
_LINK_TEXT = re.compile(r"(?<!!)(\[)([^\[\]]*)(\])(?=\((?:[^()]|\([^()]*\))*\))")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]:?")


@dataclass(frozen=True)
class Plain:
    """`text[i]` stands at `origins[i]` of the text it was taken from."""

    text: str
    origins: tuple[int, ...]

    def part(self, start: int, end: int) -> Plain:
        """A slice, trimmed."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        return Plain(self.text[start:end], self.origins[start:end])


def plain(text: str, span: Span, markers: Sequence[Marker]) -> Plain:
    """The readable text of `text[start:end]`; origins are offsets in `text`."""
    start, end = span
    source = text[:end]
    inside = [marker for marker in markers if start <= marker.start < end]
    gone = bytearray(end - start)

    def leave_out(left: int, right: int) -> None:
        left, right = max(left, start), min(right, end)
        if left < right:
            gone[left - start : right - start] = b"\1" * (right - left)

    for left, right in removals(source, inside):
        leave_out(left, right)
    for match in _LINK_TEXT.finditer(source, start):
        leave_out(*match.span(1))
        leave_out(*match.span(3))
    for pattern in (_HIDDEN, _FOOTNOTE):
        for match in pattern.finditer(source, start):
            leave_out(*match.span())
    opening = _OPENING.match(source, start)
    if opening:
        leave_out(*opening.span())
    for match in re.finditer(r"\n[^\S\n]*>[^\S\n]?", source[start:]):
        leave_out(start + match.start() + 1, start + match.end())
    return _joined(source, start, gone)


def _joined(source: str, start: int, gone: bytearray) -> Plain:
    """The kept characters, white space folded."""
    chars: list[str] = []
    origins: list[int] = []
    for offset, is_gone in enumerate(gone):
        char = source[start + offset]
        if is_gone:
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
    return Plain("".join(chars), tuple(origins))
