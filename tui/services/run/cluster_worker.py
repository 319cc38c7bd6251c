"""What a worker of a cluster does: open a run's recipe once, then judge its samples.

A worker asks its own Ollama, as the environment and settings file of its machine name
it. It keeps nothing on disk; when it does not hear from the coordinator any more, it
forgets the run.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import uuid
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from claimscope.core.errors import ClusterError, ClusterLost
from claimscope.core.models import Answer, Case, SampleKey
from claimscope.core.ports import Corpus, Embedder
from claimscope.core.run.cluster.recipe import (
    OWN,
    CorpusCopy,
    JudgedSample,
    RunRecipe,
    ServerCorpus,
    differences,
)
from claimscope.core.run.cluster.worker_calls import Message, RemoteCalls
from claimscope.core.run.fallback_notices import telling
from claimscope.core.run.meters import metering
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.services.scoring import MemoEmbedder
from claimscope.core.settings import Settings
from claimscope.core.telemetry import switch_off
from claimscope.core.verify.decomposition import decompose
from claimscope.stores.index.memory_corpus import CopiedCorpus
from claimscope.stores.workspace.configuration import load
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.judges import (
    ServicesFor,
    chat_models,
    make_embedder,
    models_of,
    services_for,
)
from claimscope.tui.bootstrap.servers import chroma_of
from claimscope.tui.process.version import version

if TYPE_CHECKING:
    from distributed import Queue, Worker

AHEAD = 8
"""Calls asked for at once for each that Ollama takes: it chooses among those that wait
by what it has just read (core/backends/pool/scheduler.py)."""
LIT = "The light at the harbour was lit in 1830. Its keeper paints the lantern room."
SILENCE_SECONDS = 120.0
"""So long without a word from the coordinator, and it is gone."""


@dataclass
class Session:
    """A run on this worker."""

    stack: AsyncExitStack
    calls: RemoteCalls
    services: ServicesFor
    judging: set[asyncio.Task[Any]] = field(default_factory=set)

    async def judge(self, task: SampleTask) -> JudgedSample:
        """Raises what judging raises."""
        services = self.services(self.calls, task.key.iteration)
        services = telling(services, task.key, self.calls)
        with metering() as counted:
            own = asyncio.create_task(evaluate(task, services))
        self.judging.add(own)
        try:
            result = await own
            searched = counted.searched.take()
            return JudgedSample(result, self.calls.take_notes(), searched)
        finally:
            self.judging.discard(own)

    async def close(self) -> None:
        """Ends what is judged and gives the connections up."""
        for task in tuple(self.judging):
            task.cancel()
        await asyncio.gather(*self.judging, return_exceptions=True)
        with contextlib.suppress(OSError, TimeoutError):
            await self.stack.aclose()


SESSIONS: dict[tuple[str, str], Session] = {}
"""Of this process by token of the run and address of the worker; a process may hold
several workers."""


async def open_session(recipe: RunRecipe, asking: str, dask_worker: Worker) -> str:
    """Makes ready what the run needs; gives the name by which this worker asks.

    Raises ClusterError for what differs, and what opening models and pages raises.
    """
    switch_off()
    check_program(recipe)
    await close_session(recipe.token, dask_worker)
    settings = own_settings(recipe.settings)
    stack = AsyncExitStack()
    try:
        name, calls, answers = await listen(asking, dask_worker, stack)
        at_once = settings.calls_at_once
        calls.room, calls.shared_room = AHEAD * at_once, 1 + at_once
        services = await services_of(recipe, settings, stack)
        await warm_up(services(calls, 1))
        # Only now: loading may take long, and the coordinator knows the name later.
        hearing = asyncio.create_task(hear(answers, calls, recipe.token, dask_worker))
        stack.callback(hearing.cancel)
    except BaseException:
        await stack.aclose()
        raise
    SESSIONS[recipe.token, dask_worker.address] = Session(stack, calls, services)
    return name


async def judge_there(token: str, address: str, task: SampleTask) -> JudgedSample:
    """A sample of an open run. Raises what judging raises."""
    session = SESSIONS.get((token, address))
    if session is None:
        raise ClusterLost(f"worker {address} has forgotten this run")
    return await session.judge(task)


async def close_session(token: str, dask_worker: Worker) -> None:
    """Forgets a run; harmless when done before."""
    session = SESSIONS.pop((token, dask_worker.address), None)
    if session is not None:
        await session.close()


def check_program(recipe: RunRecipe) -> None:
    """Raises ClusterError when this is another version of the program."""
    if recipe.version != version():
        raise ClusterError(
            f"claimscope {version()} is installed there, {recipe.version} here",
            "install the same version on both",
        )


def own_settings(settings: Settings) -> Settings:
    """The run's settings with what is this machine's own. Raises SettingsError."""
    own = load(Workspace.find(None).root, {}).settings
    return settings.model_copy(update={name: getattr(own, name) for name in OWN})


async def services_of(
    recipe: RunRecipe, settings: Settings, stack: AsyncExitStack
) -> ServicesFor:
    """Services as the coordinator has them. Raises ClusterError, ModelError."""
    embedder = MemoEmbedder(await asyncio.to_thread(loaded_embedder, settings))
    asked = settings.model_copy(update={"context_tokens": recipe.context_tokens})
    chats = await stack.enter_async_context(chat_models(asked))
    found = await asyncio.to_thread(models_of, settings, embedder, chats)
    if different := differences(recipe.models, found):
        raise ClusterError(
            "it would judge by something else: " + "; ".join(different),
            "give it the same models and the same version of claimscope",
        )
    corpus = await asyncio.to_thread(corpus_of, recipe, settings, embedder)
    if isinstance(recipe.corpus, ServerCorpus) and corpus is not None:
        stack.enter_context(closing(cast(Any, corpus)))
    return services_for(
        settings, corpus, embedder, chats, recipe.rubric, recipe.metrics
    )


def loaded_embedder(settings: Settings) -> Embedder:
    """The embedder, with its model in memory."""
    embedder = make_embedder(settings)
    embedder.embed(["ready"])
    decompose("It rains.")  # spaCy takes seconds to load; the loop must not wait for it
    return embedder


async def warm_up(services: Services) -> None:
    """Judges a made-up sample without a language model: what is loaded at first use is
    loaded when the first sample comes, which would keep the model waiting."""
    case = Case(id="warm-up", question="When was it lit?", contexts=(LIT,))
    task = SampleTask(
        SampleKey(case_id=case.id, provider="none"),
        case,
        Answer(case_id=case.id, provider="none", text="The light was lit in 1831 [1]."),
    )
    alone = Services(
        services.embedder,
        services.reader or services.verifier,
        services.settings,
        reader=services.reader,
        metrics=services.metrics,
    )
    await evaluate(task, alone)


def corpus_of(
    recipe: RunRecipe, settings: Settings, embedder: Embedder
) -> Corpus | None:
    """The run's corpus, in this worker's memory or on the Chroma server."""
    if recipe.corpus is None:
        return None
    if isinstance(recipe.corpus, CorpusCopy):
        return CopiedCorpus(recipe.corpus, embedder)
    from claimscope.stores.index.chroma_server import ServedCorpus

    wanted = recipe.corpus
    server = chroma_of(settings.model_copy(update={"chroma_url": wanted.url}))
    assert server is not None
    corpus = ServedCorpus(server, wanted.name, embedder)
    if corpus.version != wanted.version:
        raise ClusterError(
            f"the corpus {wanted.name!r} on {wanted.url} is {corpus.version[:12]}, "
            f"this run needs {wanted.version[:12]}",
            "index the pages again with that server, then start again",
        )
    return corpus


# --- the way to the coordinator -----------------------------------------------------


async def listen(
    asking: str, worker: Worker, stack: AsyncExitStack
) -> tuple[str, RemoteCalls, Queue]:
    """Calls that are kept by the coordinator, and where it answers, until the stack is
    closed."""
    from distributed import Client, Queue

    client = await Client(
        worker.scheduler.address,
        asynchronous=True,
        set_as_default=False,
        security=worker.security,
        name="claimscope",
    )
    stack.push_async_callback(client.close)
    name = f"{asking}-{uuid.uuid4().hex}"
    asked = await Queue(asking, client=client)
    answers = await Queue(name, client=client)
    stack.callback(asked.close)
    stack.callback(answers.close)

    async def send(message: Message) -> None:
        await asked.put(message)

    calls = RemoteCalls(name, send)
    return name, calls, answers


async def hear(answers: Queue, calls: RemoteCalls, token: str, worker: Worker) -> None:
    """Passes answers on, until the coordinator is silent for long."""
    try:
        while True:
            calls.receive(await answers.get(timeout=SILENCE_SECONDS))
    except (OSError, TimeoutError, KeyError):
        calls.lose("the coordinator of this run is gone")
        print("claimscope: the coordinator of a run is gone", file=sys.stderr)
        # Not from here: closing would cancel this very task.
        closing = asyncio.create_task(close_session(token, worker))
        CLOSING.add(closing)
        closing.add_done_callback(CLOSING.discard)


CLOSING: set[asyncio.Task[None]] = set()
"""Held until they are done; the loop alone would let them go."""
