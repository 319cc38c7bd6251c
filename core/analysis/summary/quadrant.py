"""Samples by two questions: is it faithful, is it complete? Four quarters, with what
failed in each, since each calls for another remedy.

By the judge's grades where there are any (each reaches what it must, METRICS B), else
by claims: faithful = every judged claim is supported, complete = no required claim of
the case is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from claimscope.core.analysis.summary.iterations import GRADES, PassGrade, grade
from claimscope.core.models import Label, Model, SampleResult

By = Literal["grades", "claims"]
QUARTERS = (
    (True, True, "faithful and complete"),
    (True, False, "faithful, not complete"),
    (False, True, "complete, not faithful"),
    (False, False, "neither"),
)


class Quarter(Model):
    """One of the four."""

    name: str
    samples: tuple[str, ...]
    """Their keys."""
    failures: dict[str, int]
    """Samples by kind of failure, most first."""


class Quadrant(Model):
    """All samples of a run."""

    by: By
    quarters: tuple[Quarter, ...]
    n: int
    unplaced: int
    """Of which one of the two is not known: in no quarter."""


def quadrant(samples: Sequence[SampleResult], pass_grade: PassGrade = 4) -> Quadrant:
    """Samples in the order given; each quarter is there."""
    by: By = "grades" if any(sample.grades for sample in samples) else "claims"
    placed: dict[tuple[bool, bool], list[SampleResult]] = {}
    for sample in samples:
        both = _by_grades(sample, pass_grade) if by == "grades" else _by_claims(sample)
        if both is not None:
            placed.setdefault(both, []).append(sample)
    n = sum(map(len, placed.values()))
    return Quadrant(
        by=by,
        quarters=tuple(
            _quarter(name, placed.get((faithful, complete), []))
            for faithful, complete, name in QUARTERS
        ),
        n=n,
        unplaced=len(samples) - n,
    )


def _quarter(name: str, samples: Sequence[SampleResult]) -> Quarter:
    kinds = Counter(
        kind for sample in samples for kind in {f.kind.value for f in sample.failures}
    )
    return Quarter(
        name=name,
        samples=tuple(str(sample.key) for sample in samples),
        failures=dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
    )


def _by_grades(sample: SampleResult, least: PassGrade) -> tuple[bool, bool] | None:
    bounds = least if isinstance(least, tuple) else (least, least)
    faithful, complete = (grade(sample, name) for name in GRADES)
    if faithful is None or complete is None:
        return None
    return faithful >= bounds[0], complete >= bounds[1]


def _by_claims(sample: SampleResult) -> tuple[bool, bool] | None:
    """None where no claim was judged, or no claim is required."""
    labels = [result.verdict.label for result in sample.claims]
    known = [label for label in labels if label is not Label.UNSCORED]
    required = [
        one
        for one in sample.required_claims
        if one.importance == "required" and not one.unscored_reason
    ]
    if not known or not required:
        return None
    return all(label is Label.SUPPORTED for label in known), all(
        one.found or one.stated for one in required
    )
