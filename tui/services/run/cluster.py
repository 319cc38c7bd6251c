"""The coordinator of a run on a cluster: what `--cluster ADDRESS` puts together."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimscope.core.ports import CallLog, Corpus, RunWriter
from claimscope.core.report.text import one_line
from claimscope.core.run.cluster.coordinator_calls import CallBroker
from claimscope.core.run.cluster.recipe import (
    CorpusCopy,
    RunRecipe,
    ServerCorpus,
    copy_of,
    travelling,
)
from claimscope.core.run.cluster.scheduler import ClusterConnection, Workforce
from claimscope.core.run.plan import Models
from claimscope.core.settings import Settings
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.bootstrap.servers import cluster_client, cluster_of
from claimscope.tui.process.output import say
from claimscope.tui.process.version import version
from claimscope.tui.services.run.cluster_worker import (
    close_session,
    judge_there,
    open_session,
)

if TYPE_CHECKING:
    from distributed import Client


def corpus_for_workers(corpus: Corpus, settings: Settings) -> CorpusCopy | ServerCorpus:
    """The corpus as workers get it: all of it, or where it is on a Chroma server."""
    if settings.chroma_url is None:
        return copy_of(corpus)
    return ServerCorpus(corpus.name, corpus.version, settings.chroma_url)


@dataclass
class Coordinator:
    """A connection to a scheduler, which becomes a workforce when models and pages
    are known."""

    client: Client

    def recipe(
        self,
        settings: Settings,
        models: Models,
        corpus: Corpus | None,
        rubric: str,
        metrics: tuple[str, ...],
        context_tokens: int | None,
    ) -> RunRecipe:
        """What every worker of a run needs."""
        return RunRecipe(
            uuid.uuid4().hex[:12],
            version(),
            travelling(settings),
            models,
            rubric,
            metrics,
            context_tokens,
            corpus_for_workers(corpus, settings) if corpus is not None else None,
        )

    @asynccontextmanager
    async def workers(self, recipe: RunRecipe) -> AsyncIterator[Workers]:
        """Fit workers. Raises ClusterError."""
        cluster = cluster_of(
            self.client, recipe, open_session, judge_there, close_session
        )
        workers = Workers(cluster)
        try:
            async with cluster.heartbeat():
                await workers.force.gather()
                places = workers.force.slots_by_worker()
                say(
                    f"cluster: {counted_noun(len(places), 'worker')}, "
                    f"{counted_noun(sum(places.values()), 'sample')} "
                    "at once"
                )
                yield workers
        finally:
            await cluster.close()


@asynccontextmanager
async def coordinator(address: str) -> AsyncIterator[Coordinator]:
    """Connected to the scheduler there. Raises ClusterError."""
    async with cluster_client(address) as client:
        yield Coordinator(client)


class Workers:
    """Workers that are fit for one recipe."""

    def __init__(self, cluster: ClusterConnection) -> None:
        self.cluster = cluster
        self.force = Workforce(cluster, self._note)
        self._calls: CallLog | None = None

    def _note(self, message: str) -> None:
        if self._calls is not None:
            self._calls.save_note(message)
        say(f"note: {one_line(message)}")

    @asynccontextmanager
    async def at_work(
        self, calls: CallLog, journal: RunWriter
    ) -> AsyncIterator[Workforce]:
        """Judges for a run whose calls are looked up and saved in `calls`, which is
        its journal or in front of it."""
        self._calls = calls
        broker = CallBroker(calls, journal.together)
        async with self.cluster.answering(broker), self.force.watching():
            yield self.force
