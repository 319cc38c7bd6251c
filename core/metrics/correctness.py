"""factual_correctness and answer_correctness (METRICS D).

precision = supported answer claims / answer claims, verified against the reference;
recall = supported reference claims / reference claims, verified against the answer;
factual_correctness = their F, or one of them. answer_correctness = w_f x factual +
w_s x cosine(answer, reference). Without a factual part there is no composite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import (
    Embed,
    Findings,
    Metric,
    Need,
    inapplicable,
    unscored,
)
from claimscope.core.metrics.tiers import level
from claimscope.core.models import ClaimResult, JsonValue, Label, Score, ScoreSpan
from claimscope.core.models.findings import Directions
from claimscope.core.settings import CorrectnessMode, Settings
from claimscope.core.text.citations.markers import strip_markers

PRESETS = {
    "default": (0.75, 0.25),
    "equal": (0.5, 0.5),
    "factual": (0.9, 0.1),
    "semantic": (0.1, 0.9),
}
"""(factual, semantic) weights."""
NEEDS: frozenset[Need] = frozenset({"reference", "both_directions"})


def weights(settings: Settings) -> tuple[float, float]:
    """(factual, semantic), summing to 1: those given, else the preset's."""
    factual, semantic = settings.factual_weight, settings.semantic_weight
    if factual is not None:
        return factual, 1 - factual
    if semantic is not None:
        return 1 - semantic, semantic
    return PRESETS[settings.correctness_preset]


@dataclass(frozen=True)
class SupportCount:
    """One direction by one judge: claims supported of claims judged."""

    supported: int
    verified: int
    unscored: int = 0

    @property
    def share(self) -> float | None:
        return self.supported / self.verified if self.verified else None


def support_count(labels: Sequence[Label]) -> SupportCount:
    """What labels add up to; unscored ones are in no share."""
    open_ = labels.count(Label.UNSCORED)
    return SupportCount(labels.count(Label.SUPPORTED), len(labels) - open_, open_)


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """(1 + b²) P R / (b² P + R); 0 when both are 0."""
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def combine_directions(
    answer: SupportCount, reference: SupportCount, mode: CorrectnessMode, beta: float
) -> float | None:
    """The factual part from both directions; None when one it needs was not judged."""
    precision, recall = answer.share, reference.share
    if mode == "precision":
        return precision
    if mode == "recall":
        return recall
    if precision is None or recall is None:
        return None
    return f_beta(precision, recall, beta)


def by_judge(found: Directions, settings: Settings) -> dict[str, float]:
    """The factual part by each of several judges that came to one; empty for one."""
    results = [*found.answer_claims, *found.reference_claims]
    judges = dict.fromkeys(v.judge for r in results for v in r.verdict.votes)
    if len(judges) < 2:
        return {}
    scores = {}
    for judge in judges:
        value = combine_directions(
            support_count([label_by(judge, r) for r in found.answer_claims]),
            support_count([label_by(judge, r) for r in found.reference_claims]),
            settings.correctness_mode,
            settings.correctness_beta,
        )
        if value is not None:
            scores[judge] = value
    return scores


def label_by(judge: str, result: ClaimResult) -> Label:
    """What one judge said; the verdict itself where code decided and nobody voted."""
    votes = result.verdict.votes
    if not votes:
        return result.verdict.label
    return next((v.label for v in votes if v.judge == judge), Label.UNSCORED)


def factual(metric: str, findings: Findings) -> Score:
    """The factual part with all counts, or why there is none. Scale 0-1."""
    if findings.empty:
        return with_level(metric, 0.0, {"empty_answer": True}, findings.settings)
    found = findings.against_reference
    if found is None:
        return unscored(metric, "answer and reference were not compared")
    apart = abstention(metric, findings, found) or no_claims(metric, findings, found)
    if apart is not None:
        return apart
    settings = findings.settings
    answer = support_count([r.verdict.label for r in found.answer_claims])
    reference = support_count([r.verdict.label for r in found.reference_claims])
    value = combine_directions(
        answer, reference, settings.correctness_mode, settings.correctness_beta
    )
    judges = by_judge(found, settings)
    details = counts_of(answer, reference, judges)
    if judges:
        value = fmean(judges.values())
    if value is None and not found.answer_claims:
        value = 0.0  # it states nothing, not even that it does not know
    if value is None:
        reason = nothing_judged(answer, reference)
        return unscored(metric, reason).model_copy(update={"details": details})
    return with_level(metric, value, details, findings.settings, spans(found))


def abstention(metric: str, findings: Findings, found: Directions) -> Score | None:
    """Both say that the sources do not tell: right, and no share of claims. One alone
    says so: wrong. None: neither does."""
    answer = findings.abstained or (
        found.reference_abstains and findings.partly_abstained
    )
    if answer and found.reference_abstains:
        reason = "a correct abstention: answer and reference say it is not known"
        score = inapplicable(metric, reason)
        return score.model_copy(update={"details": {"correct_abstention": True}})
    if answer or found.reference_abstains:
        who = "answer" if answer else "reference"
        return with_level(metric, 0.0, {"only_abstains": who}, findings.settings)
    return None


def no_claims(metric: str, findings: Findings, found: Directions) -> Score | None:
    """A side that states facts of which no claim was taken: neither 1 nor 0."""
    mode = findings.settings.correctness_mode
    if found.answer_failed and mode != "recall":
        return unscored(metric, "no claim could be taken from the answer")
    if mode != "precision" and (found.reference_failed or not found.reference_claims):
        return unscored(metric, "no claim could be taken from the reference")
    return None


def nothing_judged(answer: SupportCount, reference: SupportCount) -> str:
    """Why a direction has no share."""
    if not answer.verified:
        return f"none of {answer.unscored} claims of the answer could be judged"
    return f"none of {reference.unscored} claims of the reference could be judged"


def counts_of(
    answer: SupportCount, reference: SupportCount, judges: dict[str, float]
) -> dict[str, JsonValue]:
    """All counts of both directions, and what each of several judges comes to."""
    details: dict[str, JsonValue] = {
        "answer_claims": answer.verified,
        "answer_claims_supported": answer.supported,
        "reference_claims": reference.verified,
        "reference_claims_supported": reference.supported,
        "unscored": answer.unscored + reference.unscored,
        "precision": answer.share,
        "recall": reference.share,
    }
    if judges:
        details |= {f"by {judge}": value for judge, value in judges.items()}
        details["spread"] = max(judges.values()) - min(judges.values())
    return details


def spans(found: Directions) -> tuple[ScoreSpan, ...]:
    """Every claim of both sides with its verdict; places only of the answer's."""
    mine = tuple(
        ScoreSpan(
            kind=f"answer: {r.verdict.label.value}",
            text=r.claim.text,
            start=r.claim.start,
            end=r.claim.end,
            value=r.verdict.support,
            note=r.verdict.unscored_reason or r.verdict.reason,
        )
        for r in found.answer_claims
    )
    theirs = tuple(
        ScoreSpan(
            kind=f"reference: {r.verdict.label.value}",
            text=r.claim.text,
            value=r.verdict.support,
            note=r.verdict.unscored_reason or r.verdict.reason,
        )
        for r in found.reference_claims
    )
    return mine + theirs


def cosine(text: str, other: str, embed: Embed) -> float:
    """cosine(text, other), clipped to [0, 1]. A text longer than the model's window is
    chunked by the embedder, never cut. Raises EmbeddingError."""
    vectors = embed([text, other])
    return min(1.0, max(0.0, float(vectors[0] @ vectors[1])))


def with_level(
    metric: str,
    value: float,
    details: dict[str, JsonValue],
    settings: Settings,
    evidence: tuple[ScoreSpan, ...] = (),
) -> Score:
    """A value with its level."""
    value = min(1.0, max(0.0, value))
    return Score(
        metric=metric,
        value=value,
        level=level(value, settings),
        details=details,
        evidence=evidence,
    )


@dataclass(frozen=True)
class FactualCorrectness:
    """Do answer and reference state the same facts?"""

    id: str = "factual_correctness"
    title: str = "facts as in the reference"
    needs: frozenset[Need] = NEEDS

    def score(self, findings: Findings) -> Score:
        """Scale 0-1, with all four counts; several judges: the mean of their scores,
        each of them and their spread beside it."""
        return factual(self.id, findings)


@dataclass(frozen=True)
class AnswerCorrectness:
    """Facts and meaning together."""

    id: str = "answer_correctness"
    title: str = "facts and meaning as in the reference"
    needs: frozenset[Need] = NEEDS

    def score(self, findings: Findings) -> Score:
        """Scale 0-1; unscored without a factual part, never the semantic part alone."""
        facts = factual(self.id, findings)
        if facts.value is None or not findings.against_reference:
            return facts
        if "only_abstains" in facts.details:
            return facts  # a wrong abstention is no better for being worded alike
        if findings.embed is None:
            return unscored(self.id, "there is no embedding model for the meaning")
        reference = findings.case.reference or ""
        try:
            meaning = cosine(
                strip_markers(findings.answer.text), reference, findings.embed
            )
        except EmbeddingError as error:
            return unscored(self.id, f"the meaning was not compared: {error.message}")
        w_facts, w_meaning = weights(findings.settings)
        details: dict[str, JsonValue] = {
            **facts.details,
            "factual": facts.value,
            "semantic": meaning,
            "factual_weight": w_facts,
            "semantic_weight": w_meaning,
        }
        value = w_facts * facts.value + w_meaning * meaning
        return with_level(self.id, value, details, findings.settings, facts.evidence)


POSITION = 15
METRICS: tuple[Metric, ...] = (FactualCorrectness(), AnswerCorrectness())
