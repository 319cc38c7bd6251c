"""Which words of an evidence sentence a reader should see first.

Words that the claim has too are shown strong, what a rule found in conflict is shown
as such. This helps the eye only: no verdict depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from claimscope.core.models import RuleFinding
from claimscope.tui.widgets.flow import Paragraph, Piece, plain, said

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_ENDINGS = ("ing", "ed", "es", "s")
_SHORT = 3


def stem(word: str) -> str:
    """A crude stem: enough to see "enrolled" and "enrols" as one."""
    word = word.casefold()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > _SHORT:
            return word.removesuffix(ending).rstrip("e")
    return word.rstrip("e")


def _counts(word: str) -> bool:
    return len(word) > _SHORT or any(char.isdigit() for char in word)


def emphasised(
    text: str, claim: str, rules: Iterable[RuleFinding], base: str = ""
) -> list[Piece]:
    """`text` in pieces with the roles `matched` and `conflict`."""
    wanted = {stem(word) for word in _WORD.findall(claim) if _counts(word)}
    marks = [
        (match.start(), match.end(), "matched")
        for match in _WORD.finditer(text)
        if _counts(match.group()) and stem(match.group()) in wanted
    ]
    for rule in rules:
        if rule.outcome == "conflict" and rule.evidence_text:
            marks += _found(text, rule.evidence_text)
    return _painted(text, marks, base)


def conflicting(text: str, rules: Iterable[RuleFinding]) -> list[Piece]:
    """A claim's text with what a rule found in conflict."""
    marks: list[tuple[int, int, str]] = []
    for rule in rules:
        if rule.outcome != "match":
            marks += _found(text, rule.claim_text)
    return _painted(text, marks, "")


def _found(text: str, part: str) -> list[tuple[int, int, str]]:
    """Whole-word places of a part that is not the whole text."""
    if not part.strip() or len(part) > 0.6 * len(text):
        return []
    edged = re.compile(rf"(?<!\w){re.escape(part.strip())}(?!\w)", re.IGNORECASE)
    return [(m.start(), m.end(), "conflict") for m in edged.finditer(text)]


def _painted(text: str, marks: list[tuple[int, int, str]], base: str) -> list[Piece]:
    """The text in pieces; a conflict lies on top of a match."""
    cuts = sorted({0, len(text), *(m[0] for m in marks), *(m[1] for m in marks)})
    pieces: list[Piece] = []
    for low, high in zip(cuts, cuts[1:], strict=False):
        roles = {role for start, end, role in marks if start <= low and high <= end}
        role = "conflict" if "conflict" in roles else "".join(roles)
        piece = said(text[low:high], f"{base} {role}".strip())
        if pieces and pieces[-1].roles == piece.roles:
            piece = Piece(pieces.pop().text + piece.text, piece.roles)
        pieces.append(piece)
    return pieces


def found_in(paragraphs: Iterable[Paragraph], needle: str) -> Sequence[Paragraph]:
    """The paragraphs with each place of a text marked, whatever the case of its
    letters and wherever pieces end."""
    wanted = re.compile(re.escape(plain(needle)), re.IGNORECASE)
    return [
        replace(paragraph, pieces=tuple(_found_pieces(paragraph.pieces, wanted)))
        for paragraph in paragraphs
    ]


def _found_pieces(pieces: Sequence[Piece], wanted: re.Pattern[str]) -> Iterator[Piece]:
    whole = "".join(piece.text for piece in pieces)
    places = [match.span() for match in wanted.finditer(whole)]
    offset = 0
    for piece in pieces:
        end = offset + len(piece.text)
        here = [
            (max(a, offset), min(b, end)) for a, b in places if a < end and b > offset
        ]
        last = offset
        for low, high in here:
            yield replace(piece, text=whole[last:low])
            roles = f"{piece.roles} found".strip()
            yield replace(piece, text=whole[low:high], roles=roles)
            last = high
        yield replace(piece, text=whole[last:end])
        offset = end
