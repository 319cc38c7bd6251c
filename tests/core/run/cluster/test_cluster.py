"""The parts of a run on a cluster that need no cluster: who makes which call, and where
samples go when workers end."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from claimscope.core.backends.dask.dask_cluster import DaskCluster
from claimscope.core.errors import (
    ClusterError,
    ClusterLost,
    ModelMissing,
    ServerDown,
    StoreError,
)
from claimscope.core.models import CallRecord, SampleKey, SampleResult
from claimscope.core.run.cluster.coordinator_calls import CallBroker, CallReply
from claimscope.core.run.cluster.recipe import (
    CorpusCopy,
    JudgedSample,
    RunRecipe,
    copy_of,
    differences,
    travelling,
)
from claimscope.core.run.cluster.scheduler import WorkerGone, Workforce
from claimscope.core.run.cluster.worker_calls import Message, RemoteCalls
from claimscope.core.run.meters import metering
from claimscope.core.run.plan import Models, SampleTask
from claimscope.core.settings import Settings
from claimscope.stores.index.memory_corpus import CopiedCorpus, MemoryCorpus
from tests.doubles import fakes


@pytest.fixture(autouse=True)
async def one_thread() -> None:
    """What threads are to do is done in the order in which it was asked for."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))


class Journal:
    """Calls in memory."""

    def __init__(self) -> None:
        self.saved: dict[str, CallRecord] = {}
        self.is_full = False

    def call(self, key: str) -> CallRecord | None:
        return self.saved.get(key)

    def save_call(self, record: CallRecord) -> None:
        if self.is_full:
            raise StoreError("the disk is full")
        self.saved[record.key] = record

    def save_note(self, message: str) -> None: ...


async def settled() -> None:
    """Threads and tasks that can go on have gone on."""
    for _ in range(5):
        await asyncio.to_thread(lambda: None)
        await asyncio.sleep(0)


async def asking(
    broker: CallBroker, *wishes: tuple[str, str, int]
) -> list[asyncio.Task[CallReply]]:
    """Tasks that ask, each after the one before."""
    tasks = []
    for worker, key, room in wishes:
        tasks.append(asyncio.create_task(broker.find(worker, key, room)))
        await settled()
    return tasks


async def test_a_call_that_two_need_is_made_once() -> None:
    journal = Journal()
    broker = CallBroker(journal)
    one, other = await asking(broker, ("a", "k", 1), ("b", "k", 1))
    assert (await one).word == "make" and not other.done()
    record = fakes.call("k")
    assert (await broker.keep("a", record)).word == "kept"
    assert await other == CallReply("known", record)
    assert await broker.find("c", "k") == CallReply("known", record)


async def test_calls_beyond_the_room_of_a_worker_go_to_another() -> None:
    broker = CallBroker(Journal())
    tasks = await asking(
        broker, ("a", "1", 1), ("a", "2", 1), ("b", "1", 1), ("b", "2", 1)
    )
    made = [task.done() for task in tasks]
    assert made == [True, False, False, True]
    await broker.keep("b", fakes.call("2"))
    assert (await tasks[1]).word == "known"
    broker.give_up("a", "1")
    assert (await tasks[2]).word == "make"


async def test_a_call_that_all_need_is_taken_ahead_by_fewer() -> None:
    sent: asyncio.Queue[Message] = asyncio.Queue()
    calls = RemoteCalls("a", sent.put, room=8, shared_room=2)
    own = asyncio.create_task(calls.find("mine"))
    shared = asyncio.create_task(calls.find("ours", is_everyones=True))
    assert [(await sent.get())["room"], (await sent.get())["room"]] == [8, 2]
    for number, task in enumerate((own, shared)):
        calls.receive({"id": number, "word": "make"})
        assert await task is None


async def test_calls_of_a_worker_that_ends_are_made_by_who_waits() -> None:
    broker = CallBroker(Journal())
    one, other = await asking(broker, ("a", "k", 1), ("b", "k", 1))
    waits = (await asking(broker, ("a", "x", 1)))[0]
    broker.leave("a")
    assert (await other).word == "make"
    with pytest.raises(asyncio.CancelledError):
        await waits
    assert (await one).word == "make"


async def test_calls_that_come_while_others_are_saved_share_one_wait_for_the_disk() -> (
    None
):
    journal, blocks = Journal(), list[list[str]]()
    release = threading.Event()

    @contextmanager
    def together() -> Iterator[None]:
        before = set(journal.saved)
        yield
        blocks.append(sorted(set(journal.saved) - before))
        release.wait(30)

    broker = CallBroker(journal, together)
    first = asyncio.create_task(broker.keep("a", fakes.call("1")))
    while not blocks:
        await asyncio.sleep(0)
    rest = [asyncio.create_task(broker.keep("b", fakes.call(k))) for k in ("2", "3")]
    late = asyncio.create_task(broker.find("c", "3"))
    await asyncio.sleep(0)
    assert not first.done()
    release.set()
    assert [(await task).word for task in (first, *rest)] == ["kept"] * 3
    assert blocks == [["1"], ["2", "3"]]
    # It was looked up before the call was saved, and is told of it all the same.
    assert await late == CallReply("known", fakes.call("3"))


async def test_a_call_that_cannot_be_saved_keeps_no_other_from_it() -> None:
    class Picky(Journal):
        def save_call(self, record: CallRecord) -> None:
            if record.key == "bad":
                raise StoreError("no room for that")
            super().save_call(record)

    journal = Picky()

    @contextmanager
    def together() -> Iterator[None]:
        before = dict(journal.saved)
        try:
            yield
        except StoreError:
            journal.saved = before
            raise

    broker = CallBroker(journal, together)
    kept = [broker.keep("a", fakes.call(k)) for k in ("1", "bad", "2")]
    one, bad, two = await asyncio.gather(*kept, return_exceptions=True)
    assert (one, two) == (CallReply("kept"), CallReply("kept"))
    assert isinstance(bad, StoreError) and list(journal.saved) == ["1", "2"]


async def test_what_a_worker_asked_before_it_ended_is_not_given_to_it() -> None:
    broker = CallBroker(Journal())
    gone = asyncio.create_task(broker.find("a", "k"))
    await asyncio.sleep(0)
    broker.leave("a")  # while it is looked up
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert (await broker.find("b", "k")).word == "make"
    await broker.wait_for_journal()


async def test_a_worker_hears_that_the_journal_failed_or_its_run_is_gone() -> None:
    journal = Journal()
    broker = CallBroker(journal)
    sent: asyncio.Queue[Message] = asyncio.Queue()
    calls = RemoteCalls("a", sent.put)
    keeping = asyncio.create_task(calls.keep(fakes.call("k")))
    message = await sent.get()
    journal.is_full = True
    with pytest.raises(StoreError) as error:
        await broker.keep("a", CallRecord.model_validate_json(message["record"]))
    calls.receive({"id": message["id"], "error": str(error.value)})
    with pytest.raises(StoreError, match="the disk is full"):
        await keeping
    finding = asyncio.create_task(calls.find("k"))
    await sent.get()
    calls.lose("gone")
    with pytest.raises(ClusterLost, match="gone"):
        await finding
    with pytest.raises(ClusterLost, match="gone"):
        await calls.find("other")


# --- placing ------------------------------------------------------------------------


@dataclass
class FakeCluster:
    """Workers that do as they are told."""

    present: dict[str, int]
    does: Callable[[str, SampleTask], None] = lambda worker, task: None
    unfit: dict[str, Exception] = field(default_factory=dict)
    judged: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    is_lost: bool = False
    waits: asyncio.Event | None = None

    async def workers(self) -> Mapping[str, int]:
        if self.is_lost:
            raise ClusterLost("the scheduler is gone")
        return dict(self.present)

    async def prepare(self, worker: str) -> None:
        if worker in self.unfit:
            raise self.unfit[worker]

    async def judge(self, worker: str, task: SampleTask) -> JudgedSample:
        self.judged.append((worker, str(task.key)))
        self.does(worker, task)
        if self.waits is not None:
            await self.waits.wait()
        result = SampleResult(key=task.key, case=task.case, answer=task.answer)
        return JudgedSample(result, (f"noted {task.key.case_id}",), {3: 2})

    def drop(self, worker: str) -> None:
        self.dropped.append(worker)


def task_of(name: str) -> SampleTask:
    answer = fakes.answer(name)
    key = SampleKey(case_id=name, provider=answer.provider)
    return SampleTask(key, fakes.case(name), answer)


def force_of(cluster: FakeCluster, notes: list[str]) -> Workforce:
    return Workforce(cluster, notes.append, patience=0.05, look=0.01)


async def test_samples_go_where_there_is_room_and_notes_are_said_once() -> None:
    notes: list[str] = []
    cluster = FakeCluster({"a": 1, "b": 2}, waits=asyncio.Event())
    force = force_of(cluster, notes)
    await force.gather()
    assert force.room() == 3
    tasks = [asyncio.create_task(force.judge(task_of(n))) for n in ("1", "2", "3")]
    await settled()
    assert sorted(worker for worker, _ in cluster.judged) == ["a", "b", "b"]
    assert cluster.waits is not None
    cluster.waits.set()
    await asyncio.gather(*tasks, force.judge(task_of("1")))
    assert sorted(notes) == ["noted 1", "noted 2", "noted 3"]


async def test_what_the_searches_of_workers_took_is_added_up() -> None:
    with metering() as counted:
        force = force_of(FakeCluster({"a": 1}), [])
        await force.gather()
        await force.judge(task_of("1"))
        await force.judge(task_of("2"))
    assert counted.searched.take() == {3: 4}


async def test_a_sample_of_a_worker_that_ends_goes_to_another() -> None:
    notes: list[str] = []

    def ends(worker: str, task: SampleTask) -> None:
        if worker == "a":
            cluster.present.pop("a", None)
            raise WorkerGone("a")

    cluster = FakeCluster({"a": 2, "b": 1}, ends)
    force = force_of(cluster, notes)
    await force.gather()
    async with force.watching():
        result = await force.judge(task_of("1"))
    assert str(result.key) == "1/alpha/1"
    assert [worker for worker, _ in cluster.judged] == ["a", "b"]
    assert cluster.dropped == ["a"]
    assert notes[0] == "worker a ended; 1/alpha/1 goes to another"


async def test_a_worker_that_hangs_up_while_it_judges_is_seen_and_left() -> None:
    cluster = FakeCluster({"a": 2, "b": 1}, waits=asyncio.Event())
    force = force_of(cluster, [])
    await force.gather()
    async with force.watching():
        judging = asyncio.create_task(force.judge(task_of("1")))
        while not cluster.judged:
            await asyncio.sleep(0)
        del cluster.present["a"]
        assert cluster.waits is not None
        while len(cluster.judged) < 2:
            await asyncio.sleep(0)
        cluster.waits.set()
        await judging
    assert [worker for worker, _ in cluster.judged] == ["a", "b"]


async def test_a_sample_that_ends_three_workers_is_not_given_to_a_fourth() -> None:
    def ends(worker: str, task: SampleTask) -> None:
        cluster.present.pop(worker)
        raise WorkerGone(worker)

    cluster = FakeCluster({name: 1 for name in "abcd"}, ends)
    force = force_of(cluster, [])
    await force.gather()
    with pytest.raises(ClusterError, match="3 workers ended while they judged"):
        await force.judge(task_of("1"))
    assert len(cluster.judged) == 3


async def test_a_worker_whose_ollama_fails_is_set_aside_unless_it_is_the_last() -> None:
    notes: list[str] = []

    def fails(worker: str, task: SampleTask) -> None:
        if worker == "a" or task.key.case_id == "2":
            raise ServerDown("No Ollama answers.", "Start it.")

    cluster = FakeCluster({"a": 2, "b": 1}, fails)
    force = force_of(cluster, notes)
    await force.gather()
    await force.judge(task_of("1"))
    assert list(force.slots_by_worker()) == ["b"]
    assert "worker a is left out: Server does not answer: No Ollama answers." in notes
    with pytest.raises(ServerDown):
        await force.judge(task_of("2"))


async def test_a_run_begins_only_with_fit_workers_and_ends_without() -> None:
    force = force_of(FakeCluster({}), [])
    with pytest.raises(ClusterError, match="no workers"):
        await force.gather()
    missing = ModelMissing("no model 'm'", "pull it")
    cluster = FakeCluster({"a": 1, "b": 1}, unfit={"a": missing, "b": missing})
    with pytest.raises(ClusterError, match="none of 2 workers.*a: .*no model 'm'; b: "):
        await force_of(cluster, []).gather()
    del cluster.unfit["a"]
    force = force_of(cluster, [])
    await force.gather()
    cluster.present.clear()
    async with force.watching():
        while force.slots_by_worker():
            await asyncio.sleep(0)
        with pytest.raises(ClusterLost, match="no worker that can judge"):
            await force.judge(task_of("1"))


async def test_a_worker_that_comes_late_takes_part() -> None:
    notes: list[str] = []
    cluster = FakeCluster({"a": 1})
    force = force_of(cluster, notes)
    await force.gather()
    async with force.watching():
        cluster.present["b"] = 3
        while force.room() < 4:
            await asyncio.sleep(0)
    assert notes == ["worker b came, 3 samples at once"]


async def test_a_scheduler_that_is_lost_ends_what_is_judged() -> None:
    cluster = FakeCluster({"a": 1}, waits=asyncio.Event())
    force = force_of(cluster, [])
    await force.gather()
    async with force.watching():
        judging = asyncio.create_task(force.judge(task_of("1")))
        while not cluster.judged:
            await asyncio.sleep(0)
        cluster.is_lost = True
        with pytest.raises(ClusterLost, match="the scheduler is gone"):
            await judging


async def test_a_coordinator_that_cannot_be_asked_any_more_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Client:
        status = "running"  # it came back, but the question was cut off

        async def nthreads(self) -> dict[str, int]:
            return {"a": 1}

    class Cut:
        async def get(self, **_: object) -> object:
            raise OSError("the connection was closed")

        def close(self) -> None: ...

    async def queue(name: str, client: object) -> Cut:
        return Cut()

    monkeypatch.setattr("distributed.Queue", queue)
    recipe = cast(RunRecipe, SimpleNamespace(token="t"))
    cluster = DaskCluster(cast(Any, Client()), recipe, cast(Any, None))
    async with cluster.answering(CallBroker(Journal())):
        assert await cluster.workers() == {"a": 1}
        await settled()
        with pytest.raises(ClusterLost, match="was lost"):
            await cluster.workers()


# --- what travels -------------------------------------------------------------------


def test_a_recipe_travels_without_addresses_and_secrets() -> None:
    settings = Settings.model_validate(
        {
            "ollama_host": "gpu-1:11434",
            "chroma_token": "sesame-4711",
            "cluster": "tcp://box:8786",
            "votes": 5,
        }
    )
    recipe = RunRecipe(
        "t", "1", travelling(settings), Models(), "general", (), None, None
    )
    sent = pickle.dumps(recipe)
    assert not any(word in sent for word in (b"sesame", b"gpu-1", b"tcp://"))
    assert pickle.loads(sent) == recipe
    assert recipe.settings.votes == 5


def test_what_a_worker_has_otherwise_is_named() -> None:
    wanted = Models(embedding="e@1", model="m", model_digest="a" * 64)
    found = Models(embedding="e@1", model="m", model_digest=None)
    assert differences(wanted, wanted) == []
    assert differences(wanted, found) == [
        f"the model's weights: none there, {'a' * 64} here"
    ]


def test_a_copied_corpus_is_the_corpus() -> None:
    pages = [
        fakes.page("b", "Herons nest on the dam. They leave in May."),
        fakes.page("a", "The keeper counts herons."),
    ]
    here = MemoryCorpus("dam", pages, fakes.FakeEmbedder())
    copy: CorpusCopy = pickle.loads(pickle.dumps(copy_of(here)))
    there = CopiedCorpus(copy, fakes.FakeEmbedder())
    assert (there.name, there.version) == (here.name, here.version)
    assert there.page_ids() == here.page_ids()
    for page_id in here.page_ids():
        assert there.page(page_id) == here.page(page_id)
        assert there.sentences(page_id) == here.sentences(page_id)
        assert (there.vectors(page_id) == here.vectors(page_id)).all()
    assert there.search("herons", k=2) == here.search("herons", k=2)
