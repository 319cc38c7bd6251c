"""The engine: order of events, pause, stop, cancel, errors, resume; no sleeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import (
    ClaimscopeError,
    DiskRefused,
    ModelChanged,
    ServerDown,
    StoreError,
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
from claimscope.core.models import FailureKind, RunStatus, SampleResult, Usage
from claimscope.core.ports import Control
from claimscope.core.run import engine
from claimscope.core.run.engine import Stop, execute
from claimscope.core.run.plan import JudgeAgain, RunPlan, SampleTask, remaining_tasks
from claimscope.stores.runs.memory import MemoryRunStore, MemoryRunWriter
from tests.doubles import fakes

RUN = "20260301-100000-ab12"
WATCHDOG_SECONDS = 30
"""Only so that a hanging engine fails its test instead of stopping the suite."""


@pytest.fixture(autouse=True)
def poll_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.001)


def plan(total: int, concurrency: int = 1) -> RunPlan:
    """A plan of samples s0, s1, …"""
    tasks = []
    for number in range(total):
        result = fakes.sample(f"s{number}")
        tasks.append(SampleTask(result.key, result.case, result.answer))
    header = fakes.header(RUN, total_samples=total, concurrency=concurrency)
    return RunPlan(header, tuple(tasks))


def name(task: SampleTask) -> str:
    return task.key.case_id


async def judged(task: SampleTask) -> SampleResult:
    return fakes.sample(name(task))


class Gated:
    """Judges a sample only when it is let through; knows what happened to each."""

    def __init__(self) -> None:
        self.gates: dict[str, asyncio.Event] = {}
        self.begun: list[str] = []
        self.running: set[str] = set()
        self.most = 0
        self.cancelled: list[str] = []
        self.changed = asyncio.Condition()

    async def __call__(self, task: SampleTask) -> SampleResult:
        key = name(task)
        self.begun.append(key)
        self.running.add(key)
        self.most = max(self.most, len(self.running))
        async with self.changed:
            self.changed.notify_all()
        try:
            await self.gate(key).wait()
        except asyncio.CancelledError:
            self.cancelled.append(key)
            raise
        finally:
            self.running.discard(key)
        return fakes.sample(key)

    def gate(self, key: str) -> asyncio.Event:
        return self.gates.setdefault(key, asyncio.Event())

    def let(self, *keys: str) -> None:
        for key in keys:
            self.gate(key).set()

    async def until_begun(self, count: int) -> None:
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.begun) >= count)


class Follower:
    """Reads events in a task of its own, so that a test can act meanwhile."""

    def __init__(self, events: AsyncIterator[Event]) -> None:
        self.seen: list[Event] = []
        self.changed = asyncio.Condition()
        self.task = asyncio.create_task(self.follow(events))

    async def follow(self, events: AsyncIterator[Event]) -> None:
        async for event in events:
            async with self.changed:
                self.seen.append(event)
                self.changed.notify_all()

    async def until(self, kind: type[Event], count: int = 1) -> None:
        def enough() -> bool:
            return sum(isinstance(event, kind) for event in self.seen) >= count

        async with asyncio.timeout(WATCHDOG_SECONDS), self.changed:
            await self.changed.wait_for(enough)

    async def end(self) -> list[Event]:
        async with asyncio.timeout(WATCHDOG_SECONDS):
            await self.task
        return self.seen


async def all_of(events: AsyncIterator[Event]) -> list[Event]:
    async with asyncio.timeout(WATCHDOG_SECONDS):
        return [event async for event in events]


class Polls:
    """Tells when the engine has read the control record again."""

    def __init__(self, writer: MemoryRunWriter, patch: pytest.MonkeyPatch) -> None:
        self.control = writer.control
        self.loop = asyncio.get_running_loop()
        self.changed = asyncio.Event()
        patch.setattr(writer, "control", self.read)

    def read(self) -> Control:
        control = self.control()
        self.loop.call_soon_threadsafe(self.changed.set)
        return control

    async def more(self, count: int = 3) -> None:
        """Waits for reads that began after now; the first may have begun before."""
        for _ in range(count + 1):
            self.changed.clear()
            async with asyncio.timeout(WATCHDOG_SECONDS):
                await self.changed.wait()


def begin(plan: RunPlan) -> tuple[MemoryRunStore, MemoryRunWriter]:
    store = MemoryRunStore()
    return store, store.create(plan.header)


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


def finished_keys(events: Sequence[Event]) -> list[str]:
    return [e.result.key.case_id for e in events if isinstance(e, SampleFinished)]


def final(events: Sequence[Event]) -> RunStatus:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.status


def others() -> set[asyncio.Task[object]]:
    """Tasks of the loop but for the one that runs the test."""
    current = asyncio.current_task()
    return {task for task in asyncio.all_tasks() if task is not current}


# --- order ------------------------------------------------------------------


async def test_a_run_begins_and_ends_with_its_status() -> None:
    work = plan(3)
    _, journal = begin(work)
    events = await all_of(execute(work, judged, journal))
    seen = kinds(events)
    assert (seen[0], seen[-1]) == ("run_started", "run_finished")
    # The next sample is begun while the one before is being saved, not sooner.
    for kind in ("sample_started", "sample_finished"):
        assert seen.count(kind) == 3
    assert seen.index("sample_started") < seen.index("sample_finished")
    assert isinstance(events[0], RunStarted)
    assert (events[0].status.state, events[0].status.completed) == ("running", 0)
    status = final(events)
    assert (status.state, status.completed, status.passed) == ("finished", 3, 3)
    assert finished_keys(events) == ["s0", "s1", "s2"]


async def test_a_finished_sample_can_be_read_back_when_its_event_is_seen() -> None:
    work = plan(6, concurrency=3)
    store, journal = begin(work)
    counts = []
    async for event in execute(work, judged, journal):
        if isinstance(event, SampleFinished):
            saved = store.read(RUN).samples()
            assert event.result in saved
            assert event.status.completed <= len(saved)
            counts.append(event.status.completed)
    assert counts == [1, 2, 3, 4, 5, 6]


async def test_a_result_says_when_it_was_finished_and_what_it_cost() -> None:
    work = plan(1)
    _, journal = begin(work)
    events = await all_of(execute(work, judged, journal))
    (result,) = [e.result for e in events if isinstance(e, SampleFinished)]
    assert result.finished is not None
    assert datetime.fromisoformat(result.finished).utcoffset() is not None
    assert result.usage.calls == 1
    assert result.usage.prompt_tokens == 100
    assert result.usage.wall_seconds > 0


async def test_no_more_samples_are_in_flight_than_allowed() -> None:
    work = plan(7, concurrency=3)
    _, journal = begin(work)
    gated = Gated()
    follower = Follower(execute(work, gated, journal))
    await gated.until_begun(3)
    assert gated.running == {"s0", "s1", "s2"}
    gated.let("s1")
    await gated.until_begun(4)
    assert gated.running == {"s0", "s2", "s3"}
    gated.let(*(f"s{n}" for n in range(7)))
    assert final(await follower.end()).completed == 7
    assert gated.most == 3
    assert sorted(gated.begun) == [f"s{n}" for n in range(7)]


# --- pause, stop, cancel ----------------------------------------------------


async def test_a_pause_finishes_what_is_in_flight_and_starts_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = plan(4, concurrency=2)
    store, journal = begin(work)
    polls = Polls(journal, monkeypatch)
    reader, gated = store.read(RUN), Gated()
    follower = Follower(execute(work, gated, journal))
    await gated.until_begun(2)
    reader.ask("pause")
    await polls.more()
    gated.let(*(f"s{n}" for n in range(4)))
    await follower.until(RunPaused)
    assert sorted(finished_keys(follower.seen)) == ["s0", "s1"]
    assert isinstance(follower.seen[-1], RunPaused)
    assert follower.seen[-1].status.state == "paused"
    await polls.more()
    assert gated.begun == ["s0", "s1"]
    assert store.read(RUN).status().state == "paused"

    reader.ask("run")
    await follower.until(RunResumed)
    events = await follower.end()
    assert kinds(events).count("run_paused") == kinds(events).count("run_resumed") == 1
    assert kinds(events).index("run_paused") < kinds(events).index("run_resumed")
    assert (final(events).state, final(events).completed) == ("finished", 4)


async def test_a_pause_with_nothing_left_to_begin_just_finishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = plan(1)
    store, journal = begin(work)
    polls = Polls(journal, monkeypatch)
    gated = Gated()
    follower = Follower(execute(work, gated, journal))
    await gated.until_begun(1)
    store.read(RUN).ask("pause")
    await polls.more()
    gated.let("s0")
    events = await follower.end()
    assert final(events).state == "finished"
    assert "run_paused" not in kinds(events)


@pytest.mark.parametrize("paused", [False, True])
async def test_a_cancel_ends_what_is_in_flight_and_leaves_no_task_behind(
    monkeypatch: pytest.MonkeyPatch, paused: bool
) -> None:
    """Also while a pause still waits for what is in flight."""
    work = plan(5, concurrency=2)
    store, journal = begin(work)
    polls = Polls(journal, monkeypatch)
    gated = Gated()
    follower = Follower(execute(work, gated, journal))
    await gated.until_begun(2)
    if paused:
        store.read(RUN).ask("pause")
        await polls.more()
    store.read(RUN).ask("cancel")
    events = await follower.end()
    assert (final(events).state, final(events).completed) == ("cancelled", 0)
    assert sorted(gated.cancelled) == gated.begun == ["s0", "s1"]
    assert journal.finished() == {}
    assert others() == set()


async def test_a_stop_finishes_what_is_in_flight_and_begins_nothing() -> None:
    work = plan(5, concurrency=2)
    _, journal = begin(work)
    gated, stop = Gated(), Stop()
    follower = Follower(execute(work, gated, journal, stop=stop))
    await gated.until_begun(2)
    stop.request()
    gated.let(*(f"s{n}" for n in range(5)))
    events = await follower.end()
    assert (final(events).state, final(events).completed) == ("stopped", 2)
    assert sorted(finished_keys(events)) == ["s0", "s1"]
    assert gated.cancelled == []
    assert others() == set()


async def test_a_stop_is_heard_during_a_pause() -> None:
    work = plan(3)
    store, journal = begin(work)
    store.read(RUN).ask("pause")
    stop = Stop()
    follower = Follower(execute(work, judged, journal, stop=stop))
    await follower.until(RunPaused)
    stop.request()
    assert final(await follower.end()).state == "stopped"


async def test_a_stop_when_all_is_done_is_a_finish() -> None:
    work = plan(1)
    _, journal = begin(work)
    gated, stop = Gated(), Stop()
    follower = Follower(execute(work, gated, journal, stop=stop))
    await gated.until_begun(1)
    stop.request()
    gated.let("s0")
    assert final(await follower.end()).state == "finished"


@pytest.mark.parametrize("wanted", [RunStarted, SampleStarted, SampleFinished])
async def test_closing_the_stream_early_leaves_nothing_running(
    wanted: type[Event],
) -> None:
    work = plan(6, concurrency=3)
    store, journal = begin(work)
    gated = Gated()
    gated.let("s0")
    async with aclosing(execute(work, gated, journal)) as events:
        async for event in events:
            if isinstance(event, wanted):
                break
    assert others() == set()
    assert gated.running == set()
    await asyncio.sleep(0)  # what a finaliser left behind would begin now
    assert others() == set()
    journal.close()
    assert store.read(RUN).status().state == "stopped"


async def test_cancelling_the_consumer_leaves_nothing_running() -> None:
    work = plan(3, concurrency=2)
    _, journal = begin(work)
    gated = Gated()
    follower = Follower(execute(work, gated, journal))
    await gated.until_begun(2)
    follower.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await follower.task
    assert gated.running == set()
    assert sorted(gated.cancelled) == ["s0", "s1"]
    assert others() == set()


# --- errors -----------------------------------------------------------------


async def fails_on_s1(task: SampleTask) -> SampleResult:
    if name(task) == "s1":
        raise ServerDown("no answer from 127.0.0.1", "start the server")
    return await judged(task)


async def test_an_error_in_one_sample_makes_it_unscored_and_the_run_goes_on() -> None:
    work = plan(3)
    store, journal = begin(work)
    events = await all_of(execute(work, fails_on_s1, journal))
    status = final(events)
    assert (status.state, status.completed) == ("finished", 3)
    assert (status.passed, status.failed, status.unscored) == (2, 0, 1)
    result = journal.finished()["s1/alpha/1"]
    assert result.passed is None
    assert result.error is not None
    for part in ("Server does not answer", "127.0.0.1", "start the server"):
        assert part in result.error
    assert [failure.kind for failure in result.failures] == [FailureKind.UNSCORED]
    assert result.case.id == result.answer.case_id == "s1"
    (note,) = [event.message for event in events if isinstance(event, Noted)]
    assert note == f"s1/alpha/1: {result.error}"
    assert [text for _, text in store.read(RUN).notes()] == [note]


async def test_a_defect_in_one_sample_is_named_and_does_not_end_the_run() -> None:
    async def broken(task: SampleTask) -> SampleResult:
        if name(task) == "s0":
            raise ZeroDivisionError("division by zero")
        return await judged(task)

    work = plan(2)
    _, journal = begin(work)
    assert final(await all_of(execute(work, broken, journal))).state == "finished"
    error = journal.finished()["s0/alpha/1"].error
    assert error is not None
    assert "please report it: ZeroDivisionError: division by zero" in error


DISK_FULL = StoreError("run.journal: no space left on device", "free some space")


async def failed_run(
    work: RunPlan, journal: MemoryRunWriter, gated: Gated
) -> list[Event]:
    """Events up to the error, which must be that of the disk."""
    seen: list[Event] = []
    async with asyncio.timeout(WATCHDOG_SECONDS):
        with pytest.raises(StoreError) as caught:
            async for event in execute(work, gated, journal):
                seen.append(event)
    assert caught.value is DISK_FULL
    assert gated.running == set()
    return seen


async def test_a_result_that_cannot_be_saved_ends_the_run_as_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = plan(40)
    store, journal = begin(work)
    save = journal.save_sample

    def save_one(result: SampleResult) -> None:
        if result.key.case_id == "s1":
            raise DISK_FULL
        save(result)

    monkeypatch.setattr(journal, "save_sample", save_one)
    gated = Gated()
    gated.let(*(f"s{n}" for n in range(40)))
    seen = await failed_run(work, journal, gated)
    # An event that was seen is on disk, and so is all that was begun but for the one.
    assert finished_keys(seen) == [key for key in gated.begun if key != "s1"]
    assert not isinstance(seen[-1], RunFinished)
    assert len(gated.begun) < 40
    status = store.read(RUN).status()
    assert (status.state, status.completed) == ("failed", len(gated.begun) - 1)
    assert status.error is not None and "no space left" in status.error


async def test_what_is_in_flight_is_still_saved_when_another_save_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = plan(4, concurrency=2)
    _, journal = begin(work)
    save, tried = journal.save_sample, asyncio.Event()
    loop = asyncio.get_running_loop()

    def save_one(result: SampleResult) -> None:
        if result.key.case_id == "s0":
            loop.call_soon_threadsafe(tried.set)
            raise DISK_FULL
        save(result)

    monkeypatch.setattr(journal, "save_sample", save_one)
    gated = Gated()
    running = asyncio.create_task(failed_run(work, journal, gated))
    await gated.until_begun(2)
    gated.let("s0")
    await tried.wait()
    gated.let("s1", "s2", "s3")
    finished = finished_keys(await running)
    # The next one may be begun before the engine has heard of the error, so
    # all that was begun counts, in whatever order it ended.
    begun = gated.begun[1:]
    assert sorted(finished) == sorted(begun)
    assert list(journal.finished()) == [f"{key}/alpha/1" for key in finished]
    assert begun[0] == "s1" and "s3" not in begun


async def test_the_first_error_is_raised_when_the_state_cannot_be_saved_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = plan(2)
    _, journal = begin(work)
    save_state = journal.save_state

    def save_running(state: str, error: str | None = None) -> None:
        if state != "running":
            raise StoreError("the disk is still full")
        save_state("running", error)

    def save_nothing(result: SampleResult) -> None:
        raise DISK_FULL

    monkeypatch.setattr(journal, "save_state", save_running)
    monkeypatch.setattr(journal, "save_sample", save_nothing)
    gated = Gated()
    gated.let("s0", "s1")
    seen = await failed_run(work, journal, gated)
    assert finished_keys(seen) == []


async def test_a_control_record_that_cannot_be_read_ends_the_run_as_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = plan(2)
    store, journal = begin(work)
    gated = Gated()

    def control() -> Control:
        if gated.begun:
            raise DISK_FULL
        return "run"

    monkeypatch.setattr(journal, "control", control)
    await failed_run(work, journal, gated)
    assert gated.cancelled == gated.begun == ["s0"]
    assert store.read(RUN).status().state == "failed"


async def test_a_model_changed_under_way_ends_the_run_at_once_with_the_remedy() -> None:
    work = plan(6, concurrency=2)
    store, journal = begin(work)
    gated = Gated()

    async def evaluate(task: SampleTask) -> SampleResult:
        if name(task) == "s1":
            await gated.until_begun(2)
            raise ModelChanged("other weights", "start a new run")
        return await gated(task)

    gated.let("s0")
    async with asyncio.timeout(WATCHDOG_SECONDS):
        with pytest.raises(ModelChanged):
            async for _ in execute(work, evaluate, journal):
                pass
    assert gated.begun == ["s0", "s2"]
    assert gated.cancelled == ["s2"]  # its calls would have failed as well
    status = store.read(RUN).status()
    assert (status.state, status.completed, status.unscored) == ("failed", 1, 0)
    assert status.error is not None and "start a new run" in status.error
    assert others() == set()


async def test_a_disk_full_while_a_sample_is_judged_leaves_it_unjudged() -> None:
    work = plan(3, concurrency=1)
    store, journal = begin(work)

    async def evaluate(task: SampleTask) -> SampleResult:
        if name(task) == "s1":
            raise DiskRefused("vectors.sqlite: the disk is full.", "free some space")
        return fakes.sample(name(task))

    with pytest.raises(DiskRefused):
        async for _ in execute(work, evaluate, journal):
            pass
    status = store.read(RUN).status()
    assert (status.state, status.completed, status.unscored) == ("failed", 1, 0)
    journal.close()
    assert [
        task.key.case_id
        for task in remaining_tasks(work, store.open(RUN), JudgeAgain())
    ] == [
        "s1",
        "s2",
    ]


# --- resume -----------------------------------------------------------------


async def test_a_resumed_run_judges_only_what_is_missing_and_adds_up() -> None:
    work = plan(4)
    store, journal = begin(work)
    gated, stop = Gated(), Stop()
    gated.let("s0")
    follower = Follower(execute(work, gated, journal, stop=stop))
    await gated.until_begun(2)
    stop.request()
    gated.let("s1")
    assert final(await follower.end()).completed == 2
    first = list(journal.finished().values())
    spent = journal.status().usage
    journal.close()

    journal = store.open(RUN)
    gated = Gated()
    gated.let("s2", "s3")
    events = await all_of(execute(work, gated, journal))
    assert gated.begun == ["s2", "s3"]
    assert isinstance(events[0], RunStarted)
    assert events[0].status.completed == 2
    status = final(events)
    assert (status.state, status.completed, status.parts) == ("finished", 4, 2)
    assert status.usage.calls == 4
    assert status.usage.prompt_tokens == 400
    assert status.usage.wall_seconds >= spent.wall_seconds
    assert list(journal.finished().values())[:2] == first


async def test_a_run_with_nothing_missing_just_reports() -> None:
    work = plan(2)
    store, journal = begin(work)
    await all_of(execute(work, judged, journal))
    journal.close()
    gated = Gated()
    events = await all_of(execute(work, gated, store.open(RUN)))
    assert kinds(events) == ["run_started", "run_finished"]
    assert gated.begun == []
    assert final(events).completed == 2


async def test_a_cancelled_run_can_go_on() -> None:
    work = plan(2)
    store, journal = begin(work)
    gated = Gated()
    follower = Follower(execute(work, gated, journal))
    await gated.until_begun(1)
    store.read(RUN).ask("cancel")
    assert final(await follower.end()).state == "cancelled"
    journal.close()
    events = await all_of(execute(work, judged, store.open(RUN)))
    assert (final(events).state, final(events).completed) == ("finished", 2)


async def test_errors_are_judged_again_only_when_asked() -> None:
    work = plan(3)
    store, journal = begin(work)
    await all_of(execute(work, fails_on_s1, journal))
    journal.close()

    journal = store.open(RUN)
    gated = Gated()
    gated.let("s1")
    await all_of(execute(work, gated, journal))
    assert gated.begun == []
    journal.close()

    journal = store.open(RUN)
    events = await all_of(execute(work, gated, journal, again=JudgeAgain(errors=True)))
    assert gated.begun == ["s1"]
    status = final(events)
    assert (status.completed, status.passed, status.unscored) == (3, 3, 0)
    assert journal.finished()["s1/alpha/1"].error is None


async def test_failures_are_judged_again_when_asked_and_their_costs_add_up() -> None:
    async def fails(task: SampleTask) -> SampleResult:
        passed = {"s0": True, "s1": False, "s2": None}[name(task)]
        return fakes.sample(name(task)).model_copy(update={"passed": passed})

    work = plan(3)
    store, journal = begin(work)
    await all_of(execute(work, fails, journal))
    before = journal.finished()["s1/alpha/1"].usage
    journal.close()

    journal = store.open(RUN)
    gated = Gated()
    gated.let("s1")
    events = await all_of(
        execute(work, gated, journal, again=JudgeAgain(failures=True))
    )
    assert gated.begun == ["s1"]
    assert final(events).passed == 2
    after = journal.finished()["s1/alpha/1"].usage
    assert after.calls == before.calls + 1
    assert after.prompt_tokens == 200
    assert after.wall_seconds > before.wall_seconds


@given(st.integers(1, 6), st.integers(1, 3), st.integers(0, 6))
async def test_however_a_run_is_stopped_each_sample_is_judged_once(
    total: int, concurrency: int, stop_after: int
) -> None:
    work = plan(total, concurrency)
    store, journal = begin(work)
    begun: list[str] = []

    async def evaluate(task: SampleTask) -> SampleResult:
        begun.append(name(task))
        return await judged(task)

    stop = Stop(requested=not stop_after)
    async for event in execute(work, evaluate, journal, stop=stop):
        if isinstance(event, SampleFinished) and event.status.completed >= stop_after:
            stop.request()
    if stop_after < total:
        assert journal.status().completed >= stop_after
    journal.close()
    events = await all_of(execute(work, evaluate, store.open(RUN)))
    assert (final(events).state, final(events).completed) == ("finished", total)
    assert sorted(begun) == [f"s{n}" for n in range(total)]
    assert final(events).usage.calls == total


def test_usage_of_an_unjudged_sample_is_nothing_it_did_not_spend() -> None:
    task = plan(1).tasks[0]
    assert engine.not_judged(task, ValueError("x")).usage == Usage()


async def test_a_fault_of_ours_is_noted_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def faulty(task: SampleTask) -> SampleResult:
        raise KeyError("weight")

    store = MemoryRunStore()
    journal = store.create(plan(1).header)
    events = [event async for event in execute(plan(1), faulty, journal)]
    ((_, note),) = store.read(RUN).notes()
    first, _, trace = note.partition("\n")
    assert "internal error, please report it: KeyError" in first
    assert trace.startswith("Traceback") and "in faulty" in trace
    said = [event.message for event in events if isinstance(event, Noted)]
    assert said == [first]  # nobody is shown a traceback
    assert "in faulty" in caplog.text


async def test_a_fault_that_ends_a_run_is_noted_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryRunStore()
    journal = store.create(plan(1).header)

    def fails() -> Control:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(journal, "control", fails)
    with pytest.raises(ZeroDivisionError):
        _ = [event async for event in execute(plan(1), judged, journal)]
    ((_, note),) = store.read(RUN).notes()
    assert note.startswith("ZeroDivisionError: a fault\nTraceback")
    assert journal.status().error == "a fault"


async def test_a_run_may_end_at_its_first_error_and_is_resumed_there() -> None:
    the_plan, store = plan(3), MemoryRunStore()
    writer = store.create(the_plan.header)

    async def faulty(task: SampleTask) -> SampleResult:
        if name(task) == "s1":
            raise ServerDown("it is gone", "start it")
        return fakes.sample(name(task))

    with pytest.raises(ClaimscopeError, match="s1/alpha/1: .*it is gone") as caught:
        async for _ in execute(the_plan, faulty, writer, stop_on_error=True):
            pass
    assert "resume" in str(caught.value)
    assert writer.status().state == "failed"
    assert [one.case_id for one in (row.key for row in writer.rows())] == ["s0"]
    async for _ in execute(the_plan, judged, writer, stop_on_error=True):
        pass
    assert (writer.status().state, writer.status().completed) == ("finished", 3)


async def test_what_is_left_is_planned_by_keys_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = MemoryRunStore().create(plan(3).header)
    journal.save_sample(fakes.sample("s1"))
    monkeypatch.setattr(journal, "rows", None)  # 100,000 would take seconds
    assert [name(task) for task in remaining_tasks(plan(3), journal, JudgeAgain())] == [
        "s0",
        "s2",
    ]
    broken = {str(fakes.sample("s1").key): "it broke"}
    monkeypatch.setattr(journal, "finished_keys", lambda: broken)
    assert len(remaining_tasks(plan(3), journal, JudgeAgain())) == 2
    assert len(remaining_tasks(plan(3), journal, JudgeAgain(errors=True))) == 3
