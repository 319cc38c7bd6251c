"""Where the tests of the pytest plugin come from: a suite, its answers, and what judges
them.

Judging is asynchronous and a test may be anything, so a thread with a loop of its own
does it; it is started when the first test asks and lives to the end of the session.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Answer, Case, SampleKey, SampleResult
from claimscope.core.run.engine import Evaluate, not_judged
from claimscope.core.run.plan import SampleTask
from claimscope.core.services.evaluation import OpenedRequest, Request
from claimscope.core.settings import Settings
from claimscope.stores.suites.loading import load_suite
from claimscope.tui.workbench import MachineWorkbench

if TYPE_CHECKING:
    from claimscope.stores.suites.loading import LoadedSuite

Given = TypeVar("Given")
TESTED = "tested"
"""Provider of answers that a test makes itself."""


@dataclass(frozen=True)
class Sample:
    """A case with an answer, or with none: then the test makes one."""

    case: Case
    answer: Answer | None

    @property
    def name(self) -> str:
        """Id of its test."""
        return f"{self.case.id}/{self.answer.provider}" if self.answer else self.case.id


@dataclass(frozen=True)
class Source:
    """A suite as a marker names it."""

    suite: str
    answers: Path | None
    pages: Path | None
    provider: str | None
    settings: Settings
    metrics: tuple[str, ...]
    _worker: list[Worker] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, marker: pytest.Mark, folder: Path) -> Source:
        """What a marker says, paths relative to `folder`. Raises pytest.UsageError."""
        try:
            return cls._made(folder, *marker.args, **marker.kwargs)
        except (TypeError, ValueError) as error:
            said = str(error).replace("Source._made()", "claimscope()")
            raise pytest.UsageError(f"marker claimscope: {said}") from None

    @classmethod
    def _made(
        cls,
        folder: Path,
        suite: str | Path,
        answers: str | Path | None = None,
        pages: str | Path | None = None,
        provider: str | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        metrics: str | tuple[str, ...] | list[str] = (),
    ) -> Source:
        there = folder / suite
        return cls(
            str(there if there.exists() else suite),
            None if answers is None else folder / answers,
            None if pages is None else folder / pages,
            provider,
            Settings.model_validate(settings or {}),
            (metrics,) if isinstance(metrics, str) else tuple(metrics),
        )

    @cached_property
    def loaded(self) -> LoadedSuite:
        """Suite and answers. Raises pytest.UsageError with every mistake."""
        try:
            return load_suite(self.suite, answers=self.answers, which="accepted")
        except ClaimscopeError as error:
            raise pytest.UsageError(str(error)) from None

    def judge(self, sample: Sample, text: str | None = None) -> SampleResult:
        """The result of a sample, or of another text as the answer to its case. One
        that cannot be judged is unscored. Raises ClaimscopeError when none can be."""
        if not self._worker:
            self._worker.append(Worker(self))
        answer = sample.answer
        if text is not None or answer is None:
            provider = answer.provider if answer else TESTED
            answer = Answer(case_id=sample.case.id, provider=provider, text=text or "")
        key = SampleKey(case_id=sample.case.id, provider=answer.provider)
        return self._worker[0].judge(SampleTask(key, sample.case, answer))

    def close(self) -> None:
        while self._worker:
            self._worker.pop().close()


def samples_of(source: Source) -> list[Sample]:
    """A sample for each answer, and for each case that nobody answered."""
    by_case: dict[str, list[Answer]] = {}
    for answer in source.loaded.answers:
        if source.provider in (None, answer.provider):
            by_case.setdefault(answer.case_id, []).append(answer)
    if source.provider is not None and not by_case:
        names = sorted({answer.provider for answer in source.loaded.answers})
        raise pytest.UsageError(
            f"marker claimscope: provider {source.provider!r} has no answer in "
            f"{source.suite}; providers are: {', '.join(names) or 'none'}"
        )
    return [
        Sample(case, answer)
        for case in source.loaded.suite.cases
        for answer in by_case.get(case.id, [None])
    ]


class Worker:
    """A loop in a thread with everything a source needs."""

    def __init__(self, source: Source) -> None:
        """Reads pages and finds models. Raises ClaimscopeError."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="claimscope", daemon=True
        )
        self._stack = AsyncExitStack()
        self._thread.start()
        try:
            self._judge = self._wait(self._open(source))
        except BaseException:
            self.close()
            raise

    async def _open(self, source: Source) -> Evaluate:
        suite = source.loaded.suite
        answers = source.loaded.answers or tuple(
            Answer(case_id=case.id, provider=TESTED, text="") for case in suite.cases
        )
        request = Request(
            source.suite, answers, source.pages, source.settings, source.metrics
        )
        opened: OpenedRequest = await self._stack.enter_async_context(
            MachineWorkbench().open(request)
        )
        return opened.judging(opened.runs.create(opened.plan().header))

    def judge(self, task: SampleTask) -> SampleResult:
        """The result of a sample; unscored with the reason when it cannot be judged."""
        try:
            return self._wait(self._run(task))
        except ClaimscopeError as error:
            return not_judged(task, error)

    async def _run(self, task: SampleTask) -> SampleResult:
        return await self._judge(task)

    def _wait(self, work: Coroutine[Any, Any, Given]) -> Given:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Gives models and loop up."""
        self._wait(self._stack.aclose())
        self._wait(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
