"""A lab as plain lines: its cells by its figures, each with the number it is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.compare.matrix import FEWEST_CASES, Entry, Matrix
from claimscope.core.analysis.compare.trade_offs import Trade
from claimscope.core.report.text import one_line
from claimscope.core.run.lab import Cell, Lab

WIDTH = 100
COLUMN = 14
LONGEST_NAME = 40
TRADES = 8
"""That are listed at most."""
MARKS = {"best": "best", "behind": "behind", "level": ""}
LEGEND = (
    "best: better than each other cell beyond noise; behind: worse than the",
    "highest beyond noise (paired by case, Holm)",
)


def lab_line(lab: Lab) -> str:
    """`LAB  finished  4/4 cells  20 cases  medicine`."""
    done = sum(cell.state == "finished" for cell in lab.cells)
    return (
        f"{lab.lab_id}  {lab.state:<9}  {done}/{len(lab.cells)} cells  "
        f"{len(lab.cases)} cases  {one_line(lab.suite_id)}"
    )


def lab_lines(
    lab: Lab, found: Matrix, columns: Sequence[str] | None = None
) -> Iterator[str]:
    """The lab, its matrix in blocks of columns that fit, what failed, what to do.
    columns: only these figures."""
    columns = found.columns if columns is None else columns
    yield lab_line(lab)
    if lab.error:
        yield f"  {one_line(lab.error)}"
    yield ""
    width = min(max(len(one_line(cell.name)) for cell in lab.cells), LONGEST_NAME)
    at_once = max((WIDTH - width) // COLUMN, 1)
    for begin in range(0, len(columns), at_once):
        yield from _block(found, columns[begin : begin + at_once], width)
        yield ""
    yield from notes(found)
    yield from trade_lines(found)
    for cell in lab.cells:
        yield f"{one_line(cell.name)}: {cell_words(lab, cell)}; run {cell.run_id}"


def _block(found: Matrix, columns: Sequence[str], width: int) -> Iterator[str]:
    heads = "".join(f"{clipped(name, COLUMN - 1):>{COLUMN}}" for name in columns)
    yield f"{'':<{width}}{heads}"
    for row in found.rows:
        entries = [row.entry(name) for name in columns]
        name = clipped(one_line(row.cell), width)
        yield f"{name:<{width}}" + "".join(f"{value(e):>{COLUMN}}" for e in entries)
        marks = [MARKS[e.mark] if e else "" for e in entries]
        if any(marks):
            yield " " * width + "".join(f"{mark:>{COLUMN}}" for mark in marks)


def clipped(text: str, width: int) -> str:
    """At most so many characters."""
    return text if len(text) <= width else text[: width - 3] + "..."


def value(entry: Entry | None) -> str:
    """`0.83 n 18/20`; no mean where nothing was scored."""
    if entry is None or (entry.value is None and not entry.total):
        return "-"
    if entry.value is None:
        return f"- n 0/{entry.total}"
    return f"{entry.value:.2f} n {entry.n}/{entry.total}"


def notes(found: Matrix) -> Iterator[str]:
    """How to read the marks, and when there can be none."""
    yield from LEGEND
    if found.cases and found.is_too_small:
        yield (
            f"cases judged: {found.cases}; no difference can be told from noise below "
            f"{FEWEST_CASES} that differ"
        )


def trade_lines(found: Matrix) -> Iterator[str]:
    """Which cells gain quality at the cost of correctness; nothing without one."""
    for number, trade in enumerate(found.trades):
        if number == 0:
            yield f"quality gained at the cost of correctness: {len(found.trades)}"
        if number == TRADES:
            yield f"  and {len(found.trades) - TRADES} more"
            return
        yield f"  {one_line(trade_words(trade))}"


def trade_words(trade: Trade) -> str:
    """`a gains 0.12 coherence on b, and loses 0.30 accuracy: beyond noise (of 9
    cases)`."""
    noise = "beyond noise" if trade.beyond_noise else "within noise"
    return (
        f"{trade.better_prose} gains {trade.gain:.2f} {trade.quality} on "
        f"{trade.other}, and loses {trade.loss:.2f} {trade.correctness}: {noise} (of "
        f"{trade.cases} cases)"
    )


def cell_words(lab: Lab, cell: Cell) -> str:
    """Where a cell stands: `judging; 20 of 20 answers, 1 not answered`."""
    words = f"{cell.state}; {cell.answered} of {lab.wanted_of(cell)} answers"
    if cell.unanswered:
        words += f", {len(cell.unanswered)} not answered"
    if cell.error:
        words += f"; {one_line(cell.error)}"
    return words
