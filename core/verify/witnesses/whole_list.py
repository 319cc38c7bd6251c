"""Claims about a whole list, or about what a page mentions.

"Each of the three kilns reached 88 %" is settled by looking at every figure of the
list; "the report does not mention a fracture" by finding that it does. Both need no
model, and the words of the statement are shown.
"""

from __future__ import annotations

import re
from dataclasses import replace

from claimscope.core.models import Testimony
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import Passage
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.witnesses.proof import Proves, proof

LIST, MENTION = "list", "mention"
ENOUGH = 2
"""Figures that make a list."""

_ALL = re.compile(r"(?i)\b(?:all|each|every|both|always)\b")
_NONE = re.compile(r"(?i)\b(?:no|none|neither|never)\b")
_BETWEEN = re.compile(r"(?i)\b(?:between|from|of|and|to|or|more|less|at|least|most)\b")
_EXCEPT = re.compile(
    r"(?i)\b(?:except|but|apart|other than|only|about|if|unless|not)\b"
)
_LISTED = re.compile(r"\s*(?:,|,?\s*(?:and|or))\s*")
_SOURCE = (
    r"(?:the|this|that)\s+(?:\w+\s+)?(?:report|text|page|document|source|article|leaflet"
    r"|guide|manual|passage|site|website|documentation|record|letter|policy)s?"
)
_DENIED = re.compile(
    rf"(?i)^\s*{_SOURCE}\s+(?:"
    r"(?:does|do|did)(?:n['’]t|\s+not)\s+(?:mention|name|list|refer\s+to|speak\s+of|contain|include)"
    r"|makes?\s+no\s+mention\s+of|says?\s+nothing\s+(?:about|of|on))\s+(?P<what>.+?)[.!]?$"
)
_MENTIONED = re.compile(
    rf"(?i)^\s*{_SOURCE}\s+(?:mentions|names|refers\s+to|speaks\s+of)\s+(?P<what>.+?)[.!]?$"
)


def by_lists(claim: str, passage: Passage) -> list[Testimony]:
    """What every figure of a list makes of a claim about all, or none, of them."""
    is_none = _NONE.search(claim) is not None
    if not is_none and _ALL.search(claim) is None:
        return []
    side = AlignedText(claim)
    limits = [one for one in side.quantities if one.bound or one.is_range]
    if len(limits) != 1 or _EXCEPT.search(claim):
        return []
    (limit,) = limits
    for one in passage.near:
        for statement in one.statements:
            figures = _figures(statement.text, limit)
            if len(figures) < ENOUGH or _EXCEPT.search(statement.text):
                continue
            if not _about(side, limit, AlignedText(statement.text)):
                continue
            kept = [_keeps(figure, limit) for figure in figures]
            holds = not any(kept) if is_none else all(kept)
            odd = next(
                (f.text for f, k in zip(figures, kept, strict=True) if k is is_none),
                figures[0].text,
            )
            place = one.evidence.sentence_id
            shown = ", ".join(figure.text for figure in figures)
            reason = (
                f"{place} lists {shown}: so it is."
                if holds
                else f"{place} lists {shown}, {odd} among them."
            )
            return [proof(LIST, _says(holds), place, reason)]
    return []


def by_mention(claim: str, passage: Passage) -> list[Testimony]:
    """Whether a statement has all words of what a claim says is (not) mentioned."""
    match = _DENIED.match(claim)
    is_denied = match is not None
    match = match or _MENTIONED.match(claim)
    if match is None:
        return []
    wanted = {word.stem for word in AlignedText(match["what"]).topic}
    if not wanted:
        return []
    for one in passage.near:
        for statement in one.statements:
            if wanted <= AlignedText(statement.text).stems:
                place = one.evidence.sentence_id
                reason = f"{place} mentions {match['what']}."
                return [proof(MENTION, _says(not is_denied), place, reason)]
    return []


def _says(holds: bool) -> Proves:
    return "entails" if holds else "contradicts"


def _figures(text: str, limit: Quantity) -> list[Quantity]:
    """The plain figures of a text that can be held against a limit; "3, 5 and 8 hours"
    are all hours."""
    return [
        one
        for one in _with_units(text)
        if not (one.bound or one.is_range or one.is_about)
        and one.kind == "number"
        and one.comparable(limit)
        and (limit.unit is not None or not one.is_word)
    ]


def _with_units(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    for one in reversed(AlignedText(text).quantities):
        after = found[-1] if found else None
        is_listed = after is not None and _LISTED.fullmatch(text[one.end : after.start])
        if one.unit is None and after is not None and is_listed:
            one = replace(one, unit=after.unit)
        found.append(one)
    return found[::-1]


def _about(side: AlignedText, limit: Quantity, statement: AlignedText) -> bool:
    """Every content word of the claim, but for those of the limit, stands there."""
    words = [
        word
        for word in side.topic
        if not (limit.start <= word.start < limit.end)
        and not _ALL.fullmatch(word.text)
        and not _NONE.fullmatch(word.text)
        and not _BETWEEN.fullmatch(word.text)
        and word.text.lower() not in _COMPARING
    ]
    return bool(words) and all(word.stem in statement.stems for word in words)


_COMPARING = frozenset("below above under over higher lower fewer than".split())


def _keeps(figure: Quantity, limit: Quantity) -> bool:
    value = figure.base(figure.low)
    low, high = limit.base(limit.low), limit.base(limit.high)
    if limit.is_range:
        return low - 1e-9 <= value <= high + 1e-9
    if limit.bound == "least":
        return value > low if limit.is_strict else value >= low - 1e-9
    return value < high if limit.is_strict else value <= high + 1e-9


def by_sweeping(claim: str, passage: Passage) -> list[Testimony]:
    """Both, of a claim as it is written."""
    claim = canonical(claim)
    return [*by_lists(claim, passage), *by_mention(claim, passage)]
