"""The fitted models of the verifier without a language model: data, not code.

Both files beside this one are written by benchmarks/quality/fit_verifier.py: trees and
a linear part over the features of a claim, and where the bands lie.
`evidence_model.json` knows how near claim and sentences are, `support_model.json` what
the entailment model says of them too. Only numpy is needed to use them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from claimscope.core.models import Band, digest
from claimscope.core.verify.word_forms import RARITY_FILE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MODEL_FILE = Path(__file__).with_name("evidence_model.json")
SUPPORT_FILE = Path(__file__).with_name("support_model.json")
RULES = "4"
"""Counted up when the rules (rules.py) come to find something else."""
Doubles: TypeAlias = "npt.NDArray[np.float64]"


@dataclass(frozen=True)
class Trees:
    """Regression trees whose values are added up; nodes of all trees in one list.

    A leaf has feature -1; `value` is what it adds.
    """

    roots: npt.NDArray[np.int64]
    feature: npt.NDArray[np.int64]
    threshold: Doubles
    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    value: Doubles
    base: float

    def raw(self, rows: Doubles) -> Doubles:
        """Sum over the trees, shape (len(rows),): log-odds."""
        import numpy as np

        total = np.full(len(rows), self.base)
        numbers = np.arange(len(rows))
        for root in self.roots:
            node = np.full(len(rows), root)
            while True:
                feature = self.feature[node]
                inner = feature >= 0
                if not inner.any():
                    break
                values = rows[numbers, np.maximum(feature, 0)]
                below = np.where(
                    values <= self.threshold[node], self.left[node], self.right[node]
                )
                node = np.where(inner, below, node)
            total += self.value[node]
        return total


@dataclass(frozen=True)
class EvidenceModel:
    """A blend of trees and a logistic regression, calibrated."""

    features: tuple[str, ...]
    trees: Trees
    mean: Doubles
    scale: Doubles
    weights: Doubles
    bias: float
    tree_share: float
    slope: float
    intercept: float
    """Platt's calibration of the blend's log-odds, on rows held out while fitting."""
    threshold: float
    """Support at or above it is "supported"."""
    low: float
    high: float
    """Between them the band is "review"."""

    def support(self, rows: Doubles) -> Doubles:
        """Calibrated probability of each row of features, shape (len(rows),)."""
        import numpy as np

        odds = self.slope * self.log_odds(rows) + self.intercept
        return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50, 50))))

    def log_odds(self, rows: Doubles) -> Doubles:
        """The blend before calibration."""
        import numpy as np

        linear = ((rows - self.mean) / self.scale) @ self.weights + self.bias
        share = self.tree_share
        return np.asarray(share * self.trees.raw(rows) + (1 - share) * linear)

    def band(self, support: float) -> Band:
        """Which of the three bands a probability falls into."""
        if support >= self.high:
            return "supported"
        return "review" if support >= self.low else "not_supported"


def model_from(data: Mapping[str, Any]) -> EvidenceModel:
    """The model of a file's content."""
    import numpy as np

    trees = data["trees"]
    linear = data["linear"]
    return EvidenceModel(
        features=tuple(data["features"]),
        trees=Trees(
            **{
                name: np.array(trees[name], dtype=np.int64)
                for name in ("roots", "feature", "left", "right")
            },
            threshold=np.array(trees["threshold"], dtype=np.float64),
            value=np.array(trees["value"], dtype=np.float64),
            base=float(trees["base"]),
        ),
        mean=np.array(linear["mean"], dtype=np.float64),
        scale=np.array(linear["scale"], dtype=np.float64),
        weights=np.array(linear["weights"], dtype=np.float64),
        bias=float(linear["bias"]),
        tree_share=float(data["tree_share"]),
        slope=float(data["calibration"]["slope"]),
        intercept=float(data["calibration"]["intercept"]),
        threshold=float(data["threshold"]),
        low=float(data["bands"]["low"]),
        high=float(data["bands"]["high"]),
    )


def _shipped(path: Path) -> EvidenceModel:
    return model_from(json.loads(path.read_text(encoding="utf-8")))


@cache
def evidence_model() -> EvidenceModel:
    """The model that ships, of likeness alone."""
    return _shipped(MODEL_FILE)


@cache
def support_model() -> EvidenceModel:
    """The one that ships for what the entailment model has read too."""
    return _shipped(SUPPORT_FILE)


@cache
def fitted_digest() -> str:
    """Of the models and the rules beside them: verdicts of two never mix in a run."""
    return digest(
        MODEL_FILE.read_text(encoding="utf-8"),
        SUPPORT_FILE.read_text(encoding="utf-8"),
        RARITY_FILE.read_text(encoding="utf-8"),
        RULES,
    )


def matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Doubles:
    """Feature dictionaries as rows in the model's order."""
    import numpy as np

    return np.array([[row[name] for name in names] for row in rows], dtype=np.float64)
