"""What judges: embedders, language models, classifiers, verifiers and graders.

`row_verifier` has what single rows need.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.models import Verdict, digest
from claimscope.core.ports import (
    CallLog,
    ChatModel,
    Corpus,
    Embedder,
    Grader,
    OnState,
    Question,
    Verifier,
)
from claimscope.core.run.plan import Models
from claimscope.core.run.sample import Services, Stage
from claimscope.core.settings import Settings
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.servers import say_note
from claimscope.tui.process.output import say

if TYPE_CHECKING:
    from claimscope.core.backends.hosted.chat import HostedChat
    from claimscope.core.backends.transformers.classifier_folder import ClassifierFolder
    from claimscope.core.verify.decomposition_by_model import ModelDecomposer
    from claimscope.core.verify.verifier import EvidenceVerifier
    from claimscope.core.verify.witnesses.response_bias import KeptRates, Leanings

ServicesFor = Callable[[CallLog, int], Services]
"""Services whose calls are journalled there, for an iteration from 1."""


def models_for_copies() -> None:
    """Has models run in the thread that asks, since a copy of a process has no other.
    Raises EmbeddingError."""
    from claimscope.core.backends.onnx import embedding
    from claimscope.core.backends.onnx.export import export_in_own_process
    from claimscope.core.caches import cache_folder

    export_in_own_process(cache_folder())
    embedding.load_single_threaded()


def make_embedder(settings: Settings) -> Embedder:
    """The embedder of the settings; loads at first use, and says when that is slow."""
    return quiet_embedder(settings, say)


def quiet_embedder(
    settings: Settings, on_note: Callable[[str], None] | None = None
) -> Embedder:
    """The same, saying nothing to people but by `on_note`."""
    from claimscope.core.backends.embedders import embedder_for

    return embedder_for(
        settings.embedding_model,
        on_note=on_note,
        ollama_host=settings.ollama_host,
        offline=settings.offline,
    )


@contextmanager
def cached_embedder(workspace: Workspace, settings: Settings) -> Iterator[Embedder]:
    """The embedder, with vectors kept in the workspace: a text is embedded once."""
    from claimscope.stores.index.embeddings import FILE, CachedEmbedder, VectorStore

    with closing(VectorStore(workspace.index / FILE)) as store:
        yield CachedEmbedder(make_embedder(settings), store)


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
            settings.model, context_tokens=context, seed=settings.seed
        )
        further = [
            await server.chat_model(name, context_tokens=context, seed=settings.seed)
            for name in settings.judges
        ]
        check_judges((first, *further))
        judges = tuple(with_seeds(chat, settings.seed) for chat in further)
        yield replace(with_seeds(first, settings.seed), judges=judges)


def context_of(settings: Settings, asked: Sequence[str]) -> int:
    """Tokens of context that every call of a run gets."""
    from claimscope.core.calls.context_planning import planned_context
    from claimscope.core.grade.evidence_selection import needs_of

    needs = needs_of(settings.judge, asked)
    return settings.context_tokens or planned_context(needs, limit=None)


def with_seeds(first: HostedChat, seed: int) -> Chats:
    """A model with a seed for each iteration, from `seed` on."""
    made: dict[int, HostedChat] = {1: first}

    def for_iteration(number: int) -> ChatModel:
        if number not in made:
            made[number] = first.with_seed(seed + number - 1)
        return made[number]

    return Chats(first, for_iteration)


def models_of(settings: Settings, embedder: Embedder, chats: Chats | None) -> Models:
    """The models of a run as they are now, for its fingerprint."""
    from claimscope.core.backends.onnx.entailment import shipped_model
    from claimscope.core.grade.panel import judge_ids
    from claimscope.core.prompts.templates import prompts_digest
    from claimscope.core.verify.hard_cases import hard_digest
    from claimscope.core.verify.verifier import NAME, witnesses_digest
    from claimscope.core.verify.witnesses.fusion import weights_digest

    name = chats.first.name if chats else None
    model_digest = chats.first.digest if chats else None
    evidence_digest = witnesses_digest(shipped_model())
    if settings.asks_model:
        evidence_digest = digest(evidence_digest, weights_digest(), hard_digest())
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


def services_without_chats(
    settings: Settings,
    embedder: Embedder,
    corpus: Corpus | None = None,
    metrics: tuple[str, ...] = (),
    stages: frozenset[Stage] | None = None,
) -> Services:
    """What judges a sample as far as no language model is asked. `stages`: what is
    found out beside what the metrics need."""
    reader = evidence_verifier(embedder, settings)
    return Services(
        embedder,
        without_language_model(settings, reader),
        settings,
        corpus,
        metrics=metrics,
        reader=reader,
        stages=stages,
    )


def services_for(
    settings: Settings,
    corpus: Corpus | None,
    embedder: Embedder,
    chats: Chats | None,
    rubric_name: str,
    metrics: tuple[str, ...],
    kept: KeptRates | None = None,
) -> ServicesFor:
    """Services bound to a journal; one set for each iteration. `kept`: how well models
    read by earlier counts. Without it a run counts for itself: a resumed one finds the
    calls in its journal, and workers on other machines the same."""
    from claimscope.core.calls.journalled import CallMeter, JournalledChat
    from claimscope.core.verify.witnesses.response_bias import Leanings

    plain = services_without_chats(settings, embedder, corpus, metrics)
    if chats is None:
        return lambda journal, iteration: plain
    made: dict[int, Services] = {}
    leanings = Leanings(kept=kept)

    def services(journal: CallLog, iteration: int) -> Services:
        if iteration not in made:

            def save_and_say(note: str) -> None:
                journal.save_note(note)
                say_note(note)

            meter = CallMeter()
            judging = [
                JournalledChat(chat, journal, meter)
                for chat in chats.judging(iteration)
            ]
            judged = with_models(
                plain, judging, rubric_name, leanings, save_and_say, journal.save_note
            )
            made[iteration] = replace(judged, meter=meter)
        return made[iteration]

    return services


def no_leanings() -> Leanings:
    """Of models that nothing is known of yet, but for what this machine keeps."""
    from claimscope.core.verify.witnesses.response_bias import Leanings
    from claimscope.stores.workspace.kept_rates import DiskKeptRates

    return Leanings(kept=DiskKeptRates())


def row_verifier(settings: Settings) -> tuple[Embedder, Verifier]:
    """Embedder and verifier for rows of claim and evidence, without a workspace."""
    embedder = make_embedder(settings)
    verifier = plain_verifier(settings, embedder)
    if settings.asks_model:
        verifier = RowVerifier(settings, verifier, no_leanings())
    return embedder, verifier


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
        async with chat_models(self.settings) as chats:
            assert chats is not None
            verifier = model_verifier(
                chats.judging(1), self.fallback, self.settings, self.leanings, say_note
            )
            return await verifier.verify(questions)


def services_of_rows(settings: Settings, metrics: Sequence[str] = ()) -> Services:
    """What scores rows without a language model; models load when they are first
    used. Raises InputError for a metric that is not known."""
    from claimscope.core.services.scoring import MemoEmbedder, chosen_metrics

    embedder = MemoEmbedder(make_embedder(settings))
    reader = evidence_verifier(embedder, settings)
    names = chosen_metrics(metrics, settings)
    return Services(embedder, reader, settings, metrics=names, reader=reader)


# --- who judges ---


def classifier_of(settings: Settings) -> ClassifierFolder | None:
    """The classifier of the settings, or None when they need none. Raises
    SettingsError when its folder cannot be used."""
    return named_classifier(settings) if settings.verifier == "classifier" else None


def named_classifier(settings: Settings) -> ClassifierFolder:
    """The classifier that the settings name, needed or not. Raises SettingsError."""
    from claimscope.core.backends.transformers.classifier_folder import (
        classifier_folder,
    )

    return classifier_folder(settings.classifier, settings.classifier_labels)


def without_language_model(settings: Settings, reader: Verifier) -> Verifier:
    """`reader`, or the classifier of the settings beside it."""
    folder = classifier_of(settings)
    if folder is None:
        return reader
    from claimscope.core.backends.transformers.classifier import Classifier
    from claimscope.core.verify.witnesses.classifier import ClassifierVerifier

    return ClassifierVerifier(Classifier(folder), reader)


def plain_verifier(settings: Settings, embedder: Embedder) -> Verifier:
    """What verifies without a language model."""
    return without_language_model(settings, evidence_verifier(embedder, settings))


def with_models(
    services: Services,
    chats: Sequence[ChatModel],
    rubric_name: str,
    leanings: Leanings,
    on_note: Callable[[str], None],
    on_decomposing: Callable[[str], None],
) -> Services:
    """The same services with language models: all of them judge, the first one takes
    answers apart. `on_decomposing` gets the notes of that."""
    from claimscope.core.calls.context_planning import ContextRoom

    settings = services.settings
    if settings.asks_model:
        services = replace(
            services,
            verifier=model_verifier(
                chats, services.verifier, settings, leanings, on_note
            ),
            decomposer=decomposer_of(chats[0], settings, on_decomposing),
        )
    if settings.judge:
        services = replace(
            services,
            grader=model_grader(chats, rubric_name, settings, leanings, on_note),
            room=ContextRoom(chats[0], ground_truth(services.corpus)),
        )
    return services


def decomposer_of(
    chat: ChatModel, settings: Settings, on_note: Callable[[str], None]
) -> ModelDecomposer | None:
    """Takes answers apart with the model's help; None for one that only verifies
    claims, which leaves them as they are taken apart without a model."""
    from claimscope.core.verify.decomposition_by_model import ModelDecomposer
    from claimscope.core.verify.witnesses.model_question import form_of

    if form_of(chat.name, settings.server).only_verifies:
        return None
    return ModelDecomposer(chat, on_note=on_note)


def model_verifier(
    chats: Sequence[ChatModel],
    plain: Verifier,
    settings: Settings,
    leanings: Leanings,
    on_note: Callable[[str], None],
) -> Verifier:
    """The models as one verifier, `plain` where they cannot tell."""
    from claimscope.core.verify.panel import verifier_of
    from claimscope.core.verify.witnesses.language_model import ModelVerifier
    from claimscope.core.verify.witnesses.model_question import form_of

    judges: dict[str, Verifier] = {
        chat.name: ModelVerifier(
            chat,
            plain,
            claims_per_call=settings.claims_per_call,
            votes=settings.votes,
            leanings=leanings,
            on_note=on_note,
            name=settings.verifier,
            form=form_of(chat.name, settings.server),
        )
        for chat in chats
    }
    return verifier_of(judges, settings.panel)


def model_grader(
    chats: Sequence[ChatModel],
    rubric_name: str,
    settings: Settings,
    leanings: Leanings,
    on_note: Callable[[str], None],
) -> Grader:
    """The models as one grader; one that cannot tell true claims from false ones gives
    no grades."""
    from claimscope.core.grade.competence import FitGrader
    from claimscope.core.grade.grades import ModelGrader
    from claimscope.core.grade.panel import grader_of
    from claimscope.core.prompts.templates import rubric
    from claimscope.core.text.injection import injected_spans
    from claimscope.core.verify.witnesses.model_question import form_of

    scales = rubric(rubric_name)
    graders: dict[str, Grader] = {
        chat.name: FitGrader(
            chat,
            ModelGrader(chat, scales, injected_spans),
            leanings,
            claims_per_call=settings.claims_per_call,
            votes=settings.votes,
            on_note=on_note,
            form=form_of(chat.name, settings.server),
        )
        for chat in chats
    }
    return grader_of(graders, settings.panel)


def ground_truth(corpus: Corpus | None) -> list[str]:
    """Some pages, always the same, on which a model's tokens are measured."""
    if corpus is None:
        return []
    pages = [corpus.page(page_id) for page_id in sorted(corpus.page_ids())[:5]]
    return [page.text for page in pages if page is not None]


def evidence_verifier(embedder: Embedder, settings: Settings) -> EvidenceVerifier:
    """The verifier without a language model, with the entailment model that ships."""
    from claimscope.core.backends.onnx.entailment import shipped_model
    from claimscope.core.verify.verifier import EvidenceVerifier

    return EvidenceVerifier(embedder, shipped_model(), rules_off=settings.rules_without)
