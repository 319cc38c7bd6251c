"""Metrics that compare meanings by vectors, and texts the embedding model cannot read.

A cosine of all-MiniLM between two German sentences is high whatever they say. A score
made of it would look as sure as any other, so it is not applicable instead.
"""

from __future__ import annotations

from claimscope.core.metrics.base import Findings, Metric
from claimscope.core.text.languages import language_of, name_of

BY_VECTORS = frozenset(
    {"accuracy", "semantic_similarity", "answer_correctness", "highlights"}
)
"""Metrics whose figure is made of cosines. claim_completeness says itself which claims
it could not look for (RequiredClaimResult.unscored_reason)."""


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
