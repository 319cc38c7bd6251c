"""How a model's word and the evidence become one support, one label, one band.

The weights are data, `model_weights.json` beside this file, written by
benchmarks/quality/verify_model.py from labelled public rows: small models say Yes too
readily, and how far they can be trusted beside the evidence is measured, not set.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claimscope.core.models import Band, Label, RuleFinding, Verdict, digest

WEIGHTS_FILE = Path(__file__).with_name("model_weights.json")
BOUND = 0.001
"""Probabilities are kept this far from 0 and 1: no single word outweighs all."""
LEAST_SPREAD = 0.75
"""Log-odds: a few planted claims make no model surer than this."""


@dataclass(frozen=True)
class Leaning:
    """How a model answers claims of which the truth is known (leaning.py)."""

    center: float
    """Log-odds of Yes half-way between true and false claims."""
    gap: float
    """Mean log-odds of true claims less that of false ones."""
    spread: float = 1.0
    """Standard deviation of the log-odds of claims of one kind (pooled)."""
    trust: float = 1.0
    """How far its word counts, [0, 1]; 0 = it cannot tell them apart."""
    errors: int = 0
    """Claims on the wrong side of its center."""

    @property
    def slope(self) -> float:
        """What one unit of its log-odds tells: gap / spread², the slope of Fisher's
        linear discriminant for two normal distributions of equal variance."""
        return self.gap / max(self.spread, LEAST_SPREAD) ** 2

    def word(self, odds: float, fitted: Leaning) -> float:
        """Log-odds as the fitted model would have given them for as much evidence."""
        far = log_odds(0.0)
        moved = (odds - self.center) * self.slope / fitted.slope + fitted.center
        return min(max(moved, far), -far)


@dataclass(frozen=True)
class Weights:
    """A logistic model over the log-odds of both; a threshold and two bands."""

    model: float
    evidence: float
    bias: float
    alone: tuple[float, float]
    """Slope and intercept of the model's log-odds, when there is no other support."""
    threshold: float
    low: float
    high: float
    planted: Leaning | None = None
    """How the model they were fitted with leans; None = any model is taken as it."""

    def support(
        self,
        model: float | None,
        evidence: float | None,
        leaning: Leaning | None = None,
    ) -> float:
        """Calibrated probability, (0, 1), from the model's mean probability of Yes and
        the support found without it; 0 without either. With a leaning, the model's
        word is put as the model the weights were fitted with would have put it, and
        counts as far as it is trusted; for the rest the evidence stands alone."""
        if model is None and evidence is None:
            return 0.0
        if model is None:
            assert evidence is not None
            return evidence
        word, trust = log_odds(model), 1.0
        if leaning is not None and self.planted is not None:
            word, trust = leaning.word(word, self.planted), leaning.trust
        if evidence is None:
            slope, intercept = self.alone
            return _logistic(trust * (slope * word + intercept))
        found = log_odds(evidence)
        odds = self.model * word + self.evidence * found + self.bias
        return _logistic(trust * odds + (1 - trust) * found)

    def label(
        self, support: float, rules: Sequence[RuleFinding], base: Verdict | None
    ) -> Label:
        """Supported unless a rule forbids it; contradicted only where a rule found
        the sentence that says otherwise and the verifier without a model agrees."""
        conflicts = [r for r in rules if r.outcome == "conflict" and r.evidence_text]
        if base is not None and base.label is Label.CONTRADICTED and conflicts:
            return Label.CONTRADICTED
        forbidden = any(rule.veto for rule in rules)
        if base is None and forbidden and conflicts and support < self.threshold:
            return Label.CONTRADICTED
        if support >= self.threshold and not forbidden:
            return Label.SUPPORTED
        return Label.NOT_ENOUGH_INFO

    def band(self, label: Label, support: float) -> Band:
        """Where a person should look: between the bounds, and wherever the label does
        not follow from the support."""
        if label is Label.SUPPORTED:
            return "supported" if support >= self.high else "review"
        return "not_supported" if support < self.low else "review"


@cache
def weights() -> Weights:
    """The weights that ship."""
    data = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return Weights(
        model=float(data["model"]),
        evidence=float(data["evidence"]),
        bias=float(data["bias"]),
        alone=(float(data["alone"]["slope"]), float(data["alone"]["intercept"])),
        threshold=float(data["threshold"]),
        low=float(data["bands"]["low"]),
        high=float(data["bands"]["high"]),
        planted=Leaning(**data["planted"]),
    )


@cache
def weights_digest() -> str:
    """Changes with the weights: verdicts of two are never mixed in a run."""
    return digest(WEIGHTS_FILE.read_text(encoding="utf-8"))


def log_odds(probability: float) -> float:
    """Of a probability, bounded."""
    bounded = min(max(probability, BOUND), 1 - BOUND)
    return math.log(bounded / (1 - bounded))


def mean_probability(probabilities: Sequence[float]) -> float:
    """Of several probabilities of one thing: by the mean of their log-odds."""
    odds = [log_odds(probability) for probability in probabilities]
    return _logistic(sum(odds) / len(odds))


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
