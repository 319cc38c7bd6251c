"""The answers of one cell of a lab: each on disk before the next is written about."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from claimscope.core.calls.journalled import JournalledChat
from claimscope.core.errors import ClaimscopeError, ServerDown, StoreError
from claimscope.core.models import Answer, Case
from claimscope.core.report.text import one_line
from claimscope.core.run.lab import (
    CellChat,
    Lab,
    LabCell,
    RoomBesidePrompt,
    made_in_cell,
)
from claimscope.core.run.sample import Services
from claimscope.core.services.generation import (
    GeneratedAnswer,
    generate,
    generation_digest,
)
from claimscope.core.settings import Settings
from claimscope.stores.runs.labs import LabCalls
from claimscope.stores.runs.records import utc_now
from claimscope.stores.suites.answers_file import AnswersFile
from claimscope.tui.bootstrap.judges import Chats, ground_truth
from claimscope.tui.process.output import say

Task = tuple[Case, int]
"""A case and the number of the draw, from 1."""


class Sweeping(Protocol):
    """The lab that a cell is of (tui/services/sweep/engine.py)."""

    lab: Lab
    settings: Settings

    async def may_go_on(self) -> bool: ...

    def save_cell(self, name: str, **update: object) -> None: ...


@dataclass(frozen=True)
class AnsweringModel:
    """A model that answers, where its calls are kept, and what it answers from."""

    chats: Chats
    calls: LabCalls
    services: Services


@dataclass
class CellWork:
    """The answers of one cell as they are written."""

    sweeper: Sweeping
    cell: LabCell
    answering: AnsweringModel
    out: AnswersFile

    def __post_init__(self) -> None:
        lab = self.sweeper.lab
        self.prompt = lab.prompt(self.cell)
        self.texts = ground_truth(self.answering.services.corpus)
        self._drawn: dict[int, tuple[CellChat, RoomBesidePrompt]] = {}

    def model(self, draw: int) -> tuple[CellChat, RoomBesidePrompt]:
        if draw not in self._drawn:
            inner = self.answering.chats.for_iteration(draw)
            chat = CellChat(
                JournalledChat(inner, self.answering.calls), self.cell, self.prompt
            )
            self._drawn[draw] = chat, RoomBesidePrompt(chat, self.texts, self.prompt)
        return self._drawn[draw]

    @property
    def made(self) -> str:
        """Digest of what decides the answers, but for the draw."""
        services = self.answering.services
        made = generation_digest(self.model(1)[0], services.corpus, services)
        return made_in_cell(made, self.cell, self.prompt)

    def check_known(self) -> set[tuple[str, str]]:
        """(case, provider) of the answers there are. Raises StoreError when they were
        made otherwise: with other weights or pages than there are now."""
        made = self.made
        for answer in self.out.answers:
            if answer.metadata.get("made_in") != made:
                raise StoreError(
                    f"the answer to case {answer.case_id} was made otherwise (weights "
                    "of the model, pages, prompt or settings)",
                    "start a new lab; what was judged stays in its runs",
                )
        return {(answer.case_id, answer.provider) for answer in self.out.answers}

    async def run(self, tasks: Sequence[Task]) -> None:
        """Asks for each; what is in flight when no more is wanted is finished."""
        slots = asyncio.Semaphore(self.sweeper.settings.concurrency)

        async def one(task: Task) -> None:
            async with slots:
                if await self.sweeper.may_go_on():
                    await self.answer(task)

        try:
            async with asyncio.TaskGroup() as group:
                for task in tasks:
                    group.create_task(one(task))
        except* ClaimscopeError as errors:
            raise _first(errors) from None

    async def answer(self, task: Task) -> None:
        """One answer, on disk when this returns. Raises ServerDown, StoreError."""
        case, draw = task
        chat, room = self.model(draw)
        try:
            found = await generate(
                case,
                chat,
                self.answering.services,
                provider=self.cell.provider(draw),
                created=utc_now(),
                room=room,
            )
        except (ServerDown, StoreError):
            raise
        except ClaimscopeError as error:
            self.put_down(f"{case.id}/{draw}", error.message)
            return
        self.take(found, draw)

    def take(self, found: GeneratedAnswer, draw: int) -> None:
        """Saves an answer with what made it."""
        cell, prompt = self.cell, self.prompt
        seed = self.answering.services.settings.seed + draw - 1
        more = {
            "made_in": self.made,
            "temperature": cell.temperature,
            "top_p": cell.top_p,
            "system_prompt": prompt.name if prompt else None,
            "seed": seed,
        }
        answer: Answer = found.answer.model_copy(
            update={"metadata": {**found.answer.metadata, **more}}
        )
        self.out.put(answer)
        lab = self.sweeper.lab
        done = lab.cell(cell.name).answered + 1
        self.sweeper.save_cell(cell.name, answered=done)
        say(one_line(f"{cell.name}: {done} of {lab.wanted_of(cell)}: {answer.case_id}"))
        for problem in found.problems:
            say(one_line(f"{answer.case_id}: {problem}"))

    def put_down(self, task: str, reason: str) -> None:
        """Counts an answer that did not come."""
        unanswered = dict(self.sweeper.lab.cell(self.cell.name).unanswered)
        unanswered[task] = reason
        say(one_line(f"{self.cell.name}: {task}: not answered: {reason}"))
        self.sweeper.save_cell(self.cell.name, unanswered=unanswered)


def _first(errors: BaseExceptionGroup[ClaimscopeError]) -> ClaimscopeError:
    """One of several errors at once: they say the same."""
    for error in errors.exceptions:
        if isinstance(error, ClaimscopeError):
            return error
        if isinstance(error, BaseExceptionGroup):
            return _first(error)
    raise errors
