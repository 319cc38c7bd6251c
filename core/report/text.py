"""A text, or where a run stands, on one line without control bytes."""

from __future__ import annotations

from claimscope.core.models import RunStatus
from claimscope.core.run.outcome import pass_words
from claimscope.core.text.sanitising import sanitise


def without_traceback(note: str) -> str:
    """A note of a run as it is shown; where a fault of ours happened is for reports."""
    return note.partition("\nTraceback ")[0]


def one_line(text: str) -> str:
    """Inert text without line breaks."""
    return " ".join(sanitise(text).split())


def status_line(status: RunStatus) -> str:
    """`RUN  finished  40/40  12 passed 20 failed 8 unscored  medicine  passed by
    claims`: how far it is, and what decides a pass."""
    header = status.header
    return (
        f"{header.run_id}  {status.state:<9}  {status.completed}/"
        f"{header.total_samples}  {status.passed} passed, {status.failed} failed, "
        f"{status.unscored} unscored  {one_line(header.suite_id)}  "
        f"{pass_words(header.settings, judge=header.judge)}"
    )
