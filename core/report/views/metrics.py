"""A metric as its handbook page has it."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.metrics.descriptions import MetricPage
from claimscope.core.report.view import Column, Prose, Row, Span, line, row

COLUMNS = (Column("metric", width=24), Column("scale", "right", 7), Column("says"))


def metric_row(page: MetricPage) -> Row:
    """A metric in a list."""
    return row(page.id, _scale(page), page.title)


def metric_view(page: MetricPage) -> Iterator[Prose]:
    """A metric's page."""
    yield line(Span(page.title, "strong"), f"   scale {_scale(page)}")
    needs = "; ".join(page.needs) or "nothing but the answer"
    yield line(Span("needs  ", "heading"), needs)
    for paragraph in page.paragraphs:
        yield line()
        yield Prose((Span(paragraph),), hangs=False)
    yield line()
    yield line(Span(f"from {page.origin}", "faint"))


def _scale(page: MetricPage) -> str:
    """`0-100`."""
    return "-".join(f"{end:g}" for end in page.scale)
