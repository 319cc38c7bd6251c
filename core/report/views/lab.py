"""A lab: where its cells stand, their figures, each with the number it is over, and
which of them is beyond noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from claimscope.core.analysis.compare.matrix import (
    FEWEST_CASES,
    Mark,
    Matrix,
    MatrixEntry,
    MatrixRow,
    TradeOff,
)
from claimscope.core.ports import Control
from claimscope.core.report.text import minute_of
from claimscope.core.report.view import (
    Column,
    Fields,
    Part,
    Prose,
    Role,
    Row,
    Section,
    Sign,
    Span,
    Table,
    line,
    list_section,
    row,
    sign_span,
)
from claimscope.core.report.views.run_status import STATES
from claimscope.core.run.lab import CellState, Lab, LabCell
from claimscope.core.text.plurals import counted_noun, verb_of

LABS = (
    Column("lab"),
    Column("suite", width=14),
    Column("state", width=11),
    Column("cells", "right", 7),
    Column("cases", "right", 5),
    Column("begun (UTC)", width=16),
)
FIGURE_WIDTH = 13
"""`▲ 0.83 n18/20`."""
STATE_WIDTH = 16
LEFT_WIDTH = 20 + STATE_WIDTH + 2
"""Name of the cell at least, and its state."""
SIGNS: Mapping[Mark, Sign] = {"best": "risen", "behind": "fallen", "level": ""}
ROLES: Mapping[Mark, Role] = {"best": "supported", "behind": "faint", "level": ""}
WORDS: Mapping[Mark, str] = {
    "best": "best, beyond noise",
    "behind": "behind the highest, beyond noise",
    "level": "",
}
CELL_STATES: Mapping[CellState, Sign] = {
    "finished": "supported",
    "failed": "contradicted",
    "answering": "running",
    "judging": "running",
}
ASKED: Mapping[Control | None, str] = {
    None: "",
    "pause": "   pausing",
    "cancel": "   cancelling",
    "run": "   going on",
}
TRADES = 8
"""That are listed at most."""
REASONS = 3
"""Of answers that did not come, that are told."""


def lab_line(lab: Lab) -> str:
    """`LAB  finished  4/4 cells  20 cases  medicine`."""
    done = sum(cell.state == "finished" for cell in lab.cells)
    return (
        f"{lab.lab_id}  {lab.state:<9}  {done}/{counted_noun(len(lab.cells), 'cell')}  "
        f"{counted_noun(len(lab.cases), 'case')}  {lab.suite_id}"
    )


def lab_row(lab: Lab) -> Row:
    """The same as a row of a list."""
    sign, role = STATES[lab.state]
    done = sum(cell.state == "finished" for cell in lab.cells)
    return row(
        lab.lab_id,
        lab.suite_id,
        Span(lab.state, role, sign),
        f"{done}/{len(lab.cells)}",
        str(len(lab.cases)),
        minute_of(lab.created),
    )


def lab_axes(lab: Lab) -> Iterator[Part]:
    """What a lab varies."""
    if lab.error:
        yield line(sign_span("", "contradicted"), lab.error)
    axes = lab.axes
    fields = {
        "models": ", ".join(axes.models),
        "temperature": ", ".join(f"{one:g}" for one in axes.temperatures),
        "top_p": ", ".join(f"{p:g}" for p in axes.top_ps) or "the server's",
        "prompts": ", ".join(p.name for p in axes.prompts) or "none",
    }
    yield Fields(tuple((name, line(text)) for name, text in fields.items()))


def lab_view(
    lab: Lab, found: Matrix, columns: Sequence[str] | None = None
) -> Iterator[Part]:
    """The lab, its matrix, what is gained at what cost, what failed. columns: only
    these figures."""
    shown = found.columns if columns is None else columns
    yield from head(lab, found)
    yield line()
    rows = tuple(
        cell_row(lab, cell, entries, shown)
        for cell, entries in zip(lab.cells, found.rows, strict=True)
    )
    yield Table(cell_columns(shown), rows)
    yield line()
    if found.trades:
        title = f"quality gained at the cost of correctness: {len(found.trades)}"
        more = len(found.trades) - TRADES
        lines = [trade_line(trade) for trade in found.trades[:TRADES]]
        lines += [line(f"and {more} more")] if more > 0 else []
        yield list_section(title, lines)
    for cell in lab.cells:
        yield Section(_cell_state(lab, cell), tuple(_missing_answers(cell)))


def head(
    lab: Lab, found: Matrix | None, asked: Control | None = None
) -> Iterator[Prose]:
    """Where the lab stands, and how the signs are read. asked: of the engine."""
    sign, role = STATES[lab.state]
    done = sum(cell.state == "finished" for cell in lab.cells)
    yield line(
        Span(lab.state, role or "strong", sign),
        f"  {lab.suite_id}   {done}/{counted_noun(len(lab.cells), 'cell')}   "
        f"{counted_noun(len(lab.cases), 'case')}"
        f"{ASKED[asked]}",
        Span(f"   lab {lab.lab_id}", "faint"),
    )
    if lab.error:
        yield line(sign_span("", "contradicted"), lab.error)
    if found is not None and found.cases and found.is_too_small:
        are = verb_of(found.cases, "is", "are")
        text = f"{counted_noun(found.cases, 'case')} {are} too few to tell a "
        text += "difference from noise: it takes "
        text += f"{FEWEST_CASES} that differ"
        yield line(sign_span("", "not_enough_info"), text)
    else:
        best, behind = Span("best, ", "faint", "risen"), Span("", "faint", "fallen")
        how = "behind the highest: beyond noise (paired by case, Holm)"
        yield line(best, behind, Span(how, "faint"))


# --- the matrix -----------------------------------------------------------------


def cell_columns(shown: Sequence[str]) -> tuple[Column, ...]:
    """Cell, state, and these figures."""
    figures = (Column(_name(name), "right", FIGURE_WIDTH) for name in shown)
    return (Column("cell"), Column("state", width=STATE_WIDTH), *figures)


def _name(figure: str) -> str:
    return figure.replace("_", " ")


def cell_row(lab: Lab, cell: LabCell, found: MatrixRow, shown: Sequence[str]) -> Row:
    """A cell of the lab with these figures."""
    return row(cell.name, _state(lab, cell), *(_entry(found.entry(n)) for n in shown))


def _state(lab: Lab, cell: LabCell) -> Span:
    """`▶ 3/20 answers`; answers that did not come make it a warning."""
    if cell.state == "answering":
        return Span(
            f"{cell.answered}/{counted_noun(lab.wanted_of(cell), 'answer')}",
            sign="running",
        )
    if cell.state == "finished" and cell.unanswered:
        return sign_span(f"{len(cell.unanswered)} missing", "not_enough_info")
    roles: Mapping[CellState, Role] = {
        "failed": "contradicted",
        "cancelled": "unscored",
    }
    sign = CELL_STATES.get(cell.state, "unscored")
    return Span(cell.state, roles.get(cell.state, ""), sign)


def _entry(entry: MatrixEntry | None) -> Span:
    """A figure with its n, and the sign of what is beyond noise."""
    if entry is None or (entry.value is None and not entry.total):
        return Span("-", "faint")
    if entry.value is None:
        return Span(f"- n0/{entry.total}", "unscored")
    count = f"n{entry.n}" if entry.n == entry.total else f"n{entry.n}/{entry.total}"
    text = f"{entry.value:.2f} {count}"
    return Span(text, ROLES[entry.mark], SIGNS[entry.mark])


# --- a cell ---------------------------------------------------------------------


def details(
    lab: Lab, cell: LabCell, found: MatrixRow, trades: Sequence[TradeOff]
) -> Iterator[Prose]:
    """All figures of a cell in words, and what it gains at what cost."""
    yield _cell_state(lab, cell)
    yield from _missing_answers(cell)
    yield from map(trade_line, trades)
    for entry in found.entries:
        if entry.total or entry.value is not None:
            yield _figure(entry)


def _cell_state(lab: Lab, cell: LabCell) -> Prose:
    """Where a cell stands."""
    return line(
        Span(cell.name, "strong"),
        f"   {cell.state}   {cell.answered} of "
        f"{counted_noun(lab.wanted_of(cell), 'answer')}",
        Span(f"   run {cell.run_id}", "faint"),
    )


def _missing_answers(cell: LabCell) -> Iterator[Prose]:
    """Why it failed, and which answers did not come."""
    if cell.error:
        yield line(sign_span("", "contradicted"), cell.error)
    for task, reason in list(cell.unanswered.items())[:REASONS]:
        yield line(sign_span("", "not_enough_info"), f"{task}: no answer: {reason}")
    if len(cell.unanswered) > REASONS:
        yield line(f"and {len(cell.unanswered) - REASONS} more without an answer")


def trade_line(trade: TradeOff) -> Prose:
    """`a gains 0.12 coherence on b, and loses 0.30 accuracy: beyond noise (of 9
    cases)`."""
    noise = "beyond noise" if trade.beyond_noise else "within noise"
    text = (
        f"{trade.better_prose} gains {trade.gain:.2f} {trade.quality} on "
        f"{trade.other}, and loses {trade.loss:.2f} {trade.correctness}: {noise} (of "
        f"{counted_noun(trade.cases, 'case')})"
    )
    return line(Span(text, "not_enough_info" if trade.beyond_noise else "", "disputed"))


def _figure(entry: MatrixEntry) -> Prose:
    value = "-" if entry.value is None else f"{entry.value:.3f}"
    text = f"{_name(entry.name):<24}{value:>6}  n {entry.n} of {entry.total}"
    if entry.interval is not None:
        text += f"  95 % {entry.interval[0]:.2f} to {entry.interval[1]:.2f}"
    text += f"  {entry.unscored} unscored" if entry.unscored else ""
    words = WORDS[entry.mark]
    gap = "  " if words else ""
    return line(text, gap, Span(words, ROLES[entry.mark], SIGNS[entry.mark]))
