"""Model calls outside runs, each on disk before it is used: for labs and builds."""

from __future__ import annotations

from pathlib import Path

from tinydb.table import Table

from claimscope.core.models import CallRecord
from claimscope.stores.runs.journal import JournalStorage
from claimscope.stores.runs.records import parse


class CallJournal:
    """A journal of calls (core.ports.CallStore); close it."""

    def __init__(self, path: Path, owner: str) -> None:
        """`owner`: whose calls they are, for messages. Raises StoreLocked,
        JournalDamaged, StoreError."""
        self._path = path
        self._journal = JournalStorage(path, owner)
        self._calls = Table(self._journal, "calls", cache_size=0)
        self._ids = {row["key"]: row.doc_id for row in self._calls}

    def call(self, key: str) -> CallRecord | None:
        row = self._calls.get(doc_id=self._ids[key]) if key in self._ids else None
        return None if row is None else parse(CallRecord, row["data"], str(self._path))

    def save_call(self, record: CallRecord) -> None:
        """Saves a finished call; the same key saved again replaces it."""
        row = {"key": record.key, "data": record.model_dump(mode="json")}
        known = self._ids.get(record.key)
        self._ids[record.key] = self._journal.append("calls", row, known)

    def close(self) -> None:
        self._journal.close()
