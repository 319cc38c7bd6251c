"""A Dask cluster as the scheduler of samples and the broker of calls need one.

Samples are tasks bound to one worker each, because the scheduler knows which are fit.
Model calls are asked for through queues that the scheduler keeps, so that no worker
needs a way to the coordinator but the one that Dask has anyway.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from claimscope.core.errors import ClaimscopeError, ClusterError, ClusterLost
from claimscope.core.models import CallRecord
from claimscope.core.run.cluster.coordinator_calls import CallBroker, CallReply
from claimscope.core.run.cluster.recipe import JudgedSample, RunRecipe
from claimscope.core.run.cluster.scheduler import WorkerGone
from claimscope.core.run.cluster.worker_calls import Message
from claimscope.core.run.plan import SampleTask

if TYPE_CHECKING:
    from distributed import Client, Queue

CONNECT_SECONDS = 10
BEAT_SECONDS = 5.0
"""How often workers hear from the coordinator (see cluster_worker)."""


@dataclass(frozen=True)
class WorkerFunctions:
    """What runs on a worker. Functions of a module that workers import by its name."""

    open: Callable[..., Awaitable[str]]
    """(recipe, asking queue, worker) → the name by which it asks."""
    judge: Callable[..., Awaitable[JudgedSample]]
    """(token, address, task)."""
    close: Callable[..., Awaitable[None]]
    """(token, worker)."""


@contextlib.asynccontextmanager
async def connect(address: str) -> AsyncIterator[Client]:
    """A client of the scheduler there. Raises ClusterError."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            "the package `distributed` is not installed",
            "pip install 'claimscope[cluster]', here and on each worker",
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions are compared by us, in words
            client = await Client(
                address,
                asynchronous=True,
                set_as_default=False,
                timeout=CONNECT_SECONDS,
            )
    except (OSError, ValueError, TypeError) as error:  # TimeoutError is an OSError
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterError(
            f"no Dask scheduler answers at {address}: {reason}",
            "start one with `dask scheduler`, and give --cluster the address that it "
            "prints, e.g. tcp://box:8786",
        ) from None
    try:
        yield client
    finally:
        with contextlib.suppress(OSError, TimeoutError):
            await client.close()


@dataclass
class DaskCluster:
    """The workers of a scheduler, for one recipe (core.run.cluster.scheduler)."""

    client: Client
    recipe: RunRecipe
    functions: WorkerFunctions
    _names: dict[str, str] = field(default_factory=dict)
    """Address → name by which the worker asks for calls."""
    _answers: dict[str, Queue] = field(default_factory=dict)
    """By that name."""
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    broker: CallBroker | None = None
    _answering: asyncio.Task[None] | None = None

    @property
    def asking(self) -> str:
        """Name of the queue in which workers ask."""
        return f"claimscope-{self.recipe.token}"

    # --- workers ------------------------------------------------------------------

    async def workers(self) -> Mapping[str, int]:
        is_deaf = self._answering is not None and self._answering.done()
        if self.client.status != "running" or is_deaf:
            raise gone(self.client)
        try:
            threads: Mapping[str, int] = await self.client.nthreads()
        except (OSError, TimeoutError) as error:
            raise gone(self.client) from error
        return dict(threads)

    async def prepare(self, worker: str) -> None:
        try:
            found = await self.client.run(
                self.functions.open,
                self.recipe,
                self.asking,
                workers=[worker],
                on_error="return",
            )
        except (OSError, TimeoutError, ValueError, KeyError) as error:
            raise WorkerGone(worker) from error
        answer = found.get(worker)
        if isinstance(answer, ClaimscopeError):
            raise answer
        if isinstance(answer, ImportError):
            raise ClusterError(
                f"claimscope cannot be imported there: {answer}",
                "install the same version of it in the worker's environment",
            )
        if isinstance(answer, OSError) or answer is None:
            raise WorkerGone(worker)
        if isinstance(answer, Exception):
            raise ClusterError(f"{type(answer).__name__}: {answer}")
        self._names[worker] = answer
        self._answers[answer] = await self._queue(answer)

    async def judge(self, worker: str, task: SampleTask) -> JudgedSample:
        """Has a sample judged there. Raises what judging it raised, WorkerGone."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        future = self.client.submit(
            self.functions.judge,
            self.recipe.token,
            worker,
            task,
            key=f"claimscope-{self.recipe.token}-{next(self._numbers)}",
            workers=[worker],
            allow_other_workers=False,
            pure=False,
        )
        try:
            judged: JudgedSample = await future
        except (FutureCancelledError, KilledWorker, ClusterLost) as error:
            raise WorkerGone(worker) from error  # or it has forgotten the run
        finally:
            future.release()
        return judged

    def drop(self, worker: str) -> None:
        """It is gone: nobody waits for its calls."""
        name = self._names.pop(worker, None)
        if name is None:
            return
        self._answers.pop(name).close()
        if self.broker is not None:
            self.broker.leave(name)

    async def close(self) -> None:
        """Ends what still runs on the workers, and forgets the run there."""
        names = list(self._names)
        if self.client.status != "running" or not names:
            return
        with contextlib.suppress(OSError, TimeoutError, ValueError, KeyError):
            await self.client.run(
                self.functions.close,
                self.recipe.token,
                workers=names,
                on_error="ignore",
            )
        for worker in names:
            self.drop(worker)

    # --- model calls --------------------------------------------------------------

    async def _queue(self, name: str) -> Queue:
        from distributed import Queue

        queue: Queue = await Queue(name, client=self.client)
        return queue

    @contextlib.asynccontextmanager
    async def answering(self, broker: CallBroker) -> AsyncIterator[None]:
        """Answers the workers from that broker meanwhile."""
        self.broker = broker
        asking = await self._queue(self.asking)
        answering = asyncio.create_task(self._answer_all(asking, broker))
        self._answering = answering
        try:
            yield
        finally:
            self._answering = None
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
            await broker.wait_for_journal()
            asking.close()

    @contextlib.asynccontextmanager
    async def heartbeat(self) -> AsyncIterator[None]:
        """Lets the workers hear meanwhile that somebody is still there: also while
        others are made ready, and while a run is paused."""
        beating = asyncio.create_task(self._beat())
        try:
            yield
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)

    async def _answer_all(self, asking: Queue, broker: CallBroker) -> None:
        answering: set[asyncio.Task[None]] = set()
        try:
            while True:
                for message in await asking.get(batch=True) or [await asking.get()]:
                    task = asyncio.create_task(self._answer(broker, message))
                    answering.add(task)
                    task.add_done_callback(answering.discard)
        finally:
            for task in answering:
                task.cancel()
            await asyncio.gather(*answering, return_exceptions=True)

    async def _answer(self, broker: CallBroker, message: Message) -> None:
        worker = str(message["worker"])
        if message["op"] == "give_up":
            return broker.give_up(worker, str(message["key"]))
        try:
            if message["op"] == "find":
                room, key = int(message["room"]), str(message["key"])
                answer = as_message(await broker.find(worker, key, room))
            else:
                record = CallRecord.model_validate_json(message["record"])
                answer = as_message(await broker.keep(worker, record))
        except Exception as error:  # the worker waits, whatever it is
            answer = {"error": str(error) or type(error).__name__}
        await self._send(worker, {**answer, "id": message["id"]})

    async def _send(self, name: str, message: Message) -> None:
        queue = self._answers.get(name)
        if queue is not None:
            # A KeyError of the scheduler's: the queue of a worker that ended.
            with contextlib.suppress(OSError, TimeoutError, KeyError):
                await queue.put(message)

    async def _beat(self) -> None:
        while True:
            for name in list(self._answers):
                await self._send(name, {"id": -1})
            await asyncio.sleep(BEAT_SECONDS)


def as_message(answer: CallReply) -> Message:
    """As it crosses the network."""
    message: dict[str, Any] = {"word": answer.word}
    if answer.record is not None:
        message["record"] = answer.record.model_dump_json()
    return message


def gone(client: Client) -> ClusterLost:
    """The error when the scheduler does not answer any more."""
    scheduler = getattr(client, "scheduler", None)
    address = getattr(scheduler, "address", "the scheduler")
    return ClusterLost(
        f"the connection to {address} was lost",
        "start it again, then `claimscope runs resume` the run with --cluster",
    )
