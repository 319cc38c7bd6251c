"""structure: paragraphs, introduction and conclusion of an answer (METRICS E).

Mean of min(paragraphs / ceil(words / 100), 1); introduction: a first sentence over 20
characters with a content word of the question; conclusion: a last sentence over 15
characters with a summary word or phrase.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric
from claimscope.core.metrics.quality import TextQuality
from claimscope.core.metrics.vocabulary import FUNCTION_WORDS
from claimscope.core.models import Score
from claimscope.core.text.prose import paragraphs, words
from claimscope.core.text.sentences import split

_SUMMARY = re.compile(
    r"(?i)\b(?:in (?:conclusion|summary|short|sum)|to (?:conclude|summari[sz]e|sum up)"
    r"|overall|therefore|thus|finally|altogether|ultimately|in the end)\b"
)


@dataclass(frozen=True)
class Structure(TextQuality):
    """Shown when asked for by name."""

    id: str = "structure"
    title: str = "order of the text"

    def measured(self, findings: Findings) -> Score:
        """Scale 0-1; no words: 0."""
        text = findings.answer.text
        count = len(words(text))
        if not count:
            return Score(metric=self.id, value=0.0)
        pieces = [text[a:b].strip() for a, b in split(text, "markdown")]
        topic = set(words(findings.case.question)) - FUNCTION_WORDS
        opens = len(pieces[0]) > 20 and bool(topic & set(words(pieces[0])))
        ends = len(pieces[-1]) > 15 and _SUMMARY.search(pieces[-1]) is not None
        parts = min(len(paragraphs(text)) / math.ceil(count / 100), 1.0)
        details = {"paragraphs": parts, "introduction": opens, "conclusion": ends}
        return Score(
            metric=self.id, value=(parts + opens + ends) / 3, details={**details}
        )


POSITION = 94
METRICS: tuple[Metric, ...] = (Structure(),)
