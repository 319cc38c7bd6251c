"""What GitHub's runner understands: a job's summary and annotations."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.gate import Gate
from claimscope.core.models import SampleResult
from claimscope.core.report.check_findings import annotation
from claimscope.core.report.document import Report
from claimscope.core.report.renderers.markdown import lines
from claimscope.core.report.renderers.plain import section_texts
from claimscope.core.report.text import one_line
from claimscope.core.report.view import Part, Section, line, sign_span
from claimscope.core.report.views import run_report
from claimscope.core.report.views.claim import failures
from claimscope.core.report.views.gate import reached_text
from claimscope.core.report.words import why_unscored

MOST = 10
"""The runner shows no more errors, and no more warnings, of one step."""


def job_summary(report: Report) -> Iterator[str]:
    """Outcome, gate and figures, then the first samples that failed, in lines."""
    failed = [sample for sample in report.samples if sample.passed is False]
    parts: list[Part] = [*run_report.head(report), *run_report.verdict(report)]
    for sample in failed[:MOST]:
        key = sign_span(str(sample.key), "contradicted")
        parts.append(line(key, f": {_first(sample)}", level=1))
    if len(failed) > MOST:
        parts.append(line(f"… and {len(failed) - MOST} more", level=1))
    title = line(run_report.title(report))
    yield from lines([Section(title, tuple(parts))])


def workflow_commands(report: Report, file: str | None) -> Iterator[str]:
    """Workflow commands: errors of the gate and failed samples, then warnings of what
    could not be judged. file: the suite's, relative to the checkout, if it is there."""
    place = {"file": one_line(file)} if file else {}
    errors = [*_of_gate(report.gate), *_of_samples(report)]
    for title, message in errors[:MOST]:
        title, message = one_line(title), one_line(message)
        yield annotation("error", message, **place, title=title)
    unscored = [s for s in report.samples if s.passed is None]
    for sample in unscored[:MOST]:
        title = one_line(f"unscored: {sample.key}")
        reason = one_line(why_unscored(sample))
        yield annotation("warning", reason, **place, title=title)


def _of_gate(gate: Gate | None) -> Iterator[tuple[str, str]]:
    for check in gate.checks if gate else ():
        if check.state != "passed":
            said = f"demanded {check.demanded}, reached {reached_text(check)}"
            yield f"gate: {check.name}", f"{said}: {check.reason}"


def _of_samples(report: Report) -> Iterator[tuple[str, str]]:
    for sample in report.samples:
        if sample.passed is False:
            yield f"failed: {sample.key}", _first(sample)


def _first(sample: SampleResult) -> str:
    """The first failure of a sample."""
    return next(section_texts(failures(sample)), "did not pass")
