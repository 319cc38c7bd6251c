"""Where a run stands, counted from its records; the same for every kind of store.

Kept apart from the stores so that a status never depends on who asks: engine and
viewer count record by record, and both get the same. Nothing here grows with the run,
so that a status costs the same after 100,000 samples as after ten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from claimscope.core.models import CallCount, RunHeader, RunState, RunStatus, Usage
from claimscope.stores.runs.journal_format import Row
from claimscope.stores.runs.sample_rows import LightRecord, light_of

_COUNTS = tuple(
    """calls prompt_tokens cached_tokens completion_tokens model_seconds prompt_seconds
    load_seconds""".split()
)
"""What adds up over samples or calls; wall time adds up over parts."""
_DECIMALS = 6
"""Of seconds: subtracting what was replaced leaves noise behind them."""
Totals = dict[str, float]


def light_record(table: str, row: Row) -> LightRecord | None:
    """What a run's index keeps of a record beside its place: of a sample its row, of
    a call its model and cost, of others nothing."""
    if table == "samples":
        return light_of(row["data"])
    if table == "calls":
        data = row["data"]
        return {
            "usage": usage_paid(data),
            "model": data["model"],
            "purpose": data.get("purpose", "unknown"),
        }
    return None


def usage_paid(call: Row) -> Mapping[str, Any]:
    """What this run paid for a call: nothing when another run did; for one that was
    made anew, both times."""
    if call.get("made_in"):
        return {}
    now, earlier = call["usage"], call.get("earlier")
    if not earlier or not earlier["calls"]:
        return cast(Mapping[str, Any], now)
    return {name: now[name] + earlier[name] for name in _COUNTS}


@dataclass
class RunTotals:
    """Running totals over the records of one run.

    Tokens and calls are counted from the journalled calls, each once, so that a call
    that several samples or several parts of the run share is not counted again; from
    the samples only where no call was journalled. Wall time is the sum over the
    parts, up to the last record of each.
    """

    passed: int = 0
    failed: int = 0
    unscored: int = 0
    calls: int = 0
    """Journalled calls."""
    of_samples: Totals = field(default_factory=dict)
    of_calls: Totals = field(default_factory=dict)
    by_purpose: dict[str, list[int]] = field(default_factory=dict)
    """Calls and their prompt tokens."""
    seconds: dict[int, float] = field(default_factory=dict)
    """Elapsed time of each part."""
    state: str = "running"
    error: str | None = None
    updated: str | None = None

    def add(self, table: str, row: Row) -> None:
        """Counts when a record was saved, and what a change of state says."""
        if "part" not in row:
            return
        part = row["part"]
        self.seconds[part] = max(self.seconds.get(part, 0.0), row["elapsed"])
        self.updated = max(self.updated or "", row["at"])
        if table == "states":
            self.state, self.error = row["state"], row["error"]

    def replace(
        self, table: str, old: LightRecord | None, new: LightRecord | None
    ) -> None:
        """Counts a sample or call in place of what it replaces; None = nothing."""
        for light, sign in ((old, -1), (new, 1)):
            if light is None:
                continue
            totals = self.of_calls
            if table == "samples":
                totals = self.of_samples
                name = {True: "passed", False: "failed", None: "unscored"}
                which = name[light["passed"]]
                setattr(self, which, getattr(self, which) + sign)
            elif table == "calls":
                self.calls += sign
                counted = self.by_purpose.setdefault(
                    light.get("purpose", "unknown"), [0, 0]
                )
                counted[0] += sign
                counted[1] += sign * int(light["usage"].get("prompt_tokens", 0))
            for count in _COUNTS:
                if value := light["usage"].get(count, 0):
                    totals[count] = totals.get(count, 0) + sign * value

    @property
    def completed(self) -> int:
        """Samples that were saved."""
        return self.passed + self.failed + self.unscored

    @property
    def next_part(self) -> int:
        """The number of the part that begins now."""
        return max(self.seconds, default=0) + 1

    def usage(self) -> Usage:
        """What the run cost so far, over all its parts."""
        totals = self.of_calls if self.calls else self.of_samples
        counts: dict[str, Any] = {
            name: round(value, _DECIMALS) for name, value in totals.items()
        }
        wall = round(sum(self.seconds.values()), 3)
        return Usage(**counts, wall_seconds=wall)

    def call_counts(self) -> tuple[CallCount, ...]:
        """By purpose, the most first."""
        counts = [
            CallCount(purpose=purpose, calls=calls, prompt_tokens=tokens)
            for purpose, (calls, tokens) in self.by_purpose.items()
            if calls > 0
        ]
        return tuple(sorted(counts, key=lambda one: (-one.calls, one.purpose)))

    def status(self, header: RunHeader, *, is_held: bool, pid: int | None) -> RunStatus:
        """The status of the run. A run that says it is running or paused while
        nobody holds its lock was killed: `stopped`."""
        state = cast(RunState, self.state)
        if not is_held and state in ("running", "paused"):
            state = "stopped"
        return RunStatus(
            header=header,
            state=state,
            completed=self.completed,
            passed=self.passed,
            failed=self.failed,
            unscored=self.unscored,
            usage=self.usage(),
            calls=self.call_counts(),
            parts=max(1, len(self.seconds)),
            error=self.error,
            pid=pid if is_held else None,
            updated=self.updated,
        )

    def as_json(self) -> dict[str, Any]:
        """For an index; `from_json` reads it."""
        seconds = {str(part): spent for part, spent in self.seconds.items()}
        return {**asdict(self), "seconds": seconds}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunTotals:
        """What as_json wrote. Raises TypeError, ValueError, KeyError."""
        seconds = {int(part): spent for part, spent in data["seconds"].items()}
        return cls(**{**data, "seconds": seconds})
