"""citation_precision, citation_recall, citation_f1 (METRICS C).

precision = valid / total citations, None when there is none. recall = expected
citations hit / expected: same page, and the same sentence index when the case gives
one, or a cited sentence that contains the key phrase (fuzzy >= 0.9, its numbers
exactly: "412 adults" and "413 adults" are 0.9 alike and say different things).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from claimscope.core.metrics.base import (
    Findings,
    Metric,
    Need,
    not_applicable,
    unscored,
)
from claimscope.core.models import CitationState, ExpectedCitation, Score

FUZZY = 90.0
THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class CitationMetric:
    """A figure over the citations of an answer; scale 0-1."""

    id: str
    title: str
    compute: Callable[[str, Findings], Score]
    needs: frozenset[Need]

    def score(self, findings: Findings) -> Score:
        """None with a reason where there is nothing to divide by."""
        if findings.empty:
            return not_applicable(self.id, "the answer is empty")
        if findings.abstained:
            return not_applicable(self.id, "the answer abstains")
        return self.compute(self.id, findings)


def precision(metric: str, findings: Findings) -> Score:
    """valid / total; citations that could not be verified are left out and shown."""
    states = [citation.state for citation in findings.citations]
    if not states:
        return not_applicable(metric, "the answer has no citation")
    open_ = states.count(CitationState.UNVERIFIABLE)
    total = len(states) - open_
    if not total:
        return unscored(metric, f"none of {open_} citations could be verified")
    valid = states.count(CitationState.VALID)
    details = {"valid": valid, "total": total, "unverifiable": open_}
    return Score(metric=metric, value=valid / total, details={**details})


def recall(metric: str, findings: Findings) -> Score:
    """expected citations hit / expected."""
    expected = findings.case.citations
    if not expected:
        return not_applicable(metric, "the case names no expected citations")
    hit = sum(is_hit(citation, findings) for citation in expected)
    details = {"hit": hit, "expected": len(expected)}
    return Score(metric=metric, value=hit / len(expected), details={**details})


def is_hit(expected: ExpectedCitation, findings: Findings) -> bool:
    """Was expected cited, by sentence index or by its key phrase?"""
    cited = [
        citation
        for citation in findings.citations
        if citation.page_id == expected.page_id
        and citation.state is not CitationState.BROKEN
    ]
    # A passage of the case is cited by its position, so it is known by its text.
    if not cited and all(expected.page_id != page for page, _ in findings.cited_texts):
        return False
    if expected.sentence is None and expected.key_phrase is None:
        return True
    if any(c.sentence == expected.sentence for c in cited if c.sentence is not None):
        return True
    return expected.key_phrase is not None and any(
        contains(text, expected.key_phrase)
        for page_id, text in findings.cited_texts
        if page_id == expected.page_id
    )


def contains(text: str, phrase: str) -> bool:
    """Does text contain phrase, case, blanks and small differences aside?"""
    from rapidfuzz import fuzz, utils

    text, phrase = (
        utils.default_process(THOUSANDS.sub("", part)) for part in (text, phrase)
    )
    if len(text) < len(phrase):
        return False
    if not set(NUMBER.findall(phrase)) <= set(NUMBER.findall(text)):
        return False
    return fuzz.partial_ratio(phrase, text) >= FUZZY


def f1(metric: str, findings: Findings) -> Score:
    """Harmonic mean of the two; needs both."""
    p, r = precision(metric, findings), recall(metric, findings)
    if not r.applicable:
        return r
    if not p.applicable:
        return p.model_copy(update={"metric": metric})
    if p.value is None or r.value is None:
        return unscored(metric, p.reason or r.reason)
    total = p.value + r.value
    value = 2 * p.value * r.value / total if total else 0.0
    return Score(metric=metric, value=value, details={**p.details, **r.details})


POSITION = 30
METRICS: tuple[Metric, ...] = (
    CitationMetric(
        "citation_precision", "citations valid", precision, frozenset({"citations"})
    ),
    CitationMetric(
        "citation_recall",
        "key evidence cited",
        recall,
        frozenset({"citations", "expected_citations"}),
    ),
    CitationMetric(
        "citation_f1",
        "citations, F1",
        f1,
        frozenset({"citations", "expected_citations"}),
    ),
)
