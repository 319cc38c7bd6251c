"""claim_support and hallucination_rate: what share of an answer's claims holds.

METRICS D: claim_support = supported / verified answer claims; hallucination_rate =
(contradicted + not_enough_info) / verified. Verified = scored: a claim nobody could
judge is in neither count and is shown beside the figure.
"""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.models import Label, Score


@dataclass(frozen=True)
class ClaimShare:
    """Share of an answer's verified claims with one of `labels`."""

    id: str
    title: str
    labels: tuple[Label, ...]
    needs: frozenset[Need] = frozenset({"claims"})

    def score(self, findings: Findings) -> Score:
        """Scale 0-1; None with a reason when there is nothing to divide by."""
        if findings.silence:
            return inapplicable(self.id, findings.silence)
        if not findings.claims:
            return unscored(self.id, "no claim was found in the answer")
        open_ = findings.count(Label.UNSCORED)
        verified = len(findings.claims) - open_
        if not verified:
            return unscored(self.id, f"none of {open_} claims could be judged")
        share = findings.count(*self.labels) / verified
        return Score(
            metric=self.id,
            value=share,
            details={
                "supported": findings.count(Label.SUPPORTED),
                "contradicted": findings.count(Label.CONTRADICTED),
                "not_enough_info": findings.count(Label.NOT_ENOUGH_INFO),
                "unscored": open_,
            },
        )


POSITION = 10
METRICS: tuple[Metric, ...] = (
    ClaimShare("claim_support", "claims supported", (Label.SUPPORTED,)),
    ClaimShare(
        "hallucination_rate",
        "claims not supported",
        (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO),
    ),
)
