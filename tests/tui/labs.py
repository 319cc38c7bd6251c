"""Labs for tests: made by hand, judged in memory, no engine started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from claimscope.core.analysis.compare.matrix import Matrix, matrix
from claimscope.core.errors import StoreError
from claimscope.core.models import Label, RowScore, SampleRow
from claimscope.core.ports import Control
from claimscope.core.run.lab import Axes, Lab, cells_of
from claimscope.tui.ports.labs import NewLab

METRICS = ("accuracy", "attribution", "citation_precision", "length", "structure")


@dataclass
class FakeLabs:
    """Remembers what was asked of it."""

    lab_list: list[Lab] = field(default_factory=list)
    rows: Mapping[str, Sequence[SampleRow]] = field(default_factory=dict)
    """By cell."""
    problem_list: list[str] = field(default_factory=list)
    failure: Exception | None = None
    """Raised by start, resume and ask."""
    started: list[NewLab] = field(default_factory=list)
    resumed: list[str] = field(default_factory=list)
    asked: list[Control] = field(default_factory=list)

    def labs(self) -> Sequence[Lab]:
        return self.lab_list

    def problems(self) -> Sequence[str]:
        return self.problem_list

    def lab(self, lab_id: str) -> Lab:
        for lab in self.lab_list:
            if lab.lab_id == lab_id:
                return lab
        raise StoreError(f"There is no lab {lab_id!r}.")

    def matrix(self, lab: Lab) -> Matrix:
        return matrix([(c.name, self.rows.get(c.name, ())) for c in lab.cells])

    def start(self, wanted: NewLab) -> str:
        if self.failure:
            raise self.failure
        self.started.append(wanted)
        return self.lab_list[0].lab_id

    def resume(self, lab_id: str) -> None:
        if self.failure:
            raise self.failure
        self.resumed.append(lab_id)

    def ask(self, lab_id: str, control: Control) -> None:
        if self.failure:
            raise self.failure
        self.asked.append(control)


def made_lab(cases: int = 10, lab_id: str = "20261127-120000-ab12") -> Lab:
    """Two models at two temperatures, running."""
    axes = Axes(models=("m:1b", "n:2b"), temperatures=(0.0, 0.7))
    return Lab(
        lab_id=lab_id,
        created="2026-11-27T12:00:00.000+00:00",
        suite="suite.json",
        suite_id="crane",
        suite_digest="d",
        cases=tuple(f"c{number}" for number in range(cases)),
        axes=axes,
        cells=cells_of(axes, 1, lab_id),
        pid=4711,
    )


def judged(values: Sequence[float | None], cell: str = "m:1b t0") -> list[SampleRow]:
    """A row a case, with this value of every metric; it passes from 0.5 on. None =
    unscored."""
    return [
        SampleRow(
            case_id=f"c{number}",
            provider=cell,
            iteration=1,
            category=None,
            difficulty=None,
            domain=None,
            question="?",
            passed=None if value is None else value >= 0.5,
            abstained=False,
            error=None,
            labels={Label.SUPPORTED: 1},
            failures=(),
            is_disputed=False,
            metrics=METRICS,
            values=tuple(RowScore(value, (0.0, 1.0), True) for _ in METRICS),
            prompt_tokens=0,
            completion_tokens=0,
            seconds=0.0,
            finished=None,
        )
        for number, value in enumerate(values)
    ]
