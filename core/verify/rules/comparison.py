"""A claim laid beside its candidates: what all rules share.

A window counts as speaking of the same thing only when the sentence itself shares
words with the claim and no name of the claim is missing around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.models import RuleFinding
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow
from claimscope.core.verify.word_forms import rarity

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

    window: AlignedWindow
    alignment: float


@dataclass(frozen=True)
class WindowFinding:
    """A finding with the window it was made in; None when in none."""

    shown: RuleFinding
    window: AlignedWindow | None = None


def is_about(side: AlignedText, one: Laid) -> bool:
    """The sentence itself speaks of what the claim speaks of."""
    topic = {word.stem for word in side.topic}
    shared = topic & one.window.sentence.stems
    whole = bool(topic) and shared == topic
    is_named = whole and _PRONOUN.match(side.text) is None
    if one.alignment < ALIGNED or not (len(shared) >= 2 or is_named):
        return False
    return same_subject(side, one)


def is_sound(
    shown: RuleFinding,
    is_year: bool,
    side: AlignedText,
    one: Laid,
    laid: Sequence[Laid],
) -> bool:
    """Whether a conflict may be called one: the claim is nearly all in the sentence
    and the sentence is nearly all about the claim. The limits were set where, on
    public rows, four of five conflicts were right; years and names need more."""
    back = _mirrored(side, one, shown)
    if shown.rule == "name":
        name = {word.stem for word in AlignedText(shown.claim_text).words}
        rest = [word for word in side.topic if word.stem not in name]
        return one.window.alignment(rest, rarity) >= 0.75 and back >= 0.7
    if shown.rule == "date" or is_year:
        least = 0.6 if is_year else 0.45
        return one.alignment >= 0.7 and back >= least and _is_only(side, one, laid)
    is_close = one.alignment >= 0.7 and back >= 0.4
    is_copy = one.alignment >= 0.95 and back >= 0.3
    return (is_close or is_copy) and _is_only(side, one, laid)


def _mirrored(side: AlignedText, one: Laid, shown: RuleFinding) -> float:
    """Share of the sentence's own topic that the claim has, [0, 1]; a name that stands
    against the claim's is left out."""
    topic = one.window.sentence.topic
    if shown.rule == "name" and shown.evidence_text:
        rival = {word.stem for word in AlignedText(shown.evidence_text).words}
        topic = [word for word in topic if word.stem not in rival]
    total = sum(rarity(word.stem) for word in topic)
    shared = sum(rarity(word.stem) for word in topic if word.stem in side.stems)
    return shared / total if total else 0.0


def _is_only(side: AlignedText, one: Laid, laid: Sequence[Laid]) -> bool:
    """A claim of few words without a name ("the fee is 40") fits the sentences of
    several pages: then it is not known which page it speaks of."""
    if len(side.topic) > 2 or any(word.is_name for word in side.topic):
        return True
    near = (other for other in laid if other.alignment >= one.alignment - NEAR)
    pages = {other.window.evidence.page_id for other in near}
    return len(pages) == 1


def same_subject(side: AlignedText, one: Laid) -> bool:
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


def beside(side: AlignedText, start: int, end: int) -> frozenset[str]:
    """Stems of the four content words before and the three after a place."""
    kept = [word for word in side.words if not word.is_stop and not word.is_number]
    before = [word for word in kept if word.end <= start][-4:]
    after = [word for word in kept if word.start >= end][:3]
    return frozenset(word.stem for word in (*before, *after))


def share_words_beside(
    side: AlignedText, mine: Quantity, text: AlignedText, theirs: Quantity
) -> bool:
    """Whether the same words stand beside two figures."""
    here = beside(side, mine.start, mine.end)
    return bool(here & beside(text, theirs.start, theirs.end))


def as_doubt(finding: WindowFinding, *, is_whole: bool = False) -> WindowFinding | None:
    """What is left of a conflict that is not sound: a figure that is missing, nothing
    of a name; of a negation that it forbids support, when the whole claim (`is_whole`)
    stands in the sentence."""
    shown = finding.shown
    if shown.rule == "name" or (shown.rule == "negation" and not is_whole):
        return None
    if shown.rule == "negation":
        said = f"{shown.message} It may speak of something else."
        left = shown.model_copy(update={"outcome": "missing", "message": said})
        return WindowFinding(left, finding.window)
    message = f"{shown.claim_text} stands in none of the sentences that fit."
    update = {"outcome": "missing", "evidence_text": None, "message": message}
    return WindowFinding(shown.model_copy(update=update))


def forbidding(
    reason: Callable[[AlignedText, AlignedText], str | None],
    side: AlignedText,
    near: Sequence[Laid],
    message: Callable[[str], str],
) -> Iterator[WindowFinding]:
    """What forbids support, told of the first window, where the reason holds for each
    of the nearest sentences. Nothing when one of them says it as the claim does.

    A reason gives the words of a sentence (its second argument) that hinder it.
    """
    found = [reason(side, one.window.sentence) for one in near]
    if all(found) and found[0]:
        yield finding_of(
            "scope",
            "missing",
            side.text,
            found[0],
            message(found[0]),
            near[0].window,
            veto=True,
        )


def finding_of(
    rule: str,
    outcome: str,
    claim_text: str,
    evidence_text: str | None,
    message: str,
    window: AlignedWindow | None,
    *,
    veto: bool = False,
) -> WindowFinding:
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
    return WindowFinding(shown, window)
