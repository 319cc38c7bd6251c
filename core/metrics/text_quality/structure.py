"""structure: paragraphs, introduction and conclusion of an answer (METRICS E).

Mean of min(paragraphs / ceil(words / 100), 1); introduction: a first sentence over 20
characters with a content word of the question; conclusion: a last sentence over 15
characters with a summary word or phrase. With a quality_profile it is the mean of the
profile's own parts (core/metrics/text_quality/quality_profiles.toml).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from statistics import fmean

from claimscope.core.metrics.base import Findings, Metric
from claimscope.core.metrics.text_quality.base import (
    FUNCTION_WORDS,
    REPLIES,
    TextQuality,
    profile_of,
    span,
)
from claimscope.core.models import Score
from claimscope.core.text.prose import reading, words

OPENING, CLOSING = 20, 15
"""Characters the first and the last sentence must exceed."""
WORDS_A_PARAGRAPH = 100
_ITEM = re.compile(r"(?m)^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
"""A line of a list."""
_SUMMARY = re.compile(
    r"(?i)\b(?:in (?:conclusion|summary|short|sum)|to (?:conclude|summari[sz]e|sum up)"
    r"|overall|therefore|thus|finally|altogether|ultimately|in the end)\b"
)


@dataclass(frozen=True)
class Structure(TextQuality):
    """Shown when asked for by name."""

    id: str = "structure"
    title: str = "order of the text"

    def measure(self, findings: Findings) -> Score:
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
        kind = profile_of(findings.settings.quality_profile)
        length = kind.words_a_paragraph if kind else WORDS_A_PARAGRAPH
        measured: dict[str, float] = {
            "paragraphs": min(read.paragraphs / math.ceil(count / length), 1.0),
            "introduction": float(opens),
            "conclusion": float(ends),
        }
        if kind is not None:
            items = len(_ITEM.findall(text))
            measured["items"] = min(items / kind.least_items, 1.0)
            measured["reply"] = float(first.words[0] in REPLIES)
        wanted = kind.parts if kind else ("paragraphs", "introduction", "conclusion")
        evidence = []
        if not opens and "introduction" in wanted:
            is_short = len(first.text) <= OPENING
            note = "too short" if is_short else "has no word of the question"
            evidence.append(span("no introduction", text, first, note=note))
        if not ends and "conclusion" in wanted:
            is_short = len(last.text) <= CLOSING
            note = "too short" if is_short else "has no summary word"
            evidence.append(span("no conclusion", text, last, note=note))
        return Score(
            metric=self.id,
            value=fmean(measured[part] for part in wanted),
            details={part: measured[part] for part in wanted},
            evidence=tuple(evidence),
        )


POSITION = 94
METRICS: tuple[Metric, ...] = (Structure(),)
