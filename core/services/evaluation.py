"""Judging from a Python program: suite, answers and settings in; events or result out.

Nothing here knows a file, a database or a server. What does is one port, `Workbench`,
which the installed program brings by the entry point `claimscope.workbench`; so a
program asks `core` for an evaluation, and `core` still imports no layer above it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.analysis.gate import DEFAULT_COVERAGE, Demand, Gate, gate
from claimscope.core.analysis.summary.summary import Summary, summarise
from claimscope.core.errors import InputError
from claimscope.core.events import Event, Noted
from claimscope.core.models import (
    Answer,
    Page,
    RunStatus,
    SampleKey,
    SampleResult,
    Suite,
)
from claimscope.core.ports import CallLog, Corpus, Embedder, RunStore
from claimscope.core.run.engine import Evaluate, execute
from claimscope.core.run.plan import RunPlan
from claimscope.core.settings import Settings

if TYPE_CHECKING:
    from pandas import DataFrame

Answers = Sequence[Answer] | Mapping[str, str] | str | os.PathLike[str]
"""Answers, texts by case id, or a file of answers."""
Truth = Sequence[Page] | Corpus | str | os.PathLike[str]
"""Ground truth: pages, a corpus, or a file or folder of pages."""


@dataclass(frozen=True)
class Request:
    """What is to be judged, by what."""

    suite: Suite | str | os.PathLike[str]
    answers: Answers | None = None
    """None = those that the suite file names."""
    pages: Truth | None = None
    """None = the folder that the suite file names, else the cases' own contexts."""
    settings: Settings = Settings()
    metrics: tuple[str, ...] = ()
    """Ids; empty = all that have something to do."""
    workspace: Path | None = None
    """Where the run is kept; None = only in memory."""
    embedder: Embedder | None = None
    """In place of the one that the settings name."""


@dataclass(frozen=True)
class OpenedRequest:
    """Everything a request needs, ready; given up when its context ends."""

    suite: Suite
    answers: tuple[Answer, ...]
    notes: tuple[str, ...]
    """What a person should know: pages that were skipped, cases without answers."""
    runs: RunStore
    plan: Callable[[], RunPlan]
    """Raises InputError when there is nothing to judge, or nothing to judge it by."""
    judging: Callable[[CallLog], Evaluate]
    """What judges a sample; model calls are kept in that journal."""


class Workbench(Protocol):
    """Reads files, opens indexes and finds models (tui/workbench.py)."""

    def open(self, request: Request) -> AbstractAsyncContextManager[OpenedRequest]:
        """Raises ClaimscopeError: a mistake in a file, no page, no such model."""

    def corpus(self, name: str, pages: Sequence[Page], embedder: Embedder) -> Corpus:
        """Pages in memory; the first of several with one id counts."""

    def recall(self, run_id: str, workspace: Path | None) -> Evaluated:
        """A run that was kept, `last` for the newest. Raises ClaimscopeError."""


@dataclass(frozen=True)
class Evaluated:
    """How an evaluation ended."""

    status: RunStatus
    samples: tuple[SampleResult, ...]
    """In the order of the suite, then answers, then iterations."""
    notes: tuple[str, ...] = ()

    @cached_property
    def summary(self) -> Summary:
        """Means with their n of N, failures, and groups."""
        return summarise(self.samples, settings_of(self.status.header))

    def sample(
        self, case_id: str, provider: str | None = None, iteration: int = 1
    ) -> SampleResult:
        """One result; without a provider, the first. Raises KeyError."""
        for sample in self.samples:
            key = sample.key
            if (key.case_id, key.iteration) == (case_id, iteration) and (
                provider is None or key.provider == provider
            ):
                return sample
        wanted = SampleKey(
            case_id=case_id, provider=provider or "any", iteration=iteration
        )
        raise KeyError(str(wanted))

    def gate(
        self,
        *,
        min_coverage: float = DEFAULT_COVERAGE,
        at_most: Mapping[str, float] | None = None,
        **at_least: float,
    ) -> Gate:
        """Holds the figures to demands: `pass_rate`, grades and means of metrics by
        name, on their own scales; `min_coverage` in [0, 1]."""
        demands = [Demand(metric=m, bound=b) for m, b in at_least.items()]
        for metric, bound in (at_most or {}).items():
            demands.append(Demand(metric=metric, bound=bound, at_most=True))
        return gate(self.status, self.samples, demands, min_coverage=min_coverage)

    def frame(self, rows: Literal["samples", "claims"] = "samples") -> DataFrame:
        """A pandas frame, one row a sample or a claim, with the columns of the CSV
        reports; a metric is a column. Raises InputError without pandas."""
        from claimscope.core.report.document import run_info
        from claimscope.core.report.frames import claim_frame, sample_frame

        if rows == "claims":
            return claim_frame(self.status.header.run_id, self.samples)
        if rows != "samples":
            raise InputError(f"there are no rows {rows!r}", "'samples' or 'claims'")
        names = [mean.metric for mean in self.summary.overall.means]
        return sample_frame(run_info(self.status, 0), self.samples, names)

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        from claimscope.core.report.notebook import run_html

        return run_html(self.status, self.samples, self.summary)


class Evaluation:
    """An evaluation that begins when it is iterated or awaited, and runs once."""

    def __init__(self, request: Request, workbench: Workbench) -> None:
        self.request = request
        self._workbench = workbench
        self._begun = False
        self._result: Evaluated | None = None

    def __aiter__(self) -> AsyncGenerator[Event]:
        return self.events()

    def __await__(self) -> Generator[Any, None, Evaluated]:
        return self.result().__await__()

    async def events(self) -> AsyncGenerator[Event]:
        """Everything that happens, as it happens (core/events.py). Who may leave the
        loop early wraps it in `contextlib.aclosing`, so that the workers end at once.

        Raises ClaimscopeError before the first sample for what cannot be judged; a
        single sample that cannot be is unscored, with its reason.
        """
        if self._begun:
            raise RuntimeError("an evaluation runs once; call evaluate() again")
        self._begun = True
        async with self._workbench.open(self.request) as opened:
            plan = opened.plan()
            with contextlib.closing(opened.runs.create(plan.header)) as journal:
                for note in opened.notes:
                    journal.save_note(note)
                    yield Noted(message=note)
                judge = opened.judging(journal)
                async with contextlib.aclosing(
                    execute(
                        plan,
                        judge,
                        journal,
                        stop_on_error=not self.request.settings.continue_on_error,
                    )
                ) as events:
                    async for event in events:
                        yield event
                by_key = journal.finished()
                keys = (str(task.key) for task in plan.tasks)
                samples = tuple(by_key[key] for key in keys if key in by_key)
                self._result = Evaluated(journal.status(), samples, opened.notes)

    async def result(self) -> Evaluated:
        """The result; judges first what was not judged yet. Raises as `events`."""
        if self._result is None:
            async with contextlib.aclosing(self.events()) as events:
                async for _ in events:
                    pass
        assert self._result is not None
        return self._result
