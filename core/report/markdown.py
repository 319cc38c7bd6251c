"""A run as GitHub-flavoured Markdown: for a pull request, a wiki, a job's summary."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import SampleResult
from claimscope.core.report.document import Report
from claimscope.core.report.renderers.markdown import lines
from claimscope.core.report.view import Column, Part, Section, Table, line, row
from claimscope.core.report.views import run_report
from claimscope.core.report.views.sample import sample_view

LIMIT = 200
"""Samples shown in full unless told otherwise: a job's summary may have 1 MiB."""
PASSED = (Column("sample"), Column("question"), Column("claims", "right"))


def markdown(report: Report, limit: int = LIMIT) -> Iterator[str]:
    """The whole file, in lines. What passed is one row a sample; `limit` is the most
    samples that are shown claim by claim."""
    top = Section(line(run_report.title(report)), tuple(run_report.head(report)))
    others = [sample for sample in report.samples if sample.passed is not True]
    passed = [sample for sample in report.samples if sample.passed]
    parts: list[Part] = [
        *run_report.verdict(report),
        *run_report.groups(report),
        *run_report.details(report),
    ]
    if others:
        parts.append(Section(line("Not passed"), (*_not_passed(others, limit),)))
    if passed:
        parts.append(Section(line("Passed"), (*_passed_table(passed, limit),)))
    for found in (*lines([top], head=1), *lines(parts)):
        yield found + "\n"


def _not_passed(samples: list[SampleResult], limit: int) -> Iterator[Part]:
    yield from (sample_view(one, whole=False) for one in samples[:limit])
    if len(samples) > limit:
        yield line(f"… and {len(samples) - limit} more that did not pass.")


def _passed_table(samples: list[SampleResult], limit: int) -> Iterator[Part]:
    rows = tuple(
        row(str(one.key), one.case.question, str(len(one.claims)))
        for one in samples[:limit]
    )
    yield Table(PASSED, rows)
    if len(samples) > limit:
        yield line(f"… and {len(samples) - limit} more that passed.")
