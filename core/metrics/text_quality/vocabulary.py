"""vocabulary: how varied the words of an answer are (METRICS E).

Mean of unique / total; sophisticated / total (over 6 letters and not common); and
1 - occurrences of words that occur more than 3 times / total, function words not
counted. Common: Zipf frequency of 4.5 or more in the lists of the package wordfreq.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, inapplicable
from claimscope.core.metrics.text_quality.base import FUNCTION_WORDS, TextQuality, span
from claimscope.core.models import Score, ScoreSpan
from claimscope.core.text.prose import ProseReading, reading

COMMON = 4.5
"""Zipf frequency: about 30 in a million words."""
OFTEN = 3
"""A word that occurs more often is repeated."""
LETTERS = 6
"""A longer word may be a sophisticated one."""


@dataclass(frozen=True)
class Vocabulary(TextQuality):
    """Shown when asked for by name."""

    id: str = "vocabulary"
    title: str = "variety of words"

    def measure(self, findings: Findings) -> Score:
        """Scale 0-1; no words: not applicable."""
        read = reading(findings.answer.text)
        all_words = read.words
        if not all_words:
            return inapplicable(self.id, "the answer has no words")
        from wordfreq import zipf_frequency

        total, counts = len(all_words), Counter(all_words)
        long = [word for word in all_words if len(word) > LETTERS]
        rare = sum(zipf_frequency(word, "en") < COMMON for word in long)
        often = {
            word: n
            for word, n in counts.items()
            if n > OFTEN and word not in FUNCTION_WORDS
        }
        repeated = sum(often.values())
        value = (len(counts) / total + rare / total + 1 - repeated / total) / 3
        details = {"words": total, "unique": len(counts)}
        details |= {"sophisticated": rare, "repeated": repeated}
        return Score(
            metric=self.id,
            value=value,
            details={**details},
            evidence=_repetitions(findings.answer.text, read, often),
        )


def _repetitions(
    text: str, read: ProseReading, often: dict[str, int]
) -> tuple[ScoreSpan, ...]:
    """Where each repeated word stands first."""
    evidence: list[ScoreSpan] = []
    left = dict(often)
    for passage in read.sentences:
        for match in re.finditer(r"\w+", passage.text) if left else ():
            n = left.pop(match.group().lower(), None)
            if n is not None:
                found = span(
                    "repeated", text, passage, match.span(), f"occurs {n} times"
                )
                evidence.append(found)
    return tuple(evidence)


POSITION = 95
METRICS: tuple[Metric, ...] = (Vocabulary(),)
