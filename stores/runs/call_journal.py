"""Model calls outside runs, each on disk before it is used: for labs and builds."""

from __future__ import annotations

from pathlib import Path

from claimscope.core.models import CallRecord
from claimscope.stores.runs.journal import JournalDB
from claimscope.stores.runs.records import parse


class CallJournal:
    """A journal of calls (core.ports.CallStore); close it."""

    def __init__(self, path: Path, owner: str) -> None:
        """`owner`: whose calls they are, for messages. Raises StoreLocked,
        JournalDamaged, StoreError."""
        self._path = path
        self._database = JournalDB(path, owner)
        rows = self._database.rows("calls")
        self._ids = {row["key"]: row.doc_id for row in rows}

    def call(self, key: str) -> CallRecord | None:
        """A finished call."""
        if key not in self._ids:
            return None
        row = self._database.rows("calls").get(doc_id=self._ids[key])
        assert isinstance(row, dict)
        return parse(CallRecord, row["data"], str(self._path))

    def save_call(self, record: CallRecord) -> None:
        """Saves a finished call; the same key saved again replaces it."""
        row = {"key": record.key, "data": record.model_dump(mode="json")}
        table = self._database.rows("calls")
        self._ids[record.key] = table.put([(self._ids.get(record.key), row)])[0]

    def close(self) -> None:
        """Gives the journal back."""
        self._database.close()
