"""`claimscope runs show RUN [CASE]`: a run in figures, or a case claim by claim."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.process.output import say, write_json, write_lines, write_view
from claimscope.tui.services.workspace import read_run

if TYPE_CHECKING:
    from claimscope.core.models import RunStatus, SampleResult

EPILOG = "exit codes: 0 done; 2 no such run or case\n"


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", metavar="RUN", help="a run id, or `last`")
    add("case", nargs="?", metavar="CASE", help="a case id")
    add("--provider", help="only this provider's answers")
    add("--failures", action="store_true", help="only samples that did not pass")
    add(
        "--machine",
        action="store_true",
        help="the machine's own verdicts, also where people overruled them",
    )


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.agreement.overrides import (
        CorrectedRun,
        apply_overrides,
        in_order,
    )
    from claimscope.core.report.terms import overruled_words

    reader = read_run(arguments)
    found = apply_overrides(reader)
    if found.overruled:
        shown = "not counted here" if arguments.machine else "--machine shows its own"
        say(f"{overruled_words(found.overruled)}: {shown}")
    if arguments.machine:
        found = CorrectedRun(
            reader.status(), in_order(reader.samples()), found.overruled
        )
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
    from claimscope.core.analysis.agreement.overrides import settings_of
    from claimscope.core.analysis.summary.iterations import over_iterations
    from claimscope.core.analysis.summary.summary import summarise
    from claimscope.core.report.view import line
    from claimscope.core.report.views.probe import fitness_notes
    from claimscope.core.report.views.run_analysis import iterations
    from claimscope.core.report.views.run_status import run_line
    from claimscope.core.report.views.sample import sample_list, sample_view
    from claimscope.core.report.views.spreads import tier_section
    from claimscope.core.report.views.summary import breakdowns, summary_view

    if whole:
        for number, sample in enumerate(samples):
            if number:
                print()
            write_view([sample_view(sample)])
        return
    print(run_line(status))
    settings = settings_of(status.header)
    found = summarise(samples, settings)
    write_view([*summary_view(found), *breakdowns(found)])
    if found.spreads:
        write_view([line(), *tier_section(found.spreads)])
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
    from claimscope.core.analysis.summary.claim_feedback import (
        claim_feedback,
        completions,
    )
    from claimscope.core.analysis.summary.iterations import over_iterations
    from claimscope.core.analysis.summary.summary import summarise

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
