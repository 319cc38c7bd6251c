"""What a report says of a run beside its samples: the same parts in every format."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.report.document import Report
from claimscope.core.report.terms import overruled_words
from claimscope.core.report.view import Prose, Section, Span, line
from claimscope.core.report.views.gate import gate_section
from claimscope.core.report.views.quadrant import quadrant_section
from claimscope.core.report.views.run_analysis import advice, failures, iterations
from claimscope.core.report.views.run_status import done_words, outcome_words
from claimscope.core.report.views.spreads import tier_section
from claimscope.core.report.views.summary import (
    IN_REPORTS,
    citations,
    figures,
    groups_of,
    judges,
    likely_passes,
    metrics_aside,
    outcome_table,
    pass_rate_line,
)
from claimscope.core.run.outcome import pass_words
from claimscope.core.text.plurals import counted_noun


def title(report: Report) -> str:
    """That of the suite."""
    return report.run.suite_title or report.run.suite


def outcome(report: Report) -> Prose:
    """Samples by outcome, and how many verdicts are a person's."""
    run = report.run
    counts = outcome_words(run.passed, run.failed, run.unscored)
    overruled = f"; {overruled_words(run.overruled)}" if run.overruled else ""
    return line(
        Span(counts, "strong"),
        f" of {counted_noun(run.samples, 'sample')} ({run.state}){overruled}",
    )


def made_by(report: Report) -> Prose:
    """Which run, when, by what, and what decides a pass."""
    run = report.run
    model = f", {run.model}" if run.model else ""
    return line(
        f"Run {run.run_id}, {run.created}; verdicts by {run.verifier}{model}; "
        f"{pass_words(run.settings, judge=run.judge)}; "
        f"{done_words(run.completed, run.samples)} judged; claimscope {run.version}"
    )


def head(report: Report) -> Iterator[Prose]:
    """The run in a few lines."""
    whole = report.summary.overall
    yield outcome(report)
    if whole.pass_rate is not None:
        yield pass_rate_line(whole)
        yield from likely_passes(whole)
    yield made_by(report)
    if report.run.error:
        yield line(report.run.error)


def verdict(report: Report) -> Iterator[Section]:
    """The gate, then all figures."""
    if report.gate is not None:
        yield gate_section(report.gate)
    whole = report.summary.overall
    if whole.means:
        table = figures(whole).without(*IN_REPORTS)
        yield Section(line("Figures"), (table, *metrics_aside(whole)))


def groups(report: Report) -> Iterator[Section]:
    """Outcomes by provider and by what the cases are."""
    for by, found in groups_of(report.summary).items():
        if found:
            yield outcome_table(by, found)


def details(report: Report) -> Iterator[Section]:
    """Tiers, quarters, citations, judges, iterations, failures, and what to do."""
    yield from tier_section(report.summary.spreads)
    yield from quadrant_section(report.quadrant)
    yield from citations(report.summary)
    if report.summary.agreement is not None:
        found = judges(report.summary.agreement)
        yield Section(line("Judges"), (found.title, *found.parts))
    yield from iterations(report.iterations)
    if report.failures.failed:
        yield failures(report.failures)
    yield from advice(report.failures)
