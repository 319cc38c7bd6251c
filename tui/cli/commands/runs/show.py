"""`claimscope show RUN [CASE]`: a run in figures, or a case claim by claim; `show
SCREEN`: what a screen shows, as lines or JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.models import RunStatus, SampleResult
    from claimscope.core.report.view import Part
    from claimscope.tui.gateway.workspace import WorkspaceGateway

EPILOG = """\
Instead of RUN, a screen: home, pages [CORPUS], suite [SUITE], new-run, run [RUN],
  results [RUN], stepper [RUN] (every failed sample, claim by claim), compare [RUN]
  (with the run before it), trends [SUITE], judge, models, lab, metrics [METRIC],
  settings, keys (every action with its id, for a table [keys] of the settings file).
Without any word it lists them with the commands that print the same.
exit codes: 0 done; 2 no such run, case or screen; else those of that command
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and what of it."""
    parser.add_argument(
        "run_id",
        nargs="?",
        metavar="RUN|SCREEN",
        help="a run id, `last`, or the name of a screen",
    )
    parser.add_argument(
        "case", nargs="?", metavar="CASE", help="a case id, or what of the screen"
    )
    parser.add_argument("--provider", help="only this provider's answers")
    parser.add_argument(
        "--failures", action="store_true", help="only samples that did not pass"
    )
    parser.add_argument(
        "--machine",
        action="store_true",
        help="the machine's own verdicts, also where people overruled them",
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the summary and a line a sample, or the samples of CASE in full."""
    from claimscope.core.analysis.agreement.overrides import (
        Corrected,
        apply_overrides,
        in_order,
    )
    from claimscope.core.report.terms import overruled_words
    from claimscope.tui.cli.printing import NAMES
    from claimscope.tui.process.output import say
    from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

    if arguments.run_id is None or arguments.run_id in NAMES:
        return show_screen(arguments)
    runs = open_runs(open_workspace(arguments))
    reader = runs.read(run_named(runs, arguments.run_id))
    found = apply_overrides(reader)
    if found.overruled:
        shown = "not counted here" if arguments.machine else "--machine shows its own"
        say(f"{overruled_words(found.overruled)}: {shown}")
    if arguments.machine:
        found = Corrected(reader.status(), in_order(reader.samples()), found.overruled)
    samples = choose(found.samples, arguments)
    if arguments.json:
        show_json(found.status, samples, whole=arguments.case is not None)
    else:
        show_text(found.status, samples, whole=arguments.case is not None)
    return 0


def show_screen(arguments: argparse.Namespace) -> int:
    """What a screen shows; without a name, which screens there are."""
    from dataclasses import asdict

    from claimscope.tui.cli.entry import main
    from claimscope.tui.cli.printing import TABLE, table_lines, words_of
    from claimscope.tui.gateway.workspace import WorkspaceGateway
    from claimscope.tui.process.output import write_json, write_lines
    from claimscope.tui.services.workspace import open_workspace

    if arguments.run_id is None:
        if arguments.json:
            write_json([asdict(printed) for printed in TABLE])
        else:
            write_lines(table_lines())
        return 0
    workspace = open_workspace(arguments)
    desk = WorkspaceGateway(workspace)
    words = words_of(arguments.run_id, arguments.case, desk)
    if words is None:
        return print_screen(desk, arguments)
    flags = ["--workspace", str(workspace.root), *(["--json"] * arguments.json)]
    return main([*words, *flags])


def print_screen(desk: WorkspaceGateway, arguments: argparse.Namespace) -> int:
    """A screen that no other command prints."""
    from dataclasses import asdict

    from claimscope.stores.suites.loading import load_suite
    from claimscope.tui.cli import printing
    from claimscope.tui.process.output import write_json, write_view
    from claimscope.tui.services.workspace import run_named
    from claimscope.tui.views.home import home_view
    from claimscope.tui.views.settings import settings_view

    name, more = arguments.run_id, arguments.case
    data: object
    parts: Iterable[Part]
    if name == "stepper":
        arguments.run_id, arguments.case = more or "last", None
        return step_through(desk, arguments)
    if name == "run":
        status = desk.runs.read(run_named(desk.runs, more or "last")).status()
        data, parts = status, printing.run_view(status)
    elif name == "suite" and more:
        loaded = load_suite(more)
        data = {"suite": loaded.suite, "answers": list(loaded.answers)}
        parts = printing.suite_view(loaded)
    elif name == "settings":
        found = desk.settings()
        data, parts = [asdict(info) for info in found], settings_view(found)
    elif name == "keys":
        data, parts = printing.key_data(), printing.key_view()
    elif name == "home":
        data, parts = printing.home_data(desk), home_view(desk)
    else:  # new-run, or suite without a name: what there is to choose from
        data = [asdict(suite) for suite in desk.suites()]
        parts = printing.new_run_view(desk)
    if arguments.json:
        write_json(data)
    else:
        write_view(parts)
    return 0


def step_through(desk: WorkspaceGateway, arguments: argparse.Namespace) -> int:
    """Every sample that did not pass, claim by claim, as people see it."""
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.tui.services.workspace import run_named

    found = apply_overrides(desk.runs.read(run_named(desk.runs, arguments.run_id)))
    failed = [sample for sample in found.samples if sample.passed is not True]
    show = show_json if arguments.json else show_text
    show(found.status, failed, whole=True)
    return 0


def choose(
    samples: Sequence[SampleResult], arguments: argparse.Namespace
) -> list[SampleResult]:
    """The samples asked for. Raises InputError for an unknown case or provider."""
    from claimscope.core.errors import InputError

    for field, value, known in (
        ("case", arguments.case, sorted({s.key.case_id for s in samples})),
        ("provider", arguments.provider, sorted({s.key.provider for s in samples})),
    ):
        if value is not None and value not in known:
            raise InputError(
                f"run {arguments.run_id} has no finished sample of {field} {value!r}",
                f"it has: {', '.join(known) or 'none yet'}",
            )
    return [
        sample
        for sample in samples
        if arguments.case in (None, sample.key.case_id)
        and arguments.provider in (None, sample.key.provider)
        and not (arguments.failures and sample.passed is True)
    ]


def show_text(
    status: RunStatus, samples: Sequence[SampleResult], *, whole: bool
) -> None:
    """For people."""
    from claimscope.core.analysis.agreement.overrides import settings_of
    from claimscope.core.analysis.summary.iterations import over_iterations
    from claimscope.core.analysis.summary.summary import summarise
    from claimscope.core.report.text import status_line
    from claimscope.core.report.view import line
    from claimscope.core.report.views.probe import fitness_notes
    from claimscope.core.report.views.run_analysis import iterations
    from claimscope.core.report.views.sample import sample_list, sample_view
    from claimscope.core.report.views.spreads import spreads
    from claimscope.core.report.views.summary import breakdowns, summary_view
    from claimscope.tui.process.output import write_lines, write_view

    if whole:
        for number, sample in enumerate(samples):
            if number:
                print()
            write_view([sample_view(sample)])
        return
    print(status_line(status))
    settings = settings_of(status.header)
    found = summarise(samples, settings)
    write_view([*summary_view(found), *breakdowns(found)])
    if found.spreads:
        write_view([line(), *spreads(found.spreads)])
    for part in iterations(over_iterations(samples, settings.pass_grades)):
        write_view([line(), part])
    write_lines(fitness_notes(status.header.fitness))
    if samples:
        write_view([line(), sample_list(samples)])


def show_json(
    status: RunStatus, samples: Sequence[SampleResult], *, whole: bool
) -> None:
    """One document: status, summary, iterations, samples (with CASE: only the samples,
    each with its claim feedback)."""
    from claimscope.core.analysis.agreement.overrides import settings_of
    from claimscope.core.analysis.summary.claim_feedback import claim_feedback
    from claimscope.core.analysis.summary.iterations import over_iterations
    from claimscope.core.analysis.summary.missing_claims import completions
    from claimscope.core.analysis.summary.summary import summarise
    from claimscope.tui.process.output import write_json

    if whole:
        write_json(
            [
                {
                    **sample.model_dump(mode="json"),
                    "feedback": claim_feedback(sample),
                    "completions": list(completions(sample)),
                }
                for sample in samples
            ]
        )
        return
    pass_grade = settings_of(status.header).pass_grades
    write_json(
        {
            "status": status,
            "summary": summarise(samples, settings_of(status.header)),
            "iterations": over_iterations(samples, pass_grade),
            "samples": list(samples),
        }
    )
