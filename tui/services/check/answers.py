"""Answers against folders of pages: a run of a sample each, kept in the cache."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.errors import ClaimscopeError, PageError
from claimscope.core.events import SampleFinished
from claimscope.core.models import Answer, Case, SampleResult, Suite, digest
from claimscope.core.ports import ModelState, RunWriter
from claimscope.core.report.check_findings import AnswerText
from claimscope.core.run.engine import execute
from claimscope.core.run.plan import Models, RunPlan, make_plan
from claimscope.core.run.sample import evaluate
from claimscope.core.settings import Settings
from claimscope.stores.pages.folder import shared_root
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import DiskRunStore, new_run_id
from claimscope.stores.workspace.kept_rates import DiskKeptRates
from claimscope.stores.workspace.paths import Workspace, cache_folder
from claimscope.tui.bootstrap.judges import ServicesFor, cached_embedder, chat_models
from claimscope.tui.process.output import stage
from claimscope.tui.process.tracing import (
    check_collector,
    run_attributes,
    span_to_collector,
)
from claimscope.tui.process.version import version
from claimscope.tui.services.models.status import state_words
from claimscope.tui.services.pages.index import index_folder
from claimscope.tui.services.run.parts import ModelWatch, parts_of
from claimscope.tui.services.workspace import (
    configuration,
    flag_settings,
    open_workspace,
    refuse_no_folder,
)

RUBRIC = "general"
QUESTION = "Does the answer agree with the pages?"
"""Stands for the question of an answer that came without one."""
METRICS = ("claim_support", "hallucination_rate", "citation_precision")
KEPT = 20
"""Checks that are kept to be opened again; older ones are removed."""


@dataclass(frozen=True)
class CheckResult:
    """The results, in the order of the answers, and the run they were kept in."""

    samples: tuple[SampleResult, ...]
    workspace: Workspace
    run_id: str
    unread: str
    """That most of the folder was left aside, in words; else empty."""


class NothingToCheck(ClaimscopeError):
    """No page could be read: not a pass."""

    title = "Could not be checked"
    exit_code = 3


def check_answers(
    answers: Sequence[AnswerText],
    folders: Sequence[Path],
    arguments: argparse.Namespace,
) -> CheckResult:
    """Judges answers, which have different names, against the pages of all folders.
    Raises InputError for wrong use, NothingToCheck when a folder has no readable page
    or the only answer could not be judged."""
    for folder in folders:
        refuse_no_folder(folder)
    project = getattr(arguments, "project", None)
    workspace = open_workspace(arguments)
    settings = configuration(workspace, flag_settings(arguments), project).settings
    settings = settings.model_copy(update={"iterations": 1})
    places = list(dict.fromkeys(folder.resolve() for folder in folders))
    try:
        return asyncio.run(_check(answers, places, settings, arguments))
    except PageError as error:
        raise NothingToCheck(error.message, error.hint) from error


async def _check(
    answers: Sequence[AnswerText],
    folders: Sequence[Path],
    settings: Settings,
    arguments: argparse.Namespace,
) -> CheckResult:
    check_collector(settings)
    workspace = Workspace(cache_folder("check"))
    root = shared_root(folders)
    corpus_name = f"{root.name or 'pages'}-{digest(*map(str, folders))[:12]}"
    stage("reading the pages")
    with (
        cached_embedder(workspace, settings) as embedder,
        index_folder(
            workspace.index,
            corpus_name,
            root,
            embedder,
            include=arguments.include,
            exclude=arguments.exclude,
            parts=folders if len(folders) > 1 else (),
            text_field=arguments.text_field,
        ) as indexed,
    ):
        question = getattr(arguments, "question", None) or QUESTION
        asked = [question + answer.text for answer in answers]
        watch = ModelWatch()
        async with chat_models(settings, asked, watch) as chats:
            parts = parts_of(
                settings,
                embedder,
                indexed.corpus,
                chats,
                RUBRIC,
                METRICS,
                watch=watch,
                kept=DiskKeptRates(),
            )
            plan = plan_of(
                answers,
                settings,
                parts.models,
                (indexed.corpus.name, indexed.corpus.version),
                str(root),
                question,
            )
            journal = DiskRunStore(workspace.runs).create(plan.header)
            with (
                closing(journal),
                span_to_collector(settings, "check", run_attributes(plan.header)),
            ):
                samples = await judge_plan(plan, parts.services, journal, watch)
    forget_old(workspace)
    if len(samples) == 1 and samples[0].error:
        raise NothingToCheck(samples[0].error)
    warning = indexed.reading.unread().warning
    left_aside = f"{root.name}: {warning}" if warning else ""
    return CheckResult(samples, workspace, plan.header.run_id, left_aside)


def plan_of(
    answers: Sequence[AnswerText],
    settings: Settings,
    models: Models,
    corpus: tuple[str, str],
    root: str | None,
    question: str = QUESTION,
) -> RunPlan:
    """A case for each answer, in their order. corpus: name and version."""
    named = [(case_of(answer.name), answer.text) for answer in answers]
    cases = tuple(Case(id=name, question=question) for name, _ in named)
    return make_plan(
        Suite(id="check", cases=cases, rubric=RUBRIC),
        [Answer(case_id=name, text=text) for name, text in named],
        settings,
        models,
        run_id=new_run_id(),
        created=utc_now(),
        version=version(),
        corpus=corpus,
        paths=(None, None, root),
        digests=(digest("check"), digest(*(text for _, text in named))),
        metrics=METRICS,
    )


def case_of(name: str) -> str:
    """The id of the case of an answer."""
    return name if name != "-" else "stdin"


async def judge_plan(
    plan: RunPlan, services: ServicesFor, journal: RunWriter, watch: ModelWatch
) -> tuple[SampleResult, ...]:
    """The results of a plan in its order, saved; how far it is, is shown."""
    total = len(plan.tasks)
    done = 0

    def show(state: ModelState | None = None) -> None:
        of = f" {done + 1} of {total}" if 1 < total != done else ""
        model = f"; {state_words(state)}" if state else ""
        stage(f"judging answer{of}{model}")

    watch.add(show)
    show()
    async for event in execute(
        plan, lambda task: evaluate(task, services(journal, 1)), journal
    ):
        if isinstance(event, SampleFinished):
            done += 1
            show()
    finished = {result.key: result for result in journal.finished().values()}
    return tuple(finished[task.key] for task in plan.tasks)


def forget_old(workspace: Workspace) -> None:
    """Removes all but the newest runs; ids sort by time."""
    for folder in sorted(workspace.runs.iterdir())[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
