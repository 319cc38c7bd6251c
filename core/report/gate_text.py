"""What a gate demanded and what was reached, as a small table for people."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.gate import Check, Gate, State
from claimscope.core.report.text import one_line

WORDS: dict[State, str] = {
    "passed": "passed",
    "failed": "FAILED",
    "not_judged": "not judged",
}
GLYPHS: dict[State, str] = {"passed": "✓", "failed": "✗", "not_judged": "?"}
ENDS: dict[State, str] = {
    "passed": "gate passed",
    "failed": "gate failed",
    "not_judged": "gate could not be judged",
}


def reached(check: Check) -> str:
    """The figure in four digits, or a dash."""
    return "-" if check.reached is None else f"{check.reached:.4g}"


def gate_lines(gate: Gate) -> Iterator[str]:
    """One line a demand, as wide as its longest cell; the end last."""
    rows = [
        (
            f"{GLYPHS[c.state]} {WORDS[c.state]}",
            one_line(c.name),
            one_line(c.demanded),
            reached(c),
            f"{c.n} of {c.total}",
            one_line(c.reason),
        )
        for c in gate.checks
    ]
    heads = ("gate", "figure", "demanded", "reached", "n", "")
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    for row in [heads, *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
    yield f"{ENDS[gate.state]}: {one_line(gate.run_id)}"
