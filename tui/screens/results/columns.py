"""The columns that Results can show of a sample, and which of them fit a width."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.models import Label, SampleRow
from claimscope.core.report.terms import LIKELY
from claimscope.tui.review.items import KIND_WORDS
from claimscope.tui.screens.base.view import WIDE
from claimscope.tui.widgets.flow import Piece
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.sample_text import outcome, score_text
from claimscope.tui.widgets.table import ScreenColumn

SCORE_WIDTH = 8
"""Room for the word "unscored"."""
LEAST = 18
"""Room that a column of free text needs to be of use."""
VERDICTS = "verdicts"
FAILURES = "failures"


@dataclass(frozen=True)
class RowColumn:
    """Something of a sample; `verdicts` is a column of the table for each sign."""

    name: str
    columns: tuple[ScreenColumn, ...]
    cells: Callable[[SampleRow], Sequence[Piece]]

    @property
    def width(self) -> int:
        """Cells it takes, with the space behind each column."""
        return sum(1 + (c.width or LEAST) for c in self.columns)


def catalogue(metrics: Sequence[str], glyphs: Glyphs, *, wide: bool) -> list[RowColumn]:
    """Every column, in the order in which they stand."""
    return [
        _one("outcome", 10, lambda row: outcome(row, glyphs)),
        _one("case", 14 if wide else 12, lambda row: Piece(case_name(row))),
        _one("provider", 11 if wide else 8, lambda row: Piece(row.provider)),
        _one("category", 12, lambda row: Piece(row.category or "")),
        _one("difficulty", 10, lambda row: Piece(row.difficulty or "")),
        _one("domain", 12, lambda row: Piece(row.domain or "")),
        _verdicts(glyphs),
        *(_score(metric) for metric in metrics),
        _one("seconds", 7, lambda row: Piece(f"{row.seconds:.1f}"), right=True),
        _one("tokens", 8, lambda row: Piece(_tokens(row)), right=True),
        _one("finished", 19, lambda row: Piece((row.finished or "")[:19])),
        _one("question", None, lambda row: Piece(row.question)),
        _one(FAILURES, None, lambda row: Piece(what_failed(row))),
    ]


def _one(
    name: str,
    width: int | None,
    cell: Callable[[SampleRow], Piece],
    *,
    right: bool = False,
) -> RowColumn:
    column = ScreenColumn(name, width, "right" if right else "left")
    return RowColumn(name, (column,), lambda row: (cell(row),))


def _verdicts(glyphs: Glyphs) -> RowColumn:
    signs = [glyphs.label(label) for label in Label]
    signs.insert(1, glyphs.likely)
    columns = tuple(ScreenColumn(sign, 3, "right") for sign in signs)

    def cells(row: SampleRow) -> Sequence[Piece]:
        counts = {label.value: row.labels.get(label, 0) for label in Label}
        first, *others = counts.items()
        proved = (first[0], first[1] - row.likely)
        parts = (proved, (LIKELY, row.likely), *others)
        return [Piece(str(count or ""), role) for role, count in parts]

    return RowColumn(VERDICTS, columns, cells)


def _score(metric: str) -> RowColumn:
    def cells(row: SampleRow) -> Sequence[Piece]:
        score = row.score(metric)
        return (Piece(score_text(score) if score else "unscored"),)

    column = ScreenColumn(metric, max(len(metric), SCORE_WIDTH), "right")
    return RowColumn(metric, (column,), cells)


def case_name(row: SampleRow) -> str:
    """The case, with the iteration when there are several."""
    return row.case_id + (f" #{row.iteration}" if row.iteration > 1 else "")


def what_failed(row: SampleRow) -> str:
    """Why it could not be judged, or each kind of failure once."""
    return row.error or ", ".join(KIND_WORDS[k] for k in dict.fromkeys(row.failures))


def _tokens(row: SampleRow) -> str:
    return str(row.prompt_tokens + row.completion_tokens)


def fitting(
    known: Sequence[RowColumn], asked: Sequence[str] | None, width: int
) -> tuple[list[RowColumn], int]:
    """The columns that fit, and how many that were asked for do not. Not asked: the
    usual ones, and as many scores as leave room for the failures."""
    names = list(_usual(known, width) if asked is None else asked)
    chosen = [column for column in known if column.name in names]
    room = width + 1  # no space stands behind the last column
    room -= sum(column.width for column in chosen if column.name == FAILURES)
    found = []
    for column in chosen:
        if column.name == FAILURES:
            found.append(column)
        elif column.width <= room:
            room -= column.width
            found.append(column)
        elif asked is None:
            room = 0  # a lesser score is not shown in place of a greater one
    return found, (0 if asked is None else len(chosen) - len(found))


def _usual(known: Sequence[RowColumn], width: int) -> Iterator[str]:
    left = {"domain", "seconds", "tokens", "finished", "question"}
    if width < WIDE:
        left |= {"category", "difficulty"}
    return (column.name for column in known if column.name not in left)
