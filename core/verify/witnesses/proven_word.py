"""The word of a proven reader beside the other witnesses."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.models import Says, Testimony
from claimscope.core.verify.resolve import PROVING, TOGETHER, WORDED, Policy
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.core.verify.witnesses.without_model import ENTAILMENT, WORD

EVEN = 0.5
DENIAL = "denial"
"""Name of the witness that is a model's word that a sentence rules a claim out."""


def joined_probability(
    said: Sequence[Testimony], word: float, rates: ReadingRates
) -> float | None:
    """What entailment model and word make together; None where the former was not
    heard."""
    own = next((one for one in said if one.witness == ENTAILMENT), None)
    if own is None or own.strength is None:
        return None
    entails = own.strength if own.says in ("entails", "silent") else 1 - own.strength
    return rates.joined(word, entails)


def with_proven_word(
    said: Sequence[Testimony],
    word: float,
    rates: ReadingRates,
    model: str,
    policy: Policy,
    *,
    place: str | None = None,
    denied_by: str | None = None,
) -> list[Testimony]:
    """The testimony with the word of a proven reader, and what it makes together with
    the entailment model. `place`: the sentence it names; `denied_by`: the one that it
    says rules the claim out, where that may contradict. Against its Yes only what has
    the claim's words before it contradicts; what others read otherwise is a doubt."""
    joined = joined_probability(said, word, rates)
    if joined is None:
        return list(said)
    is_yes = rates.is_yes(word)
    found = [_unsure(one) if is_yes else one for one in said]
    own = next(one for one in said if one.witness == ENTAILMENT)
    says: Says = "silent"
    if joined >= policy.entails:
        says = "entails"
    elif joined < EVEN or own.says == "entails":
        says = "doubts"
    answer = "Yes" if is_yes else "No"
    together = Testimony(
        witness=TOGETHER,
        says=says,
        strength=joined,
        place=place or own.place,
        reason=f"By the entailment model and the {answer} of {model} together "
        f"{joined:.0%} that the pages state it.",
    )
    asked = Testimony(
        witness=WORD,
        says="silent",
        strength=word,
        reason=f"{model} gives {word:.0%} that the pages state every part of it.",
    )
    found = [together, asked, *found]
    if denied_by is not None and not is_yes:
        denial = Testimony(
            witness=DENIAL,
            says="contradicts",
            place=denied_by,
            reason=f"{model} says that {denied_by} rules it out.",
        )
        found.insert(0, denial)
    return found


def may_contradict(
    said: Sequence[Testimony], rates: ReadingRates, policy: Policy
) -> bool:
    """Whether a denial contradicts: of a model that denies nearly nothing wrongly by
    itself, of another with a doubt of the entailment model that makes it sure."""
    if rates.may_deny:
        return True
    own = next((one for one in said if one.witness == ENTAILMENT), None)
    if own is None or own.says != "doubts" or not rates.finds_denials:
        return False
    return rates.ruled_out(own.strength or 0.0) >= policy.denies


def is_open_to_denial(said: Sequence[Testimony], joined: float) -> bool:
    """Whether a model is to be asked if a sentence rules the claim out: not where the
    page's own words prove it, or something contradicts it already."""
    is_settled = any(
        one.says == "contradicts" or (one.witness in PROVING and one.says == "entails")
        for one in said
    )
    return joined < EVEN and not is_settled


def _unsure(one: Testimony) -> Testimony:
    is_read = one.says == "contradicts" and one.witness not in WORDED
    return one.model_copy(update={"says": "doubts"}) if is_read else one
