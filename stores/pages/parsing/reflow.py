"""Lines of printed leaves to paragraphs.

Without this a heading runs into the sentence below it, a word is cut in two, and the
name of the journal stands in the middle of a claim's evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

# Begins where letters begin, and gives none back: in a long run of letters each would
# otherwise be tried as the first, and each to the end of the run.
_CUT = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,}+)[-\u00ad]\n([a-zà-ÿ]{2,})")
_WHOLE = re.compile(r"(?<!\w)([^\W\d_]{2,}+)(?=-([^\W\d_]{2,}+)(?!\w))")
_DIGITS = re.compile(r"\d+")
_ENDS = re.compile(r"[.!?:;…。！？][\"”’)\]]*(?:\s*\[\d+\])?$")
_OPENS = re.compile(r"[\"“‘(\[]?[A-Z0-9À-Þ•‣▪–-]")
_BAD = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0e-\x1f]")
_EDGE = 2
"""Lines at the head and foot of a leaf that may be running titles."""


def reflow(leaves: Sequence[str]) -> str:
    """One text: running titles dropped, cut words joined, a blank line where a
    paragraph ends. "" when there is no text."""
    lines = [
        [" ".join(line.split()) for line in _BAD.sub("", leaf).splitlines()]
        for leaf in leaves
    ]
    lines = [[line for line in leaf if line] for leaf in lines]
    repeated = _running(lines)
    kept = [
        line
        for leaf in lines
        for place, line in enumerate(leaf)
        if not (_at_edge(place, len(leaf)) and _mask(line) in repeated)
    ]
    return _joined(_paragraphs(kept)).strip()


def _joined(text: str) -> str:
    """Cut words made whole; the hyphen stays where the text elsewhere writes the word
    with it (`well-known`)."""

    known = {f"{m[1]}-{m[2]}".casefold() for m in _WHOLE.finditer(text)}

    def whole(match: re.Match[str]) -> str:
        first, rest = match.groups()
        keeps = f"{first}-{rest}".casefold() in known
        return f"{first}-{rest}" if keeps else first + rest

    return _CUT.sub(whole, text)


def _running(leaves: Sequence[Sequence[str]]) -> set[str]:
    """Lines, digits aside, that stand at the edge of most leaves of three or more."""
    full = [leaf for leaf in leaves if len(leaf) > 2 * _EDGE]
    if len(full) < 3:
        return set()
    seen = Counter(
        mask
        for leaf in full
        for mask in {
            _mask(line) for place, line in enumerate(leaf) if _at_edge(place, len(leaf))
        }
    )
    return {mask for mask, count in seen.items() if count > len(full) / 2}


def _at_edge(place: int, count: int) -> bool:
    return place < _EDGE or place >= count - _EDGE


def _mask(line: str) -> str:
    return _DIGITS.sub("#", line)


def _paragraphs(lines: Sequence[str]) -> str:
    """A paragraph ends at a short line with a full stop; a heading is a short line
    without one before a capital."""
    if not lines:
        return ""
    lengths = sorted(len(line) for line in lines)
    usual = lengths[int(len(lengths) * 0.75)]
    pieces = [lines[0]]
    for before, line in zip(lines, lines[1:], strict=False):
        short = len(before) < 0.75 * usual
        ended = _ENDS.search(before) is not None
        breaks = (
            short and _OPENS.match(line) is not None and (ended or len(before) < 80)
        )
        pieces.append(("\n\n" if breaks else "\n") + line)
    return "".join(pieces)
