"""A text or a moment in short: on one line, inert, to the minute."""

from __future__ import annotations

from claimscope.core.text.sanitising import sanitise


def without_traceback(note: str) -> str:
    """A note of a run as it is shown; where a fault of ours happened is for reports."""
    return note.partition("\nTraceback ")[0]


def one_line(text: str) -> str:
    """Inert text without line breaks."""
    return " ".join(sanitise(text).split())


def minute_of(moment: str) -> str:
    """`2026-11-29 13:05` of an ISO 8601 moment."""
    return moment.replace("T", " ")[:16]
