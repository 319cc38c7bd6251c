"""length: is the answer as long as its prompt calls for (METRICS E)?

max(0, 1 - |ln(words / optimal)|), optimal = 2.5 x prompt words; empty answer: 0. The
ratio is the setting length_ratio. With a quality_profile, optimal is every number of
words from its least to its most, and its nearer end for others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, inapplicable
from claimscope.core.metrics.text_quality.base import TextQuality, profile_of
from claimscope.core.models import Score
from claimscope.core.text.prose import words


@dataclass(frozen=True)
class Length(TextQuality):
    """Shown when asked for by name."""

    id: str = "length"
    title: str = "length for its prompt"

    def measure(self, findings: Findings) -> Score:
        """Scale 0-1."""
        text = findings.answer.text
        prompt, count = len(words(findings.case.question)), len(words(text))
        if not prompt:
            return inapplicable(self.id, "the case's question has no words")
        optimal = findings.settings.length_ratio * prompt
        chosen = profile_of(findings.settings.quality_profile)
        if chosen is not None:
            optimal = min(max(count, chosen.words[0]), chosen.words[1])
        value = max(0.0, 1 - abs(math.log(count / optimal))) if count else 0.0
        details = {"words": count, "prompt_words": prompt, "optimal": optimal}
        return Score(metric=self.id, value=value, details={**details})


POSITION = 93
METRICS: tuple[Metric, ...] = (Length(),)
