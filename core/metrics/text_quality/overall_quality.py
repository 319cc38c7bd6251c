"""overall_quality: the weighted mean of the five metrics of text quality (METRICS E).

0.25 coherence + 0.25 prompt_completeness + 0.20 length + 0.15 structure + 0.15
vocabulary. The weights are the setting quality_weights and sum to 1. A metric that has
no meaning for an answer (no words, no keywords) takes its weight with it, and the score
says of how many metrics it is the mean; one that should have a value and has none
leaves it unscored. Without spaCy's English model two of the five are missing, and it is
not applicable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claimscope.core.metrics.base import Findings, Metric, inapplicable
from claimscope.core.metrics.overall import score_of, weighted_mean
from claimscope.core.metrics.text_quality.base import TextQuality
from claimscope.core.models import Score
from claimscope.core.settings import weights_in
from claimscope.core.text import english
from claimscope.core.text.languages import language

GRAMMATICAL = ("coherence", "prompt_completeness")


@dataclass(frozen=True)
class OverallQuality(TextQuality):
    """Shown when asked for by name; what it is made of is in the evidence."""

    id: str = "overall_quality"
    title: str = "text quality as a whole"
    reads_grammar: ClassVar[bool] = True
    reads_prompt: ClassVar[bool] = True

    def obstacle(self, findings: Findings) -> str | None:
        """As of its metrics; what concerns the prompt alone they say themselves."""
        weights = weights_in(findings.settings.quality_weights)
        reads = any(weights.get(name) for name in GRAMMATICAL)
        found = language(findings.answer.text)
        if found != "en":
            return f"the answer is not English ({found})"
        return english.REMEDY if reads and not english.is_available() else None

    def measure(self, findings: Findings) -> Score:
        """Scale 0-1."""
        set_weights = weights_in(findings.settings.quality_weights)
        weights = {name: weight for name, weight in set_weights.items() if weight}
        found = weighted_mean(self.id, weights, findings)
        if found is not None:
            return found
        reasons = "; ".join(f"{n}: {score_of(n, findings).reason}" for n in weights)
        return inapplicable(self.id, f"none of its metrics applies ({reasons})")


POSITION = 96
METRICS: tuple[Metric, ...] = (OverallQuality(),)
