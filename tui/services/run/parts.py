"""What a run is judged with, put together in one place from open pages and models."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from claimscope.core.backends.dask.dask_cluster import DaskCluster
from claimscope.core.ports import CallLog, ChatModel, Corpus, Embedder, RunWriter
from claimscope.core.report.text import one_line
from claimscope.core.run.cluster.coordinator_calls import CallDesk
from claimscope.core.run.cluster.scheduler import Workforce
from claimscope.core.run.plan import Models
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap import Chats, ServicesFor, models_of, services_for
from claimscope.tui.ports.model_watch import ModelWatch
from claimscope.tui.process.output import say


@dataclass(frozen=True)
class RunParts:
    """Everything a run needs."""

    corpus: Corpus | None
    models: Models
    services: ServicesFor
    judging: tuple[ChatModel, ...] = ()
    """The language models whose word counts."""
    watch: ModelWatch = field(default_factory=ModelWatch)
    """Tells what those models do meanwhile."""
    workers: Workers | None = None
    """Who judges, when that is a cluster."""


def parts_of(
    settings: Settings,
    embedder: Embedder,
    corpus: Corpus | None,
    chats: Chats | None,
    rubric: str,
    metrics: tuple[str, ...],
    *,
    watch: ModelWatch | None = None,
    workers: Workers | None = None,
) -> RunParts:
    """The parts of a run whose pages and models are open: the one place where models,
    verifiers and graders are put together, for a run, a check, a program, a worker."""
    return RunParts(
        corpus,
        models_of(settings, embedder, chats),
        services_for(settings, corpus, embedder, chats, rubric, metrics),
        chats.judging(1) if chats else (),
        watch or ModelWatch(),
        workers,
    )


class Workers:
    """Workers that are fit for one recipe."""

    def __init__(self, cluster: DaskCluster) -> None:
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
        desk = CallDesk(calls, journal.together)
        async with self.cluster.answering(desk), self.force.watched():
            yield self.force
