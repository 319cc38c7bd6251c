"""What answers claims and grades: verifiers and graders put together from settings.

Apart from `wiring.py`, which opens stores and models: here it is decided who is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from claimscope.core.ports import CallLog, ChatModel, Corpus, Embedder, Grader, Verifier
from claimscope.core.report.text import one_line
from claimscope.core.run.sample import Services
from claimscope.core.settings import Settings
from claimscope.tui.process.output import say

if TYPE_CHECKING:
    from claimscope.core.backends.transformers.classifier_folder import ClassifierFolder
    from claimscope.core.verify.decomposition_by_model import ModelDecomposer
    from claimscope.core.verify.verifier import EvidenceVerifier
    from claimscope.core.verify.witnesses.response_bias import Leanings


def classifier_of(settings: Settings) -> ClassifierFolder | None:
    """The classifier of the settings, or None when they need none. Raises
    SettingsError when its folder cannot be used."""
    if settings.verifier != "classifier":
        return None
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


def with_models(
    services: Services,
    chats: Sequence[ChatModel],
    journal: CallLog,
    rubric_name: str,
    leanings: Leanings,
) -> Services:
    """The same services with language models, their calls journalled: all of them
    judge, the first one takes answers apart."""
    from claimscope.core.calls.context_planning import ContextRoom
    from claimscope.core.calls.journalled import CallMeter, JournalledChat
    from claimscope.core.grade.panel import grader_of
    from claimscope.core.verify.panel import verifier_of

    meter = CallMeter()
    journalled = [JournalledChat(chat, journal, meter) for chat in chats]
    settings, plain = services.settings, services.verifier
    if settings.asks_model:
        judges = model_verifiers(
            journalled, plain, settings, leanings, telling(journal.save_note)
        )
        services = replace(
            services,
            verifier=verifier_of(judges, settings.panel),
            decomposer=decomposer_of(journalled[0], settings, journal.save_note),
        )
    if settings.judge:
        graders = graders_of(
            journalled, rubric_name, settings, leanings, telling(journal.save_note)
        )
        room = ContextRoom(journalled[0], ground_truth(services.corpus))
        services = replace(
            services, grader=grader_of(graders, settings.panel), room=room
        )
    return replace(services, meter=meter)


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


def say_note(message: str) -> None:
    """Says it to people; it is kept nowhere."""
    say(f"note: {one_line(message)}")


def telling(save: Callable[[str], None]) -> Callable[[str], None]:
    """Notes that are kept and said as well."""

    def tell(message: str) -> None:
        save(message)
        say_note(message)

    return tell


def model_verifiers(
    chats: Sequence[ChatModel],
    plain: Verifier,
    settings: Settings,
    leanings: Leanings,
    on_note: Callable[[str], None],
) -> dict[str, Verifier]:
    """A verifier for each model, by its name."""
    from claimscope.core.verify.witnesses.language_model import ModelVerifier
    from claimscope.core.verify.witnesses.model_question import form_of

    return {
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


def graders_of(
    chats: Sequence[ChatModel],
    rubric_name: str,
    settings: Settings,
    leanings: Leanings,
    on_note: Callable[[str], None],
) -> dict[str, Grader]:
    """A grader for each model, by its name; one that cannot tell true claims from
    false ones gives no grades."""
    from claimscope.core.grade.competence import FitGrader
    from claimscope.core.grade.grades import ModelGrader
    from claimscope.core.prompts.templates import rubric
    from claimscope.core.verify.decomposition import injected_spans
    from claimscope.core.verify.witnesses.model_question import form_of

    scales = rubric(rubric_name)
    return {
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
