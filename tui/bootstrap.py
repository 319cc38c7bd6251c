"""The one place where stores, models and core meet.

`bench` makes everything that a run needs, `verifying` what single rows need, and
`open_tui` hands the interface its desk. Slow libraries load only when they are used.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.models import Verdict, digest
from claimscope.core.ports import (
    CallLog,
    ChatModel,
    Corpus,
    Embedder,
    OnState,
    Question,
    Verifier,
)
from claimscope.core.run.plan import Models
from claimscope.core.run.sample import Services
from claimscope.core.settings import Settings
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.ports.model_watch import ModelWatch
from claimscope.tui.process.output import say
from claimscope.tui.services.models.requests import Asked
from claimscope.tui.services.models.verifiers import (
    classifier_of,
    evidence_verifier,
    model_verifiers,
    say_note,
    with_models,
    without_language_model,
)

if TYPE_CHECKING:
    from claimscope.core.backends.hosted.chat import HostedChat
    from claimscope.core.verify.witnesses.response_bias import Leanings
    from claimscope.stores.index.chroma_connection import ChromaServer
    from claimscope.stores.suites.loading import LoadedSuite
    from claimscope.tui.services.run.cluster import Coordinator, Workers

ServicesFor = Callable[[CallLog, int], Services]
"""Services whose calls are journalled there, for an iteration from 1."""


@dataclass(frozen=True)
class Bench:
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


def make_embedder(settings: Settings) -> Embedder:
    """The embedder of the settings; loads at first use."""
    from claimscope.core.backends.embedders import embedder_for

    return embedder_for(
        settings.embedding_model,
        on_note=say,
        ollama_host=settings.ollama_host,
        offline=settings.offline,
    )


@asynccontextmanager
async def bench(
    workspace: Workspace,
    settings: Settings,
    pages: Path | None,
    loaded: LoadedSuite,
    metrics: tuple[str, ...],
) -> AsyncIterator[Bench]:
    """Indexes the pages, checks the models, and holds both open."""
    classifier_of(settings)  # what is wrong with it is said before pages are indexed
    async with AsyncExitStack() as stack:
        cluster = await joined(settings, stack)
        embedder = stack.enter_context(cached_embedder(workspace, settings))
        asked = Asked(loaded)
        watch = ModelWatch()
        chats = await stack.enter_async_context(chat_models(settings, asked, watch))
        corpus = None
        if pages is not None:
            corpus = stack.enter_context(
                suite_corpus(workspace, pages, loaded, embedder, chroma_of(settings))
            )
        models = models_of(settings, embedder, chats)
        workers = None
        if cluster is not None:
            rubric, context = loaded.suite.rubric, context_of(settings, asked)
            recipe = cluster.recipe(settings, models, corpus, rubric, metrics, context)
            workers = await stack.enter_async_context(cluster.workers(recipe))
        yield Bench(
            corpus,
            models,
            services_for(
                settings, corpus, embedder, chats, loaded.suite.rubric, metrics
            ),
            chats.judging(1) if chats else (),
            watch,
            workers,
        )


async def joined(settings: Settings, stack: AsyncExitStack) -> Coordinator | None:
    """The cluster of the settings, connected while the stack is open; None when they
    name none. Raises ClusterError."""
    if settings.cluster is None:
        return None
    from claimscope.tui.services.run.cluster import coordinator

    return await stack.enter_async_context(coordinator(settings.cluster))


@contextmanager
def cached_embedder(workspace: Workspace, settings: Settings) -> Iterator[Embedder]:
    """The embedder, with vectors kept in the workspace: a text is embedded once."""
    from claimscope.stores.index.embeddings import FILE, CachedEmbedder, VectorStore

    with closing(VectorStore(workspace.index / FILE)) as store:
        yield CachedEmbedder(make_embedder(settings), store)


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


def chroma_of(settings: Settings) -> ChromaServer | None:
    """The Chroma server of the settings; None when the workspace holds the index."""
    if settings.chroma_url is None:
        return None
    from claimscope.stores.index.chroma_connection import ChromaServer

    token = settings.chroma_token
    return ChromaServer(
        settings.chroma_url, token.get_secret_value() if token else None
    )


# --- language models ----------------------------------------------------------


@dataclass(frozen=True)
class Chats:
    """The model of a run; each iteration has a seed of its own."""

    first: ChatModel
    for_iteration: Callable[[int], ChatModel]
    judges: tuple[Chats, ...] = ()
    """Further models that judge beside it."""

    def judging(self, iteration: int) -> tuple[ChatModel, ...]:
        """All models that judge, the first one first."""
        return tuple(one.for_iteration(iteration) for one in (self, *self.judges))


@asynccontextmanager
async def chat_models(
    settings: Settings, asked: Sequence[str] = (), on_state: OnState | None = None
) -> AsyncIterator[Chats | None]:
    """The model of the settings, or None when they need none. Its context is planned
    for `asked`, the questions with their answers, unless the settings name one.

    Raises InputError when none is named, ServerDown, ModelMissing.
    """
    if not settings.asks_model and not settings.judge:
        if settings.judges:
            say("note: no model judges in this run, so --judges is of no use to it")
        yield None
        return
    if not settings.model:
        raise InputError(
            "no model is named for the verifier or the judge",
            "--model NAME names one; `claimscope models` lists what the server has",
        )
    from claimscope.core.backends.pool.configured import pool_of
    from claimscope.core.grade.panel import check_judges

    context = context_of(settings, asked)
    async with pool_of(settings, on_state, say_note) as server:
        first = await server.chat_model(
            settings.model,
            context_tokens=context,
            seed=settings.seed,
        )
        further = [
            await server.chat_model(name, context_tokens=context, seed=settings.seed)
            for name in settings.judges
        ]
        check_judges((first, *further))
        judges = tuple(seeded(chat, settings.seed) for chat in further)
        yield replace(seeded(first, settings.seed), judges=judges)


def context_of(settings: Settings, asked: Sequence[str]) -> int:
    """Tokens of context that every call of a run gets."""
    from claimscope.core.calls.context_planning import planned
    from claimscope.core.grade.evidence_selection import needs_of

    needs = needs_of(settings.judge, asked)
    return settings.context_tokens or planned(needs, limit=None)


def seeded(first: HostedChat, seed: int) -> Chats:
    """A model with a seed for each iteration, from `seed` on."""
    made: dict[int, HostedChat] = {1: first}

    def for_iteration(number: int) -> ChatModel:
        if number not in made:
            made[number] = first.with_seed(seed + number - 1)
        return made[number]

    return Chats(first, for_iteration)


def models_of(settings: Settings, embedder: Embedder, chats: Chats | None) -> Models:
    """The models of a run as they are now, for its fingerprint."""
    from claimscope.core.backends.onnx.entailment import shipped
    from claimscope.core.grade.panel import judge_ids
    from claimscope.core.prompts.templates import prompts_digest
    from claimscope.core.verify.verifier import NAME, witnesses_digest
    from claimscope.core.verify.witnesses.fusion import weights_digest

    name = chats.first.name if chats else None
    model_digest = chats.first.digest if chats else None
    evidence_digest = witnesses_digest(shipped())
    if settings.asks_model:
        evidence_digest = digest(evidence_digest, weights_digest())
    classifier = classifier_of(settings)
    if classifier is not None and chats is None:
        name, model_digest = classifier.name, classifier.digest()
    elif classifier is not None:  # the model's place is taken by the judge
        evidence_digest = digest(evidence_digest, classifier.digest())
    return Models(
        embedding=embedder.model_id,
        verifier=NAME if settings.verifier == "none" else settings.verifier,
        model=name,
        model_digest=model_digest,
        judges=judge_ids(chats.judging(1)) if chats and chats.judges else (),
        prompts_digest=prompts_digest() if chats else "",
        evidence_digest=evidence_digest,
    )


def services_for(
    settings: Settings,
    corpus: Corpus | None,
    embedder: Embedder,
    chats: Chats | None,
    rubric_name: str,
    metrics: tuple[str, ...],
) -> ServicesFor:
    """Services bound to a journal; one set for each iteration."""
    from claimscope.core.verify.witnesses.response_bias import Leanings

    reader = evidence_verifier(embedder, settings)
    verifier = without_language_model(settings, reader)
    plain = Services(
        embedder, verifier, settings, corpus, metrics=metrics, reader=reader
    )
    if chats is None:
        return lambda journal, iteration: plain
    made: dict[int, Services] = {}
    leanings = Leanings()

    def services(journal: CallLog, iteration: int) -> Services:
        if iteration not in made:
            judging = chats.judging(iteration)
            made[iteration] = with_models(
                plain, judging, journal, rubric_name, leanings
            )
        return made[iteration]

    return services


@contextmanager
def verifying(arguments: Namespace) -> Iterator[tuple[Embedder, Verifier]]:
    """Embedder and verifier for rows of claim and evidence, without a workspace."""
    from claimscope.core.verify.witnesses.response_bias import Leanings
    from claimscope.stores.workspace.configuration import load
    from claimscope.tui.cli.flags import given

    settings = load(Workspace.find(arguments.workspace).root, given(arguments)).settings
    embedder = make_embedder(settings)
    reader = evidence_verifier(embedder, settings)
    verifier = without_language_model(settings, reader)
    if settings.asks_model:
        verifier = RowVerifier(settings, verifier, Leanings())
    yield embedder, verifier


@dataclass(frozen=True)
class RowVerifier:
    """A model's verdicts on rows; each batch has connections of its own, because
    each runs in a loop of its own."""

    settings: Settings
    fallback: Verifier
    leanings: Leanings

    @property
    def name(self) -> str:
        return self.settings.verifier

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order. Raises ModelError."""
        from claimscope.core.verify.panel import verifier_of

        async with chat_models(self.settings) as chats:
            assert chats is not None
            judges = model_verifiers(
                chats.judging(1), self.fallback, self.settings, self.leanings, say_note
            )
            return await verifier_of(judges, self.settings.panel).verify(questions)


# --- the terminal interface ---------------------------------------------------


def open_tui(
    workspace: str | None, *, run_id: str | None = None, step: bool = False
) -> int:
    """Opens the interface, at a run when one is named. Gives the exit code."""
    from claimscope.tui.cli.terminal import open_workspace

    return open_workspace(workspace, run_id=run_id, step=step)


def services_of_rows(settings: Settings, metrics: Sequence[str] = ()) -> Services:
    """What scores rows without a language model; models load when they are first
    used. Raises InputError for a metric that is not known."""
    from claimscope.core.backends.onnx.entailment import shipped
    from claimscope.core.services.scoring import services_without_model

    return services_without_model(settings, make_embedder(settings), shipped(), metrics)
