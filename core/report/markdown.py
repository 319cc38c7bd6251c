"""A run as GitHub-flavoured Markdown: for a pull request, a wiki, a job's summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from claimscope.core.analysis.gate import Gate
from claimscope.core.analysis.summary.quadrant import Quadrant
from claimscope.core.analysis.summary.summary import Group, Summary
from claimscope.core.models import SampleResult
from claimscope.core.report import gate_text, quadrant_text
from claimscope.core.report.citation_tables import (
    cell,
    citation_tables,
    fate,
    missing_citations,
    proposal_text,
)
from claimscope.core.report.document import Report
from claimscope.core.report.quadrant_text import (
    quadrant_rows,
    quadrant_title,
    unplaced_words,
)
from claimscope.core.report.spread_text import HEADS, spread_rows
from claimscope.core.report.terms import FAILURES, aside_words, overruled_words
from claimscope.core.report.text import citation_line, leaning_line, one_line
from claimscope.core.report.words import (
    OUTCOMES,
    figure,
    page_name,
    sign_of,
    span,
    why_unscored,
)
from claimscope.core.run.outcome import pass_words

_MARKUP = re.compile(
    r"([!#$&*<>@\[\\\]_`|~]|:(?=[a-zA-Z+-][\w+-]*:|//)|(?<=mailto):|(?<=www)\.)"
)
"""What begins markup inside a line; nothing of ours stands at the start of one. A colon
begins an :emoji: or stands in an address; those of times are left alone."""
_MENTION = re.compile(r"\\([@#])(?=\w)")
LIMIT = 200
"""Samples shown in full unless told otherwise: a job's summary may have 1 MiB."""


def markdown(report: Report, limit: int = LIMIT) -> Iterator[str]:
    """The whole file, in lines. What passed is one row a sample; `limit` is the most
    samples that are shown claim by claim."""
    for line in _lines(report, limit):
        yield line + "\n"


def plain(text: object) -> str:
    """Text that Markdown shows as it is, on one line: no markup, link, table cell,
    mention or reference comes of it."""
    escaped = _MARKUP.sub(r"\\\1", one_line(str(text)))
    # A hub looks for @name and #1 in the finished page, where escapes are gone.
    return _MENTION.sub(r"\\\1<!-- -->", escaped)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table; cells are escaped."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(plain(cell) for cell in row)} |"


def gate_table(gate: Gate) -> Iterator[str]:
    """What was demanded and what was reached."""
    yield f"**{gate_text.GLYPHS[gate.state]} {gate_text.ENDS[gate.state]}**"
    yield ""
    yield from table(
        ("gate", "figure", "demanded", "reached", "n", "because"),
        (
            (
                f"{gate_text.GLYPHS[check.state]} {gate_text.WORDS[check.state]}",
                check.name,
                check.demanded,
                gate_text.reached(check),
                f"{check.n} of {check.total}",
                check.reason,
            )
            for check in gate.checks
        ),
    )
    yield ""


def outcome_line(report: Report) -> str:
    """Samples by outcome, and how many verdicts are a person's."""
    run = report.run
    line = (
        f"**{run.passed} passed, {run.failed} failed, {run.unscored} unscored** of "
        f"{run.samples} samples ({run.state})"
    )
    if run.overruled:
        line += f"; {overruled_words(run.overruled)}"
    return line


def figures(summary: Summary) -> Iterator[str]:
    """Means with their n."""
    yield from table(
        (
            "metric",
            "mean",
            "tier",
            "95 % interval",
            "median",
            "low",
            "high",
            "over",
            "unscored",
        ),
        (
            (
                mean.metric,
                figure(mean.mean),
                mean.tier or "–",
                span(mean.interval),
                *(figure(value) for value in (mean.median, mean.low, mean.high)),
                f"{mean.n} of {mean.total}",
                mean.unscored,
            )
            for mean in summary.overall.means
            if mean.total
        ),
    )
    if words := aside_words(m.metric for m in summary.overall.means if not m.total):
        yield ""
        yield f"{words}."


def _lines(report: Report, limit: int) -> Iterator[str]:
    run = report.run
    yield f"# {plain(run.suite_title or run.suite)}"
    yield ""
    yield outcome_line(report)
    yield ""
    whole = report.summary.overall
    if whole.pass_rate is not None:
        interval = f", 95 % {span(whole.pass_interval)}" if whole.pass_interval else ""
        leaning = f" {leaning_line(whole)}." if whole.passed_on_likely else ""
        rate = f"Pass rate {figure(whole.pass_rate)}{interval}, over {whole.judged}."
        yield f"{rate}{leaning}"
        yield ""
    judge = run.model or run.verifier
    yield (
        f"Run {plain(run.run_id)}, {plain(run.created)}; verdicts by {plain(judge)}; "
        f"{pass_words(run.settings, judge=run.judge)}; "
        f"claimscope {plain(run.version)}."
    )
    yield ""
    if report.gate is not None:
        yield "## Gate"
        yield ""
        yield from gate_table(report.gate)
    yield "## Figures"
    yield ""
    yield from figures(report.summary)
    yield ""
    yield from _groups(report.summary)
    yield from _spreads(report.summary)
    yield from _quadrant(report.quadrant)
    yield from _citations(report.summary)
    yield from _samples(report, limit)


def _groups(summary: Summary) -> Iterator[str]:
    for by, groups in (
        ("provider", summary.by_provider),
        ("category", summary.by_category),
        ("difficulty", summary.by_difficulty),
        ("domain", summary.by_domain),
    ):
        if groups:
            yield f"## By {by}"
            yield ""
            yield from table(
                (by, "samples", "passed", "failed", "unscored"), map(_row, groups)
            )
            yield ""


def _spreads(summary: Summary) -> Iterator[str]:
    if summary.spreads:
        yield "## Scores by tier"
        yield ""
        yield from table(HEADS, spread_rows(summary.spreads))
        yield ""


def _quadrant(found: Quadrant) -> Iterator[str]:
    if not found.n:
        return
    title = quadrant_title(found)
    yield f"## {title[0].upper()}{title[1:]}"
    yield ""
    yield from table(quadrant_text.HEADS, quadrant_rows(found))
    yield ""
    if found.unplaced:
        yield f"{unplaced_words(found)}."
        yield ""


def _citations(summary: Summary) -> Iterator[str]:
    for found in citation_tables(summary):
        yield f"## Citations by {found.by}"
        yield ""
        rows = ((name, *map(cell, means)) for name, means in found.rows)
        yield from table((found.by, *found.heads), rows)
        yield ""


def _row(group: Group) -> tuple[object, ...]:
    return (group.name, group.samples, group.passed, group.failed, group.unscored)


def _samples(report: Report, limit: int) -> Iterator[str]:
    others = [sample for sample in report.samples if sample.passed is not True]
    passed = [sample for sample in report.samples if sample.passed]
    if others:
        yield "## Not passed"
        yield ""
    for sample in others[:limit]:
        yield from _sample(sample)
    if len(others) > limit:
        yield f"… and {len(others) - limit} more that did not pass."
        yield ""
    if passed:
        yield "## Passed"
        yield ""
        rows = ((s.key, s.case.question, len(s.claims)) for s in passed[:limit])
        yield from table(("sample", "question", "claims"), rows)
        yield ""
    if len(passed) > limit:
        yield f"… and {len(passed) - limit} more that passed."


def _sample(sample: SampleResult) -> Iterator[str]:
    yield f"### {OUTCOMES[sample.passed]}: {plain(sample.key)}"
    yield ""
    yield f"**Question:** {plain(sample.case.question)}"
    yield ""
    yield f"**Answer:** {plain(sample.answer.text) or '(empty)'}"
    yield ""
    if sample.passed is None:
        yield f"**Unscored:** {plain(why_unscored(sample))}"
        yield ""
    for failure in sample.failures:
        yield f"- {plain(FAILURES[failure.kind])}: {plain(failure.message)}"
    if sample.failures:
        yield ""
    if sample.claims:
        yield from table(
            ("verdict", "claim", "evidence", "reason"), _claim_rows(sample)
        )
        yield ""
    lines = [*_citation_lines(sample)]
    yield from lines
    if lines:
        yield ""


def _citation_lines(sample: SampleResult) -> Iterator[str]:
    for citation in sample.citations:
        yield f"- citation {plain(citation_line(citation))}"
    for proposal in sample.proposals:
        yield f"- proposal {plain(proposal_text(proposal))}"
    for marker in sample.unread_markers:
        yield f"- read as no citation: {plain(marker.text)}: {plain(marker.reason)}"
    for span_ in missing_citations(sample):
        yield f"- expected citation {plain(fate(span_))}"


def _claim_rows(sample: SampleResult) -> Iterator[tuple[object, ...]]:
    for result in sample.claims:
        verdict = result.verdict
        best = verdict.evidence[0] if verdict.evidence else None
        yield (
            sign_of(verdict),
            result.claim.text,
            f"{page_name(best)}: {best.text}" if best else "–",
            "; ".join(
                [
                    *(r.message for r in verdict.rules if r.outcome == "conflict"),
                    *filter(None, (verdict.reason, verdict.unscored_reason)),
                ]
            ),
        )
