"""`claimscope show RUN [CASE]`: a run in figures, or a case claim by claim."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.models import RunStatus, SampleResult


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and what of it."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument("case", nargs="?", metavar="CASE", help="a case id")
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
    from claimscope.core.analysis.overrules import Corrected, corrected
    from claimscope.tui.output import say
    from claimscope.tui.workspace import open_runs, open_workspace, run_named

    runs = open_runs(open_workspace(arguments))
    reader = runs.read(run_named(runs, arguments.run_id))
    found = corrected(reader)
    if found.overruled:
        shown = "not counted here" if arguments.machine else "--machine shows its own"
        say(f"{found.overruled} overruled by people: {shown}")
    if arguments.machine:
        found = Corrected(reader.status(), reader.samples(), found.overruled)
    samples = choose(found.samples, arguments)
    if arguments.json:
        show_json(found.status, samples, whole=arguments.case is not None)
    else:
        show_text(found.status, samples, whole=arguments.case is not None)
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
    from claimscope.core.analysis.overrules import settings_of
    from claimscope.core.analysis.summary import summarise
    from claimscope.core.report.analysis_text import iteration_lines
    from claimscope.core.report.probe_text import fitness_notes
    from claimscope.core.report.text import (
        breakdown_lines,
        sample_line,
        sample_lines,
        status_line,
        summary_lines,
    )
    from claimscope.tui.output import write_lines

    if whole:
        for number, sample in enumerate(samples):
            if number:
                print()
            write_lines(sample_lines(sample))
        return
    print(status_line(status))
    summary = summarise(samples)
    write_lines(summary_lines(summary))
    write_lines(breakdown_lines(summary))
    write_lines(iteration_lines(samples, settings_of(status.header).pass_grade))
    write_lines(fitness_notes(status.header.fitness))
    print()
    write_lines(sample_line(sample) for sample in samples)


def show_json(
    status: RunStatus, samples: Sequence[SampleResult], *, whole: bool
) -> None:
    """One document: status, summary, iterations, samples (with CASE: only the samples,
    each with its claim feedback)."""
    from claimscope.core.analysis.feedback import claim_feedback
    from claimscope.core.analysis.iterations import over_iterations
    from claimscope.core.analysis.overrules import settings_of
    from claimscope.core.analysis.summary import summarise
    from claimscope.tui.output import write_json

    if whole:
        write_json(
            [
                {**sample.model_dump(mode="json"), "feedback": claim_feedback(sample)}
                for sample in samples
            ]
        )
        return
    pass_grade = settings_of(status.header).pass_grade
    write_json(
        {
            "status": status,
            "summary": summarise(samples),
            "iterations": over_iterations(samples, pass_grade),
            "samples": list(samples),
        }
    )
