"""Everything a run needs, put together and held open: pages, models, workers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.models import digest
from claimscope.core.ports import Corpus, Embedder
from claimscope.core.settings import Settings
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.judges import (
    cached_embedder,
    chat_models,
    classifier_of,
    context_of,
)
from claimscope.tui.bootstrap.servers import chroma_of
from claimscope.tui.services.run.parts import ModelWatch, RunParts, parts_of
from claimscope.tui.services.run.planning import QuestionsAndAnswers

if TYPE_CHECKING:
    from claimscope.stores.index.chroma_connection import ChromaServer
    from claimscope.stores.suites.loading import LoadedSuite
    from claimscope.tui.services.run.cluster import Coordinator


@asynccontextmanager
async def assemble(
    workspace: Workspace,
    settings: Settings,
    pages: Path | None,
    loaded: LoadedSuite,
    metrics: tuple[str, ...],
) -> AsyncIterator[RunParts]:
    """Indexes the pages, checks the models, and holds both open."""
    classifier_of(settings)  # what is wrong with it is said before pages are indexed
    async with AsyncExitStack() as stack:
        cluster = await connect_cluster(settings, stack)
        embedder = stack.enter_context(cached_embedder(workspace, settings))
        texts = QuestionsAndAnswers(loaded)
        watch = ModelWatch()
        chats = await stack.enter_async_context(chat_models(settings, texts, watch))
        corpus = None
        if pages is not None:
            corpus = stack.enter_context(
                suite_corpus(workspace, pages, loaded, embedder, chroma_of(settings))
            )
        rubric = loaded.suite.rubric
        parts = parts_of(
            settings, embedder, corpus, chats, rubric, metrics, watch=watch
        )
        if cluster is not None:
            context = context_of(settings, texts)
            recipe = cluster.recipe(
                settings, parts.models, corpus, rubric, metrics, context
            )
            workers = await stack.enter_async_context(cluster.workers(recipe))
            parts = replace(parts, workers=workers)
        yield parts


async def connect_cluster(
    settings: Settings, stack: AsyncExitStack
) -> Coordinator | None:
    """The cluster of the settings, connected while the stack is open; None when they
    name none. Raises ClusterError."""
    if settings.cluster is None:
        return None
    from claimscope.tui.services.run.cluster import coordinator

    return await stack.enter_async_context(coordinator(settings.cluster))


@contextmanager
def suite_corpus(
    workspace: Workspace,
    pages: Path,
    loaded: LoadedSuite,
    embedder: Embedder,
    server: ChromaServer | None = None,
) -> Iterator[Corpus]:
    """The pages of a suite, indexed; a folder in place of the suite's own has a
    corpus of its own, and so has the second of two suites of one id."""
    from claimscope.stores.pages.reading_record import other_folder
    from claimscope.tui.services.pages.index import index_folder

    name = loaded.suite.id
    own = loaded.suite.pages and (loaded.path.parent / loaded.suite.pages).absolute()
    if pages != own or other_folder(workspace.index, name, pages) is not None:
        name = f"{name}-{digest(str(pages))[:8]}"
    suite = loaded.suite if pages == own else None
    with index_folder(
        workspace.index,
        name,
        pages,
        embedder,
        include=suite.pages_include if suite else (),
        exclude=suite.pages_exclude if suite else (),
        text_field=suite.pages_text_field if suite else None,
        server=server,
    ) as indexed:
        yield indexed.corpus
