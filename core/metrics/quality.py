"""What the metrics of text quality share (METRICS E): English only, and asked for by
name, as they say nothing of whether an answer is right."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Need, not_applicable
from claimscope.core.models import Score
from claimscope.core.settings import Settings
from claimscope.core.text.prose import language


@dataclass(frozen=True)
class TextQuality(ABC):
    """A metric of the answer's text alone, or of it and its prompt."""

    id: str
    title: str
    needs: frozenset[Need] = frozenset()

    def is_idle(self, settings: Settings) -> bool:
        """Text quality is asked for by name."""
        return True

    def score(self, findings: Findings) -> Score:
        """Scale 0-1; not applicable to another language than English."""
        found = language(findings.answer.text)
        if found != "en":
            return not_applicable(self.id, f"the answer is not English ({found})")
        return self.measured(findings)

    @abstractmethod
    def measured(self, findings: Findings) -> Score:
        """The score of an English answer."""
