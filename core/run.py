"""The engine: one async stream of events over the samples of a plan.

Each result is saved before its event is yielded, so an event that was seen is an
event that is on disk. The generator owns its workers: closing it (wrap it in
`contextlib.aclosing`) cancels them and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from claimscope.core.errors import ClaimscopeError
from claimscope.core.events import (
    Event,
    Noted,
    RunFinished,
    RunPaused,
    RunResumed,
    RunStarted,
    SampleFinished,
    SampleStarted,
)
from claimscope.core.models import (
    Failure,
    FailureKind,
    RunState,
    SampleResult,
    Usage,
)
from claimscope.core.plan import RunPlan, SampleTask
from claimscope.core.ports import Control, RunWriter

Evaluate = Callable[[SampleTask], Awaitable[SampleResult]]
POLL_SECONDS = 0.3
"""How often the control record is read."""


@dataclass
class Stop:
    """A request to end early, from a signal: samples in flight are finished."""

    requested: bool = False

    def request(self) -> None:
        """Safe to call from a signal handler."""
        self.requested = True


@dataclass
class _Engine:
    """State of one part of a run."""

    evaluate: Evaluate
    journal: RunWriter
    stop: Stop
    concurrency: int
    pending: list[SampleTask]
    events: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)
    in_flight: set[asyncio.Task[None]] = field(default_factory=set)
    held: bool = False
    """A pause was asked for: nothing more is begun."""
    paused: bool = False
    """What was in flight then is finished, and the pause is saved."""
    cancelled: bool = False
    broken: Exception | None = None
    """Set when a result could not be saved: nothing more is begun."""

    async def work(self) -> None:
        """Hands out samples until none is left, or a stop or cancel was asked for."""
        while not self._is_ending():
            self._obey(await asyncio.to_thread(self.journal.control))
            if self._is_ending():  # it may have come while the record was read
                break
            room = self.concurrency - len(self.in_flight)
            if self.pending and room > 0 and not self.held:
                task = asyncio.create_task(self._sample(self.pending.pop(0)))
                self.in_flight.add(task)
                task.add_done_callback(self.in_flight.discard)
                continue
            if not self.pending and not self.in_flight:
                return
            await self._wait()
        if self.cancelled:
            for task in tuple(self.in_flight):
                task.cancel()
        await asyncio.gather(*self.in_flight, return_exceptions=True)
        if self.broken:
            raise self.broken

    def _is_ending(self) -> bool:
        return self.cancelled or self.stop.requested or self.broken is not None

    async def _wait(self) -> None:
        if self.in_flight:
            await asyncio.wait(
                self.in_flight,
                timeout=POLL_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
        else:
            await asyncio.sleep(POLL_SECONDS)

    def _obey(self, control: Control) -> None:
        if control == "cancel":
            self.cancelled = True
        elif control == "pause":
            self.held = True
            # Not waited for here: a cancel must be heard meanwhile.
            if self.pending and not self.in_flight and not self.paused:
                self.paused = True
                self.journal.save_state("paused")
                self.events.put_nowait(RunPaused(status=self.journal.status()))
        else:
            self.held = False
            if self.paused:
                self.paused = False
                self.journal.save_state("running")
                self.events.put_nowait(RunResumed(status=self.journal.status()))

    async def _sample(self, task: SampleTask) -> None:
        self.events.put_nowait(SampleStarted(key=task.key))
        started = time.monotonic()
        try:
            result = await self.evaluate(task)
        except Exception as error:  # one bad sample must not end a long run
            result = not_judged(task, error)
        try:
            self._save(result, time.monotonic() - started)
        except Exception as error:
            self.broken = error

    def _save(self, result: SampleResult, seconds: float) -> None:
        if result.error:
            message = f"{result.key}: {result.error}"
            self.journal.save_note(message)
            self.events.put_nowait(Noted(message=message))
        wall = Usage(wall_seconds=seconds)
        finished = datetime.now(UTC).isoformat(timespec="milliseconds")
        result = result.model_copy(
            update={"usage": result.usage + wall, "finished": finished}
        )
        self.journal.save_sample(result)
        self.events.put_nowait(
            SampleFinished(result=result, status=self.journal.status())
        )


def not_judged(task: SampleTask, error: Exception) -> SampleResult:
    """The result of a sample that ended in an error: unscored, never a fail."""
    if isinstance(error, ClaimscopeError):
        reason = f"{error.title}: {error}"
    else:
        reason = f"internal error, please report it: {type(error).__name__}: {error}"
    return SampleResult(
        key=task.key,
        case=task.case,
        answer=task.answer,
        error=reason,
        failures=(Failure(kind=FailureKind.UNSCORED, message=reason),),
    )


async def execute(
    plan: RunPlan,
    evaluate: Evaluate,
    journal: RunWriter,
    *,
    stop: Stop | None = None,
    retry_errors: bool = False,
) -> AsyncGenerator[Event]:
    """Judges the samples of plan that the journal does not have yet.

    Yields RunStarted first and RunFinished last. A sample that ends in an error is
    saved as unscored and the run goes on. When a result cannot be saved, the run ends
    in state `failed` and the error is raised.
    """
    finished = journal.finished()
    pending = [
        task
        for task in plan.tasks
        if (old := finished.get(str(task.key))) is None or (retry_errors and old.error)
    ]
    stop = stop or Stop()
    engine = _Engine(evaluate, journal, stop, plan.header.concurrency, pending)
    journal.save_state("running")
    yield RunStarted(status=journal.status())
    worker = asyncio.create_task(engine.work())
    try:
        # Closed by hand: left to the garbage collector, it would end in a task.
        async with contextlib.aclosing(_events(engine, worker)) as events:
            async for event in events:
                yield event
        await worker
    except Exception as error:
        with contextlib.suppress(ClaimscopeError, OSError):
            journal.save_state("failed", error=str(error) or type(error).__name__)
        raise
    finally:
        await _cancel(worker, engine)
    journal.save_state(_end_state(engine))
    yield RunFinished(status=journal.status())


def _end_state(engine: _Engine) -> RunState:
    if engine.cancelled:
        return "cancelled"
    return "stopped" if engine.pending else "finished"


async def _events(engine: _Engine, worker: asyncio.Task[None]) -> AsyncGenerator[Event]:
    """Events as they come, until the worker is done and the queue is empty; a sample
    that failed by a defect is raised here."""
    while True:
        getter = asyncio.create_task(engine.events.get())
        try:
            await asyncio.wait({getter, worker}, return_when=asyncio.FIRST_COMPLETED)
            if getter.done():
                yield getter.result()
                continue
        finally:
            getter.cancel()
        while not engine.events.empty():
            yield engine.events.get_nowait()
        return


async def _cancel(worker: asyncio.Task[None], engine: _Engine) -> None:
    tasks = {worker, *engine.in_flight}
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
