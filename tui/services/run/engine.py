"""The engine process of a run: prepare, judge, report. Used by run, resume, reanalyse
and demo."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.analysis.summary.summary import Summary, summarise_rows
from claimscope.core.errors import StoreError
from claimscope.core.models import RunHeader, RunStatus, SampleResult
from claimscope.core.ports import CallLog, RunReader, RunWriter
from claimscope.core.report.text import one_line
from claimscope.core.report.views.probe import fitness_notes
from claimscope.core.report.views.reanalysis import reanalysis_view
from claimscope.core.report.views.run_status import run_line
from claimscope.core.report.views.summary import summary_view
from claimscope.core.run.cluster.scheduler import Workforce
from claimscope.core.run.fallback_notices import telling
from claimscope.core.run.header_changes import amend, changes, check_resumable
from claimscope.core.run.meters import metering, meters
from claimscope.core.run.plan import JudgeAgain, RunPlan, SampleTask
from claimscope.core.run.reanalysis import Reanalysis, carry_over, compare_results
from claimscope.core.run.reuse import BorrowedCalls, FreshCalls
from claimscope.core.run.sample import evaluate
from claimscope.core.settings import Settings
from claimscope.core.text.plurals import counted_noun, verb_of
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.process.memory import give_back, trim
from claimscope.tui.process.output import say, write_json, write_lines, write_view
from claimscope.tui.process.tracing import (
    check_collector,
    end_attributes,
    run_attributes,
    span_to_collector,
)
from claimscope.tui.services.models.probe import tell_fitness, with_fitness
from claimscope.tui.services.run import planning
from claimscope.tui.services.run.assembly import assemble
from claimscope.tui.services.run.headless import follow
from claimscope.tui.services.run.parts import RunParts
from claimscope.tui.services.run.planning import RunRequest
from claimscope.tui.services.run.progress_file import progress_listener
from claimscope.tui.services.workspace import open_runs


@dataclass(frozen=True)
class Continuation:
    """How a run goes on."""

    again: JudgeAgain = JudgeAgain()
    fresh: bool = False
    """Ask the models anew for samples that are judged again."""
    iterations: int | None = None
    """So many from now on."""
    answers: Path | None = None
    """A file of answers to add."""
    progress_file: Path | None = None
    """Rewritten after each sample with what is done."""
    stop_on_error: bool = False
    """The setting continue_on_error is off."""
    flags: Mapping[str, object | None] | None = None
    """Settings that are wanted in place of the run's: refused, but for a new run."""

    @property
    def adds(self) -> bool:
        """Whether something is added to the run."""
        return self.iterations is not None or self.answers is not None


def begin(
    workspace: Workspace, settings: Settings, wanted: RunRequest, *, json: bool = False
) -> int:
    """A new run, to its end; gives the exit code."""
    return print_outcome(asyncio.run(_begin(workspace, settings, wanted)), json=json)


async def to_its_end(
    workspace: Workspace, settings: Settings, wanted: RunRequest, *, begun: bool
) -> RunStatus:
    """A run that is a part of something larger (a lab): begun, or gone on with, and
    judged as far as it may be; nothing is printed."""
    if begun:
        assert wanted.run_id is not None
        return (await _go_on(workspace, settings, wanted.run_id, Continuation())).status
    return (await _begin(workspace, settings, wanted)).status


def go_on(
    workspace: Workspace,
    settings: Settings,
    run_id: str,
    going: Continuation | None = None,
    *,
    json: bool = False,
) -> int:
    """A run that was stopped, to its end; gives the exit code."""
    ended = asyncio.run(_go_on(workspace, settings, run_id, going or Continuation()))
    return print_outcome(ended, json=json)


def begin_from(
    workspace: Workspace,
    settings: Settings,
    run_id: str,
    going: Continuation,
    *,
    new_id: str | None = None,
    json: bool = False,
) -> int:
    """A new run with what changed since an old one, using its calls; gives the exit
    code."""
    old, wanted = _made_from(workspace, run_id, new_id)
    settings = planning.settings_of_run(old, settings, going.flags)
    if going.iterations is not None:
        settings = settings.model_copy(update={"iterations": going.iterations})
    if going.answers is not None:
        wanted = replace(wanted, added=(*wanted.added, going.answers))
    return begin(workspace, settings, wanted, json=json)


def reanalyse(
    workspace: Workspace,
    settings: Settings,
    run_id: str,
    pages: Path | None,
    *,
    new_id: str,
    json: bool = False,
) -> int:
    """A new run of the stored answers against other pages, in which only what they
    touch is judged; gives the exit code. Raises RunMismatch when something else than
    the pages changed since."""
    old, wanted = _made_from(workspace, run_id, new_id)
    wanted = replace(wanted, carries=True, pages=pages or wanted.pages)
    settings = planning.settings_of_run(old, settings)
    return print_outcome(asyncio.run(_begin(workspace, settings, wanted)), json=json)


def _made_from(
    workspace: Workspace, run_id: str, new_id: str | None
) -> tuple[RunHeader, RunRequest]:
    """(header of a run, what asks for another one like it)."""
    old = open_runs(workspace).read(run_id).status().header
    wanted = planning.request_of_run(old)
    return old, replace(
        wanted, run_id=new_id, created=None, made_from=run_id, carries=False
    )


@dataclass(frozen=True)
class RunOutcome:
    status: RunStatus
    summary: Summary
    reanalysis: Reanalysis | None = None


async def _begin(
    workspace: Workspace, settings: Settings, wanted: RunRequest
) -> RunOutcome:
    give_back()
    check_collector(settings)
    loaded = planning.load(wanted)
    async with AsyncExitStack() as stack:
        stack.enter_context(metering())
        tools = await stack.enter_async_context(
            assemble(
                workspace,
                settings,
                planning.pages_folder(wanted, loaded),
                loaded,
                wanted.metrics,
            )
        )
        plan = planning.plan(wanted, loaded, tools.corpus, settings, tools.models)
        plan = with_fitness(plan, workspace, settings, tools.judging)
        runs = open_runs(workspace)
        old = source(runs, plan.header)
        if old is not None:
            before = old.status().header
            if plan.header.carries:
                check_resumable(before, plan.header, amended=("corpus_version",))
            tell_changes(before, plan.header)
        journal = runs.create(plan.header)
        with closing(journal):
            tell_fitness(journal, tools.judging)
            going = Continuation(
                progress_file=wanted.progress_file,
                stop_on_error=not settings.continue_on_error,
            )
            return await _judge_traced(settings, plan, tools, journal, going, old)


async def _go_on(
    workspace: Workspace, settings: Settings, run_id: str, going: Continuation
) -> RunOutcome:
    give_back()
    check_collector(settings)
    runs = open_runs(workspace)
    with metering(), closing(runs.open(run_id)) as journal:
        header = journal.header()
        if _is_done(journal, going):
            say(
                f"run {run_id}: all "
                f"{counted_noun(header.total_samples, 'sample')} "
                f"{verb_of(header.total_samples, 'was', 'were')} judged before"
            )
            journal.save_state("finished")
            return RunOutcome(journal.status(), summarise_run(journal))
        settings = planning.settings_of_run(header, settings, going.flags)
        wanted = planning.request_of_run(header)
        if going.iterations is not None:
            settings = settings.model_copy(update={"iterations": going.iterations})
        if going.answers is not None:
            added = dict.fromkeys((*wanted.added, going.answers.absolute()))
            wanted = replace(wanted, added=tuple(added))
        loaded = planning.load(wanted)
        folder = planning.pages_folder(wanted, loaded)
        async with assemble(
            workspace, settings, folder, loaded, wanted.metrics
        ) as tools:
            plan = planning.plan(wanted, loaded, tools.corpus, settings, tools.models)
            if going.adds:
                _amend(journal, plan.header)
            else:
                check_resumable(header, plan.header)
            old = source(runs, header)
            going = replace(going, stop_on_error=not settings.continue_on_error)
            return await _judge_traced(settings, plan, tools, journal, going, old)


def _is_done(journal: RunWriter, going: Continuation) -> bool:
    """Nothing is missing, to be added or judged again; decided without reading the
    results, let alone the pages."""
    if going.adds or any(v is not None for v in (going.flags or {}).values()):
        return False
    if going.again and any(map(going.again.wants, journal.rows())):
        return False
    return len(journal.finished_keys()) >= journal.header().total_samples


def _amend(journal: RunWriter, new: RunHeader) -> None:
    """Adds to a run what new has more of, with a word in its log."""
    old = journal.header()
    header = amend(old, new, utc_now())
    added = header.amended[len(old.amended) :]
    if not added:
        say(f"run {old.run_id}: nothing was added; it had all of that")
    for words in added:
        message = f"added: {words.partition(' ')[2]}"
        journal.save_note(message)
        say(one_line(message))
    journal.amend(header)


def source(runs: DiskRunStore, header: RunHeader) -> RunReader | None:
    """The run that this one was made from, if any; one that is gone by now is done
    without, and said."""
    if header.made_from is None:
        return None
    try:
        return runs.read(header.made_from)
    except StoreError as error:
        say(f"note: its calls cannot be used again: {one_line(error.message)}")
        return None


def tell_changes(old: RunHeader, new: RunHeader) -> None:
    """What is different in a run that is made from another."""
    found = changes(old, new)
    say(f"run {new.run_id}, from run {old.run_id}; changed:")
    for change in found:
        say(f"  {one_line(str(change))}")
    if not found:
        say("  nothing that verdicts depend on")


async def _judge_traced(
    settings: Settings,
    plan: RunPlan,
    tools: RunParts,
    journal: RunWriter,
    going: Continuation,
    old: RunReader | None,
) -> RunOutcome:
    """All that is missing, as a span where spans are collected."""
    with span_to_collector(settings, "run", run_attributes(plan.header)) as found:
        ended = await _judge(plan, tools, journal, going, old)
        found.note(end_attributes(ended.status))
        return ended


async def _judge(
    plan: RunPlan,
    tools: RunParts,
    journal: RunWriter,
    going: Continuation,
    old: RunReader | None,
) -> RunOutcome:
    """All that is missing. `old`: the run this one was made from."""
    made_from = plan.header.made_from or ""
    calls: CallLog = journal
    if going.fresh:
        calls = FreshCalls(journal)
    elif old is not None:
        calls = BorrowedCalls(journal, old, made_from)

    async def judge(task: SampleTask) -> SampleResult:
        if plan.header.carries and old is not None:
            kept = await asyncio.to_thread(
                lambda: carry_over(task, old.sample(task.key), tools.corpus, made_from)
            )
            if kept is not None:
                return kept
        if force is not None:
            return await force.judge(task)
        services = tools.services(calls, task.key.iteration)
        return await evaluate(task, telling(services, task.key, calls))

    trim()  # of suite and index, what only their making took
    tools.watch.add(journal.save_model_state)
    async with at_work(tools, calls, journal) as force:
        room = None if force is None else force.room
        status = await follow(
            plan,
            judge,
            journal,
            again=going.again,
            watch=tools.watch,
            room=room,
            stop_on_error=going.stop_on_error,
            heard=progress_listener(going.progress_file, journal),
        )
    journal.save_embedded(*meters().embedded.take())
    if searched := meters().searched.take():
        journal.save_searched(searched)
    if isinstance(calls, BorrowedCalls) and calls.borrowed:
        words = f"{calls.borrowed} model calls were taken over from run {made_from}"
        journal.save_note(words)
        say(words)
    found = None
    if plan.header.carries and old is not None:
        found = compare_results(made_from, old.sample, journal.samples(), tools.corpus)
    return RunOutcome(status, summarise_run(journal), found)


def summarise_run(run: RunWriter | RunReader) -> Summary:
    """What the samples of a run add up to, without holding them."""
    header = run.status().header
    samples = run.samples() if header.judges else ()
    return summarise_rows(run.rows(), settings_of(header), samples)


@asynccontextmanager
async def at_work(
    tools: RunParts, calls: CallLog, journal: RunWriter
) -> AsyncIterator[Workforce | None]:
    """The workers of a cluster, ready to judge; None when samples are judged here."""
    if tools.workers is None:
        yield None
        return
    async with tools.workers.at_work(calls, journal) as force:
        yield force


def print_outcome(ended: RunOutcome, *, json: bool) -> int:
    """Prints how a run ended; gives its exit code."""
    if ended.reanalysis is not None and not json:
        write_view([reanalysis_view(ended.reanalysis)])
    more = {} if ended.reanalysis is None else {"reanalysis": ended.reanalysis}
    return report(ended.status, ended.summary, json=json, more=more)


def report(
    status: RunStatus,
    summary: Summary,
    *,
    json: bool,
    more: Mapping[str, object] | None = None,
) -> int:
    """Prints the summary of a run; gives its exit code. `more`: for JSON."""
    if json:
        write_json({"status": status, "summary": summary, **(more or {})})
    else:
        print(run_line(status))
        write_view(summary_view(summary))
        write_lines(fitness_notes(status.header.fitness))
        say(
            f"`claimscope runs show {status.header.run_id}` prints it, "
            "`claimscope` opens it"
        )
    return exit_code(status)


def exit_code(status: RunStatus) -> int:
    """0 finished; 130 stopped; 3 not done, or not one sample could be judged."""
    if status.state == "stopped":
        say(f"`claimscope runs resume {status.header.run_id}` goes on")
        return 130
    if status.state != "finished" or status.unscored == status.completed:
        return 3
    return 0
