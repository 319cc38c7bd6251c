"""The cells of a lab against each other: which is best, beyond noise.

All cells answer the same cases, so they are compared case by case, as runs are
(core/analysis/compare/comparison.py). The cell with the best mean leads a column; each
other is tested against it, and p values are corrected (Holm) over all columns but the
pass rate, which decides and is corrected by itself. Only a leader that differs from
every other cell beyond noise is called best: among equals the highest mean is luck.

Text quality says nothing of whether an answer is right: a cell that writes better prose
may state fewer facts. So each two cells are compared in a figure of correctness and in
one of quality; where the two differences have opposite signs, one was gained at the
other's cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal

from claimscope.core.analysis.statistics.paired_tests import (
    ALPHA,
    ROUNDING,
    holm,
    randomisation_test,
)
from claimscope.core.analysis.summary.iterations import PASS_RATE
from claimscope.core.analysis.summary.summary import Group, group, metrics_of
from claimscope.core.metrics.overall import is_low_good
from claimscope.core.models import Model, SampleRow
from claimscope.core.settings import QUALITY_METRICS

Mark = Literal["best", "behind", "level"]
FEWEST_CASES = 6
"""With fewer cases that differ no randomisation test gives p < 0.05: 2/2^5 = 0.0625."""

Value = Callable[[SampleRow], float | None]
ByCase = Mapping[str, float]
"""Mean of each case over its draws."""
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


class TradeOff(Model):
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


def trade_offs(
    cells: Sequence[str], values: Mapping[str, Sequence[ByCase]]
) -> tuple[TradeOff, ...]:
    """Each two cells with a gain at a cost; beyond noise first, then the greatest.

    values: of each figure the cells' values by case, in the order of `cells`.
    """
    right, prose = _first(CORRECTNESS, values), _first(QUALITY, values)
    if right is None or prose is None:
        return ()
    pairs: list[tuple[int, int, list[list[float]]]] = []
    tests: list[float] = []
    for a, b in combinations(range(len(cells)), 2):
        both = [(values[name][a], values[name][b]) for name in (right, prose)]
        gaps = [[y[case] - x[case] for case in x if case in y] for x, y in both]
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
            TradeOff(
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


class MatrixEntry(Model):
    """One figure of one cell."""

    name: str
    """`pass_rate`, or the id of a metric."""
    value: float | None
    """Mean over the scored samples; None when none was scored."""
    n: int
    """Samples it is over."""
    total: int
    """Samples it applies to."""
    unscored: int
    not_applicable: int = 0
    interval: tuple[float, float] | None = None
    """95 %, drawing cases."""
    mark: Mark = "level"
    """`best`: better than each other cell beyond noise. `behind`: worse than the
    leader beyond noise. `level`: neither is known."""
    p_holm: float | None = None
    """Against the leader, corrected; None of the leader and without a pair."""


class MatrixRow(Model):
    """A cell of the lab."""

    cell: str
    samples: int
    entries: tuple[MatrixEntry, ...]

    def entry(self, name: str) -> MatrixEntry | None:
        return next((one for one in self.entries if one.name == name), None)


class Matrix(Model):
    """Cells by figures."""

    columns: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    cases: int
    """Cases that any cell was judged on."""
    trades: tuple[TradeOff, ...] = ()
    """Cells that gain quality at the cost of correctness."""

    @property
    def is_too_small(self) -> bool:
        """Whether so few cases cannot show any difference beyond noise."""
        return self.cases < FEWEST_CASES


def matrix(cells: Sequence[tuple[str, Sequence[SampleRow]]]) -> Matrix:
    """Figures of (cell, its samples), in the order given."""
    names = tuple(dict.fromkeys(m for _, rows in cells for m in metrics_of(rows)))
    columns = (PASS_RATE, *names)
    groups = {cell: group(cell, rows, names) for cell, rows in cells}
    found = {
        column: [_entry(column, groups[cell]) for cell, _ in cells]
        for column in columns
    }
    values = {
        column: [by_case(rows, column) for _, rows in cells] for column in columns
    }
    for part in ((PASS_RATE,), names):
        _mark({name: found[name] for name in part}, values, found)
    return Matrix(
        columns=columns,
        rows=tuple(
            MatrixRow(
                cell=cell,
                samples=len(rows),
                entries=tuple(found[column][number] for column in columns),
            )
            for number, (cell, rows) in enumerate(cells)
        ),
        cases=len({row.case_id for _, rows in cells for row in rows}),
        trades=trade_offs([cell for cell, _ in cells], values),
    )


def by_case(rows: Sequence[SampleRow], column: str) -> dict[str, float]:
    """Mean of each case over its draws; cases without a value are left out."""
    values: dict[str, list[float]] = {}
    for row in rows:
        value = _value(row, column)
        if value is not None:
            values.setdefault(row.case_id, []).append(value)
    return {case_id: fmean(part) for case_id, part in values.items()}


def _value(row: SampleRow, column: str) -> float | None:
    if column == PASS_RATE:
        return None if row.passed is None else float(row.passed)
    score = row.score(column)
    return None if score is None else score.value


def _entry(column: str, cell: Group) -> MatrixEntry:
    if column == PASS_RATE:
        pair = cell.pass_interval
        return MatrixEntry(
            name=column,
            value=cell.pass_rate,
            n=cell.judged,
            total=cell.samples,
            unscored=cell.unscored,
            interval=(pair.low, pair.high) if pair else None,
        )
    mean = cell.mean_of(column)
    assert mean is not None  # group() makes one for each name it is given
    return MatrixEntry(
        name=column,
        value=mean.mean,
        n=mean.n,
        total=mean.total,
        unscored=mean.unscored,
        not_applicable=mean.not_applicable,
        interval=(mean.interval.low, mean.interval.high) if mean.interval else None,
    )


def _mark(
    part: Mapping[str, Sequence[MatrixEntry]],
    values: Mapping[str, Sequence[ByCase]],
    found: dict[str, list[MatrixEntry]],
) -> None:
    """Puts marks on the entries of columns that are corrected together."""
    tests: list[tuple[str, int, float, bool]] = []
    leaders: dict[str, int] = {}
    for column, entries in part.items():
        leader = _leader(column, entries)
        if leader is None:
            continue
        leaders[column] = leader
        for number, entry in enumerate(entries):
            if number != leader and entry.value is not None:
                p, is_ahead = _test(column, values[column], leader, number)
                if p is not None:
                    tests.append((column, number, p, is_ahead))
    beaten: dict[str, int] = {}
    corrected = holm([p for _, _, p, _ in tests])
    for (column, number, _, is_ahead), p in zip(tests, corrected, strict=True):
        is_behind = p < ALPHA and is_ahead
        beaten[column] = beaten.get(column, 0) + is_behind
        mark: Mark = "behind" if is_behind else "level"
        update = {"p_holm": p, "mark": mark}
        found[column][number] = found[column][number].model_copy(update=update)
    for column, leader in leaders.items():
        rivals = len(part[column]) - 1
        if rivals and beaten.get(column, 0) == rivals:
            best = found[column][leader].model_copy(update={"mark": "best"})
            found[column][leader] = best


def _leader(column: str, entries: Sequence[MatrixEntry]) -> int | None:
    """The cell with the best mean; None when no cell has one."""
    sign = -1 if is_low_good(column) else 1
    known = [(sign * e.value, -i) for i, e in enumerate(entries) if e.value is not None]
    return -max(known)[1] if known else None


def _test(
    column: str, values: Sequence[ByCase], leader: int, other: int
) -> tuple[float | None, bool]:
    """(p of Fisher's randomisation test over the cases both have, whether the leader is
    ahead on those); (None, False) without such a case."""
    sign = -1 if is_low_good(column) else 1
    mine, theirs = values[leader], values[other]
    gaps = [sign * (mine[c] - theirs[c]) for c in mine if c in theirs]
    if not gaps:
        return None, False
    return randomisation_test(gaps), sum(gaps) > ROUNDING
