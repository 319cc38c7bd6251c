"""Sentences with the same words, but for their figures or a word of negation.

What can be said of two sentences in any language: that they are the same, that only
their figures differ, that one denies what the other says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claimscope.core.models import Evidence, Label, RuleFinding

NEGATIONS = {
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nirgends",
    "es": "no nunca jamás ni tampoco ningún ninguna ninguno",
    "fr": "ne n pas jamais aucun aucune",
    "it": "non mai nessun nessuno nessuna",
    "pt": "não nunca nenhum nenhuma",
    "nl": "niet geen nooit",
    "sv": "inte ingen inget aldrig",
    "pl": "nie nigdy",
    "ru": "не нет никогда",
}
"""Words by language; of one that is not here only the same negations are no matter."""
ENDINGS = re.compile("ません|ない|なかった|禁止|不可|不能|没有|不是")
"""Signs of negation where words are not set apart (Japanese, Chinese)."""
_FIGURE = re.compile(r"\d+(?:[.,'’ ]\d+)*")
_MINUS = re.compile(r"(?<![^\s(])[-−–](?=\d)")
_WORD = re.compile(r"[^\W_]+|[#€$£¥%‰<>≤≥±−]")


@dataclass(frozen=True)
class Shape:
    """A sentence without its figures, and they apart."""

    words: tuple[str, ...]
    """Lower case, `#` for each figure; signs that change what a figure says (€, %, <,
    minus) are words too."""
    figures: tuple[str, ...]
    plain: tuple[str, ...]
    """The words without those of negation."""

    @property
    def negations(self) -> int:
        """How many words of negation were taken out."""
        return len(self.words) - len(self.plain)


def shape_of(text: str, language: str) -> Shape:
    """The same however a text is spelt, spaced and punctuated."""
    denying = NEGATIONS.get(language, "").split()
    composed = unicodedata.normalize("NFKC", text).casefold()
    composed = _MINUS.sub("−", composed)
    figures = tuple(_FIGURE.findall(composed))
    words = tuple(_WORD.findall(_FIGURE.sub(" # ", composed)))
    plain = tuple(word for word in words if word not in denying)
    return Shape(words, figures, plain)


def readings_of(figure: str) -> frozenset[str]:
    """What a figure may mean: its separators group thousands or begin decimals, and
    which of both depends on the country. `1.850` is 1850 or 1.85."""
    parts = re.split(r"[.,'’ ]", figure)
    found = set()
    if len(parts) == 1 or all(len(part) == 3 for part in parts[1:]):
        found.add("".join(parts).lstrip("0") or "0")
    if len(parts) > 1 and figure[len(figure) - len(parts[-1]) - 1] in ".,":
        whole = "".join(parts[:-1]).lstrip("0") or "0"
        decimals = parts[-1].rstrip("0")
        found.add(f"{whole}.{decimals}" if decimals else whole)
    return frozenset(found)


def same_figures(left: Sequence[str], right: Sequence[str]) -> bool | None:
    """Whether figures are equal one by one; None when that depends on how they are
    read."""
    if len(left) != len(right):
        return None
    found: bool | None = True
    for mine, theirs in zip(left, right, strict=True):
        if mine == theirs:
            continue
        if not readings_of(mine) & readings_of(theirs):
            return False
        if len(readings_of(mine)) > 1 or len(readings_of(theirs)) > 1:
            found = None
    return found


@dataclass(frozen=True)
class Twin:
    """A sentence of the pages with the same words as a claim."""

    evidence: Evidence
    label: Label
    rule: RuleFinding | None = None


def twin_of(claim: str, evidence: Iterable[Evidence], language: str) -> Twin | None:
    """The sentence that says a claim word for word, else one that says it but for its
    figures, or but for a word of negation."""
    mine = shape_of(claim, language)
    against: Twin | None = None
    if not mine.plain:
        return None
    for one in evidence:
        theirs = shape_of(one.text, language)
        if mine.plain != theirs.plain:
            continue
        agree = same_figures(mine.figures, theirs.figures)
        if mine.words == theirs.words and agree:
            return Twin(one, Label.SUPPORTED)
        if against is None and mine.words == theirs.words and agree is False:
            against = Twin(one, Label.CONTRADICTED, _figures(mine, theirs))
        # Two denials in other words ("nie", "niemals"), or in other places, may say
        # the same.
        elif against is None and agree and not (mine.negations and theirs.negations):
            against = Twin(one, Label.CONTRADICTED, _negation(claim, one.text))
    return against


def _figures(mine: Shape, theirs: Shape) -> RuleFinding:
    left, right = next(
        pair
        for pair in zip(mine.figures, theirs.figures, strict=True)
        if not readings_of(pair[0]) & readings_of(pair[1])
    )
    return RuleFinding(
        rule="number",
        outcome="conflict",
        claim_text=left,
        evidence_text=right,
        message=f"The claim says “{left}”, the page says “{right}”.",
        veto=True,
    )


def _negation(claim: str, text: str) -> RuleFinding:
    return RuleFinding(
        rule="negation",
        outcome="conflict",
        claim_text=claim,
        evidence_text=text,
        message="Claim and page differ by a word of negation only.",
        veto=True,
    )
