"""attribution: does the answer credit its source? (METRICS A)

The highest of url 100, domain 75, brand 50, plus 10 for each further mention, at most
100; 0 when there is none. All five are settings.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable
from claimscope.core.metrics.tiers import tier
from claimscope.core.models import Score, ScoreSpan
from claimscope.core.settings import Settings
from claimscope.core.text.citations.mentions import Mention, find_mentions


@dataclass(frozen=True)
class Attribution:
    """Mentions of the case's domain and brands, weighed."""

    id: str = "attribution"
    title: str = "source named in the answer"
    needs: frozenset[Need] = frozenset({"source_names"})

    def score(self, findings: Findings) -> Score:
        """Scale 0-100; evidence: every mention with its place and its context."""
        case, settings = findings.case, findings.settings
        if not case.domain and not case.brands:
            return inapplicable(self.id, "the case names no domain and no brand")
        found = find_mentions(findings.answer.text, case.domain, case.brands)
        weights = weights_of(settings)
        value = points(found, settings)
        kinds = Counter(mention.kind for mention in found)
        details: dict[str, int | bool] = {
            "url": kinds["url"],
            "domain": kinds["domain"],
            "brand": kinds["brand"],
        }
        if findings.empty:
            details["review"] = True
        return Score(
            metric=self.id,
            value=value,
            scale=(0, 100),
            tier=tier(value, settings),
            details=dict(details),
            evidence=tuple(
                ScoreSpan(
                    kind=mention.kind,
                    text=mention.text,
                    start=mention.start,
                    end=mention.end,
                    value=weights[mention.kind],
                    note=mention.context,
                )
                for mention in found
            ),
        )


def weights_of(settings: Settings) -> dict[str, float]:
    """What the first mention of each kind is worth."""
    return {
        "url": settings.attribution_url,
        "domain": settings.attribution_domain,
        "brand": settings.attribution_brand,
    }


def points(found: list[Mention], settings: Settings) -> float:
    """The best mention's weight, the bonus for each further one, capped."""
    if not found:
        return 0.0
    weights = weights_of(settings)
    best = max(weights[mention.kind] for mention in found)
    bonus = settings.attribution_bonus * (len(found) - 1)
    return float(min(best + bonus, settings.attribution_cap))


POSITION = 22
METRICS: tuple[Metric, ...] = (Attribution(),)
