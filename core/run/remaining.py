"""Which samples of a plan are still to be judged."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from claimscope.core.models import SampleRow
from claimscope.core.ports import RunWriter
from claimscope.core.run.plan import RunPlan, SampleTask


@dataclass(frozen=True)
class Again:
    """Which finished samples are judged again."""

    errors: bool = False
    """Those that could not be judged."""
    failures: bool = False
    """Those that failed."""

    def wants(self, row: SampleRow) -> bool:
        """Whether that sample is judged again."""
        return (self.errors and row.error is not None) or (
            self.failures and row.passed is False
        )

    def __bool__(self) -> bool:
        return self.errors or self.failures


def remaining_tasks(
    plan: RunPlan, journal: RunWriter, again: Again
) -> deque[SampleTask]:
    """The samples of a plan that are to be judged. Keys say what is finished; rows, of
    which 100,000 take seconds and 70 MB, are read only where it counts what failed."""
    if again.failures:
        rows = {str(row.key): row for row in journal.rows()}
        return deque(
            task
            for task in plan.tasks
            if (row := rows.get(str(task.key))) is None or again.wants(row)
        )
    errors = journal.finished_keys()
    done = {key for key, error in errors.items() if not again.errors or error is None}
    return deque(task for task in plan.tasks if str(task.key) not in done)
