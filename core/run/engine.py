"""The engine: one async stream of events over the samples of a plan.

Each result is saved before its event is yielded, so an event that was seen is an
event that is on disk. The disk is waited for in a thread, while the next sample is
already judged. The generator owns its workers: closing it (wrap it in
`contextlib.aclosing`) cancels them and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import traceback
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from claimscope.core.errors import (
    ClaimscopeError,
    ClusterLost,
    DiskRefused,
    ModelChanged,
)
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
from claimscope.core.models import Failure, FailureKind, RunState, SampleResult, Usage
from claimscope.core.ports import Control, RunWriter
from claimscope.core.run.plan import JudgeAgain, RunPlan, SampleTask, remaining_tasks
from claimscope.core.tracing import Value, span

log = logging.getLogger(__name__)
Evaluate = Callable[[SampleTask], Awaitable[SampleResult]]
ENDING = (ModelChanged, ClusterLost)
"""Errors of a sample that end the run, to be resumed later."""
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
    pending: deque[SampleTask]
    spent: Mapping[str, Usage]
    """What samples that are judged again cost before, by str(key)."""
    stop_on_error: bool = False
    """A sample that cannot be judged ends the run."""
    room: Callable[[], int] | None = None
    """Samples at once, where that changes meanwhile; else `concurrency`."""
    events: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)
    in_flight: set[asyncio.Task[None]] = field(default_factory=set)
    others: list[asyncio.Task[None]] = field(default_factory=list)
    """The tasks that save and listen."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    held: bool = False
    """A pause was asked for: nothing more is begun."""
    paused: bool = False
    """What was in flight then is finished, and the pause is saved."""
    cancelled: bool = False
    broken: Exception | None = None
    """Set when a result could not be saved, or the model is another one by now:
    nothing more is begun."""

    writing: asyncio.Future[list[Event]] | None = None
    """What is being saved now, in a thread."""
    waiting: int = 0
    """Results that are not saved yet. While there are as many as are judged at once,
    nothing is begun: a kill loses few, and those of a large cluster share a wait for
    the disk."""
    unsaved: asyncio.Queue[SampleResult] = field(default_factory=asyncio.Queue)
    traces: dict[str, str] = field(default_factory=dict)
    """Where our own faults happened, by str(key)."""

    async def work(self) -> None:
        """Hands out samples until none is left, or a stop or cancel was asked for."""
        self._obey(await asyncio.to_thread(self.journal.control))
        listener = asyncio.create_task(self._listen())
        self.others += [listener, asyncio.create_task(self._keep())]
        while not self._is_ending() and (self.pending or self.in_flight):
            if listener.done():
                listener.result()  # raises: the control record cannot be read
            self._hand_out()
            await self._wait()
        if self.cancelled or isinstance(self.broken, ENDING):
            for task in tuple(self.in_flight):
                task.cancel()
        await asyncio.gather(*self.in_flight, return_exceptions=True)
        await self.unsaved.join()
        if self.broken:
            raise self.broken

    def _hand_out(self) -> None:
        """Begins as many samples as there is room for."""
        while (
            self.pending
            and not self.held
            and not self._is_ending()
            and max(len(self.in_flight), self.waiting) < self._most_in_flight()
        ):
            task = asyncio.create_task(self._sample(self.pending.popleft()))
            self.in_flight.add(task)
            task.add_done_callback(self._on_finished)

    def _most_in_flight(self) -> int:
        return self.concurrency if self.room is None else self.room()

    def _on_finished(self, task: asyncio.Task[None]) -> None:
        self.in_flight.discard(task)
        self.wake.set()

    def _is_ending(self) -> bool:
        return self.cancelled or self.stop.requested or self.broken is not None

    async def _wait(self) -> None:
        """Until a sample is finished or something was asked for. A signal handler
        wakes nobody, so that a stop is looked for now and then."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wake.wait(), POLL_SECONDS)
        self.wake.clear()

    async def _listen(self) -> None:
        """Reads the control record now and then. One reader for the whole run: read
        before each sample, it would cost a turn of a thread a sample."""
        try:
            while not self._is_ending():
                await asyncio.sleep(POLL_SECONDS)
                self._obey(await asyncio.to_thread(self.journal.control))
        finally:
            self.wake.set()

    def _obey(self, control: Control) -> None:
        if control == "cancel":
            self.cancelled = True
        elif control == "pause":
            self.held = True
            # Not waited for here: a cancel must be heard meanwhile.
            if self.pending and self._is_idle() and not self.paused:
                self.paused = True
                self.journal.save_state("paused")
                self.events.put_nowait(RunPaused(status=self.journal.status()))
        else:
            self.held = False
            if self.paused:
                self.paused = False
                self.journal.save_state("running")
                self.events.put_nowait(RunResumed(status=self.journal.status()))
        self.wake.set()

    def _is_idle(self) -> bool:
        """Nothing is judged and nothing waits to be saved."""
        return not self.in_flight and not self.waiting

    async def _sample(self, task: SampleTask) -> None:
        self.events.put_nowait(SampleStarted(key=task.key))
        started = time.monotonic()
        try:
            with span("sample", sample_attributes(task)) as found:
                result = await self.evaluate(task)
                found.note(outcome(result))
        except ENDING as error:
            # Each further sample would end so too, and those of before must not mix.
            self.broken = self.broken or error
            return
        except DiskRefused as error:
            # Saved as unscored, where so little still fits, it would stay so for good.
            self.broken = self.broken or error
            return
        except Exception as error:  # one bad sample must not end a long run
            result = not_judged(task, error)
            if self.stop_on_error:
                self.broken = self.broken or end_reason(result)
                return
            if not isinstance(error, ClaimscopeError):
                log.error("%s: internal error", task.key, exc_info=error)
                self.traces[str(task.key)] = traceback_lines(error)
        spent = Usage(wall_seconds=time.monotonic() - started)
        spent += self.spent.get(str(result.key), Usage())
        finished = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.waiting += 1
        self.unsaved.put_nowait(
            result.model_copy(
                update={"usage": result.usage + spent, "finished": finished}
            )
        )

    async def _keep(self) -> None:
        """Saves results in the order they were finished, and tells of each then. One
        that cannot be saved does not keep the others from it."""
        while True:
            results = [await self.unsaved.get()]
            while not self.unsaved.empty():
                results.append(self.unsaved.get_nowait())
            self.writing = asyncio.ensure_future(asyncio.to_thread(self._save, results))
            for event in await asyncio.shield(self.writing):
                self.events.put_nowait(event)
            for _ in results:
                self.unsaved.task_done()
            self.waiting -= len(results)
            self.wake.set()

    def _save(self, results: Sequence[SampleResult]) -> list[Event]:
        """In a thread: disks are slow, and the loop has calls to keep going. Results
        that waited while others were saved share one wait for the disk."""
        try:
            with self.journal.together() as statuses:
                for result in results:
                    if result.error:
                        trace = self.traces.get(str(result.key), "")
                        self.journal.save_note(_note(result) + trace)
                    self.journal.save_sample(result)
        except Exception as error:
            if len(results) == 1:
                self.broken = self.broken or error
                return []
            # One that cannot be saved does not keep the others from it.
            return [event for result in results for event in self._save([result])]
        saved: list[Event] = []
        for result, status in zip(results, statuses, strict=True):
            if result.error:
                saved.append(Noted(message=_note(result)))
            saved.append(SampleFinished(result=result, status=status))
        return saved


def _note(result: SampleResult) -> str:
    return f"{result.key}: {result.error}"


def traceback_lines(error: BaseException) -> str:
    """The traceback of a fault of ours, as lines that follow its note."""
    return "\n" + "".join(traceback.format_exception(error)).rstrip()


def sample_attributes(task: SampleTask) -> dict[str, Value | None]:
    return {
        "claimscope.case": task.key.case_id,
        "claimscope.provider": task.key.provider,
        "claimscope.iteration": task.key.iteration,
    }


def outcome(result: SampleResult) -> dict[str, Value | None]:
    """How a sample ended, for its span: counts and kinds, no text."""
    outcomes = {True: "passed", False: "failed", None: "unscored"}
    return {
        "claimscope.outcome": outcomes[result.passed],
        "claimscope.claims": len(result.claims),
        "claimscope.calls": result.usage.calls,
        "claimscope.failures": ",".join(sorted({f.kind for f in result.failures})),
    }


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


def end_reason(result: SampleResult) -> ClaimscopeError:
    """Why a run that is to end at the first error ends. The sample is not saved, so
    that a resumed run judges it again."""
    return ClaimscopeError(
        f"{result.key}: {result.error}; the run ended there, because continue_on_error "
        "is off",
        "mend what is wrong, then `claimscope runs resume` goes on with it",
    )


async def execute(
    plan: RunPlan,
    evaluate: Evaluate,
    journal: RunWriter,
    *,
    stop: Stop | None = None,
    again: JudgeAgain | None = None,
    room: Callable[[], int] | None = None,
    stop_on_error: bool = False,
) -> AsyncGenerator[Event]:
    """Judges the samples of plan that the journal does not have yet, and those that
    are judged `again`.

    Yields RunStarted first and RunFinished last. A sample that ends in an error is
    saved as unscored and the run goes on. When a result cannot be saved, a model was
    changed under way or a cluster was lost, the run ends in state `failed` and the
    error is raised; `stop_on_error`: so it does at a sample that cannot be judged.
    `room`: samples at once, where that changes meanwhile.
    """
    again = again or JudgeAgain()
    pending = remaining_tasks(plan, journal, again)
    before = journal.samples() if again else ()
    spent = {str(result.key): result.usage for result in before}
    stop = stop or Stop()
    most = plan.header.concurrency
    engine = _Engine(evaluate, journal, stop, most, pending, spent, stop_on_error, room)
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
            if not isinstance(error, ClaimscopeError):
                journal.save_note(
                    f"{type(error).__name__}: {error}{traceback_lines(error)}"
                )
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
        is_last = worker.done()
        while not engine.events.empty():
            yield engine.events.get_nowait()
        if is_last:
            return
        getter = asyncio.create_task(engine.events.get())
        try:
            await asyncio.wait({getter, worker}, return_when=asyncio.FIRST_COMPLETED)
            if getter.done():
                yield getter.result()
        finally:
            getter.cancel()


async def _cancel(worker: asyncio.Task[None], engine: _Engine) -> None:
    tasks = {worker, *engine.in_flight, *engine.others}
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    if engine.writing is not None:  # a thread cannot be cancelled; the journal closes
        await asyncio.wait({engine.writing})
