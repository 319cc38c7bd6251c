"""From what the witnesses say to one verdict: one table of policy.

The first line that applies decides; each line has a test
(tests/core/verify/test_resolve.py).

1. a sentence that alignment or a list sets against the claim, a rule with the consent
   of the entailment model, or that model by itself on a passage that it has read
   whole, and nobody surely entails it; or one that has the claim's own words before
   it, however sure those are who only read: contradicted
2. one for and one against it: open, a person should look; both are shown. What one who
   only reads has against a proof in the page's own words is not heard, but the doubt of
   a language model that has proved itself a reader is
3. the entailment model where it is sure, it and a classifier, or a proof entail it and
   nothing is doubted: supported; the doubt of one who only reads holds against no proof
4. one of them entails it: supported, but only likely; not where a rule about figures,
   dates or what is left open doubts it, which only words outweigh, and a language model
   that has proved itself a reader together with the entailment model
5. else: not enough information

Likeness, how near claim and sentence are in words and vectors, is no reason for any of
these by itself: half of all planted faults were as near as true claims.

Where one page says it and another, as near, says otherwise, no verdict is right without
a person: it is left unscored, with both sentences (METRICS F). Who knows that in their
pages the older ones are corrected by others may let it count.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claimscope.core.models import (
    Band,
    Evidence,
    Label,
    Testimony,
    Verdict,
    digest,
)
from claimscope.core.settings import SourceConflicts

READERS = ("entailment", "classifier")
"""Witnesses that read the sentences; two of them are as good as a proof. The Yes of a
language model is not: beside the entailment model's own it made nine false claims
"supported" and six true ones (Qwen2.5-Coder-1.5B, 240 pairs at even odds). A figure
that was found, or worked out, says only that it is there."""
TOGETHER = "readers"
"""What the entailment model and a language model that has proven itself make together;
as good as the former where it is sure, and its doubt holds (reading_rates.py)."""
DENIAL = "denial"
"""The word of such a model that a sentence rules the claim out."""
READING = (*READERS, "substitution", DENIAL)
"""Witnesses that know the page by reading alone; not heard against its own words."""
PROVING = ("wording", "alignment", "table", "list", "mention", "comparison", "working")
"""Witnesses that point at the words: what they entail needs no second one."""
WORDED = (
    *PROVING,
    "rule:exchange",
    "rule:exchanged-figure",
    "rule:neighbours-figure",
    "rule:role",
)
"""Witnesses that have the claim's own words before them: no reader outweighs them."""
_HOLDING = (
    "figure measure date weekday crossing quantifier hedge condition attribution role"
    " cause"
)
HOLDING = ("substitution", TOGETHER, *(f"rule:{name}" for name in _HOLDING.split()))
"""Witnesses whose doubt holds against a reader, however sure: figures, dates, what a
sentence leaves open, and who does what to whom are what it reads worst; and what it
reads more readily with another name or figure is not the claim's."""
POLICY_FILE = Path(__file__).with_name("policy.json")
SHOWN = 3
"""Sentences kept with a verdict."""
SOURCES_CONFLICT = "sources conflict"
"""`unscored_reason` of such a verdict."""


@dataclass(frozen=True)
class Policy:
    """Where the word of a witness begins to count; fitted on rows written for that
    (benchmarks/quality/fit_policy.py), never on those that figures are reported of."""

    far: float
    """Least calibrated support of a claim on which the entailment model is heard: of
    words that have nothing to do with the page it says anything."""
    entails: float
    """Of the entailment model: from here it entails."""
    leaning: float
    """From here it entails what is as near as true claims are."""
    surely: float
    """From here it needs no second witness, and outweighs a doubt."""
    contradicts: float
    """From here it doubts the claim."""
    denies: float
    """From here, by the mean of the log-odds of all statements together and of the one
    that says so most, it contradicts a claim on a passage that it has read whole. Of
    candidates out of long pages it contradicts nothing, however sure: a better sentence
    may not be among them, and of its 21 such verdicts on answers most of whose claims
    are true nine were wrong."""
    shared: float
    """Least share of the claim's words, weighted by rarity, that the sentences must
    have for the entailment model to contradict it alone: what has fewer of them mostly
    speaks of something else (benchmarks/quality/contradicted_precision.py)."""
    derives: float
    """Of the entailment model: from here a figure that stands in the sentences makes a
    claim likely. Below .2 18 of 18 such claims at even odds were not stated."""
    derives_bare: float
    """The same where the figure is all there is to read, as of a bare answer."""
    rival: float
    """Of the entailment model: from here it has stated what the passage has in the
    claim's place."""
    ruled_out: float
    """Of the same on the claim itself: from here such a rival contradicts it."""
    outdone: float
    """Log-odds by which a rival that is stated outdoes the claim, to doubt it."""
    consents: float
    """From here a rule's conflict contradicts; below it is a doubt."""
    consents_to_figure: float
    """The same of another figure in the claim's place: of 28 such conflicts at 0.7 and
    more on pairs at even odds 25 were contradicted and three not stated."""
    word: float
    """Of a language model's word: from here it is a Yes."""
    no_word: float
    """Below it the word is a doubt."""
    classifier: float
    """Of a classifier's support: from here it entails."""
    with_word: float
    """Of the entailment model, beside a Yes: from here it entails."""


@dataclass(frozen=True)
class Resolution:
    """What the table says."""

    label: Label
    band: Band
    testimony: tuple[Testimony, ...]
    """The decisive ones first."""
    reason: str


def resolve(
    testimony: Sequence[Testimony], counting: Policy | None = None
) -> Resolution:
    """The verdict of what was said. A witness says `entails` or `contradicts` only
    where it is sure enough to be heard; `decisive` is not read, it is what the verdict
    rests on. `counting`: the policy that ships by default."""
    counting = counting or policy()
    against = [one for one in testimony if one.says == "contradicts"]
    pro = [one for one in testimony if one.says == "entails"]
    doubts = [one for one in testimony if one.says == "doubts"]
    # A rule names both places: only who is sure stands up to it.
    is_proved = any(_proves(one, counting) for one in pro)
    is_worded = any(one.witness in PROVING for one in pro)
    if is_worded:
        # "Leaves at 8:15", where the page says "leaves at 8:15 every morning": who only
        # reads takes what the claim leaves out for a contradiction at times.
        against = [one for one in against if one.witness not in READING]
        doubts = [one for one in doubts if one.witness not in READING]
    is_against = any(one.witness in WORDED for one in against) and not is_worded
    if against and (is_against or not is_proved):
        return _resolution(Label.CONTRADICTED, "not_supported", against, testimony)
    if against and pro:
        return _resolution(
            Label.NOT_ENOUGH_INFO, "review", [against[0], pro[0]], testimony
        )
    by_joined = [one for one in doubts if one.witness == TOGETHER]
    if is_worded and by_joined:
        # At even odds each of the two is right about as often.
        return _resolution(
            Label.NOT_ENOUGH_INFO, "review", [by_joined[0], pro[0]], testimony
        )
    readers = [one for one in pro if one.witness in READERS]
    is_proved = is_proved or len(readers) > 1
    if is_proved and not doubts:
        return _resolution(Label.SUPPORTED, "supported", pro, testimony)
    is_joined = any(one.witness == TOGETHER and _proves(one, counting) for one in pro)
    is_held = any(one.witness in HOLDING for one in doubts)
    is_held = is_held and not is_worded and not is_joined
    if pro and (not doubts or is_proved) and not is_held:
        return _resolution(Label.SUPPORTED, "review", [*pro, *doubts], testimony)
    if doubts:
        return _resolution(Label.NOT_ENOUGH_INFO, "not_supported", doubts, testimony)
    return _resolution(Label.NOT_ENOUGH_INFO, "not_supported", [], testimony)


def _proves(one: Testimony, counting: Policy) -> bool:
    """Whether a witness that entails needs no second one."""
    is_reader = one.witness in (*READERS, TOGETHER)
    is_sure = is_reader and (one.strength or 0.0) >= counting.surely
    return one.witness in PROVING or is_sure


def _resolution(
    label: Label, band: Band, by: Sequence[Testimony], all_: Sequence[Testimony]
) -> Resolution:
    decisive = tuple(one.model_copy(update={"decisive": True}) for one in by)
    rest = (
        one.model_copy(update={"decisive": False})
        for one in all_
        if not any(one is known for known in by)
    )
    reason = " ".join(dict.fromkeys(one.reason for one in by if one.reason))
    return Resolution(label, band, (*decisive, *rest), reason)


def settling_first(
    testimony: Sequence[Testimony],
    evidence: Sequence[Evidence],
    shown: Sequence[Evidence],
) -> tuple[Evidence, ...]:
    """The sentences the verdict rests on, then what else is near."""
    known = {one.sentence_id: one for one in reversed(evidence)}
    settling = [
        known[one.place]
        for one in testimony
        if one.decisive and one.place is not None and one.place in known
    ]
    return tuple(dict.fromkeys((*settling, *shown)))[:SHOWN]


@cache
def policy() -> Policy:
    """The policy that ships."""
    data = json.loads(POLICY_FILE.read_text(encoding="utf-8"))
    return Policy(**{key: float(value) for key, value in data["policy"].items()})


@cache
def policy_digest() -> str:
    """Changes with the policy: verdicts of two are never mixed in a run."""
    return digest(POLICY_FILE.read_text(encoding="utf-8"))


def resolve_source_conflict(verdict: Verdict, counting: SourceConflicts) -> Verdict:
    """The verdict as it counts; both sentences stay with it, and a person is still
    sent there (band `review`). Other verdicts are left as they are."""
    if verdict.unscored_reason != SOURCES_CONFLICT or counting == "unscored":
        return verdict
    pro, contra = verdict.evidence, verdict.conflicting
    is_for = counting == "supported"
    return verdict.model_copy(
        update={
            "label": Label(counting),
            "evidence": pro if is_for else contra,
            "conflicting": contra if is_for else pro,
            "band": "review",
            "unscored_reason": None,
            "reason": f"{verdict.reason} By the setting source_conflicts it counts as "
            f"{counting}.",
        }
    )
