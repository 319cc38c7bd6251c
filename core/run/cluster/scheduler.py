"""Which worker judges which sample, and what happens to samples of a worker that ends.

A worker takes samples only when it was found fit: it has the corpus, the models with
the same weights, the same program. One that ends in the middle loses nothing, because
its sample is judged by another; one whose own Ollama fails is set aside, and looked at
again later.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from claimscope.core.errors import (
    ClaimscopeError,
    ClusterError,
    ClusterLost,
    ModelMissing,
    ServerDown,
)
from claimscope.core.models import SampleResult
from claimscope.core.run.cluster.coordinator_calls import CallBroker
from claimscope.core.run.cluster.recipe import JudgedSample
from claimscope.core.run.meters import meters
from claimscope.core.run.plan import SampleTask
from claimscope.core.text.plurals import counted_noun

ENDINGS = 3
"""So many workers may end while they judge a sample; then it is thought to be why."""
PATIENCE = 60.0
"""Seconds without a fit worker until the run ends, to be resumed later."""
LOOK = 1.0
"""Seconds between looks at who is there."""
AGAIN = 10.0
"""Seconds until an unfit worker is looked at again."""
OF_THE_WORKER = (ServerDown, ModelMissing)
"""Errors that another worker may not have."""


class WorkerGone(Exception):
    """It ended, or the connection to it did."""


class Cluster(Protocol):
    """Workers by address (core/backends/dask/dask_cluster.py)."""

    async def workers(self) -> Mapping[str, int]:
        """Address and number of samples at once of each that is there. Raises
        ClusterLost."""

    async def prepare(self, worker: str) -> None:
        """Makes a worker ready. Raises ClaimscopeError that says why it cannot be,
        WorkerGone."""

    async def judge(self, worker: str, task: SampleTask) -> JudgedSample:
        """Raises ClaimscopeError, WorkerGone; cancelled when the worker is dropped."""

    def drop(self, worker: str) -> None:
        """It is gone: what waits for it need not."""


class ClusterConnection(Cluster, Protocol):
    """The same for one run, with what its workers ask the coordinator."""

    def answering(self, desk: CallBroker) -> AbstractAsyncContextManager[None]:
        """Answers the workers' model calls from there meanwhile."""

    def heartbeat(self) -> AbstractAsyncContextManager[None]:
        """Lets the workers hear meanwhile that the coordinator is there."""

    async def close(self) -> None:
        """Has the workers forget the run."""


@dataclass
class _Fit:
    """A worker that takes samples."""

    address: str
    slots: int
    busy: int = 0


@dataclass
class Workforce:
    """The fit workers of a cluster."""

    cluster: Cluster
    on_note: Callable[[str], None]
    patience: float = PATIENCE
    look: float = LOOK
    _fit: dict[str, _Fit] = field(default_factory=dict)
    _unfit: dict[str, float] = field(default_factory=dict)
    """Address → when it may be looked at again."""
    _reasons: dict[str, str] = field(default_factory=dict)
    _preparing: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _judging: dict[str, set[asyncio.Task[JudgedSample]]] = field(default_factory=dict)
    """What each worker judges now."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _watching: asyncio.Task[None] | None = None
    _said: set[str] = field(default_factory=set)

    async def gather(self) -> None:
        """Makes ready whoever is there. Raises ClusterError with the reason of each
        when none is fit, ClusterLost."""
        present = await self.cluster.workers()
        if not present:
            raise ClusterError(
                "the scheduler has no workers",
                "start some on the machines that shall judge: dask worker ADDRESS",
            )
        await asyncio.gather(*(self._prepare(w, n) for w, n in present.items()))
        if not self._fit:
            reasons = "; ".join(f"{w}: {self._reasons[w]}" for w in sorted(present))
            raise ClusterError(
                f"none of {counted_noun(len(present), 'worker')} can judge this "
                f"run: {reasons}",
                "mend that on the workers, then start again",
            )

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Sees workers come and go meanwhile."""
        self._watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            tasks = [self._watching, *self._preparing.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def room(self) -> int:
        """Samples that can be judged at once; 1 while nobody can, so that one waits."""
        return max(1, sum(worker.slots for worker in self._fit.values()))

    def slots_by_worker(self) -> dict[str, int]:
        """Address and samples at once of each fit worker."""
        return {worker.address: worker.slots for worker in self._fit.values()}

    async def judge(self, task: SampleTask) -> SampleResult:
        """The result of a sample, by whichever worker. Raises what judging it raised,
        ClusterError for a sample that ends workers, ClusterLost when nobody is left."""
        ended: list[str] = []
        while True:
            worker = await self._free_worker()
            worker.busy += 1
            try:
                judged = await self._ask(worker, task)
            except WorkerGone:
                self._lose(worker.address)
                ended.append(worker.address)
                if len(ended) == ENDINGS:
                    raise ClusterError(
                        f"{ENDINGS} workers ended while they judged this sample: "
                        + ", ".join(ended),
                        "look into the log of one of them: memory, most often",
                    ) from None
                self._say(f"worker {worker.address} ended; {task.key} goes to another")
            except OF_THE_WORKER as error:
                if not self._set_aside(worker.address, error):
                    raise
            else:
                for note in judged.notes:
                    self._say(note)
                meters().searched.add_all(judged.searched)
                return judged.result
            finally:
                worker.busy -= 1
                self._changed.set()

    async def _ask(self, worker: _Fit, task: SampleTask) -> JudgedSample:
        asking = asyncio.create_task(self.cluster.judge(worker.address, task))
        mine = self._judging.setdefault(worker.address, set())
        mine.add(asking)
        try:
            await asyncio.wait({asking})
        except asyncio.CancelledError:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            raise
        finally:
            mine.discard(asking)
        if asking.cancelled():
            raise WorkerGone(worker.address)
        return asking.result()

    async def _free_worker(self) -> _Fit:
        """The fit worker with the most room, when there is one. Raises ClusterLost."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience
        while True:
            self._check_watch()
            open_ones = [w for w in self._fit.values() if w.busy < w.slots]
            if open_ones:
                return max(open_ones, key=lambda w: w.slots - w.busy)
            if self._fit:
                until = loop.time() + self.patience
            elif loop.time() > until:
                raise ClusterLost(
                    f"no worker that can judge was there for {self.patience:.0f} s",
                    "start workers, then `claimscope runs resume` it with --cluster",
                )
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), self.look)

    def _check_watch(self) -> None:
        if self._watching is not None and self._watching.done():
            self._watching.result()  # raises: the scheduler is gone
            raise ClusterLost("the scheduler is not looked at any more")

    # --- coming and going -------------------------------------------------------

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self.look)
            try:
                self._compare_workers(await self.cluster.workers())
            except ClusterLost:
                # What is out there comes back to nobody.
                for worker in list(self._judging):
                    self._lose(worker)
                self._changed.set()
                raise

    def _compare_workers(self, present: Mapping[str, int]) -> None:
        now = asyncio.get_running_loop().time()
        for worker in {*self._fit, *self._unfit} - set(present):
            self._lose(worker)
        for worker, slots in present.items():
            is_due = self._unfit.get(worker, 0.0) <= now
            if worker not in self._fit and worker not in self._preparing and is_due:
                task = asyncio.create_task(self._prepare(worker, slots))
                self._preparing[worker] = task
                task.add_done_callback(partial(self._end_preparing, worker))

    def _end_preparing(self, worker: str, _: asyncio.Task[None]) -> None:
        self._preparing.pop(worker, None)

    async def _prepare(self, worker: str, slots: int) -> None:
        try:
            await self.cluster.prepare(worker)
        except ClaimscopeError as error:
            self._set_aside(worker, error)
        except WorkerGone:
            self._reasons[worker] = "it ended"
        else:
            is_late = self._watching is not None
            self._unfit.pop(worker, None)
            self._fit[worker] = _Fit(worker, slots)
            self._changed.set()
            if is_late:
                self._say(
                    f"worker {worker} came, {counted_noun(slots, 'sample')} at once"
                )

    def _set_aside(self, worker: str, error: ClaimscopeError) -> bool:
        """False when it is the only one that was fit, so that nobody else can try."""
        others = set(self._fit) - {worker}
        self._reasons[worker] = f"{error.title}: {error.message}"
        if not others and worker in self._fit:
            return False
        self._fit.pop(worker, None)
        self._unfit[worker] = asyncio.get_running_loop().time() + AGAIN
        self._say(f"worker {worker} is left out: {self._reasons[worker]}")
        return True

    def _lose(self, worker: str) -> None:
        self._fit.pop(worker, None)
        self._unfit.pop(worker, None)
        self.cluster.drop(worker)
        for task in self._judging.pop(worker, set()):
            task.cancel()
        self._changed.set()

    def _say(self, note: str) -> None:
        """Once: every worker notes the same of the same model."""
        if note not in self._said:
            self._said.add(note)
            self.on_note(note)
