"""Cells of a lab that are better in one thing at the cost of another.

Text quality says nothing of whether an answer is right: a cell that writes better
prose may state fewer facts. So each two cells are compared case by case in a figure of
correctness and in one of quality; where the two differences have opposite signs, one
was gained at the other's cost. Beyond noise are those whose differences both are, by
Fisher's randomisation test over cases, corrected (Holm) over all tests that were made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

from claimscope.core.analysis.statistics.paired_tests import (
    ALPHA,
    holm,
    randomisation_test,
)
from claimscope.core.analysis.summary.iterations import PASS_RATE
from claimscope.core.models import Model
from claimscope.core.settings import QUALITY_METRICS

CORRECTNESS = (
    "answer_correctness",
    "factual_correctness",
    "claim_support",
    "judge_faithfulness",
    "accuracy",
    PASS_RATE,
)
"""Figures of whether an answer is right; the first that there is is compared."""
QUALITY = ("overall_quality", *QUALITY_METRICS)
"""Figures of text quality, likewise."""
ByCase = Mapping[str, float]
"""Mean of each case over its draws."""


class Trade(Model):
    """What `better_prose` gains in quality and loses in correctness against `other`."""

    better_prose: str
    """The cell of higher quality."""
    other: str
    """The cell of higher correctness."""
    quality: str
    """Figure compared."""
    gain: float
    """In quality, above 0, in the figure's unit; mean over the cases of both."""
    correctness: str
    loss: float
    """In correctness, above 0, in the figure's unit."""
    cases: int
    beyond_noise: bool
    """Both differences are."""


def figures_beside(columns: Sequence[str]) -> tuple[str, ...]:
    """The preset: figures of correctness, then of quality, of those that there are."""
    return tuple(name for name in (*CORRECTNESS, *QUALITY) if name in columns)


def trades(
    cells: Sequence[str], values: Mapping[str, Sequence[ByCase]]
) -> tuple[Trade, ...]:
    """Each two cells with a gain at a cost; beyond noise first, then the greatest.

    values: of each figure the cells' values by case, in the order of `cells`.
    """
    right, prose = _first(CORRECTNESS, values), _first(QUALITY, values)
    if right is None or prose is None:
        return ()
    pairs: list[tuple[int, int, list[list[float]]]] = []
    tests: list[float] = []
    for a, b in combinations(range(len(cells)), 2):
        gaps = [_gaps(values[name][a], values[name][b]) for name in (right, prose)]
        if not all(gaps):
            continue
        pairs.append((a, b, gaps))
        tests += map(randomisation_test, gaps)
    corrected = holm(tests)
    found = []
    for number, (a, b, gaps) in enumerate(pairs):
        correct, quality = map(fmean, gaps)
        if correct * quality >= 0:
            continue
        first, second = (b, a) if quality > 0 else (a, b)
        found.append(
            Trade(
                better_prose=cells[first],
                other=cells[second],
                quality=prose,
                gain=abs(quality),
                correctness=right,
                loss=abs(correct),
                cases=min(map(len, gaps)),
                beyond_noise=max(corrected[2 * number : 2 * number + 2]) < ALPHA,
            )
        )
    return tuple(sorted(found, key=lambda t: (not t.beyond_noise, -t.gain * t.loss)))


def _first(names: Sequence[str], values: Mapping[str, Sequence[ByCase]]) -> str | None:
    return next((name for name in names if any(values.get(name, ()))), None)


def _gaps(first: ByCase, second: ByCase) -> list[float]:
    """Second - first, of the cases that both have."""
    return [second[case] - first[case] for case in first if case in second]
