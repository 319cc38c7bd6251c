"""What `claimscope.evaluate` asks for: files, models and stores put together for
another program, in memory unless it names a workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from claimscope.core.analysis.agreement.overrides import apply_overrides
from claimscope.core.errors import InputError, SuiteError
from claimscope.core.metrics.discovery import found_plugins
from claimscope.core.models import Answer, Page, SampleResult, Suite, digest
from claimscope.core.ports import CallLog, Corpus, Embedder, RunStore
from claimscope.core.run.case_review import accepted_cases
from claimscope.core.run.engine import Evaluate
from claimscope.core.run.plan import RunPlan, SampleTask, make_plan
from claimscope.core.run.sample import evaluate
from claimscope.core.services.evaluation import (
    Answers,
    Evaluated,
    OpenedRequest,
    Request,
    Truth,
)
from claimscope.core.services.scoring import MemoEmbedder, check_weights, resolve_names
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.stores.pages.folder import read_folder
from claimscope.stores.pages.unread import REMEDY
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import DiskRunStore, new_run_id
from claimscope.stores.suites.loading import LoadedSuite, load_answers, load_suite
from claimscope.stores.suites.validation_messages import nearest
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.judges import (
    cached_embedder,
    chat_models,
    classifier_of,
    make_embedder,
)
from claimscope.tui.process.version import version
from claimscope.tui.services.pages.index import first_of_each
from claimscope.tui.services.run.parts import RunParts, parts_of
from claimscope.tui.services.run.planning import QuestionsAndAnswers
from claimscope.tui.services.workspace import run_named


class MachineWorkbench:
    """The workbench of the installed program (core.services.evaluation.Workbench)."""

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[OpenedRequest]:
        """Everything a request needs. Raises ClaimscopeError."""
        settings = request.settings
        check_weights(settings)
        request = replace(request, metrics=resolve_names(request.metrics, settings))
        classifier_of(settings)
        loaded = await asyncio.to_thread(load, request)
        truth = request.pages
        if truth is None and loaded.suite.pages is not None:
            truth = suite_pages(loaded)
        with ExitStack() as stack:
            embedder, runs = kept_in(request, stack)
            corpus, notes = await asyncio.to_thread(
                corpus_of, truth, loaded.suite, embedder
            )
            async with chat_models(settings, QuestionsAndAnswers(loaded)) as chats:
                rubric, metrics = loaded.suite.rubric, request.metrics
                bench = _Bench(
                    request,
                    loaded,
                    str(truth.absolute()) if isinstance(truth, Path) else None,
                    parts_of(settings, embedder, corpus, chats, rubric, metrics),
                )
                yield OpenedRequest(
                    loaded.suite,
                    loaded.answers,
                    (*loaded.notes, *found_plugins().problems, *notes),
                    runs,
                    bench.plan,
                    bench.judging,
                )

    def corpus(self, name: str, pages: Sequence[Page], embedder: Embedder) -> Corpus:
        """Pages in memory; the first of several with one id counts."""
        return MemoryCorpus(name, first_of_each(pages), embedder)

    def recall(self, run_id: str, workspace: Path | None) -> Evaluated:
        """A run that was kept, `last` for the newest. Raises ClaimscopeError."""
        runs = DiskRunStore(Workspace.find(workspace).runs)
        found = apply_overrides(runs.read(run_named(runs, run_id)))
        return Evaluated(found.status, tuple(found.samples))


@dataclass(frozen=True)
class _Bench:
    """What was put together for one request."""

    request: Request
    loaded: LoadedSuite
    pages_path: str | None
    parts: RunParts

    def plan(self) -> RunPlan:
        """Raises InputError."""
        loaded, corpus = self.loaded, self.parts.corpus
        is_file = not isinstance(self.request.suite, Suite)
        answers_path = path_of(self.request.answers)
        return make_plan(
            loaded.suite,
            loaded.answers,
            self.request.settings,
            self.parts.models,
            run_id=new_run_id(),
            created=utc_now(),
            version=version(),
            corpus=(corpus.name, corpus.version) if corpus else None,
            paths=(
                str(loaded.path.absolute()) if is_file else None,
                str(answers_path.absolute()) if answers_path else None,
                self.pages_path,
            ),
            digests=(loaded.digest, loaded.answers_digest),
            metrics=self.request.metrics,
        )

    def judging(self, journal: CallLog) -> Evaluate:
        async def judge(task: SampleTask) -> SampleResult:
            services = self.parts.services(journal, task.key.iteration)
            return await evaluate(task, services)

        return judge


def kept_in(request: Request, stack: ExitStack) -> tuple[Embedder, RunStore]:
    """The embedder and where runs go: the workspace, else memory."""
    if request.workspace is None:
        embedder = request.embedder or make_embedder(request.settings)
        return MemoEmbedder(embedder), MemoryRunStore()
    workspace = Workspace(request.workspace)
    embedder = request.embedder or stack.enter_context(
        cached_embedder(workspace, request.settings)
    )
    return embedder, DiskRunStore(workspace.runs)


def load(request: Request) -> LoadedSuite:
    """Suite and answers of a request, from files or as they are. Raises SuiteError,
    InputError."""
    answers = path_of(request.answers)
    if not isinstance(request.suite, Suite):
        name = as_suite_name(request.suite)
        loaded = load_suite(name, answers=answers, which="accepted")
    else:
        checked = accepted_cases(request.suite)
        suite, left_out = checked.suite, checked.left_out
        given = load_answers(answers, suite, left_out) if answers else ()
        loaded = LoadedSuite(
            suite,
            given,
            Path(suite.id),
            digest(suite.model_dump_json()),
            digest(*(answer.model_dump_json() for answer in given)),
            answers,
            checked.notes,
            left_out,
        )
    if answers is not None or request.answers is None:
        return loaded
    given = as_answers(request.answers, loaded.suite, loaded.left_out)
    # Of the notes, those on missing answers were about the answers of the file.
    return replace(
        loaded,
        answers=given,
        answers_digest=digest(*(answer.model_dump_json() for answer in given)),
        answers_path=None,
        notes=tuple(note for note in loaded.notes if note.startswith("left out")),
    )


def as_suite_name(suite: str | os.PathLike[str]) -> str | Path:
    """A shipped suite has a name, the others a path."""
    return suite if isinstance(suite, str) else Path(suite)


def path_of(given: Answers | Truth | None) -> Path | None:
    return Path(given) if isinstance(given, str | os.PathLike) else None


def as_answers(
    given: Answers, suite: Suite, left_out: Collection[str] = ()
) -> tuple[Answer, ...]:
    """Answers of a program, but those to cases that were left out. Raises InputError
    for a case that is not in the suite."""
    if isinstance(given, str | os.PathLike):
        return load_answers(Path(given), suite, left_out)
    if isinstance(given, Mapping):
        given = [Answer(case_id=name, text=text) for name, text in given.items()]
    known = [case.id for case in suite.cases]
    given = [answer for answer in given if answer.case_id not in left_out]
    for answer in given:
        if answer.case_id not in known:
            meant = nearest(answer.case_id, known)
            raise InputError(
                f"answers: there is no case {answer.case_id!r} in suite {suite.id}"
                + (f"; the nearest is {meant!r}" if meant else ""),
                "give each answer the id of its case",
            )
    return tuple(given)


def suite_pages(loaded: LoadedSuite) -> Path:
    """The folder that a suite names. Raises SuiteError when it is in no file, so that
    nobody can say where that is."""
    if not loaded.path.is_file():
        raise SuiteError(
            f"suite {loaded.suite.id}: its pages are named relative to its file, and "
            "it is in no file.",
            "Give the pages: evaluate(suite, pages=FOLDER).",
        )
    return loaded.path.parent / str(loaded.suite.pages)


def corpus_of(
    truth: Truth | None, suite: Suite, embedder: Embedder
) -> tuple[Corpus | None, list[str]]:
    """The ground truth with notes on what was skipped. Raises PageError."""
    if truth is None:
        return None, []
    notes: list[str] = []
    folder = path_of(truth)
    if folder is not None:
        reading = read_folder(
            folder,
            include=suite.pages_include,
            exclude=suite.pages_exclude,
            text_name=suite.pages_text_field,
        )
        notes += [f"skipped {place}: {said}" for place, said in reading.problems]
        notes += reading.notes
        warning = reading.unread().warning
        if warning:
            notes.append(f"WARNING: {folder}: {warning}; {REMEDY}")
        pages: Sequence[Page] = reading.pages
    elif isinstance(truth, Sequence) and not isinstance(truth, str):
        pages = truth
    else:
        assert not isinstance(truth, str | os.PathLike)
        return truth, []
    corpus = MemoryCorpus(suite.id, pages, embedder)
    return corpus, [*notes, *corpus.warnings]
