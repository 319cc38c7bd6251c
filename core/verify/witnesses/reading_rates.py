"""How well a model reads, counted on hard planted claims, and what its word adds.

A small model says Yes to what has the right words, and its word is worth nothing beside
the entailment model; a large one reads better than that model does. Which of the two it
is nobody can say by name or size. So a model that knows the easy planted claims is
asked the hard ones (core/verify/hard_cases.py) and counted: the Yes of one that accepts
nine of ten true and one of ten other claims makes a claim nine times as likely as it
was, its No nine times less. With less than LEAST_J between the two its word stays a
voice beside others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from claimscope.core.verify.witnesses.fusion import log_odds

LEAST_J = 0.6
"""Youden's J that makes a proven reader: true claims accepted, less others accepted."""
STANDARD_ERRORS = 1.5
"""So far below LEAST_J a model is asked no more of them."""
LEAST_DENIED = 0.5
"""Share of the contradicted claims that a model must find to be asked for denials."""
LEAST_ASKED = 48
"""Claims that a proven reader must have answered."""
WRONG_DENIALS = 1
"""Of the claims that are not contradicted it may deny so many."""


@dataclass(frozen=True)
class ReadingRates:
    """Counts of a model's answers to hard planted claims."""

    true: int
    accepted: int
    """True claims, and those of them that it said Yes to."""
    false: int
    wrongly: int
    """Claims that are contradicted or not stated, and those that it said Yes to."""
    center: float = 0.0
    """Log-odds of Yes from which on its word is one."""
    contradicted: int = 0
    denied: int = 0
    """Contradicted claims, and those that it said the document rules out."""
    wrongly_denied: int = 0
    """Other claims that it said so of."""
    missed: int = 0
    """Questions that it gave no answer to."""

    def __post_init__(self) -> None:
        """Raises ValueError for counts that cannot be."""
        pairs = (self.accepted, self.true), (self.wrongly, self.false)
        is_right = all(0 <= count <= total and total for count, total in pairs)
        others = self.asked - self.contradicted
        is_right &= 0 <= self.denied <= self.contradicted
        if not is_right or not 0 <= self.wrongly_denied <= others:
            raise ValueError("more claims accepted or denied than asked, or none asked")

    @property
    def asked(self) -> int:
        """Claims that it answered."""
        return self.true + self.false

    @property
    def youden(self) -> float:
        """Youden's J (1950): share of the true claims accepted, less that of others."""
        return self.accepted / self.true - self.wrongly / self.false

    @property
    def standard_error(self) -> float:
        """Of J, by the shares of Laplace's rule of succession: no share is certain."""
        p, q = (
            self._share(self.accepted, self.true),
            self._share(self.wrongly, self.false),
        )
        return math.sqrt(p * (1 - p) / self.true + q * (1 - q) / self.false)

    @property
    def is_hopeless(self) -> bool:
        """More claims would hardly make a proven reader of it."""
        return self.youden + STANDARD_ERRORS * self.standard_error < LEAST_J

    @property
    def is_proven(self) -> bool:
        return self.youden >= LEAST_J and self.asked >= LEAST_ASKED

    @property
    def may_deny(self) -> bool:
        """Whether what it says is ruled out may contradict a claim by itself."""
        return self.finds_denials and self.wrongly_denied <= WRONG_DENIALS

    @property
    def finds_denials(self) -> bool:
        """Whether its denials are worth asking for."""
        return self.denied >= LEAST_DENIED * self.contradicted > 0

    def ruled_out(self, contradicts: float) -> float:
        """Probability that the page rules a claim out which the model denies, (0, 1):
        as `joined`, from what the entailment model gives to that."""
        others = self.true + self.false - self.contradicted
        right = self._share(self.denied, self.contradicted)
        ratio = right / self._share(self.wrongly_denied, others)
        return 1 / (1 + math.exp(-log_odds(contradicts)) / ratio)

    def is_yes(self, word: float) -> bool:
        """Whether a probability of Yes is one, for this model."""
        return log_odds(word) >= self.center

    def joined(self, word: float, entails: float, windows: int = 1) -> float:
        """Probability that the pages state a claim, (0, 1): the entailment model's odds
        times the likelihood ratio of the word, P(word | true) / P(word | other), each
        by Laplace's rule of succession. `windows`: on so many it was asked, and its
        best word is taken; what states a claim stands in one of them."""
        yes, other = (
            self._share(self.accepted, self.true),
            self._share(self.wrongly, self.false),
        )
        elsewhere = (1 - other) ** (windows - 1)
        yes, other = 1 - (1 - yes) * elsewhere, 1 - (1 - other) * elsewhere
        ratio = yes / other if self.is_yes(word) else (1 - yes) / (1 - other)
        return 1 / (1 + math.exp(-log_odds(entails)) / ratio)

    @staticmethod
    def _share(count: int, total: int) -> float:
        return (count + 1) / (total + 2)

    @property
    def counts(self) -> str:
        """What people are told of it."""
        says = (
            f"it takes {self.accepted} of {self.true} true ones for stated, and "
            f"{self.wrongly} of {self.false} others"
        )
        if not self.is_proven:
            return f"{says}; its word only backs or doubts what others say"
        if self.may_deny:
            denies = "it may contradict"
        elif self.finds_denials:
            denies = "it contradicts what is doubted besides"
        else:
            denies = "it contradicts nothing"
        return f"{says}; its word counts by these rates, {denies}"

    def note(self, model: str) -> str:
        """The same of a model, as a run says it."""
        return f"{model}: of hard planted claims {self.counts}."


def rates_of(true: Sequence[float], false: Sequence[float]) -> ReadingRates:
    """From probabilities of Yes on true and on other claims; neither may be empty. The
    middle between both is what divides its Yes from its No."""
    center = (fmean(map(log_odds, true)) + fmean(map(log_odds, false))) / 2
    found = ReadingRates(len(true), 0, len(false), 0, center)
    return replace(
        found,
        accepted=sum(map(found.is_yes, true)),
        wrongly=sum(map(found.is_yes, false)),
    )
