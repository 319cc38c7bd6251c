"""Writes the answers of a suite by a local model, one after the other, resumably."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.calls.context_planning import ContextRoom
from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.models import Answer, Case
from claimscope.core.ports import ChatModel
from claimscope.core.report.text import one_line
from claimscope.core.run.sample import Services
from claimscope.core.services.generation import (
    GeneratedAnswer,
    generate,
    generation_digest,
)
from claimscope.core.settings import Settings
from claimscope.core.tracing import Value
from claimscope.stores.runs.records import utc_now
from claimscope.stores.suites.answers_file import AnswersFile
from claimscope.stores.suites.loading import LoadedSuite
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.judges import (
    cached_embedder,
    chat_models,
    ground_truth,
    services_without_chats,
)
from claimscope.tui.process.output import say
from claimscope.tui.process.tracing import check_collector, span_to_collector
from claimscope.tui.services.run.assembly import suite_corpus


@dataclass(frozen=True)
class Wish:
    """What is to be answered, and where it is to be written."""

    loaded: LoadedSuite
    cases: tuple[Case, ...]
    pages: Path | None
    out: Path
    provider: str | None


@dataclass
class GenerationOutcome:
    written: int = 0
    known: int = 0
    """Cases that had an answer already."""
    failed: int = 0
    citations: int = 0
    invalid: int = 0
    """Answers with something wrong with their citations."""


async def write_answers(
    workspace: Workspace, settings: Settings, wish: Wish
) -> GenerationOutcome:
    """Answers every case that has none yet. Raises InputError, ModelError."""
    asked = [case.question for case in wish.cases]
    settings = settings.model_copy(update={"judge": True, "verifier": "none"})
    check_collector(settings)
    with ExitStack() as stack:
        out = stack.enter_context(AnswersFile(wish.out, wish.loaded.suite))
        embedder = stack.enter_context(cached_embedder(workspace, settings))
        async with chat_models(settings, asked) as chats:
            assert chats is not None  # a model is needed, or it raises
            corpus = None
            if wish.pages is not None:
                corpus = stack.enter_context(
                    suite_corpus(workspace, wish.pages, wish.loaded, embedder)
                )
            services = services_without_chats(settings, embedder, corpus)
            model = chats.for_iteration(1)
            room = ContextRoom(model, ground_truth(corpus))
            about: dict[str, Value | None] = {
                "claimscope.suite": wish.loaded.suite.id,
                "claimscope.model": model.name,
            }
            with span_to_collector(settings, "generate", about):
                return await Writer(wish, out, model, services, room).run()


@dataclass(frozen=True)
class Writer:
    """One model at work on the cases of a suite."""

    wish: Wish
    out: AnswersFile
    model: ChatModel
    services: Services
    room: ContextRoom

    @property
    def provider(self) -> str:
        """Whose answers they are: the model's, unless it was named."""
        return self.wish.provider or self.model.name

    async def run(self) -> GenerationOutcome:
        """Each answer is on disk before the next is written about."""
        made = generation_digest(self.model, self.services.corpus, self.services)
        done = self.done(made)
        left = [case for case in self.wish.cases if case.id not in done]
        outcome = GenerationOutcome(known=len(self.wish.cases) - len(left))
        slots = asyncio.Semaphore(self.services.settings.concurrency)

        async def one(case: Case) -> tuple[Case, GeneratedAnswer | ClaimscopeError]:
            async with slots:
                try:
                    return case, await generate(
                        case,
                        self.model,
                        self.services,
                        provider=self.provider,
                        created=utc_now(),
                        room=self.room,
                    )
                except ClaimscopeError as error:
                    return case, error

        tasks = [asyncio.create_task(one(case)) for case in left]
        try:
            for number, finished in enumerate(asyncio.as_completed(tasks), 1):
                case, found = await finished
                self.take(case, found, outcome)
                say(f"{number} of {len(left)}: {one_line(case.id)}")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return outcome

    def done(self, made: str) -> set[str]:
        """Cases the file has an answer to. Raises InputError when that was made
        otherwise: a file does not mix answers of two prompts or models."""
        own: Sequence[Answer] = [
            answer for answer in self.out.answers if answer.provider == self.provider
        ]
        for answer in own:
            if answer.metadata.get("made_with") != made:
                raise InputError(
                    f"{self.out.path}: the answer of {self.provider} to case "
                    f"{answer.case_id} was made otherwise (model, prompt, pages, "
                    "seed or settings)",
                    "name another --out, or another --provider",
                )
        return {answer.case_id for answer in own}

    def take(
        self,
        case: Case,
        found: GeneratedAnswer | ClaimscopeError,
        outcome: GenerationOutcome,
    ) -> None:
        """Saves an answer and says what is wrong with it."""
        if isinstance(found, ClaimscopeError):
            outcome.failed += 1
            say(one_line(f"{case.id}: not answered: {found}"))
            return
        self.out.put(found.answer)
        outcome.written += 1
        outcome.citations += len(found.citations)
        outcome.invalid += bool(found.problems)
        for problem in found.problems:
            say(one_line(f"{case.id}: {problem}"))
