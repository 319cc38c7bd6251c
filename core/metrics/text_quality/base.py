"""What the metrics of text quality share (METRICS E): English only, and asked for by
name, as they say nothing of whether an answer is right."""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable
from claimscope.core.models import Model, Score, ScoreSpan
from claimscope.core.settings import Settings
from claimscope.core.text import english
from claimscope.core.text.languages import language
from claimscope.core.text.prose import ProseSentence

FUNCTION_WORDS = frozenset(
    """a an the and or but if so of in on at to for from by with as is are was were be
    been it its this that these those he she they we you i his her their our your my
    not no do does did has have had can could will would may might must should which
    who what when where how than then there also into about s t d ll m re ve""".split()
)
"""Words of grammar: they name no topic, and repeating them is no fault. The last are
what an apostrophe leaves behind."""
FILE = Path(__file__).with_name("quality_profiles.toml")
REPLIES = frozenset("yes no yeah yep nope certainly absolutely indeed correct".split())
"""First words that say yes or no."""


@dataclass(frozen=True)
class TextQuality(ABC):
    """A metric of the answer's text alone, or of it and its prompt."""

    id: str
    title: str
    needs: frozenset[Need] = frozenset()
    reads_grammar: ClassVar[bool] = False
    """Does it need spaCy's English model?"""
    reads_prompt: ClassVar[bool] = False
    """Does it read the words of the prompt as well?"""

    def is_idle(self, settings: Settings) -> bool:
        """Text quality is asked for by name."""
        return True

    def score(self, findings: Findings) -> Score:
        """Scale 0-1; not applicable to another language than English."""
        reason = self.obstacle(findings)
        return inapplicable(self.id, reason) if reason else self.measure(findings)

    def obstacle(self, findings: Findings) -> str | None:
        """Why it cannot be said of this answer; else None."""
        texts = [("answer", findings.answer.text)]
        texts += [("question", findings.case.question)] if self.reads_prompt else []
        for what, text in texts:
            found = language(text)
            if found != "en":
                return f"the {what} is not English ({found})"
        if self.reads_grammar and not english.is_available():
            return english.REMEDY
        return None

    @abstractmethod
    def measure(self, findings: Findings) -> Score:
        """The score of an English answer."""


def prepare(metrics: Iterable[Metric], pairs: Sequence[tuple[str, str]]) -> None:
    """Analyse the questions and answers that will be scored, all together: faster than
    one by one. Does nothing when no metric reads their grammar."""
    readers = [m for m in metrics if getattr(m, "reads_grammar", False)]
    if not readers:
        return
    reads_prompt = any(getattr(m, "reads_prompt", False) for m in readers)
    texts = [
        text
        for question, answer in pairs
        for text in ((question, answer) if reads_prompt else (answer,))
        if language(text) == "en"
    ]
    # Not more than is kept: the first would be dropped before they are scored.
    english.analyse_all(list(dict.fromkeys(texts))[: english.KEPT])


def grammar_of(text: str) -> english.Analysis:
    """The grammar of a text whose metric has no obstacle."""
    found = english.analyse(text)
    if found is None:  # taken away since the obstacle was looked for
        return english.Analysis(())
    return found


def span(
    kind: str,
    text: str,
    passage: ProseSentence,
    part: tuple[int, int] | None = None,
    note: str = "",
    value: float | None = None,
) -> ScoreSpan:
    """Evidence in an answer as it was written: a sentence, or a part of it."""
    if part is None:
        start, end = passage.start, passage.end
    else:
        start, end = passage.place(*part)
    return ScoreSpan(
        kind=kind, text=text[start:end], start=start, end=end, note=note, value=value
    )


class Profile(Model):
    """One kind of text; fields as in the file."""

    words: tuple[int, int]
    parts: tuple[str, ...]
    words_a_paragraph: int = 100
    least_items: int = 1


@cache
def profiles() -> dict[str, Profile]:
    """Those that ship, by name."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    return {name: Profile.model_validate(fields) for name, fields in found.items()}


def profile_of(name: str) -> Profile | None:
    """None for the document's own formulas."""
    return profiles().get(name)
