"""What a gate demanded and what was reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.analysis.gate import Check, Gate, State
from claimscope.core.report.view import (
    Column,
    Part,
    Prose,
    Section,
    Sign,
    Table,
    line,
    row,
    sign_span,
)

WORDS: Mapping[State, str] = {
    "passed": "passed",
    "failed": "FAILED",
    "not_judged": "not judged",
}
ENDS: Mapping[State, str] = {
    "passed": "gate passed",
    "failed": "gate failed",
    "not_judged": "gate could not be judged",
}
MEANINGS: Mapping[State, Sign] = {
    "passed": "supported",
    "failed": "contradicted",
    "not_judged": "unscored",
}
COLUMNS = (
    Column("gate"),
    Column("figure"),
    Column("demanded"),
    Column("reached", "right"),
    Column("n", "right"),
    Column("because"),
)


def reached_text(check: Check) -> str:
    """The figure in four digits, or a dash."""
    return "–" if check.reached is None else f"{check.reached:.4g}"


def demands(gate: Gate) -> Table:
    """A row a demand."""
    return Table(
        COLUMNS,
        tuple(
            row(
                sign_span(WORDS[check.state], MEANINGS[check.state]),
                check.name,
                check.demanded,
                reached_text(check),
                f"{check.n} of {check.total}",
                check.reason,
            )
            for check in gate.checks
        ),
    )


def gate_end(gate: Gate) -> Prose:
    """What became of it."""
    return line(sign_span(ENDS[gate.state], MEANINGS[gate.state]))


def gate_view(gate: Gate) -> Iterator[Part]:
    """The demands, and the end last, where a terminal leaves it to be seen."""
    yield demands(gate)
    yield line(f"{ENDS[gate.state]}: {gate.run_id}")


def gate_section(gate: Gate) -> Section:
    """The end as the heading of the demands."""
    return Section(line("Gate: ", *gate_end(gate).spans), (demands(gate),))
