"""What the matrix of a lab says: columns, signs and words, without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from claimscope.core.report.lab_text import trade_words
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.table import Column

if TYPE_CHECKING:
    from claimscope.core.analysis.compare.matrix import Entry, Matrix, MatrixRow
    from claimscope.core.analysis.compare.trade_offs import Trade
    from claimscope.core.ports import Control
    from claimscope.core.run.lab import Cell, Lab

FIGURE_WIDTH = 13
"""`▲ 0.83 n18/20`."""
STATE_WIDTH = 16
LEFT_WIDTH = 20 + STATE_WIDTH + 2
"""Name of the cell at least, and its state."""
SHORT = {"pass_rate": "pass rate"}
SIGNS = {"best": "risen", "behind": "fallen", "level": ""}
ROLES = {"best": "supported", "behind": "dim", "level": ""}
WORDS = {
    "best": "best, beyond noise",
    "behind": "behind the highest, beyond noise",
    "level": "",
}
ASKED = {"pause": "pausing", "cancel": "cancelling", "run": "going on"}


def columns(shown: Sequence[str]) -> list[Column]:
    """Columns of the matrix for these figures."""
    heads = [Column(_head(name), FIGURE_WIDTH, "right") for name in shown]
    return [Column("cell"), Column("state", STATE_WIDTH), *heads]


def _head(name: str) -> str:
    return SHORT.get(name, name.replace("_", " "))


def state_cell(lab: Lab, cell: Cell, glyphs: Glyphs) -> Piece:
    """`▶ answering 3/20`; answers that did not come make it a warning."""
    roles = {"failed": "contradicted", "cancelled": "unscored"}
    signs = {
        "finished": glyphs.supported,
        "failed": glyphs.contradicted,
        "cancelled": glyphs.unscored,
        "answering": glyphs.running,
        "judging": glyphs.running,
    }
    text = f"{signs.get(cell.state, glyphs.unscored)} {cell.state}"
    if cell.state == "answering":
        text = f"{glyphs.running} {cell.answered}/{lab.wanted_of(cell)} answers"
    elif cell.unanswered and cell.state == "finished":
        missing = f"{glyphs.not_enough_info} {len(cell.unanswered)} missing"
        return Piece(missing, "not_enough_info")
    return Piece(text, roles.get(cell.state, ""))


def entry_cell(entry: Entry | None, glyphs: Glyphs) -> Piece:
    """A figure with its n, and the sign of what is beyond noise."""
    if entry is None or (entry.value is None and not entry.total):
        return Piece("-", "dim")
    if entry.value is None:
        return Piece(f"- n0/{entry.total}", "unscored")
    sign = getattr(glyphs, SIGNS[entry.mark]) + " " if SIGNS[entry.mark] else ""
    count = f"n{entry.n}" if entry.n == entry.total else f"n{entry.n}/{entry.total}"
    return Piece(f"{sign}{entry.value:.2f} {count}", ROLES[entry.mark])


def figures(
    lab: Lab, found: Matrix | None, asked: Control | None, glyphs: Glyphs
) -> Iterator[Paragraph]:
    """Where the lab stands, and how the signs are read."""
    done = sum(cell.state == "finished" for cell in lab.cells)
    state = f"{glyphs.state(lab.state)} {lab.state}"
    roles = {"failed": "contradicted", "stopped": "not_enough_info"}
    yield para(
        Piece(state, roles.get(lab.state, "strong")),
        said(f"  {lab.suite_id}   {done}/{len(lab.cells)} cells   "),
        said(f"{len(lab.cases)} cases   {ASKED[asked] if asked else ''}"),
    )
    if lab.error:
        sign = Piece(f"{glyphs.contradicted} ", "contradicted")
        yield para(sign, said(lab.error), hanging=2)
    if found is not None and found.cases and found.is_too_small:
        are = "case is" if found.cases == 1 else "cases are"
        text = f"{found.cases} {are} too few to tell a difference from noise"
        yield para(Piece(f"{glyphs.not_enough_info} ", "not_enough_info"), said(text))
    else:
        text = f"{glyphs.risen} best, {glyphs.fallen} behind the highest: beyond noise"
        yield para(Piece(text, "dim"))


def details(
    lab: Lab, cell: Cell, row: MatrixRow, trades: Sequence[Trade], glyphs: Glyphs
) -> Iterator[Paragraph]:
    """All figures of a cell in words, and what it gains at what cost."""
    yield para(
        said(cell.name, "strong"),
        said(f"   {cell.state}   {cell.answered} of {lab.wanted_of(cell)} answers"),
        said(f"   run {cell.run_id}", "dim"),
    )
    if cell.error:
        sign = Piece(f"{glyphs.contradicted} ", "contradicted")
        yield para(sign, said(cell.error), hanging=2)
    for task, reason in list(cell.unanswered.items())[:3]:
        sign = Piece(f"{glyphs.not_enough_info} ", "not_enough_info")
        yield para(sign, said(f"{task}: no answer: {reason}"), hanging=2)
    for trade in trades:
        role = "not_enough_info" if trade.beyond_noise else "dim"
        yield para(Piece(f"{glyphs.disputed} ", role), said(trade_words(trade), role))
    for entry in row.entries:
        if entry.total or entry.value is not None:
            yield _line(entry, glyphs)


def _line(entry: Entry, glyphs: Glyphs) -> Paragraph:
    value = "-" if entry.value is None else f"{entry.value:.3f}"
    text = f"{_head(entry.name):<24}{value:>6}  n {entry.n} of {entry.total}"
    if entry.interval is not None:
        text += f"  95 % {entry.interval[0]:.2f} to {entry.interval[1]:.2f}"
    if entry.unscored:
        text += f"  {entry.unscored} unscored"
    words = WORDS[entry.mark]
    sign = getattr(glyphs, SIGNS[entry.mark]) if words else ""
    more = [Piece(f"  {sign} {words}", ROLES[entry.mark])] if words else []
    return para(said(text), *more)
