"""citation_existence, citation_precision, citation_recall, citation_f1 (METRICS C).

existence = citations whose page and sentence are in the evidence / all citations;
precision, by support = those that exist and support their claim / all citations. What
nobody could judge stays in the number of all, and is shown; None when there is no
citation. recall = expected
citations hit / expected: same page, and the same sentence index when the case gives
one, or a cited sentence that contains the key phrase (fuzzy >= 0.9, its numbers
exactly: "412 adults" and "413 adults" are 0.9 alike and say different things).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from claimscope.core.cite.retrieval import BY, Fate, wrongly_cited
from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.models import (
    CitationState,
    ExpectedCitation,
    JsonValue,
    Score,
    ScoreSpan,
)
from claimscope.core.text.phrase_match import contains_phrase


@dataclass(frozen=True)
class CitationMetric:
    """A figure over the citations of an answer; scale 0-1."""

    id: str
    title: str
    compute: Callable[[str, Findings], Score]
    needs: frozenset[Need]

    def score(self, findings: Findings) -> Score:
        """None with a reason where there is nothing to divide by."""
        if findings.silence:
            return inapplicable(self.id, findings.silence)
        return self.compute(self.id, findings)


def existence(metric: str, findings: Findings) -> Score:
    """Citations that exist / all citations."""
    found = findings.citations
    known = sum(citation.exists is True for citation in found)
    open_ = sum(citation.exists is None for citation in found)
    return share_of(metric, known, len(found), open_, "existing", "looked up")


def precision(metric: str, findings: Findings) -> Score:
    """Citations that exist and support their claim / all citations."""
    states = [citation.state for citation in findings.citations]
    valid = states.count(CitationState.VALID)
    open_ = states.count(CitationState.UNVERIFIABLE)
    score = share_of(metric, valid, len(states), open_, "valid", "verified")
    if score.value is None:
        return score
    likely = sum(citation.is_likely for citation in findings.citations)
    return score.model_copy(update={"details": {**score.details, "likely": likely}})


def share_of(
    metric: str, good: int, total: int, open_: int, name: str, done: str
) -> Score:
    """good / total, with what was left open in the total."""
    if not total:
        return inapplicable(metric, "the answer has no citation")
    if open_ == total:
        return unscored(metric, f"none of {open_} citations could be {done}")
    details: dict[str, JsonValue] = {name: good, "total": total, "unverifiable": open_}
    return Score(metric=metric, value=good / total, details=details)


def recall(metric: str, findings: Findings) -> Score:
    """expected citations hit / expected."""
    expected = findings.case.citations
    if not expected:
        return inapplicable(metric, "the case names no expected citations")
    hit = sum(is_hit(citation, findings) for citation in expected)
    spans = citation_fates(findings)
    kinds = [span.kind for span in spans if span.kind not in ("cited", "missing")]
    details: dict[str, JsonValue] = {"hit": hit, "expected": len(expected)}
    details |= {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    return Score(
        metric=metric, value=hit / len(expected), details=details, evidence=spans
    )


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
        contains_phrase(text, expected.key_phrase)
        for page_id, text in findings.cited_texts
        if page_id == expected.page_id
    )


def citation_fates(findings: Findings) -> tuple[ScoreSpan, ...]:
    """What became of each expected citation."""
    return tuple(fate_of(one, findings) for one in findings.case.citations)


def fate_of(expected: ExpectedCitation, findings: Findings) -> ScoreSpan:
    """Cited, cited wrongly, retrieved and not cited, or not retrieved."""
    source = expected.page_id
    if expected.sentence is not None:
        source += f":S:{expected.sentence}"
    found = findings.retrieval
    is_known = found is not None and found.knows(expected)
    rank = found.rank(expected) if found is not None and is_known else None
    at = "nobody can tell whether it was retrieved"
    if found is not None and is_known:
        at = f"place {rank}, {BY[found.by]}" if rank else BY[found.by]
    kind: Fate = "missing"
    wrong = wrongly_cited(expected, findings.citations, findings.claims)
    if is_hit(expected, findings):
        kind = "cited"
    elif wrong is not None:
        kind = "cited wrongly"
        at = (
            f"as {wrong.text}; retrieved: {at if rank or not is_known else 'no, ' + at}"
        )
    elif is_known:
        kind = "retrieved, not cited" if rank else "not retrieved"
    text = expected.key_phrase or source
    return ScoreSpan(kind=kind, text=text, source=source, note=at)


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
        "citation_existence",
        "citations that exist",
        existence,
        frozenset({"citations"}),
    ),
    CitationMetric(
        "citation_precision",
        "citations that exist and support",
        precision,
        frozenset({"citations"}),
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
