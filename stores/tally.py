"""Where a run stands, counted from its records; the same for every kind of store.

Kept apart from the stores so that a status never depends on who asks: the engine
adds record by record, a viewer counts all at once, both get the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from claimscope.core.models import RunHeader, RunState, RunStatus, Usage
from claimscope.stores.replay import Row, Tables


@dataclass
class Tally:
    """Running totals over the records of one run.

    Tokens and calls are counted from the journalled calls, each once, so that a
    call that several samples or several parts of the run share is not counted
    again. Wall time is the sum over the parts, up to the last record of each.
    """

    verdicts: dict[str, bool | None] = field(default_factory=dict)
    sample_usage: dict[str, Usage] = field(default_factory=dict)
    call_usage: dict[str, Usage] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    """Elapsed time of each part."""
    state: RunState = "running"
    error: str | None = None
    updated: str | None = None
    _totals: Usage = Usage()
    _call_totals: Usage = Usage()

    def add(self, table: str, row: Row) -> None:
        """Counts a record. A sample or call saved again replaces the earlier one."""
        part = row["part"]
        self.seconds[part] = max(self.seconds.get(part, 0.0), row["elapsed"])
        self.updated = max(self.updated or "", row["at"])
        if table == "samples":
            key, data = row["key"], row["data"]
            self.verdicts[key] = data["passed"]
            self._totals = _replaced(
                self._totals, self.sample_usage, key, data["usage"]
            )
        elif table == "calls":
            self._call_totals = _replaced(
                self._call_totals, self.call_usage, row["key"], row["data"]["usage"]
            )
        elif table == "states":
            self.state, self.error = row["state"], row["error"]

    def add_all(self, tables: Tables) -> Tally:
        """Counts all records of a run."""
        for name in ("parts", "samples", "calls", "states", "notes"):
            for row in tables.get(name, {}).values():
                self.add(name, row)
        return self

    def usage(self) -> Usage:
        """What the run cost so far, over all its parts."""
        totals = self._call_totals if self.call_usage else self._totals
        wall = round(sum(self.seconds.values()), 3)
        return totals.model_copy(update={"wall_seconds": wall})

    def status(self, header: RunHeader, *, is_held: bool, pid: int | None) -> RunStatus:
        """The status of the run. A run that says it is running or paused while
        nobody holds its lock was killed: `stopped`."""
        state = self.state
        if not is_held and state in ("running", "paused"):
            state = "stopped"
        passed = list(self.verdicts.values())
        return RunStatus(
            header=header,
            state=state,
            completed=len(passed),
            passed=passed.count(True),
            failed=passed.count(False),
            unscored=passed.count(None),
            usage=self.usage(),
            parts=max(1, len(self.seconds)),
            error=self.error,
            pid=pid if is_held else None,
            updated=self.updated,
        )


def _replaced(totals: Usage, known: dict[str, Usage], key: str, data: Row) -> Usage:
    """Totals with the usage of key set to data, whatever it was before."""
    new = Usage.model_validate(data)
    if old := known.get(key):
        totals += Usage(
            calls=-old.calls,
            prompt_tokens=-old.prompt_tokens,
            cached_tokens=-old.cached_tokens,
            completion_tokens=-old.completion_tokens,
            model_seconds=-old.model_seconds,
            prompt_seconds=-old.prompt_seconds,
            load_seconds=-old.load_seconds,
        )
    known[key] = new
    return totals + new


def index_by_key(rows: Iterable[tuple[int, Row]]) -> dict[str, int]:
    """Record ids by the records' own keys."""
    return {row["key"]: record_id for record_id, row in rows}
