"""vocabulary: how varied the words of an answer are (METRICS E).

Mean of unique / total; sophisticated / total (over 6 letters and not common); and
1 - occurrences of words that occur more than 3 times / total, function words not
counted. Common: Zipf frequency of 4.5 or more in the lists of the package wordfreq.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from claimscope.core.metrics.base import Findings, Metric, not_applicable
from claimscope.core.metrics.quality import TextQuality
from claimscope.core.models import Score
from claimscope.core.text.prose import words

COMMON = 4.5
"""Zipf frequency: about 30 in a million words."""
FUNCTION_WORDS = frozenset(
    """a an the and or but if so of in on at to for from by with as is are was were be
    been it its this that these those he she they we you i his her their our your my
    not no do does did has have had can could will would may might must should which
    who what when where how than then there also into about""".split()
)


@dataclass(frozen=True)
class Vocabulary(TextQuality):
    """Shown when asked for by name."""

    id: str = "vocabulary"
    title: str = "variety of words"

    def measured(self, findings: Findings) -> Score:
        """Scale 0-1; no words: not applicable."""
        text = findings.answer.text
        all_words = words(text)
        if not all_words:
            return not_applicable(self.id, "the answer has no words")
        from wordfreq import zipf_frequency

        total, counts = len(all_words), Counter(all_words)
        long = [word for word in all_words if len(word) > 6]
        rare = sum(zipf_frequency(word, "en") < COMMON for word in long)
        repeated = sum(
            n for word, n in counts.items() if n > 3 and word not in FUNCTION_WORDS
        )
        value = (len(counts) / total + rare / total + 1 - repeated / total) / 3
        details = {"words": total, "unique": len(counts)}
        details |= {"sophisticated": rare, "repeated": repeated}
        return Score(metric=self.id, value=value, details={**details})


POSITION = 95
METRICS: tuple[Metric, ...] = (Vocabulary(),)
