"""A claim laid beside its candidates: what all rules share.

A window counts as speaking of the same thing only when the sentence itself shares
words with the claim and no name of the claim is missing around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from claimscope.core.models import RuleFinding
from claimscope.core.verification.windows import Side, Window

ALIGNED = 0.5
"""Least share of the claim's topic that a sentence must have to speak against it."""
AGREED = 0.85
"""Alignment from which two pages speak of the very same thing."""
NEAR = 0.12
"""A match in a window less aligned by more than this does not undo a conflict."""

_PRONOUN = re.compile(r"(?i)\s*(?:it|this|that|these|those|they|he|she|there)\b")


@dataclass(frozen=True)
class Laid:
    """A window with its alignment to the claim."""

    window: Window
    alignment: float


@dataclass(frozen=True)
class Finding:
    """A finding with the window it was made in; None when in none."""

    shown: RuleFinding
    window: Window | None = None


def is_about(side: Side, one: Laid) -> bool:
    """The sentence itself speaks of what the claim speaks of."""
    topic = {word.stem for word in side.topic}
    shared = topic & one.window.sentence.stems
    whole = bool(topic) and shared == topic
    is_named = whole and _PRONOUN.match(side.text) is None
    if one.alignment < ALIGNED or not (len(shared) >= 2 or is_named):
        return False
    return same_subject(side, one)


def same_subject(side: Side, one: Laid) -> bool:
    """No name of the claim is missing around the sentence."""
    everything = one.window.everything
    return all(
        word.stem in everything or near_name(word.stem, everything)
        for word in side.topic
        if word.is_name
    )


def near_name(name: str, known: frozenset[str]) -> bool:
    """An inflected or shortened form: Norwegian for Norway."""
    head = name[: max(4, len(name) - 3)]
    return any(other.startswith(head) for other in known if len(other) >= 4)


def beside(side: Side, start: int, end: int) -> frozenset[str]:
    """Stems of the four content words before and the three after a place."""
    kept = [word for word in side.words if not word.is_stop and not word.is_number]
    before = [word for word in kept if word.end <= start][-4:]
    after = [word for word in kept if word.start >= end][:3]
    return frozenset(word.stem for word in (*before, *after))


def finding_of(
    rule: str,
    outcome: str,
    claim_text: str,
    evidence_text: str | None,
    message: str,
    window: Window | None,
    *,
    veto: bool = False,
) -> Finding:
    shown = RuleFinding.model_validate(
        {
            "rule": rule,
            "outcome": outcome,
            "claim_text": claim_text,
            "evidence_text": evidence_text,
            "message": message,
            "veto": veto,
        }
    )
    return Finding(shown, window)
