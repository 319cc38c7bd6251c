"""The light row of a sample, taken from its record without building the record.

A list of 100,000 samples needs a name, an outcome and some numbers of each. Reading
100,000 whole results for them would take a minute and a gigabyte, so a row is made
once, when the result is saved, and kept in the run's index (stores/record_index.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from claimscope.core.analysis.agreement import FAR_APART
from claimscope.core.models import FailureKind, Label, RowScore, SampleRow

Light = dict[str, Any]
"""A row as JSON holds it."""


def light_of(data: Mapping[str, Any]) -> Light:
    """The light row of a SampleResult, given as JSON."""
    claims, case, usage = data.get("claims", ()), data["case"], data.get("usage", {})
    grades = data.get("grades", ())
    labels = Counter(result["verdict"]["label"] for result in claims)
    return {
        "key": [data["key"][name] for name in ("case_id", "provider", "iteration")],
        "case": [case.get(name) for name in ("category", "difficulty", "domain")],
        "question": case["question"],
        "passed": data.get("passed"),
        "abstained": data.get("abstained", False),
        "error": data.get("error"),
        "labels": dict(labels),
        "failures": [failure["kind"] for failure in data.get("failures", ())],
        "disputed": any(_is_disputed(result["verdict"]) for result in claims)
        or any(_is_far_apart(grade) for grade in grades),
        "scores": {
            score["metric"]: [
                score.get("value"),
                *score.get("scale", (0.0, 1.0)),
                score.get("applicable", True),
            ]
            for score in data.get("scores", ())
        },
        "usage": usage,
        "finished": data.get("finished"),
    }


def row_of(light: Light) -> SampleRow:
    """The row that was stored."""
    case_id, provider, iteration = light["key"]
    category, difficulty, domain = light["case"]
    usage = light["usage"]
    return SampleRow(
        case_id=case_id,
        provider=provider,
        iteration=iteration,
        category=category,
        difficulty=difficulty,
        domain=domain,
        question=light["question"],
        passed=light["passed"],
        abstained=light["abstained"],
        error=light["error"],
        labels={Label(name): n for name, n in light["labels"].items()},
        failures=tuple(FailureKind(kind) for kind in light["failures"]),
        is_disputed=light["disputed"],
        scores={
            metric: RowScore(value, (low, high), applicable)
            for metric, (value, low, high, applicable) in light["scores"].items()
        },
        prompt_tokens=usage.get("prompt_tokens", 0),
        completion_tokens=usage.get("completion_tokens", 0),
        seconds=usage.get("wall_seconds", 0.0),
        finished=light["finished"],
    )


def _is_disputed(verdict: Mapping[str, Any]) -> bool:
    said = {vote["label"] for vote in verdict.get("votes", ())}
    return len(said - {Label.UNSCORED.value}) > 1


def _is_far_apart(grade: Mapping[str, Any]) -> bool:
    values = [v["value"] for v in grade.get("votes", ()) if v["value"] is not None]
    return bool(values) and max(values) - min(values) >= FAR_APART
