"""Model calls of another run, or of none: which journalled replies may be used.

The key of a call is made of model weights, prompt, input and options, so a reply is
as good in one run as in another. What it cost is told once, in the run that paid.
"""

from __future__ import annotations

from typing import Protocol

from claimscope.core.models import CallRecord
from claimscope.core.ports import CallLog


class FinishedCalls(Protocol):
    """Where finished calls can be looked up."""

    def call(self, key: str) -> CallRecord | None: ...


class BorrowedCalls:
    """Calls of this run, else of the run it was made from, which are copied over when
    they are used: this run then stands by itself."""

    def __init__(self, journal: CallLog, other: FinishedCalls, run_id: str) -> None:
        """`run_id`: of the other run."""
        self._journal = journal
        self._other = other
        self._run_id = run_id
        self.borrowed = 0

    def call(self, key: str) -> CallRecord | None:
        record = self._journal.call(key)
        if record is not None:
            return record
        record = self._other.call(key)
        if record is None:
            return None
        made_in = record.made_in or self._run_id
        record = record.model_copy(update={"made_in": made_in})
        self._journal.save_call(record)
        self.borrowed += 1
        return record

    def save_call(self, record: CallRecord) -> None:
        self._journal.save_call(record)

    def save_note(self, message: str) -> None:
        self._journal.save_note(message)


class FreshCalls:
    """Only calls that were made since this was: earlier replies are not used. What
    they cost is kept beside what the new ones do."""

    def __init__(self, journal: CallLog) -> None:
        self._journal = journal
        self._made: set[str] = set()

    def call(self, key: str) -> CallRecord | None:
        return self._journal.call(key) if key in self._made else None

    def save_call(self, record: CallRecord) -> None:
        """Replaces the call that was made before under this key."""
        old = self._journal.call(record.key)
        if old is not None:
            earlier = old.earlier if old.made_in else old.earlier + old.usage
            record = record.model_copy(update={"earlier": earlier})
        self._journal.save_call(record)
        self._made.add(record.key)

    def save_note(self, message: str) -> None:
        self._journal.save_note(message)
