"""Which words of an evidence sentence a reader should see first.

Words that the claim has too are shown strong, what a rule found in conflict is shown
as such. This helps the eye only: no verdict depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from claimscope.core.models import RuleFinding
from claimscope.core.report.view import Role, Span

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_ENDINGS = ("ing", "ed", "es", "s")
_SHORT = 3
Mark = tuple[int, int, Literal["matched", "conflict"]]
"""Start, end, and what stands there."""


def _stem(word: str) -> str:
    """A crude stem: enough to see "enrolled" and "enrols" as one."""
    word = word.casefold()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > _SHORT:
            return word.removesuffix(ending).rstrip("e")
    return word.rstrip("e")


def _counts(word: str) -> bool:
    return len(word) > _SHORT or any(char.isdigit() for char in word)


def emphasised(text: str, claim: str, rules: Iterable[RuleFinding]) -> list[Span]:
    """A sentence with the words of a claim and what a rule found in conflict."""
    wanted = {_stem(word) for word in _WORD.findall(claim) if _counts(word)}
    marks: list[Mark] = [
        (match.start(), match.end(), "matched")
        for match in _WORD.finditer(text)
        if _counts(match.group()) and _stem(match.group()) in wanted
    ]
    for rule in rules:
        if rule.outcome == "conflict" and rule.evidence_text:
            marks += _whole_words(text, rule.evidence_text)
    return _split_spans(text, marks)


def conflicting(text: str, rules: Iterable[RuleFinding]) -> list[Span]:
    """A claim's text with what a rule found in conflict."""
    marks: list[Mark] = []
    for rule in rules:
        if rule.outcome != "match":
            marks += _whole_words(text, rule.claim_text)
    return _split_spans(text, marks)


def _whole_words(text: str, part: str) -> list[Mark]:
    """Whole-word places of a part that is not the whole text."""
    if not part.strip() or len(part) > 0.6 * len(text):
        return []
    edged = re.compile(rf"(?<!\w){re.escape(part.strip())}(?!\w)", re.IGNORECASE)
    return [(m.start(), m.end(), "conflict") for m in edged.finditer(text)]


def _split_spans(text: str, marks: list[Mark]) -> list[Span]:
    """The text in spans; a conflict lies on top of a match."""
    cuts = sorted({0, len(text), *(m[0] for m in marks), *(m[1] for m in marks)})
    spans: list[Span] = []
    for low, high in zip(cuts, cuts[1:], strict=False):
        roles = {role for start, end, role in marks if start <= low and high <= end}
        role: Role = "conflict" if "conflict" in roles else "matched" if roles else ""
        if spans and spans[-1].role == role:
            spans[-1] = replace(spans[-1], text=spans[-1].text + text[low:high])
        else:
            spans.append(Span(text[low:high], role))
    return spans
