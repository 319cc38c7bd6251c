"""What GitHub's runner understands: a job's summary and annotations."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.gate import Gate
from claimscope.core.report import gate_text
from claimscope.core.report.document import Report
from claimscope.core.report.markdown import figures, gate_table, outcome_line, plain
from claimscope.core.report.text import one_line
from claimscope.core.report.words import failure_texts, why_unscored

MOST = 10
"""The runner shows no more errors, and no more warnings, of one step."""
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans(
    {"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"}
)


def job_summary(report: Report) -> Iterator[str]:
    """Gate, outcome and figures, then the first samples that failed, in lines."""
    run = report.run
    yield f"## {plain(run.suite_title or run.suite)}"
    yield ""
    if report.gate is not None:
        yield from gate_table(report.gate)
    yield outcome_line(report)
    yield ""
    yield from figures(report.summary)
    yield ""
    failed = [sample for sample in report.samples if sample.passed is False]
    for sample in failed[:MOST]:
        first = next(failure_texts(sample), "did not pass")
        yield f"- ✗ {plain(sample.key)}: {plain(first)}"
    if len(failed) > MOST:
        yield f"- … and {len(failed) - MOST} more"
    yield ""


def workflow_commands(report: Report, file: str | None) -> Iterator[str]:
    """Workflow commands: errors of the gate and failed samples, then warnings of what
    could not be judged. file: the suite's, relative to the checkout, if it is there."""
    place = f"file={one_line(file).translate(_PROPERTY)}," if file else ""
    errors = [*_of_gate(report.gate), *_of_samples(report)]
    for title, message in errors[:MOST]:
        yield _command("error", place, title, message)
    unscored = [s for s in report.samples if s.passed is None]
    for sample in unscored[:MOST]:
        title = f"unscored: {sample.key}"
        yield _command("warning", place, title, why_unscored(sample))


def _of_gate(gate: Gate | None) -> Iterator[tuple[str, str]]:
    for check in gate.checks if gate else ():
        if check.state != "passed":
            said = f"demanded {check.demanded}, reached {gate_text.reached(check)}"
            yield f"gate: {check.name}", f"{said}: {check.reason}"


def _of_samples(report: Report) -> Iterator[tuple[str, str]]:
    for sample in report.samples:
        if sample.passed is False:
            yield f"failed: {sample.key}", next(failure_texts(sample), "did not pass")


def _command(level: str, place: str, title: str, message: str) -> str:
    name = one_line(title).translate(_PROPERTY)
    return f"::{level} {place}title={name}::{one_line(message).translate(_DATA)}"
