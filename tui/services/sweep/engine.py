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
from claimscope.core.errors import ClaimscopeError, ServerDown, StoreError
from claimscope.core.models import SampleRow
from claimscope.core.report.text import one_line
from claimscope.core.run.engine import Stop
from claimscope.core.run.lab import CellState, Lab, LabCell
from claimscope.core.settings import Settings
from claimscope.stores.runs.labs import LabCalls, LabFolder
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from claimscope.stores.suites.answers_file import AnswersFile
from claimscope.stores.suites.loading import LoadedSuite
from claimscope.stores.workspace.paths import Workspace, safe_name
from claimscope.tui.bootstrap.judges import (
    cached_embedder,
    chat_models,
    services_without_chats,
)
from claimscope.tui.process.output import say
from claimscope.tui.services.run import planning
from claimscope.tui.services.run.assembly import suite_corpus
from claimscope.tui.services.run.engine import to_its_end
from claimscope.tui.services.run.headless import stopping
from claimscope.tui.services.run.planning import RunRequest
from claimscope.tui.services.sweep.answers import AnsweringModel, CellWork

POLL_SECONDS = 0.5


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
