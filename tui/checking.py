"""One answer against one folder: a run of one sample, kept in the cache."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.errors import ClaimscopeError, InputError, PageError
from claimscope.core.models import Answer, Case, SampleResult, Suite, digest
from claimscope.core.plan import make_plan
from claimscope.core.run import execute
from claimscope.core.sample import evaluate
from claimscope.core.settings import Settings
from claimscope.stores.paths import Workspace, cache_folder
from claimscope.stores.records import utc_now
from claimscope.stores.runs import DiskRunStore, new_run_id
from claimscope.tui.flags import given
from claimscope.tui.indexing import index_folder
from claimscope.tui.version import version
from claimscope.tui.wiring import (
    cached_embedder,
    chat_models,
    models_of,
    services_for,
)
from claimscope.tui.workspace import configuration, open_workspace

QUESTION = "Does the answer agree with the pages?"
METRICS = ("claim_support", "hallucination_rate", "citation_precision")


@dataclass(frozen=True)
class Checked:
    """The result, and the run it was kept in."""

    sample: SampleResult
    workspace: Workspace
    run_id: str
    unread: str
    """That most of the folder was left aside, in words; else empty."""


KEPT = 20
"""Checks that are kept to be opened again; older ones are removed."""


class NothingToCheck(ClaimscopeError):
    """No page could be read: not a pass."""

    title = "Could not be checked"
    exit_code = 3


def check_answer(
    name: str, text: str, folder: Path, arguments: argparse.Namespace
) -> Checked:
    """Judges text against the pages of folder. Raises InputError for wrong use,
    NothingToCheck when no page could be read."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "no such folder"
        raise InputError(
            f"--against {folder}: {what}", "name the folder of the pages that are true"
        )
    settings = configuration(open_workspace(arguments), given(arguments)).settings
    try:
        return asyncio.run(_check(name, text, folder.resolve(), settings, arguments))
    except PageError as error:
        raise NothingToCheck(error.message, error.hint) from error


async def _check(
    name: str,
    text: str,
    folder: Path,
    settings: Settings,
    arguments: argparse.Namespace,
) -> Checked:
    workspace = Workspace(cache_folder("check"))
    case_id = name if name != "-" else "stdin"
    suite = Suite(id="check", cases=(Case(id=case_id, question=QUESTION),))
    answer = Answer(case_id=case_id, text=text)
    corpus_name = f"{folder.name}-{digest(str(folder))[:12]}"
    with (
        cached_embedder(workspace, settings) as embedder,
        index_folder(
            workspace.index,
            corpus_name,
            folder,
            embedder,
            include=arguments.include,
            exclude=arguments.exclude,
        ) as indexed,
    ):
        async with chat_models(settings, [QUESTION + text]) as chats:
            plan = make_plan(
                suite,
                [answer],
                settings,
                models_of(settings, embedder, chats),
                run_id=new_run_id(),
                created=utc_now(),
                version=version(),
                corpus=(corpus_name, indexed.corpus.version),
                paths=(None, None, str(folder)),
                digests=(digest("check"), digest(text)),
                metrics=METRICS,
            )
            services = services_for(
                settings, indexed.corpus, embedder, chats, suite.rubric, METRICS
            )
            journal = DiskRunStore(workspace.runs).create(plan.header)
            with closing(journal):
                async for _ in execute(
                    plan,
                    lambda task: evaluate(task, services(journal, 1)),
                    journal,
                ):
                    pass
                (sample,) = journal.finished().values()
    forget_old(workspace)
    if sample.error:
        raise NothingToCheck(sample.error)
    warning = indexed.reading.unread().warning
    left_aside = f"{folder.name}: {warning}" if warning else ""
    return Checked(sample, workspace, plan.header.run_id, left_aside)


def forget_old(workspace: Workspace) -> None:
    """Removes all but the newest runs; ids sort by time."""
    for folder in sorted(workspace.runs.iterdir())[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
