"""One verdict from several judges, each of whose words is kept beside it.

No judge is known to be right, so what they say apart is the finding: the verdict is
made from it by a rule that a person can repeat. The judges are asked one after the
other, each all questions of a batch, so that a server keeps a model loaded and its
last document read for as long as it can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol

from claimscope.core.models import (
    Band,
    Label,
    Testimony,
    Verdict,
    Vote,
)
from claimscope.core.ports import Question, Verifier
from claimscope.core.settings import Verdicts
from claimscope.core.verify.witnesses.fusion import weights
from claimscope.core.verify.witnesses.without_model import WORD

WORDS = {
    Label.SUPPORTED: "supported",
    Label.CONTRADICTED: "contradicted",
    Label.NOT_ENOUGH_INFO: "not enough info",
    Label.UNSCORED: "unscored",
}


class Scale(Protocol):
    """Where supported begins, and where a person should look (fusion.py)."""

    @property
    def threshold(self) -> float: ...

    def band(self, label: Label, support: float) -> Band: ...


@dataclass(frozen=True)
class PanelOutcome:
    """What the judges come to together; without a label, why."""

    label: Label
    why: str


@dataclass(frozen=True)
class PanelVerifier:
    """A Verifier that asks several and makes one verdict of what they say.

    `majority`: the label most judges gave. Of a tie between supported and not enough
    info the mean support decides, when all in it gave one; one between supported and
    contradicted is unscored; one between contradicted and not enough info is not
    enough info. `mean`: supported when the plain mean of the supports reaches the
    threshold. What the witnesses say is weighed by each judge (resolve.py); supported
    is proved when most of those that support it call it so. In both contradicted takes
    a judge who has quoted the sentence that says otherwise. Judges that left a claim
    unscored are counted, in the reason, and not heard.
    """

    judges: Mapping[str, Verifier]
    """By name, in the order they are asked and shown."""
    how: Verdicts = "majority"
    scale: Scale | None = None
    """That of the single judges; None = the one that ships."""

    @property
    def name(self) -> str:
        return f"panel-{self.how}"

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order, with a vote of each judge.

        Raises ModelError when one judge cannot be asked at all: a run in which some
        claims had fewer judges than others would compare what cannot be compared,
        and calls that were made are in the journal for the next try.
        """
        said = [await judge.verify(questions) for judge in self.judges.values()]
        return [self._combine(verdicts) for verdicts in zip(*said, strict=True)]

    def _combine(self, verdicts: Sequence[Verdict]) -> Verdict:
        heard = [v for v in verdicts if v.label is not Label.UNSCORED]
        named = list(zip(self.judges, verdicts, strict=True))
        common = {
            "rules": tuple(dict.fromkeys(rule for v in verdicts for rule in v.rules)),
            "verifier": self.name,
            "model": ", ".join(self.judges),
            "call_keys": tuple(key for v in verdicts for key in v.call_keys),
            "votes": tuple(verdict_vote(name, verdict) for name, verdict in named),
        }
        if not heard:
            return _unheard(named).model_copy(update=common)
        scale = self.scale or weights()
        outcome = (by_majority if self.how == "majority" else by_mean)(heard, scale)
        support = mean_support(heard)
        speaker, shown = _speaker(outcome.label, named)
        disagree = f"judges disagree: {count_labels(heard)}"
        return Verdict(
            label=outcome.label,
            support=support,
            band=_band(scale, outcome.label, support, heard),
            testimony=testimony_of_judges(speaker, shown, named),
            evidence=shown.evidence,
            conflicting=shown.conflicting,
            reason=_reason(outcome, speaker, shown, len(verdicts) - len(heard)),
            unscored_reason=disagree if outcome.label is Label.UNSCORED else None,
            **common,
        )


def verifier_of(judges: Mapping[str, Verifier], how: Verdicts) -> Verifier:
    """One judge as it is, several as a panel."""
    one = next(iter(judges.values()))
    return one if len(judges) == 1 else PanelVerifier(judges, how)


def verdict_vote(judge: str, verdict: Verdict) -> Vote:
    """What one judge said, as it is kept."""
    return Vote(
        judge=judge,
        label=verdict.label,
        support=verdict.support,
        reason=verdict.reason,
        call_keys=verdict.call_keys,
        unscored_reason=verdict.unscored_reason,
    )


def by_majority(heard: Sequence[Verdict], scale: Scale) -> PanelOutcome:
    """The label most of them gave; see PanelVerifier for ties."""
    counts = Counter(verdict.label for verdict in heard)
    most = max(counts.values())
    tied = {label for label, count in counts.items() if count == most}
    said = count_labels(heard)
    if len(tied) > 1:
        outcome = _of_tie(tied, heard, scale)
    else:
        outcome = PanelOutcome(next(iter(tied)), said)
    if outcome.label is Label.SUPPORTED and has_veto(heard):
        return PanelOutcome(Label.NOT_ENOUGH_INFO, f"{said}; a rule forbids supported")
    if outcome.label is Label.CONTRADICTED and not any(map(quotes_against, heard)):
        why = f"{said}; none quotes a sentence against it"
        return PanelOutcome(Label.NOT_ENOUGH_INFO, why)
    return outcome


def _of_tie(tied: set[Label], heard: Sequence[Verdict], scale: Scale) -> PanelOutcome:
    said = count_labels(heard)
    if {Label.SUPPORTED, Label.CONTRADICTED} <= tied:
        return PanelOutcome(Label.UNSCORED, said)
    if Label.SUPPORTED not in tied:
        return PanelOutcome(
            Label.NOT_ENOUGH_INFO, f"{said}; no majority contradicts it"
        )
    supports = [v.support for v in heard if v.label in tied]
    known = [support for support in supports if support is not None]
    if len(known) < len(supports):
        return PanelOutcome(Label.UNSCORED, said)
    middle = fmean(known)
    high = middle >= scale.threshold
    label = Label.SUPPORTED if high else Label.NOT_ENOUGH_INFO
    return PanelOutcome(label, f"{said}; their mean support, {middle:.2f}, decides")


def by_mean(heard: Sequence[Verdict], scale: Scale) -> PanelOutcome:
    """By the plain mean of the calibrated supports: one in log-odds would let one very
    sure judge speak for all. Without any support the majority decides."""
    support = mean_support(heard)
    if support is None:
        return by_majority(heard, scale)
    against = sum(verdict.label is Label.CONTRADICTED for verdict in heard)
    pro = sum(verdict.label is Label.SUPPORTED for verdict in heard)
    why = f"{count_labels(heard)}; their mean support is {support:.2f}"
    if support >= scale.threshold:
        if has_veto(heard):
            return PanelOutcome(
                Label.NOT_ENOUGH_INFO, f"{why}; a rule forbids supported"
            )
        return PanelOutcome(Label.SUPPORTED, why)
    if against > pro and any(map(quotes_against, heard)):
        return PanelOutcome(Label.CONTRADICTED, why)
    return PanelOutcome(Label.NOT_ENOUGH_INFO, why)


def mean_support(heard: Sequence[Verdict]) -> float | None:
    """Of those that gave one; None when nobody did."""
    known = [verdict.support for verdict in heard if verdict.support is not None]
    return fmean(known) if known else None


def has_veto(verdicts: Sequence[Verdict]) -> bool:
    """Whether a rule forbids supported, whoever saw it. Where witnesses were heard
    each judge's verdict has weighed it already."""
    return any(
        rule.veto
        for verdict in verdicts
        if not verdict.testimony
        for rule in verdict.rules
    )


def quotes_against(verdict: Verdict) -> bool:
    """Whether it contradicts with a sentence of the pages in hand."""
    shown = verdict.evidence or verdict.conflicting
    return verdict.label is Label.CONTRADICTED and bool(shown)


def count_labels(heard: Sequence[Verdict]) -> str:
    """`2 supported, 1 not enough info`."""
    counts = Counter(verdict.label for verdict in heard)
    found = (f"{counts[label]} {WORDS[label]}" for label in Label if counts[label])
    return ", ".join(found)


def _speaker(label: Label, named: Sequence[tuple[str, Verdict]]) -> tuple[str, Verdict]:
    """The first judge that gave this label, one with a quotation before one without;
    the first that was heard when nobody gave it."""
    heard = [pair for pair in named if pair[1].label is not Label.UNSCORED]
    same = [pair for pair in heard if pair[1].label is label]
    quoting = [pair for pair in same if quotes_against(pair[1])]
    return (quoting or same or heard)[0]


def _reason(outcome: PanelOutcome, judge: str, shown: Verdict, unheard: int) -> str:
    heard = f"Judges: {outcome.why}"
    if unheard:
        heard += f"; {unheard} left it unscored"
    if shown.label is not outcome.label or not shown.reason:
        return f"{heard}."
    return f"{heard}. {judge}: {shown.reason}"


def _unheard(named: Sequence[tuple[str, Verdict]]) -> Verdict:
    """All left it unscored: one reason when it is the same, else each judge's."""
    first = named[0][1]
    reasons = [verdict.unscored_reason or "no reason given" for _, verdict in named]
    if len(set(reasons)) == 1:
        return first
    each = zip(named, reasons, strict=True)
    joined = "; ".join(f"{name}: {reason}" for (name, _), reason in each)
    return first.model_copy(update={"unscored_reason": joined})


def _band(
    scale: Scale, label: Label, support: float | None, heard: Sequence[Verdict]
) -> Band | None:
    """Supported is proved when most of the judges that support it call it so."""
    pro = [verdict for verdict in heard if verdict.label is Label.SUPPORTED]
    if label is Label.SUPPORTED and any(verdict.testimony for verdict in pro):
        proved = sum(verdict.band == "supported" for verdict in pro)
        return "supported" if 2 * proved > len(pro) else "review"
    if label is Label.UNSCORED or support is None:
        return "review" if support is not None else None
    return scale.band(label, support)


def testimony_of_judges(
    speaker: str, shown: Verdict, named: Sequence[tuple[str, Verdict]]
) -> tuple[Testimony, ...]:
    """All that the shown judge's witnesses said, then the words of the other models."""
    words = [
        one.model_copy(update={"decisive": False})
        for name, verdict in named
        if name != speaker
        for one in verdict.testimony
        if one.witness == WORD
    ]
    return (*shown.testimony, *words)
