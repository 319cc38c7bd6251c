"""What a run is judged with, put together in one place from open pages and models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimscope.core.ports import ChatModel, Corpus, Embedder, ModelState, OnState
from claimscope.core.run.plan import Models
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap.judges import Chats, ServicesFor, models_of, services_for

if TYPE_CHECKING:
    from claimscope.core.verify.witnesses.response_bias import KeptRates
    from claimscope.tui.services.run.cluster import Workers


class ModelWatch:
    """Tells what models do to all listeners, in the order they joined: the client is
    made before the run's journal and its progress line are."""

    def __init__(self) -> None:
        self._listeners: list[OnState] = []

    def __call__(self, state: ModelState) -> None:
        for listener in self._listeners:
            listener(state)

    def add(self, listener: OnState) -> None:
        self._listeners.append(listener)


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
    kept: KeptRates | None = None,
) -> RunParts:
    """The parts of a run whose pages and models are open, for a run, a check or a
    program; `kept` as of `services_for`."""
    return RunParts(
        corpus,
        models_of(settings, embedder, chats),
        services_for(settings, corpus, embedder, chats, rubric, metrics, kept),
        chats.judging(1) if chats else (),
        watch or ModelWatch(),
    )
