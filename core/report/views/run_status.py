"""Where a run stands: on a line, in a row, and what one can do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.models import RunHeader, RunState, RunStatus
from claimscope.core.report.terms import overruled_words
from claimscope.core.report.text import minute_of, one_line
from claimscope.core.report.view import (
    TEXT_ONLY,
    Column,
    Fields,
    Part,
    Prose,
    Role,
    Row,
    Sign,
    Span,
    line,
    row,
    sign_span,
)
from claimscope.core.run.outcome import pass_words
from claimscope.core.text.plurals import counted_noun

COLUMNS = (
    Column("run"),
    Column("state", width=11),
    Column("done", "right", 9),
    Column("passed", "right", 6),
    Column("failed", "right", 6),
    Column("unscored", "right", 8),
    Column("begun (UTC)", width=16),
    Column("id", least=TEXT_ONLY),
    Column("what passes", least=TEXT_ONLY),
)
STATES: Mapping[RunState, tuple[Sign, Role]] = {
    "running": ("running", ""),
    "paused": ("paused", ""),
    "finished": ("supported", ""),
    "cancelled": ("unscored", ""),
    "failed": ("contradicted", "contradicted"),
    "stopped": ("stopped", "not_enough_info"),
}


def name_of(run: RunHeader) -> str:
    """The title of its suite, where it has one."""
    return run.suite_title or run.suite_id


def done_words(done: int, total: int) -> str:
    """`3 of 20 samples`."""
    return f"{done} of {counted_noun(total, 'sample')}"


def saved_words(status: RunStatus) -> str:
    """The same of a run."""
    return done_words(status.completed, status.header.total_samples)


def outcome_spans(passed: int, failed: int, unscored: int) -> tuple[Span, ...]:
    """`12 passed`, `20 failed` and `8 unscored`, each with its sign."""
    return (
        sign_span(f"{passed} passed", "supported"),
        sign_span(f"{failed} failed", "contradicted"),
        sign_span(f"{unscored} unscored", "unscored"),
    )


def outcome_words(passed: int, failed: int, unscored: int) -> str:
    """`12 passed, 20 failed, 8 unscored`."""
    return ", ".join(one.text for one in outcome_spans(passed, failed, unscored))


def run_line(status: RunStatus) -> str:
    """`RUN  finished  40/40  12 passed, 20 failed, 8 unscored  medicine  passed by
    claims`: how far it is, and what decides a pass."""
    header = status.header
    return (
        f"{header.run_id}  {status.state:<9}  {status.completed}/"
        f"{header.total_samples}  "
        f"{outcome_words(status.passed, status.failed, status.unscored)}  "
        f"{one_line(header.suite_id)}  "
        f"{pass_words(header.settings, judge=header.judge)}"
    )


def run_row(status: RunStatus) -> Row:
    head = status.header
    sign, role = STATES[status.state]
    return row(
        name_of(head),
        Span(status.state, role, sign),
        f"{status.completed}/{head.total_samples}",
        Span(str(status.passed), "supported"),
        Span(str(status.failed), "contradicted" if status.failed else ""),
        Span(str(status.unscored), "unscored"),
        minute_of(head.created),
        head.run_id,
        pass_words(head.settings, judge=head.judge),
    )


def judged_by(run: RunHeader, overruled: int) -> Prose:
    """What was judged by what, and how many verdicts are a person's."""
    return line(
        Span(name_of(run), "strong"),
        Span(f"  {run.verifier}  {run.run_id}  ", "faint"),
        Span(pass_words(run.settings, judge=run.judge), "faint"),
        Span(f"  {overruled_words(overruled)}" if overruled else "", "human"),
        hangs=False,
    )


def run_view(status: RunStatus) -> Iterator[Part]:
    """How far a run is and by which commands one goes on."""
    yield line(run_line(status))
    if status.error:
        yield line(status.error, level=1)
    if status.state in ("running", "paused"):
        told = {
            "attach": "follow it",
            "pause": "let it wait; resume goes on",
            "cancel": "end it",
        }
    elif status.state != "finished":
        told = {"resume": "go on with it"}
    else:
        told = {"show": "its results"}
    name = status.header.run_id
    rows = ((f"claimscope runs {word} {name}", line(why)) for word, why in told.items())
    yield Fields(tuple(rows))
