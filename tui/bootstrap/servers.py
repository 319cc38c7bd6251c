"""What answers over a network: servers of models, Chroma, a cluster's scheduler."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from claimscope.core.ports import ModelServer
from claimscope.core.report.text import one_line
from claimscope.core.settings import Settings
from claimscope.tui.process.output import say

if TYPE_CHECKING:
    from distributed import Client

    from claimscope.core.backends.hosted.chat import HostedChat, ModelHost
    from claimscope.core.backends.ollama.server import OllamaHost
    from claimscope.core.run.cluster.recipe import JudgedSample, RunRecipe
    from claimscope.core.run.cluster.scheduler import ClusterConnection
    from claimscope.stores.index.chroma_connection import ChromaServer


def say_note(message: str) -> None:
    """Says it to people; it is kept nowhere."""
    say(f"note: {one_line(message)}")


# --- language models ----------------------------------------------------------------


def model_servers(settings: Settings) -> Sequence[ModelServer]:
    """Each once, to be listed; none is asked yet. Raises SettingsError, and InputError
    when a client library is missing."""
    from claimscope.core.backends.pool.configured import hosts_of

    return hosts_of(settings)


def ollama_servers(settings: Settings) -> Sequence[OllamaHost]:
    """Each once, to fetch models. Raises SettingsError."""
    from claimscope.core.backends.pool.configured import ollama_hosts

    return ollama_hosts(settings)


def runs_elsewhere(model: str) -> bool:
    """Whether the name says that Ollama asks somebody else's server for it."""
    from claimscope.core.backends.hosted.model_list import is_cloud

    return is_cloud(model)


@asynccontextmanager
async def model_on_one_server(
    settings: Settings, name: str, context_tokens: int
) -> AsyncIterator[tuple[HostedChat, ModelHost]]:
    """A model on the first server that answers, after all were seen to hold the same
    weights: of several, a call goes to whichever is free. Raises ServerDown,
    ModelMissing, ModelError."""
    from claimscope.core.backends.pool.configured import limits_of, pool_of
    from claimscope.core.backends.pool.pool import ModelPool

    async with pool_of(settings, on_note=say_note) as servers:
        await servers.chat_model(name)  # raises for other weights on one of them
        host = servers.answering()[0]
        pool = ModelPool([host], limits=limits_of(settings), offline=settings.offline)
        chat = await pool.chat_model(
            name, context_tokens=context_tokens, seed=settings.seed
        )
        try:
            yield chat, host
        finally:
            pool.end()


# --- Chroma and Dask ----------------------------------------------------------------


def chroma_of(settings: Settings) -> ChromaServer | None:
    """The Chroma server of the settings; None when the workspace holds the index."""
    if settings.chroma_url is None:
        return None
    from claimscope.stores.index.chroma_connection import ChromaServer

    token = settings.chroma_token
    return ChromaServer(
        settings.chroma_url, token.get_secret_value() if token else None
    )


def cluster_client(address: str) -> AbstractAsyncContextManager[Client]:
    """A client of the Dask scheduler there. Entering it raises ClusterError."""
    from claimscope.core.backends.dask.dask_cluster import connect

    return connect(address)


def cluster_of(
    client: Client,
    recipe: RunRecipe,
    open_there: Callable[..., Awaitable[str]],
    judge_there: Callable[..., Awaitable[JudgedSample]],
    close_there: Callable[..., Awaitable[None]],
) -> ClusterConnection:
    """Its workers for one run, and what they do: functions that they import by name."""
    from claimscope.core.backends.dask.dask_cluster import DaskCluster, WorkerFunctions

    return DaskCluster(
        client, recipe, WorkerFunctions(open_there, judge_there, close_there)
    )
