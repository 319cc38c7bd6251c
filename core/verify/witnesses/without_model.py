"""The witnesses that need no language model: rules, entailment, wording.

Each says of a claim what it can see and of which sentence; what that makes together is
decided in one place (resolve.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from claimscope.core.models import Evidence, RuleFinding, Says, Testimony
from claimscope.core.ports import (
    CONTRADICTS,
    ENTAILS,
    EntailmentReader,
    Floats,
    Question,
)
from claimscope.core.text.framing import bare_answer
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import Passage, passage_of
from claimscope.core.verify.resolve import Policy
from claimscope.core.verify.rules.comparison import WindowFinding
from claimscope.core.verify.rules.registry import BY_ID
from claimscope.core.verify.token_alignment import aligned_text
from claimscope.core.verify.witnesses.figure_sums import figure_sums, with_sums
from claimscope.core.verify.witnesses.fusion import log_odds, mean_probability
from claimscope.core.verify.witnesses.proof import proof
from claimscope.core.verify.witnesses.substitution import (
    Rival,
    by_rival,
    substitutes,
)
from claimscope.core.verify.witnesses.value_rendering import (
    render_values,
    strip_connectives,
)

_PLAIN = re.compile(r"[^\w%€$£]+")
_CONDITION = re.compile(r"(?i)\b(?:if|when|whenever|once|unless|in case|where)\b")


FIGURE = "figure"
"""Id of the rule that compares figures."""
LEANS = 0.5
"""Of the entailment model: from here it leans to one side or the other."""
ENTAILMENT, WORD, CLASSIFIER = "entailment", "word", "classifier"
"""Names of the witnesses that are models."""


@dataclass(frozen=True)
class Heard:
    """What the entailment model said on one question."""

    passage: Passage
    together: Floats
    """Shape (3,), on the statements side by side."""
    singles: Floats
    """Shape (number of singles, 3), on each statement by itself."""
    known: tuple[str, ...] = ()
    """Values of the claim that the statements have in another form."""
    looser: tuple[str, ...] = ()
    """Values of the statements that say less than those of the claim; it was read with
    them in the place of its own."""
    rivals: tuple[Rival, ...] = ()
    """What the statements have in the claim's place, read side by side."""
    worked: tuple[str, ...] = ()
    """Figures of the claim that the statements side by side do not have, but that come
    out of a working of theirs, with which it was read."""

    @property
    def entails(self) -> float:
        """That the statements state it: of all side by side and of the best by itself
        the mean of the log-odds. Together they say more and distract more: on long
        answers the best one tells true from false better (AUC .73 beside .67), on
        short passages both together do."""
        _, best = self.best(ENTAILS)
        return mean_probability((float(self.together[ENTAILS]), best))

    @property
    def contradicts(self) -> float:
        """That the statements together rule it out."""
        return float(self.together[CONTRADICTS])

    def best(self, column: int) -> tuple[Evidence, float]:
        """The single statement that says so most, with the probability."""
        row = int(np.argmax(self.singles[:, column]))
        found = self.passage.singles[row].evidence
        return found, float(self.singles[row, column])


def hear(model: EntailmentReader, questions: Sequence[Question]) -> list[Heard]:
    """What the model says on questions that have evidence; all pairs in one go."""
    passages = [passage_of(question) for question in questions]
    pairs = []
    values = []
    firsts: list[str] = []
    for question, passage in zip(questions, passages, strict=True):
        claim = strip_connectives(canonical(question.claim))
        texts = (passage.together, *(one.alone for one in passage.singles))
        rendered = [render_values(claim, text) for text in texts]
        worked_out = [
            figure_sums(one.text, text)
            for text, one in zip(texts, rendered, strict=True)
        ]
        pairs += [
            (text, lines.behind(one.text))
            for text, one, lines in zip(texts, rendered, worked_out, strict=True)
        ]
        in_other_form = dict.fromkeys(value for one in rendered for value in one.known)
        values.append((tuple(in_other_form), rendered[0].looser, worked_out[0].worked))
        firsts.append(rendered[0].text)
    said = model.judge(pairs)
    found: list[Heard] = []
    at = 0
    for passage, (known, looser, worked) in zip(passages, values, strict=True):
        count = len(passage.singles)
        alone = said[at + 1 : at + 1 + count]
        heard = Heard(passage, said[at], alone, known, looser, worked=worked)
        found.append(heard)
        at += 1 + count
    return _with_rivals(model, found, firsts)


def _with_rivals(
    model: EntailmentReader, heard: Sequence[Heard], claims: Sequence[str]
) -> list[Heard]:
    """The same with what a passage has in the claim's place, where it is all there is,
    the claim was read as it is, and the model leans either way. Statements of a long
    page each have names and figures of their own: there eight true claims were doubted
    for one false one."""
    asked = [
        substitutes(claim, one.passage.together)
        if one.passage.is_whole
        and not one.looser
        and max(one.contradicts, float(one.together[ENTAILS])) >= LEANS
        else ()
        for one, claim in zip(heard, claims, strict=True)
    ]
    pairs = [
        (one.passage.together, with_sums(other.claim, one.passage.together))
        for one, others in zip(heard, asked, strict=True)
        for other in others
    ]
    if not pairs:
        return list(heard)
    shares = iter(model.judge(pairs)[:, ENTAILS].tolist())
    return [
        replace(one, rivals=tuple(Rival(x.own, x.other, next(shares)) for x in others))
        for one, others in zip(heard, asked, strict=True)
    ]


def heard_features(heard: Heard) -> dict[str, float]:
    """What the model said as features of the support, each as log-odds."""
    said = {
        "entails": heard.entails,
        "entails_together": float(heard.together[ENTAILS]),
        "entails_best": heard.best(ENTAILS)[1],
        "contradicts_together": heard.contradicts,
        "contradicts_best": heard.best(CONTRADICTS)[1],
    }
    return {name: log_odds(share) for name, share in said.items()}


def by_rules(
    found: Sequence[WindowFinding], heard: Heard | None, policy: Policy
) -> list[Testimony]:
    """A sentence that says otherwise contradicts, where the entailment model consents
    or the sentence has the claim's own words in other roles; all other vetoes are
    doubts. By themselves the rules are too often wrong: of their
    conflicts on labelled pairs two of three are right
    (benchmarks/quality/rule_precision.py).
    """
    said = []
    # A figure that the sentences have, but not where the rule looks for it: whoever
    # reads them knows what it is said of.
    is_read = heard is not None and heard.entails >= policy.leaning
    known = heard.known if heard is not None else ()
    for finding in found:
        shown = finding.shown
        is_against = shown.outcome == "conflict" and finding.window is not None
        if not is_against and not shown.veto:
            continue
        if _is_worked(shown, heard, policy):
            continue
        is_missing = shown.rule in ("number", "date") and shown.outcome == "missing"
        if is_missing and any(shown.claim_text in value for value in known):
            continue
        is_elsewhere = shown.outcome == "missing" and finding.window is not None
        if is_read and is_elsewhere and shown.rule == "number":
            continue
        is_against = (
            is_against
            and _contradicts(shown.id, heard, policy)
            and not _is_case_of_bound(finding)
        )
        place = finding.window.evidence.sentence_id if finding.window else None
        said.append(
            Testimony(
                witness=f"rule:{shown.id or shown.rule}",
                says="contradicts" if is_against else "doubts",
                place=place,
                reason=shown.message,
            )
        )
    return said


def _is_worked(shown: RuleFinding, heard: Heard | None, policy: Policy) -> bool:
    """Whether a figure that the rule misses, or finds another one for, comes out of a
    working with which the model reads the claim as stated; against another figure it
    has to be sure of it."""
    if heard is None or shown.id != FIGURE:
        return False
    least = policy.leaning if shown.outcome == "missing" else policy.surely
    return heard.entails >= least and canonical(shown.claim_text) in heard.worked


def _contradicts(rule_id: str, heard: Heard | None, policy: Policy) -> bool:
    """Whether a rule's conflict is more than a doubt."""
    rule = BY_ID.get(rule_id)
    if heard is None or (rule is not None and rule.is_exact):
        return True
    is_figure = rule_id == FIGURE
    least = policy.consents_to_figure if is_figure else policy.consents
    return heard.contradicts >= least


def _is_case_of_bound(finding: WindowFinding) -> bool:
    """Whether the figure rule holds a plain figure against the bound of a condition:
    "With gusts of 90 km/h it runs" beside "only if gusts exceed 100 km/h does it stop"
    is a case of it."""
    if finding.shown.id != FIGURE or finding.window is None:
        return False
    sentence = finding.window.sentence
    mine = aligned_text(canonical(finding.shown.claim_text)).quantities
    bound = next(
        (
            x
            for x in sentence.quantities
            if x.bound and x.text == finding.shown.evidence_text
        ),
        None,
    )
    if bound is None or any(x.bound for x in mine):
        return False
    return _CONDITION.search(sentence.text[: bound.start]) is not None


def by_derivation(
    found: Sequence[WindowFinding], heard: Heard | None, policy: Policy
) -> list[Testimony]:
    """Figures and dates that the rules found stated, or worked out, in sentences as
    near as true claims are: a witness, unless the entailment model speaks against it
    or sees nothing of it: a figure alone stands in many sentences.
    """
    matched = [one.shown for one in found if one.shown.outcome == "match"]
    exact = [one for one in matched if one.rule in ("number", "unit", "date")]
    if not exact or any(one.shown.veto for one in found):
        return []
    if heard is not None:
        # Of "8:15" as the whole answer the model cannot know what leaves then.
        is_bare = _is_bare_value(heard.passage.together)
        least = policy.derives_bare if is_bare else policy.derives
        if heard.contradicts >= policy.contradicts or heard.entails < least:
            return []
    place = next((one.window.evidence.sentence_id for one in found if one.window), None)
    return [
        Testimony(
            witness="derivation",
            says="entails",
            place=place,
            reason=exact[0].message,
        )
    ]


def _is_bare_value(passage: str) -> bool:
    """Whether a passage is nothing but a figure, date or time, or an answer that is."""
    return not aligned_text(bare_answer(passage)).topic


def by_entailment(
    heard: Heard,
    is_near: bool,
    policy: Policy,
    *,
    shared: float = 1.0,
    is_sum: bool = False,
) -> list[Testimony]:
    """The model's word, where it is sure enough to be heard. `is_near`: the calibrated
    support is that of true claims. `shared`: the share of the claim's words that the
    sentences have. `is_sum`: the claim adds up, which the model cannot: it denies
    nothing then."""
    said = _by_entailment(heard, is_near, policy, shared=shared, is_sum=is_sum)
    # Of a claim that says more than the passage it read what the passage says.
    entails = min(heard.entails, 1 - heard.contradicts)
    entails = 1 - heard.entails if heard.looser else entails
    given = {"entails": entails, "contradicts": heard.contradicts}
    return [one.model_copy(update=given) for one in said]


def _by_entailment(
    heard: Heard, is_near: bool, policy: Policy, *, shared: float, is_sum: bool
) -> list[Testimony]:
    pro, against = heard.entails, heard.contradicts
    if pro >= (policy.leaning if is_near else policy.entails):
        place, _ = heard.best(ENTAILS)
        if heard.looser:
            return [
                Testimony(
                    witness=ENTAILMENT,
                    says="doubts",
                    strength=pro,
                    place=place.sentence_id,
                    reason=f"{place.sentence_id} says only “{heard.looser[0]}”.",
                )
            ]
        return [
            Testimony(
                witness=ENTAILMENT,
                says="entails",
                strength=pro,
                place=place.sentence_id,
                reason=f"{place.sentence_id} says so.",
            )
        ]
    if against < policy.contradicts:
        return [Testimony(witness=ENTAILMENT, says="silent", strength=pro)]
    place, alone = heard.best(CONTRADICTS)
    # Of values in another form the model is wrong too often to deny them alone.
    is_own = not heard.known and not heard.looser
    may_deny = _may_deny(heard, policy, shared, is_sum=is_sum) and is_own
    is_sure = may_deny and mean_probability((against, alone)) >= policy.denies
    may = "says" if is_sure else "may say"
    return [
        Testimony(
            witness=ENTAILMENT,
            says="contradicts" if is_sure else "doubts",
            strength=against,
            place=place.sentence_id,
            reason=f"{place.sentence_id} {may} otherwise.",
        )
    ]


def _may_deny(heard: Heard, policy: Policy, shared: float, *, is_sum: bool) -> bool:
    """Whether the model may contradict: it has read all there is, and that has the
    claim's words."""
    return heard.passage.is_whole and shared >= policy.shared and not is_sum


def by_substitution(
    heard: Heard, policy: Policy, *, shared: float = 1.0, is_sum: bool = False
) -> list[Testimony]:
    """What the passage has in the claim's place (substitution.py)."""
    place, _ = heard.best(CONTRADICTS)
    return by_rival(
        heard.rivals,
        float(heard.together[ENTAILS]),
        heard.contradicts,
        place.sentence_id,
        policy,
        may_deny=_may_deny(heard, policy, shared, is_sum=is_sum),
    )


def with_word(
    said: Sequence[Testimony], word: float, model: str, policy: Policy
) -> list[Testimony]:
    """The testimony with the word of a language model beside it: `word` is its
    calibrated probability that every part is stated. Small models say Yes too readily,
    so it is heard as a doubt, or as a second voice that makes a claim likely; it proves
    nothing."""
    share = f"{model} gives {word:.0%} that the pages state every part of it."
    is_yes = word >= policy.word
    found = []
    for one in said:
        near = (one.strength or 0.0) >= policy.with_word
        if is_yes and one.witness == ENTAILMENT and one.says == "silent" and near:
            one = one.model_copy(update={"says": "entails"})
        found.append(one)
    is_backed = any(one.says == "entails" for one in found)
    says: Says = "doubts" if word < policy.no_word else "silent"
    if is_yes and is_backed:
        says = "entails"
    found.insert(0, Testimony(witness=WORD, says=says, strength=word, reason=share))
    return found


def with_classifier(
    said: Sequence[Testimony],
    support: float,
    against: tuple[str, float] | None,
    place: str | None,
    policy: Policy,
) -> list[Testimony]:
    """The testimony with a classifier's beside it. `support`: its probability that
    `place` states the claim; `against`: the sentence that contradicts it by itself and
    with which probability, None when none is sure enough to be heard."""
    says: Says = "silent"
    reason = f"The classifier gives {support:.0%} that the pages state it."
    if against is not None and support < policy.classifier:
        place, share = against
        says = "contradicts"
        reason = f"The classifier gives {share:.0%} that {place} says otherwise."
    elif support >= policy.classifier:
        says = "entails"
    elif support < policy.no_word:
        says = "doubts"
    own = Testimony(
        witness=CLASSIFIER,
        says=says,
        strength=support,
        place=place,
        reason=reason,
    )
    return [own, *said]


def by_wording(question: Question) -> list[Testimony]:
    """A sentence that says it word for word proves it."""
    claim = _flat(canonical(question.claim))
    if len(claim.split()) < 3:
        return []
    for one in question.evidence:
        if claim == _flat(canonical(one.text)):
            reason = f"{one.sentence_id} says so, word for word."
            return [proof("wording", "entails", one.sentence_id, reason)]
    return []


def _flat(text: str) -> str:
    return _PLAIN.sub(" ", text.lower()).strip()
