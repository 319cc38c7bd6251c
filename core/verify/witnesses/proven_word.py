"""The word of a proven reader beside the other witnesses."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.models import Evidence, Says, Testimony
from claimscope.core.models.verdicts import PEERS
from claimscope.core.verify.resolve import DENIAL, PROVING, TOGETHER, WORDED, Policy
from claimscope.core.verify.witnesses.model_reading import EVEN, ModelReading
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.core.verify.witnesses.without_model import ENTAILMENT, WORD


def joined_probability(
    said: Sequence[Testimony], reading: ModelReading, rates: ReadingRates
) -> float | None:
    """What entailment model and word make together; None where one of them was not
    heard."""
    own = _entailment(said)
    if own is None or own.entails is None or reading.support is None:
        return None
    return rates.joined(reading.support, own.entails, max(1, reading.times))


def with_proven_word(
    said: Sequence[Testimony],
    reading: ModelReading,
    rates: ReadingRates,
    model: str,
    policy: Policy,
) -> list[Testimony]:
    """The testimony with the word of a proven reader, and what it makes together with
    the entailment model. A Yes may support, a No may doubt, and never the other way
    round. Against a Yes only what has the claim's words before it contradicts; what
    others read otherwise is a doubt."""
    joined = joined_probability(said, reading, rates)
    own = _entailment(said)
    if joined is None or own is None or reading.support is None:
        return list(said)
    is_yes = rates.is_yes(reading.support)
    named = reading.settled_by
    strength = joined
    says: Says = "silent"
    if is_yes and joined >= policy.entails and not _is_of_another(said, reading, named):
        says = "entails"
        if reading.is_quoted and named is None:
            # It could not show where: no more than likely.
            strength = min(joined, (policy.entails + policy.surely) / 2)
    elif not is_yes and (joined < EVEN or own.says == "entails"):
        says = "doubts"
    is_agreed = own.says == says or (says == "doubts" and own.says == "contradicts")
    answer = "Yes" if is_yes else "No"
    together = Testimony(
        witness=TOGETHER,
        says=says,
        strength=strength,
        place=named.sentence_id if named else (own.place if is_agreed else None),
        reason=f"By the entailment model and the {answer} of {model} together "
        f"{joined:.0%} that the pages state it.",
    )
    asked = Testimony(
        witness=WORD,
        says="silent",
        strength=reading.support,
        reason=f"{model} gives {reading.support:.0%} that the pages state every part "
        "of it.",
    )
    others = [_unsure(one) if is_yes else one for one in said]
    proofs = [one for one in others if one.witness in PROVING]
    others = [one for one in others if one.witness not in PROVING]
    found = [*proofs, together, asked, *others]
    if named is not None and reading.is_denied and not is_yes:
        denial = Testimony(
            witness=DENIAL,
            says="contradicts",
            place=named.sentence_id,
            reason=f"{model} says that {named.sentence_id} rules it out.",
        )
        found.insert(0, denial)
    return found


def may_contradict(
    said: Sequence[Testimony],
    reading: ModelReading,
    rates: ReadingRates,
    policy: Policy,
) -> bool:
    """Whether a denial contradicts: by itself of a model that denies nearly nothing
    wrongly, on a page that it has read whole; else with a doubt of the entailment model
    that makes it sure. Not where a part was not read, which may be what supports it."""
    if reading.unread or not rates.finds_denials:
        return False
    if rates.may_deny and reading.read.is_whole:
        return True
    own = _entailment(said)
    if own is None or own.contradicts is None:
        return False
    is_doubted = own.contradicts >= policy.contradicts
    return is_doubted and rates.ruled_out(own.contradicts) >= policy.denies


def is_open_to_denial(said: Sequence[Testimony], joined: float) -> bool:
    """Whether a model is to be asked if a sentence rules the claim out: not where the
    page's own words prove it, or something contradicts it already."""
    is_settled = any(
        one.says == "contradicts" or (one.witness in PROVING and one.says == "entails")
        for one in said
    )
    return joined < EVEN and not is_settled


def _entailment(said: Sequence[Testimony]) -> Testimony | None:
    return next((one for one in said if one.witness == ENTAILMENT), None)


def _is_of_another(
    said: Sequence[Testimony], reading: ModelReading, named: Evidence | None
) -> bool:
    """Whether what the model read may be of another thing than the claim: the page
    tells of several, and it names a sentence that is no candidate."""
    if any(one.witness == PEERS for one in said):
        return True
    return named is None and reading.settling is not None


def _unsure(one: Testimony) -> Testimony:
    is_read = one.says == "contradicts" and one.witness not in WORDED
    return one.model_copy(update={"says": "doubts"}) if is_read else one
