"""Faithful by complete: how many samples are in each quarter, and what failed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.summary.quadrant import Quadrant, Quarter
from claimscope.core.models import FailureKind
from claimscope.core.report.terms import FAILURES
from claimscope.core.report.view import (
    TEXT_ONLY,
    Column,
    Part,
    Prose,
    Role,
    Section,
    Span,
    Table,
    line,
    row,
)
from claimscope.core.text.plurals import counted_noun

LISTED = 5
"""Samples of a quarter that are named in a table."""
COLUMNS = (
    Column("quarter"),
    Column("samples", "right"),
    Column("share", "right"),
    Column("failures", least=TEXT_ONLY),
    Column("which", least=TEXT_ONLY),
)
ROLES: Sequence[Role] = ("supported", "not_enough_info", "contradicted", "contradicted")
"""Of the quarters, in their order."""
NAMED = 40
"""Samples of a quarter that are named where there is room."""
NONE = """\
No sample can be placed: that takes both grades of a judge, or judged claims of an
answer whose case has required claims."""


def quadrant_section(found: Quadrant) -> Iterator[Section]:
    """A row a quarter; nothing where no sample has both."""
    if not found.n:
        return
    rows = tuple(
        row(
            quarter.name,
            str(count := len(quarter.samples)),
            Span(f"{count / found.n:.0%}", role, share=(count, found.n)),
            _failures(quarter),
            _samples(quarter, LISTED) if quarter.failures else "",
        )
        for quarter, role in zip(found.quarters, ROLES, strict=True)
    )
    parts: tuple[Part, ...] = (Table(COLUMNS, rows),)
    if found.unplaced:
        words = "not placed, as one of the two is not known"
        parts = (*parts, line(Span(f"{words}: {found.unplaced}", "faint")))
    samples = counted_noun(found.n, "sample")
    title = f"Faithful and complete, by {found.by}: {samples}"
    yield Section(line(title), parts)


def quadrant_view(found: Quadrant) -> Iterator[Part]:
    """The same, then each quarter that has samples: what failed, and which."""
    yield from quadrant_section(found)
    if not found.n:
        yield line(NONE)
    for quarter in found.quarters:
        if quarter.samples:
            count = f"  {len(quarter.samples)}"
            yield line()
            yield line(Span(quarter.name, "heading"), count)
            if quarter.failures:
                yield line(f"failures: {_failures(quarter)}", level=1)
            names = Span(_samples(quarter, NAMED), "faint")
            yield Prose((names,), level=1, hangs=False)


def _failures(quarter: Quarter) -> str:
    """`contradicted claim 3, low grade 1`: samples by kind of failure."""
    return ", ".join(
        f"{FAILURES[FailureKind(kind)]} {count}"
        for kind, count in quarter.failures.items()
    )


def _samples(quarter: Quarter, most: int) -> str:
    """The first samples by name, and how many more there are."""
    more = len(quarter.samples) - most
    rest = f" and {more:,} more" if more > 0 else ""
    return ", ".join(quarter.samples[:most]) + rest
