"""highlights: which parts of an answer stand in the ground truth (METRICS A).

coverage_percent = characters of matched answer sentences / characters of all of them.
A sentence is matched when its best ground-truth sentence has a cosine strictly above
the setting highlight_similarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.metrics.accuracy import nearest_truths
from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.metrics.similarity import NearestSentence, has_ground_truth
from claimscope.core.metrics.tiers import tier
from claimscope.core.models import JsonValue, Score, ScoreSpan
from claimscope.core.text.chunks import Chunk, readable_sentences


@dataclass(frozen=True)
class Highlights:
    """Percent of the answer's sentences, by characters, that ground truth matches."""

    id: str = "highlights"
    title: str = "answer found in the ground truth"
    needs: frozenset[Need] = frozenset()

    def score(self, findings: Findings) -> Score:
        """Scale 0-100. Evidence in order: `matched` (source: sentence id, address: the
        page's, note: the sentence, value: similarity) and `unmatched` parts."""
        if not has_ground_truth(findings):
            return inapplicable(self.id, "there are no pages and no contexts")
        parts = readable_sentences(findings.answer.text)
        if findings.empty or not parts:
            return inapplicable(self.id, "the answer is empty")
        near, trouble = nearest_truths([part.text for part in parts], findings)
        if trouble and not any(near):
            return unscored(self.id, trouble)
        found = spans(parts, near, findings)
        sizes = {kind: size_of(found, kind) for kind in ("matched", "unmatched")}
        value = 100 * sizes["matched"] / sum(sizes.values())
        details: dict[str, JsonValue] = {
            "matched_characters": sizes["matched"],
            "characters": sum(sizes.values()),
            "method": "keywords" if trouble else "embeddings",
        }
        return Score(
            metric=self.id,
            value=value,
            scale=(0, 100),
            tier=tier(value, findings.settings),
            details=details,
            reason=trouble,
            evidence=tuple(found),
        )


def size_of(found: Sequence[ScoreSpan], kind: str) -> int:
    """Characters of the spans of one kind."""
    return sum(len(span.text) for span in found if span.kind == kind)


def spans(
    parts: Sequence[Chunk], near: Sequence[NearestSentence | None], findings: Findings
) -> list[ScoreSpan]:
    """One span a sentence; its text is that of the answer, as written."""
    answer = findings.answer.text
    least = findings.settings.highlight_similarity
    found = []
    for part, truth in zip(parts, near, strict=True):
        is_matched = truth is not None and truth.similarity > least
        found.append(
            ScoreSpan(
                kind="matched" if is_matched else "unmatched",
                text=answer[part.start : part.end],
                start=part.start,
                end=part.end,
                source=truth.sentence_id if truth and is_matched else None,
                address=truth.url if truth and is_matched else None,
                value=truth.similarity if truth else None,
                note=truth.text if truth and is_matched else "",
            )
        )
    return found


POSITION = 24
METRICS: tuple[Metric, ...] = (Highlights(),)
