"""The engine process of a run: prepare, judge, report. Used by run, resume, demo."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, closing

from claimscope.core.analysis.summary import summarise
from claimscope.core.models import RunHeader, RunStatus, SampleResult
from claimscope.core.plan import RunPlan, SampleTask, check_resumable
from claimscope.core.ports import RunWriter
from claimscope.core.report.probe_text import fitness_notes
from claimscope.core.report.text import status_line, summary_lines
from claimscope.core.sample import evaluate
from claimscope.core.settings import Settings
from claimscope.stores.paths import Workspace
from claimscope.stores.runs import DiskRunStore
from claimscope.tui import preparing
from claimscope.tui.headless import follow
from claimscope.tui.output import say, write_json, write_lines
from claimscope.tui.preparing import Wanted
from claimscope.tui.probing import tell_fitness, with_fitness
from claimscope.tui.wiring import Bench, bench


def begin(
    workspace: Workspace, settings: Settings, wanted: Wanted, *, json: bool = False
) -> int:
    """A new run, to its end; gives the exit code."""
    return asyncio.run(_begin(workspace, settings, wanted, json))


def go_on(
    workspace: Workspace,
    settings: Settings,
    run_id: str,
    *,
    retry_errors: bool = False,
    json: bool = False,
) -> int:
    """A run that was stopped, to its end; gives the exit code."""
    return asyncio.run(_go_on(workspace, settings, run_id, retry_errors, json))


async def _begin(
    workspace: Workspace, settings: Settings, wanted: Wanted, json: bool
) -> int:
    loaded = preparing.load(wanted)
    async with AsyncExitStack() as stack:
        tools = await stack.enter_async_context(
            bench(
                workspace,
                settings,
                preparing.pages_folder(wanted, loaded),
                loaded,
                wanted.metrics,
            )
        )
        plan = preparing.plan(wanted, loaded, tools.corpus, settings, tools.models)
        plan = with_fitness(plan, workspace, settings, tools.judging)
        journal = DiskRunStore(workspace.runs).create(plan.header)
        with closing(journal):
            tell_fitness(journal, tools.judging)
            status = await _judge(plan, tools, journal, retry_errors=False)
            samples = list(journal.finished().values())
    return report(status, samples, json=json)


async def _go_on(
    workspace: Workspace,
    settings: Settings,
    run_id: str,
    retry_errors: bool,
    json: bool,
) -> int:
    runs = DiskRunStore(workspace.runs)
    with closing(runs.open(run_id)) as journal:
        header = journal.header()
        finished = journal.finished()
        if _is_done(header, finished, retry_errors):
            say(f"run {run_id}: all {len(finished)} samples were judged before")
            journal.save_state("finished")
            return report(journal.status(), list(finished.values()), json=json)
        settings = preparing.settings_again(header, settings)
        wanted = preparing.wanted_again(header)
        loaded = preparing.load(wanted)
        folder = preparing.pages_folder(wanted, loaded)
        async with bench(workspace, settings, folder, loaded, wanted.metrics) as tools:
            plan = preparing.plan(wanted, loaded, tools.corpus, settings, tools.models)
            check_resumable(header, plan.header)
            status = await _judge(plan, tools, journal, retry_errors=retry_errors)
            samples = list(journal.finished().values())
    return report(status, samples, json=json)


def _is_done(
    header: RunHeader, finished: dict[str, SampleResult], retry_errors: bool
) -> bool:
    if retry_errors and any(sample.error for sample in finished.values()):
        return False
    return len(finished) >= header.total_samples


async def _judge(
    plan: RunPlan, tools: Bench, journal: RunWriter, *, retry_errors: bool
) -> RunStatus:
    async def judge(task: SampleTask) -> SampleResult:
        return await evaluate(task, tools.services(journal, task.key.iteration))

    tools.watch.add(journal.save_model_state)
    return await follow(
        plan, judge, journal, retry_errors=retry_errors, watch=tools.watch
    )


def report(status: RunStatus, samples: list[SampleResult], *, json: bool) -> int:
    """Prints the summary of a run; gives its exit code."""
    summary = summarise(samples)
    if json:
        write_json({"status": status, "summary": summary})
    else:
        print(status_line(status))
        write_lines(summary_lines(summary))
        write_lines(fitness_notes(status.header.fitness))
        say(
            f"`claimscope show {status.header.run_id}` prints it, `claimscope` opens it"
        )
    if status.state == "stopped":
        say(f"`claimscope resume {status.header.run_id}` goes on")
        return 130
    if status.state != "finished" or status.unscored == status.completed:
        return 3
    return 0
