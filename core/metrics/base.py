"""What a metric is, and how those of this package are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from claimscope.core.cite.retrieval import Retrieval
from claimscope.core.models import (
    Answer,
    Case,
    CitationResult,
    ClaimResult,
    Grade,
    Label,
    RequiredClaimResult,
    Score,
)
from claimscope.core.models.findings import CitedSentence, Directions
from claimscope.core.ports import Corpus, Floats
from claimscope.core.settings import Settings
from claimscope.core.text.languages import language_of, name_of

Need = Literal[
    "claims",
    "required_claims",
    "citations",
    "expected_citations",
    "judge",
    "reference",
    "source_names",
    "both_directions",
    "cited_support",
    "retrieval",
]
"""`reference`: the case's reference answer; `source_names`: its domain or brands;
`both_directions`: Findings.against_reference; `cited_support`: Findings.cited_support;
`retrieval`: Findings.retrieval, for the case's expected citations.
"""
ASK_AGAIN: frozenset[Need] = frozenset({"both_directions", "cited_support"})
"""Needs for which a verifier is asked of every claim once more: with a language model
that triples the time of a run, so metrics with them are then scored only by name."""
Embed = Callable[[Sequence[str]], Floats]
BY_VECTORS = frozenset(
    {"accuracy", "semantic_similarity", "answer_correctness", "highlights"}
)
"""Metrics whose figure is made of cosines. claim_completeness says itself which claims
it could not look for (RequiredClaimResult.unscored_reason)."""


@dataclass(frozen=True)
class Findings:
    """What was found out about one sample, for all metrics."""

    case: Case
    answer: Answer
    claims: Sequence[ClaimResult] = ()
    required: Sequence[RequiredClaimResult] = ()
    citations: Sequence[CitationResult] = ()
    cited_texts: Sequence[tuple[str, str]] = ()
    """(page id, text) of every cited sentence or page that exists."""
    grades: Sequence[Grade] = ()
    abstained: bool = False
    """The answer states no fact and says that it does not know."""
    partly_abstained: bool = False
    """It says so of something, beside facts or not."""
    empty: bool = False
    judged: bool = False
    """A judge was asked for grades."""
    embed: Embed | None = None
    """Vectors of texts, shape (n, dimensions), L2-normalised; blocks. Raises
    EmbeddingError. None where there is no embedding model."""
    only_english: bool = False
    """The embedding model reads English alone: its cosines say nothing else."""
    corpus: Corpus | None = None
    settings: Settings = Settings()
    against_reference: Directions | None = None
    """Claims of answer and reference, each verified against the other; None when no
    metric asked for it or the case has no reference."""
    cited_support: Sequence[CitedSentence] | None = None
    """One for each answer sentence that states something; None when no metric asked."""
    retrieval: Retrieval | None = None
    """What was retrieved for the answer; None when nothing says so, or the case
    expects no citation."""
    scores: Mapping[str, Score] = field(default_factory=dict)
    """By metric id, those of the metrics before: for a figure made of others."""

    @property
    def silence(self) -> str | None:
        """Why there is nothing to count claims or citations of; None when there is."""
        if self.empty:
            return "the answer is empty"
        return "the answer abstains" if self.abstained else None

    def count(self, *labels: Label) -> int:
        """Claims with one of labels."""
        return sum(result.verdict.label in labels for result in self.claims)


class Metric(Protocol):
    """One figure of a sample."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str:
        """What it says, in a few words, for tables."""

    @property
    def needs(self) -> frozenset[Need]: ...

    def score(self, findings: Findings) -> Score: ...


def inapplicable(metric: str, reason: str) -> Score:
    """A score that has no meaning for this sample."""
    return Score(metric=metric, applicable=False, reason=reason)


def unscored(metric: str, reason: str) -> Score:
    """A score that should exist and could not be made out."""
    return Score(metric=metric, reason=reason)


def is_idle(metric: Metric, settings: Settings) -> bool:
    """Has it nothing to do under these settings, so that it is shown only when it is
    asked for by name? A metric may say so by a method `is_idle(settings)`."""
    if settings.asks_model and metric.needs & ASK_AGAIN:
        return metric.id not in settings.weights
    asked: Callable[[Settings], bool] | None = getattr(metric, "is_idle", None)
    return asked is not None and asked(settings)


def is_wanted(metric: Metric, names: Sequence[str], settings: Settings) -> bool:
    """Is it to be scored: named, or when none is named, not idle?"""
    return metric.id in names if names else not is_idle(metric, settings)


def missing_need(metric: Metric, case: Case, *, judge: bool) -> str | None:
    """Why metric cannot apply to case, known before the run starts; else None."""
    if "judge" in metric.needs and not judge:
        return "no judge: a language model (--judge --model NAME) gives grades"
    if "required_claims" in metric.needs and not any(
        claim.importance == "required" for claim in case.claims
    ):
        return "the case names no required claims"
    if metric.needs & {"expected_citations", "retrieval"} and not case.citations:
        return "the case names no expected citations"
    if "reference" in metric.needs and not (case.reference or "").strip():
        return "the case has no reference answer"
    if "source_names" in metric.needs and not (case.domain or case.brands):
        return "the case names no domain and no brand"
    return None


def unread(metric: Metric, findings: Findings) -> str | None:
    """Why a metric says nothing of a sample in another language; None when it can be
    scored. Known before anything is embedded."""
    if not findings.only_english or metric.id not in BY_VECTORS:
        return None
    for what, text in (
        ("answer", findings.answer.text),
        ("reference", findings.case.reference or ""),
    ):
        found = language_of(text)
        if found != "en":
            return (
                f"the {what} is in {name_of(found)}, which the embedding model does "
                "not read; --embedding-model FOLDER names a multilingual one"
            )
    return None
