"""The light row of a sample, taken from its record without building the record.

A list of 100,000 samples needs a name, an outcome and some numbers of each. Reading
100,000 whole results for them would take a minute and a gigabyte, so a row is made
once, when the result is saved, and kept in the run's index (record_index.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from claimscope.core.analysis.statistics.alpha import FAR_APART
from claimscope.core.models import FailureKind, Label, RowScore, SampleRow

SHARED = 10_000
"""Different scores that are kept as one object each."""
_KINDS = {kind.value: kind for kind in FailureKind}
LightRecord = dict[str, Any]
"""A row as JSON holds it."""


def light_of(data: Mapping[str, Any]) -> LightRecord:
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
        "likely": sum(_is_likely(result["verdict"]) for result in claims),
        "failures": [failure["kind"] for failure in data.get("failures", ())],
        "disputed": any(_is_disputed(result["verdict"]) for result in claims)
        or any(_is_far_apart(grade) for grade in grades),
        "metrics": [score["metric"] for score in data.get("scores", ())],
        "values": [
            [
                score.get("value"),
                *score.get("scale", (0.0, 1.0)),
                score.get("applicable", True),
                next((kind for kind in ("tier", "level") if score.get(kind)), None),
            ]
            for score in data.get("scores", ())
        ],
        "usage": usage,
        "finished": data.get("finished"),
    }


class RowMaker:
    """Makes rows of what was stored. What many rows share is one object: a hundred
    thousand rows then take a hundred megabytes, not a gigabyte."""

    def __init__(self) -> None:
        self._shared: dict[Hashable, Any] = {}
        self._scores: dict[tuple[Any, ...], RowScore] = {}

    def _one(self, value: Hashable) -> Any:
        return self._shared.setdefault(value, value)

    def _labels(self, counts: Mapping[str, int]) -> Mapping[Label, int]:
        # By its kind: no labels and no failures are both an empty tuple.
        known = (Label, tuple(counts.items()))
        if known not in self._shared:
            labels = {Label(name): count for name, count in counts.items()}
            self._shared[known] = MappingProxyType(labels)
        found: Mapping[Label, int] = self._shared[known]
        return found

    def _score(self, stored: Sequence[Any]) -> RowScore:
        value, low, high, is_applicable, *more = stored
        placing = more[0] if more else None  # a row from before there were any
        known = (value, low, high, is_applicable, placing)
        score = self._scores.get(known)
        if score is None:
            score = RowScore(value, self._one((low, high)), is_applicable, placing)
            if len(self._scores) < SHARED:
                self._scores[known] = score
        return score

    def row(self, light: LightRecord) -> SampleRow:
        case_id, provider, iteration = light["key"]
        category, difficulty, domain = light["case"]
        usage = light["usage"]
        return SampleRow(
            case_id=self._one(case_id),
            provider=self._one(provider),
            iteration=iteration,
            category=self._one(category),
            difficulty=self._one(difficulty),
            domain=self._one(domain),
            question=self._one(light["question"]),
            passed=light["passed"],
            abstained=light["abstained"],
            error=light["error"],
            labels=self._labels(light["labels"]),
            failures=self._one(tuple(map(_KINDS.__getitem__, light["failures"]))),
            is_disputed=light["disputed"],
            metrics=self._one(tuple(light["metrics"])),
            values=tuple(map(self._score, light["values"])),
            prompt_tokens=usage.get("prompt_tokens", 0),
            completion_tokens=usage.get("completion_tokens", 0),
            seconds=usage.get("wall_seconds", 0.0),
            finished=light["finished"],
            likely=light.get("likely", 0),
        )


def _is_likely(verdict: Mapping[str, Any]) -> bool:
    """As Verdict.is_likely has it."""
    is_supported = verdict["label"] == Label.SUPPORTED.value
    return is_supported and verdict.get("band") == "review"


def _is_disputed(verdict: Mapping[str, Any]) -> bool:
    said = {vote["label"] for vote in verdict.get("votes", ())}
    return len(said - {Label.UNSCORED.value}) > 1


def _is_far_apart(grade: Mapping[str, Any]) -> bool:
    values = [v["value"] for v in grade.get("votes", ()) if v["value"] is not None]
    return bool(values) and max(values) - min(values) >= FAR_APART
