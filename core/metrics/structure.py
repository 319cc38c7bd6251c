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
from claimscope.core.metrics.quality import FUNCTION_WORDS, TextQuality, span
from claimscope.core.models import Score
from claimscope.core.text.prose import reading, words

OPENING, CLOSING = 20, 15
"""Characters the first and the last sentence must exceed."""
WORDS_A_PARAGRAPH = 100
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
        read = reading(text)
        count = len(read.words)
        if not count:
            return Score(metric=self.id, value=0.0)
        first, last = read.sentences[0], read.sentences[-1]
        topic = set(words(findings.case.question)) - FUNCTION_WORDS
        opens = len(first.text) > OPENING and bool(topic & set(first.words))
        ends = len(last.text) > CLOSING and _SUMMARY.search(last.text) is not None
        parts = min(read.paragraphs / math.ceil(count / WORDS_A_PARAGRAPH), 1.0)
        evidence = []
        if not opens:
            is_short = len(first.text) <= OPENING
            note = "too short" if is_short else "has no word of the question"
            evidence.append(span("no introduction", text, first, note=note))
        if not ends:
            is_short = len(last.text) <= CLOSING
            note = "too short" if is_short else "has no summary word"
            evidence.append(span("no conclusion", text, last, note=note))
        return Score(
            metric=self.id,
            value=(parts + opens + ends) / 3,
            details={"paragraphs": parts, "introduction": opens, "conclusion": ends},
            evidence=tuple(evidence),
        )


POSITION = 94
METRICS: tuple[Metric, ...] = (Structure(),)
