"""The engine of a lab: cell by cell, answers are written and judged, resumably.

Cells come model by model: first all answers of a model are written, then they are
judged, so that a server with room for one model loads each once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from claimscope.core.analysis.compare.matrix import Matrix, matrix
from claimscope.core.calls.journalled import JournalledChat
from claimscope.core.errors import ClaimscopeError, ServerDown, StoreError
from claimscope.core.models import Answer, Case, SampleRow
from claimscope.core.report.text import one_line
from claimscope.core.run.engine import Stop
from claimscope.core.run.lab import (
    CellChat,
    CellState,
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
from claimscope.stores.runs.labs import LabCalls, LabFolder
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from claimscope.stores.suites.answers_file import AnswersFile
from claimscope.stores.suites.loading import LoadedSuite
from claimscope.stores.workspace.paths import Workspace, safe_name
from claimscope.tui.bootstrap.judges import (
    Chats,
    cached_embedder,
    chat_models,
    ground_truth,
    services_without_chats,
)
from claimscope.tui.process.output import say
from claimscope.tui.services.run import planning
from claimscope.tui.services.run.assembly import suite_corpus
from claimscope.tui.services.run.engine import to_its_end
from claimscope.tui.services.run.headless import stopping
from claimscope.tui.services.run.planning import RunRequest

POLL_SECONDS = 0.5
Task = tuple[Case, int]
"""A case and the number of the draw, from 1."""


def wanted_of(lab: Lab, cell: LabCell, folder: LabFolder) -> RunRequest:
    return RunRequest(
        suite=lab.suite,
        answers=folder.answers(cell),
        pages=Path(lab.pages) if lab.pages else None,
        metrics=lab.metrics,
        run_id=cell.run_id,
    )


def is_begun(workspace: Workspace, cell: LabCell) -> bool:
    """Whether there is a run of the cell; its answers are settled then."""
    return (workspace.runs / safe_name(cell.run_id) / RUN_JOURNAL).exists()


def matrix_of(runs: DiskRunStore, lab: Lab) -> Matrix:
    """The figures of all cells so far."""
    found: list[tuple[str, Sequence[SampleRow]]] = []
    for cell in lab.cells:
        rows: Sequence[SampleRow] = ()
        with suppress(StoreError):  # not judged yet
            rows = runs.read(cell.run_id).rows()
        found.append((cell.name, rows))
    return matrix(found)


def sweep(workspace: Workspace, settings: Settings, folder: LabFolder) -> Lab:
    """A lab to its end, or to where it was stopped. `settings`: as its runs are
    judged. Raises StoreLocked, and what stands in the way of all cells."""
    with folder.lock():
        folder.clear_control()
        return asyncio.run(Sweeper(workspace, settings, folder).run())


@dataclass
class Sweeper:
    """One lab at work."""

    workspace: Workspace
    settings: Settings
    folder: LabFolder
    stop: Stop = field(default_factory=Stop)

    def __post_init__(self) -> None:
        self.lab = self.folder.read()

    def save(self, **update: object) -> None:
        """Where the lab stands."""
        self.lab = self.folder.save(self.lab.model_copy(update=update))

    def save_cell(self, name: str, **update: object) -> None:
        self.lab = self.folder.save(self.lab.with_cell(name, **update))

    # --- the whole ---

    async def run(self) -> Lab:
        """All cells. Raises ClaimscopeError when none can go on."""
        loaded = planning.load(
            RunRequest(suite=self.lab.suite, metrics=self.lab.metrics)
        )
        if loaded.digest != self.lab.suite_digest:
            raise StoreError(
                f"lab {self.lab.lab_id}: the suite {self.lab.suite} was changed since "
                "it began",
                "start a new lab; what was judged stays in its runs",
            )
        self.save(state="running", error=None, pid=os.getpid())
        try:
            for model, group in groupby(self.lab.cells, lambda cell: cell.model):
                names = [cell.name for cell in group if cell.state != "finished"]
                if names:
                    await self.answers_of(model, names, loaded)
                for name in names:
                    if self.lab.cell(name).state == "answered":
                        await self.judge(name)
                    if self.is_ended():
                        break
                if self.is_ended():
                    break
        except ClaimscopeError as error:
            self.save(state="failed", error=str(error))
            raise
        self.save(state=self.outcome())
        return self.lab

    def outcome(self) -> str:
        """How the lab ended."""
        if self.folder.requested_control() == "cancel":
            return "cancelled"
        if self.stop.requested:
            return "stopped"
        return "finished" if all(c.is_over for c in self.lab.cells) else "stopped"

    def is_ended(self) -> bool:
        """Whether somebody wants no more of it."""
        return self.stop.requested or self.folder.requested_control() == "cancel"

    async def may_go_on(self) -> bool:
        """Waits through a pause; False when no more is wanted."""
        while not self.stop.requested and self.folder.requested_control() == "pause":
            if self.lab.state != "paused":
                say(f"lab {self.lab.lab_id}: paused")
                self.save(state="paused")
            await asyncio.sleep(POLL_SECONDS)
        if self.is_ended():
            return False
        if self.lab.state == "paused":
            say("going on")
            self.save(state="running")
        return True

    # --- answers ---

    async def answers_of(
        self, model: str, names: Sequence[str], loaded: LoadedSuite
    ) -> None:
        """Writes what is missing of the answers of some cells of one model."""
        for name in names:
            if is_begun(self.workspace, self.lab.cell(name)):
                self.save_cell(name, state="answered", error=None)
        left = [name for name in names if self.lab.cell(name).state != "answered"]
        if not left:
            return
        try:
            async with self.answering(model, loaded) as answering:
                with stopping(self.stop):
                    for name in left:
                        await self.answer_cell(name, answering, loaded)
        except ServerDown:
            raise  # no cell can go on; a resume can
        except ClaimscopeError as error:
            for name in left:
                if self.lab.cell(name).state in ("waiting", "answering"):
                    say(one_line(f"{name}: {error}"))
                    self.save_cell(name, state="failed", error=str(error))

    @asynccontextmanager
    async def answering(
        self, model: str, loaded: LoadedSuite
    ) -> AsyncIterator[AnsweringModel]:
        """The model of some cells with the pages it answers from."""
        chosen = {"model": model, "judges": (), "judge": True, "verifier": "none"}
        settings = self.settings.model_copy(update=chosen)
        known = {case.id: case for case in loaded.suite.cases}
        asked = [known[name].question for name in self.lab.cases]
        with ExitStack() as stack:
            embedder = stack.enter_context(cached_embedder(self.workspace, settings))
            calls = stack.enter_context(closing(LabCalls(self.folder)))
            async with chat_models(settings, asked) as chats:
                assert chats is not None  # a model is named
                pages = planning.pages_folder(
                    RunRequest(
                        suite=self.lab.suite,
                        pages=Path(self.lab.pages) if self.lab.pages else None,
                    ),
                    loaded,
                )
                corpus = None
                if pages is not None:
                    corpus = stack.enter_context(
                        suite_corpus(self.workspace, pages, loaded, embedder)
                    )
                services = services_without_chats(settings, embedder, corpus)
                yield AnsweringModel(chats, calls, services)

    async def answer_cell(
        self, name: str, answering: AnsweringModel, loaded: LoadedSuite
    ) -> None:
        if not await self.may_go_on():
            return
        cell = self.lab.cell(name)
        known = {case.id: case for case in loaded.suite.cases}
        with AnswersFile(self.folder.answers(cell), loaded.suite) as out:
            work = CellWork(self, cell, answering, out)
            have = work.check_known()
            self.save_cell(
                name, state="answering", answered=len(have), unanswered={}, error=None
            )
            tasks = [
                (known[case_id], draw)
                for draw in range(1, cell.draws + 1)
                for case_id in self.lab.cases
                if (case_id, cell.provider(draw)) not in have
            ]
            await work.run(tasks)
        cell = self.lab.cell(name)
        if cell.answered + len(cell.unanswered) < self.lab.wanted_of(cell):
            return  # stopped
        if cell.answered:
            self.save_cell(name, state="answered")
        else:
            reason = next(iter(cell.unanswered.values()), "")
            self.save_cell(name, state="failed", error=f"no answer came: {reason}")

    # --- verdicts ---

    async def judge(self, name: str) -> None:
        """The run of a cell, begun or gone on with."""
        if not await self.may_go_on():
            return
        cell = self.lab.cell(name)
        say(one_line(f"judging {name}"))
        self.save_cell(name, state="judging")
        watching = asyncio.create_task(self.forward(cell))
        try:
            status = await to_its_end(
                self.workspace,
                self.settings,
                wanted_of(self.lab, cell, self.folder),
                begun=is_begun(self.workspace, cell),
            )
        except ServerDown:
            self.save_cell(name, state="answered")
            raise
        except ClaimscopeError as error:
            say(one_line(f"{name}: {error}"))
            self.save_cell(name, state="failed", error=str(error))
            return
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        if status.state == "stopped":
            self.stop.request()
        ends: Mapping[str, CellState] = {
            "finished": "finished",
            "cancelled": "cancelled",
            "failed": "failed",
        }
        state = ends.get(status.state, "answered")
        self.save_cell(name, state=state, error=status.error)

    async def forward(self, cell: LabCell) -> None:
        """What is asked of the lab is asked of the run that is at work."""
        runs = DiskRunStore(self.workspace.runs)
        before = "run"
        while True:
            asked = self.folder.requested_control()
            with suppress(StoreError):  # its journal is not there yet
                run = runs.read(cell.run_id)
                if run.requested_control() != asked and (
                    asked != "run" or before != "run"
                ):
                    run.ask(asked)
                before = asked
                state = "paused" if asked == "pause" else "running"
                if self.lab.state != state:
                    self.save(state=state)
            await asyncio.sleep(POLL_SECONDS)


# --- the answers of a cell ------------------------------------------------------------


@dataclass(frozen=True)
class AnsweringModel:
    """A model that answers, where its calls are kept, and what it answers from."""

    chats: Chats
    calls: LabCalls
    services: Services


@dataclass
class CellWork:
    """The answers of one cell as they are written."""

    sweeper: Sweeper
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
