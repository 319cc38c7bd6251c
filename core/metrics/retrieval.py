"""recall_at_1, recall_at_3, recall_at_5, recall_at_10: is the evidence retrieved?

recall@k = expected citations whose sentence, or a text with their key phrase, is among
the first k retrieved / expected citations. Retrieved is what the answer says
(`retrieved`), else the contexts of the case, else what Claimscope's own search finds
for the question. With citation_recall it tells apart what retrieval did not find and
what the answer did not cite.
"""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.core.cite.retrieval import BY
from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable
from claimscope.core.models import JsonValue, Score, ScoreSpan


@dataclass(frozen=True)
class RecallAt:
    """Share of the expected evidence among the first retrieved; scale 0-1."""

    id: str
    title: str
    k: int
    needs: frozenset[Need] = frozenset({"retrieval"})

    def score(self, findings: Findings) -> Score:
        """Not applicable where nothing says what was retrieved."""
        found = findings.retrieval
        if found is None:
            return inapplicable(self.id, "nothing says what was retrieved")
        expected = [one for one in findings.case.citations if found.knows(one)]
        if not expected:
            reason = (
                "what was retrieved has no page ids, and the expected citations no "
                "key phrase to look for in it"
            )
            return inapplicable(self.id, reason)
        ranks = [found.rank(one) for one in expected]
        hit = sum(rank is not None and rank <= self.k for rank in ranks)
        details: dict[str, JsonValue] = {
            "hit": hit,
            "expected": len(expected),
            "retrieved": len(found.found),
            "by": BY[found.by],
        }
        return Score(
            metric=self.id,
            value=hit / len(expected),
            details=details,
            evidence=tuple(
                ScoreSpan(
                    kind="retrieved" if rank else "not retrieved",
                    text=one.key_phrase or one.page_id,
                    source=one.page_id
                    if one.sentence is None
                    else f"{one.page_id}:S:{one.sentence}",
                    note=f"place {rank}" if rank else "",
                )
                for one, rank in zip(expected, ranks, strict=True)
            ),
        )


POSITION = 36
METRICS: tuple[Metric, ...] = tuple(
    RecallAt(f"recall_at_{k}", f"expected evidence in the first {k} retrieved", k)
    for k in (1, 3, 5, 10)
)
