"""The rows of a run made ready to be sorted, filtered and searched: no screen in here.

100,000 rows are put in another order in milliseconds, because each order is worked out
once, as numbers, when it is first asked for; a search folds the texts once and, as one
types on, looks only into what was found before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from claimscope.core.analysis.row_summary import metrics_of
from claimscope.core.errors import StoreError
from claimscope.core.models import (
    SampleKey,
    SampleResult,
    SampleRow,
)
from claimscope.tui.seeking import unstable
from claimscope.tui.stepping import UNSTABLE, Wanted, in_order, row_kinds
from claimscope.tui.views import BY_CASE, Arrangement

Numbers = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]
IsStopped = Callable[[], bool]

DIFFICULTIES = {"easy": 0, "medium": 1, "hard": 2}
OUTCOMES = {False: 0, None: 1, True: 2}
STEP = 5000
"""Rows between two looks at whether an answer is still wanted."""


class Superseded(Exception):
    """Something else was asked for meanwhile."""


class Listing:
    """Rows with their orders. Safe for threads: what is made twice is made alike."""

    def __init__(self, rows: Sequence[SampleRow]) -> None:
        self.rows = rows
        self.metrics = [
            metric
            for metric in metrics_of(rows)
            if any(
                (score := row.score(metric)) is None or score.applicable for row in rows
            )
        ]
        """Those that apply to some sample."""
        self._orders: dict[str, Numbers] = {}
        self._marks: dict[object, Marks] = {}
        self._found: tuple[str, Numbers] = ("", np.arange(len(rows)))
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self.rows)

    def warm(self) -> None:
        """Works out what the first search and the first filter would wait for."""
        if len(self.texts) and self.counts:
            self._fitting(Arrangement(failures_only=True))

    # --- orders ---

    def orders(self) -> tuple[str, ...]:
        """Names of the ways to sort."""
        scores = (f"{metric}, lowest first" for metric in self.metrics)
        return (*_KEYS, *scores)

    def order(self, name: str) -> Numbers:
        """All row numbers in that order; an unknown one is the order of cases."""
        if name not in self._orders:
            self._orders[name] = self._sorted(name)
        return self._orders[name]

    def _sorted(self, name: str) -> Numbers:
        metric = name.removesuffix(", lowest first")
        if name in _KEYS:
            keys = _KEYS[name](self.rows)
        elif metric in self.metrics:
            keys = [_scores(self.rows, metric)]
        else:
            keys = _KEYS[BY_CASE](self.rows)
        if name in (BY_CASE, AS_FINISHED):
            ties = np.arange(len(self.rows))
        else:
            ties = self.order(BY_CASE)
        # lexsort is stable, and its last key is the first one to sort by.
        found = np.lexsort([key[ties] for key in reversed(keys)])
        return np.asarray(ties[found], dtype=np.int64)

    # --- filters ---

    @cached_property
    def _kinds(self) -> list[frozenset[Wanted]]:
        shared: dict[Hashable, frozenset[Wanted]] = {}
        found = []
        flipping = unstable(self.rows)
        for row in self.rows:
            flips = (row.case_id, row.provider) in flipping
            likely = bool(row.likely)
            known = (row.failures, tuple(row.labels), row.is_disputed, likely, flips)
            if known not in shared:
                shared[known] = row_kinds(row).union([UNSTABLE] if flips else [])
            found.append(shared[known])
        return found

    @cached_property
    def counts(self) -> dict[Wanted, int]:
        """Samples by what may be asked for, most frequent first; disputed and unstable
        ones last, since they are counted by another measure."""
        found: dict[Wanted, int] = {}
        for kinds in self._kinds:
            for kind in kinds:
                found[kind] = found.get(kind, 0) + 1
        return in_order(found)

    def _mark(self, name: object, made: Callable[[], Iterable[bool]]) -> Marks:
        if name not in self._marks:
            marks = np.fromiter(made(), dtype=np.bool_, count=len(self.rows))
            self._marks[name] = marks
        return self._marks[name]

    def chosen(
        self,
        wanted: Arrangement,
        is_stopped: IsStopped,
        in_answers: Iterable[int] = (),
    ) -> Numbers:
        """Row numbers that pass the filters of an arrangement, in its order. A text is
        looked for in the rows; in_answers: rows that have it elsewhere. Raises
        Superseded."""
        fits = self._fitting(wanted)
        if wanted.text:
            has_text = np.zeros(len(self.rows), dtype=np.bool_)
            has_text[self.search(wanted.text.casefold(), is_stopped)] = True
            has_text[list(in_answers)] = True
            fits &= has_text
        order = self.order(wanted.sort)
        return order[fits[order]]

    def count(self, wanted: Arrangement) -> int:
        """How many pass all filters but that of the text."""
        return int(self._fitting(wanted).sum())

    def without_text(self, wanted: Arrangement, is_stopped: IsStopped) -> Numbers:
        """Row numbers that pass all filters but that of the text, in that order."""
        fits = self._fitting(wanted)
        fits[self.search(wanted.text.casefold(), is_stopped)] = False
        order = self.order(wanted.sort)
        return order[fits[order]]

    def _fitting(self, wanted: Arrangement) -> Marks:
        fits = np.ones(len(self.rows), dtype=np.bool_)
        if wanted.failures_only:
            fits &= self._mark(
                "failures", lambda: (row.passed is not True for row in self.rows)
            )
        kind = wanted.kind
        if kind is not None:
            fits &= self._mark(kind, lambda: (kind in kinds for kinds in self._kinds))
        return fits

    # --- search ---

    @cached_property
    def texts(self) -> list[str]:
        """What a search looks into beside the provider, folded for comparison. Rows of
        one case share a text: 100,000 rows of two providers take 8 MB, not 17."""
        shared: dict[str, str] = {}
        found = []
        for row in self.rows:
            text = "\n".join(_searched(row)).casefold()
            found.append(shared.setdefault(text, text))
        return found

    def search(self, needle: str, is_stopped: IsStopped) -> Numbers:
        """Rows with a folded text in them, in the order of the run."""
        with self._guard:
            before, within = self._found
        if not before or before not in needle:
            within = np.arange(len(self.rows))
        texts, rows, found = self.texts, self.rows, []
        named = {p for p in {row.provider for row in rows} if needle in p.casefold()}
        for looked_at, number in enumerate(within.tolist()):
            if looked_at % STEP == 0 and is_stopped():
                raise Superseded
            if needle in texts[number] or (named and rows[number].provider in named):
                found.append(number)
        numbers = np.array(found, dtype=np.int64)
        with self._guard:
            self._found = (needle, numbers)
        return numbers


def _searched(row: SampleRow) -> Iterator[str]:
    yield from (row.case_id, row.category or "", row.domain or "")
    yield from (row.question, row.error or "")


# --- what is sorted by ---------------------------------------------------------

AS_FINISHED = "as finished"
Key = npt.NDArray[np.int64] | npt.NDArray[np.float64]


def _ranks(values: Sequence[str | None]) -> Numbers:
    """Texts as numbers of the same order; None comes last."""
    known = sorted({value for value in values if value is not None})
    rank: dict[str | None, int] = {value: n for n, value in enumerate(known)}
    rank[None] = len(known)
    return np.fromiter((rank[v] for v in values), dtype=np.int64, count=len(values))


def _whole(values: Iterable[int], rows: Sequence[SampleRow]) -> Numbers:
    return np.fromiter(values, dtype=np.int64, count=len(rows))


def _scores(rows: Sequence[SampleRow], metric: str) -> Key:
    """Values of a metric; what has none comes last."""
    scores = (row.score(metric) for row in rows)
    values = (
        np.inf if score is None or score.value is None else score.value
        for score in scores
    )
    return np.fromiter(values, dtype=np.float64, count=len(rows))


def _by_case(rows: Sequence[SampleRow]) -> list[Key]:
    return [
        _ranks([row.case_id for row in rows]),
        _ranks([row.provider for row in rows]),
        _whole((row.iteration for row in rows), rows),
    ]


def _by_seconds(rows: Sequence[SampleRow]) -> list[Key]:
    longest = (-row.seconds for row in rows)
    return [np.fromiter(longest, dtype=np.float64, count=len(rows))]


_KEYS: dict[str, Callable[[Sequence[SampleRow]], list[Key]]] = {
    BY_CASE: _by_case,
    "failures, most first": lambda rows: [
        _whole((-len(row.failures) for row in rows), rows)
    ],
    "likely, most first": lambda rows: [_whole((-row.likely for row in rows), rows)],
    AS_FINISHED: lambda rows: [np.arange(len(rows))],
    "provider": lambda rows: [_ranks([row.provider for row in rows])],
    "category": lambda rows: [_ranks([row.category for row in rows])],
    "difficulty": lambda rows: [
        _whole((DIFFICULTIES.get(row.difficulty or "", 3) for row in rows), rows)
    ],
    "outcome, failed first": lambda rows: [
        _whole((OUTCOMES[row.passed] for row in rows), rows)
    ],
    "seconds, longest first": _by_seconds,
}
"""What is sorted by, first thing first; ties are in the order of cases."""


# --- the samples behind rows -----------------------------------------------------


class RowSamples(Sequence[SampleResult]):
    """Samples of a run in an order of rows; each is read when it is asked for."""

    def __init__(
        self,
        rows: Sequence[SampleRow],
        numbers: Numbers,
        read: Callable[[SampleKey], SampleResult | None],
    ) -> None:
        self._rows = rows
        self._numbers = numbers
        self._read = read

    def row(self, place: int) -> SampleRow:
        """What is known of a sample without reading it."""
        return self._rows[int(self._numbers[place])]

    @overload
    def __getitem__(self, place: int) -> SampleResult: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[SampleResult]: ...

    def __getitem__(self, place: int | slice) -> SampleResult | Sequence[SampleResult]:
        """Raises StoreError when it can no longer be read."""
        if isinstance(place, slice):
            return RowSamples(self._rows, self._numbers[place], self._read)
        row = self.row(place)
        found = self._read(row.key)
        if found is None:
            raise StoreError(
                f"The run has no sample {row.key} any more.",
                "Its record was changed meanwhile: read the results again.",
            )
        return found

    def __len__(self) -> int:
        return len(self._numbers)
