"""Faithful by complete in words: the same lines and cells for the terminal, reports and
the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.summary.iterations import PassGrade
from claimscope.core.analysis.summary.quadrant import Quadrant, Quarter, quadrant
from claimscope.core.models import FailureKind, SampleResult
from claimscope.core.report.terms import FAILURES
from claimscope.core.report.text import one_line

LISTED = 5
"""Samples of a quarter that are named."""
HEADS = ("quarter", "samples", "share", "failures", "which")


def quadrant_title(found: Quadrant) -> str:
    """`faithful and complete, by grades: 40 samples`."""
    samples = "1 sample" if found.n == 1 else f"{found.n} samples"
    return f"faithful and complete, by {found.by}: {samples}"


def quadrant_rows(found: Quadrant) -> Iterator[tuple[str, ...]]:
    """A row of cells a quarter, beside `HEADS`; none where no sample is placed."""
    for quarter in found.quarters if found.n else ():
        count = len(quarter.samples)
        share = f"{count / found.n:.0%}"
        named = which(quarter) if quarter.failures else ""
        yield quarter.name, str(count), share, failure_counts(quarter), named


def failure_counts(quarter: Quarter) -> str:
    """`contradicted claim 3, low grade 1`: samples by kind of failure."""
    return ", ".join(
        f"{FAILURES[FailureKind(kind)]} {count}"
        for kind, count in quarter.failures.items()
    )


def which(quarter: Quarter) -> str:
    """The first samples by name, and how many more there are."""
    more = len(quarter.samples) - LISTED
    rest = f" and {more} more" if more > 0 else ""
    return one_line(", ".join(quarter.samples[:LISTED])) + rest


def unplaced_words(found: Quadrant) -> str:
    """Of how many samples one of the two is not known; empty for none."""
    if not found.unplaced:
        return ""
    return f"not placed, as one of the two is not known: {found.unplaced}"


def quadrant_lines(
    samples: Sequence[SampleResult], pass_grade: PassGrade
) -> Iterator[str]:
    """Faithful by complete, with what failed in each quarter; nothing where no sample
    has both."""
    found = quadrant(samples, pass_grade)
    if not found.n:
        return
    yield ""
    yield quadrant_title(found)
    for name, count, _, failures, named in quadrant_rows(found):
        yield f"  {name}: {count}" + (f" ({failures})" if failures else "")
        if named:
            yield f"    {named}"
    if found.unplaced:
        yield f"  {unplaced_words(found)}"
