"""overall: the weighted mean of chosen metrics, each on the scale from 0 to 1.

overall = sum(weight x rescaled value) / sum(weight), rescaled = (value - low) /
(high - low) of the metric's scale, and 1 - that where a low value is the good one
(hallucination_rate). The weights are the setting metric_weights. A metric that does
not apply to a sample takes its weight with it: the others' weights count as a whole.
One that applies and has no value leaves overall unscored: a mean that silently leaves
out what could not be judged would look better than it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimscope.core.metrics.base import (
    Findings,
    Metric,
    Need,
    inapplicable,
    missing_need,
    unscored,
)
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import JsonValue, Score, ScoreSpan
from claimscope.core.settings import Settings

LOW_IS_GOOD = frozenset({"hallucination_rate"})
"""A metric of another package says so by `lower_is_better = True`."""
ID = "overall"


@dataclass(frozen=True)
class Overall:
    """Scale 0-1; what it is made of is in the evidence."""

    id: str = ID
    title: str = "weighted overall"
    needs: frozenset[Need] = frozenset()

    def is_idle(self, settings: Settings) -> bool:
        """Not shown where no weights are set."""
        return not settings.metric_weights

    def score(self, findings: Findings) -> Score:
        """Not applicable without weights, or where none of the metrics applies."""
        weights = {n: w for n, w in findings.settings.weights.items() if w > 0}
        if not weights:
            return inapplicable(self.id, "no weights are set (metric_weights)")
        return weighted_mean(self.id, weights, findings) or inapplicable(
            self.id, "none of the weighted metrics applies"
        )


def weighted_mean(
    metric: str, weights: Mapping[str, float], findings: Findings
) -> Score | None:
    """The mean of other metrics, each from 0 to 1, with them as its evidence; unscored
    when one of them is. None when none applies."""
    scores = {name: score_of(name, findings) for name in weights}
    counted = {name: score for name, score in scores.items() if score.applicable}
    for name, score in counted.items():
        if score.value is None:
            return unscored(metric, f"{name} is unscored: {score.reason}")
    if not counted:
        return None
    total = sum(weights[name] for name in counted)
    values = {name: to_unit_scale(score) for name, score in counted.items()}
    value = sum(weights[name] * values[name] for name in counted) / total
    details: dict[str, JsonValue] = {
        "metrics": len(weights),
        "not_applicable": len(weights) - len(counted),
    }
    spans = tuple(
        ScoreSpan(
            kind="metric",
            text=name,
            value=values[name],
            note=f"weight {weights[name] / total:.3g}",
        )
        for name in counted
    )
    bounded = min(max(value, 0.0), 1.0)
    return Score(metric=metric, value=bounded, details=details, evidence=spans)


def score_of(name: str, findings: Findings) -> Score:
    """The score that was made already, else a new one: a metric may count that is not
    shown itself."""
    if name in findings.scores:
        return findings.scores[name]
    metric = discover().get(name)
    if metric is None or name == ID:
        return unscored(name, "there is no such metric to weigh")
    reason = missing_need(metric, findings.case, judge=findings.judged)
    return inapplicable(name, reason) if reason else metric.score(findings)


def to_unit_scale(score: Score) -> float:
    """A value from 0 (bad) to 1 (good)."""
    low, high = score.scale
    part = ((score.value or 0.0) - low) / (high - low) if high > low else 0.0
    return 1 - part if is_low_good(score.metric) else part


def is_low_good(name: str) -> bool:
    """Whether a low value of the metric is the good one."""
    metric = discover().get(name)
    inner = getattr(metric, "inner", metric)
    return name in LOW_IS_GOOD or bool(getattr(inner, "lower_is_better", False))


POSITION = 1000
METRICS: tuple[Metric, ...] = (Overall(),)
