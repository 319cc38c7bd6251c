"""citation_support_recall and citation_support_precision (METRICS C, ALCE).

recall = answer sentences whose cited sentences together entail them / answer sentences
that state something; precision = citations that are of use / citations, leave one out
(Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.models import Score, ScoreSpan
from claimscope.core.models.findings import CitedSentence


@dataclass(frozen=True)
class CitationSupport:
    """A figure over what the citations of an answer carry."""

    id: str
    title: str
    of_citations: bool
    """Precision, over citations; else recall, over sentences."""
    needs: frozenset[Need] = frozenset({"citations", "cited_support"})

    def score(self, findings: Findings) -> Score:
        """Scale 0-1; None with a reason where there is nothing to divide by."""
        if findings.silence:
            return inapplicable(self.id, findings.silence)
        found = findings.cited_support
        if found is None:
            return unscored(self.id, "the citations were not checked for it")
        cites = any(sentence.citations for sentence in found)
        if not cites and (self.of_citations or not findings.case.citations):
            return inapplicable(self.id, "the answer has no citation of a claim")
        return self.share(findings.answer.text, found)

    def share(self, text: str, found: Sequence[CitedSentence]) -> Score:
        """True ones of those that could be judged, with the others beside them."""
        said = [one.carried for one in found]
        if self.of_citations:
            said = [use for one in found for use in one.citations]
        open_ = said.count(None)
        total = len(said) - open_
        what = "citations" if self.of_citations else "sentences"
        if not total:
            if not said:
                return unscored(self.id, "no claim was found in the answer")
            return unscored(self.id, f"none of {open_} {what} could be judged")
        return Score(
            metric=self.id,
            value=said.count(True) / total,
            details={"supported": said.count(True), what: total, "unscored": open_},
            evidence=tuple(span(text, one) for one in found),
        )


def span(text: str, one: CitedSentence) -> ScoreSpan:
    """A sentence with what became of it and of each of its citations."""
    words = {True: "of use", False: "of no use", None: "not judged"}
    each = zip(one.texts, one.citations, strict=True)
    note = "; ".join(f"{marker} {words[use]}" for marker, use in each)
    kinds = {True: "carried", False: "not carried", None: "not judged"}
    return ScoreSpan(
        kind=kinds[one.carried],
        text=text[one.start : one.end],
        start=one.start,
        end=one.end,
        note=note or "it cites nothing",
    )


POSITION = 35
METRICS: tuple[Metric, ...] = (
    CitationSupport("citation_support_recall", "sentences carried by citations", False),
    CitationSupport("citation_support_precision", "citations of use", True),
)
