"""Flags of the gate and what they come to: shared by run, resume and report.

What is wrong with a flag is said before a run starts, not after an hour of judging.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.process.output import say, signs_of
from claimscope.tui.services.workspace import open_runs, run_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimscope.core.analysis.gate import Check, Demand, Gate
    from claimscope.core.models import RunStatus, SampleResult
    from claimscope.core.ports import RunStore
    from claimscope.stores.workspace.paths import Workspace

EXIT_CODES = """\
with a gate (--fail-under, --fail-over, --fail-on-regression, --min-coverage): 0 every
demand was reached; 1 a demand was not reached; 3 it could not be judged: too few
samples have a verdict, or there is no run to compare with. A gate always demands
coverage: 0.9 of the samples unless --min-coverage says otherwise.
"""
PREVIOUS = "previous"
INTERRUPTED = 130
GRADES = ("faithfulness", "completeness")


def add_gate_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("gate")
    add = group.add_argument
    for flag, side in (("under", "below"), ("over", "above; where low is good")):
        add(
            f"--fail-{flag}",
            action="append",
            type=bound,
            metavar="FIGURE=VALUE",
            help=f"exit 1 when the figure is {side}: pass_rate, a metric "
            "(`claimscope help metrics`), faithfulness or completeness (repeatable)",
        )
    add(
        "--fail-on-regression",
        nargs="?",
        const=PREVIOUS,
        metavar="RUN",
        help="exit 1 when the run is worse, beyond noise, than RUN (default: the "
        "previous finished run of the suite)",
    )
    add(
        "--min-coverage",
        type=share,
        metavar="PART",
        help="part of the samples that must have been judged, else exit 3 "
        "(default with a gate: 0.9)",
    )
    add(
        "--github",
        action="store_true",
        help="write a summary to the file named by GITHUB_STEP_SUMMARY (else to "
        "stdout), and annotations",
    )


def bound(text: str) -> tuple[str, float]:
    """`pass_rate=0.8` or `pass_rate=80%`. Raises ArgumentTypeError."""
    name, sign, value = (part.strip() for part in text.partition("="))
    number = _number(value)
    if not sign or not name or number is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not FIGURE=VALUE, such as pass_rate=0.8"
        )
    return name, number


def share(text: str) -> float:
    """A part from 0 to 1, or in per cent. Raises ArgumentTypeError."""
    number = _number(text)
    if number is None or not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a part from 0 to 1")
    return number


def _number(text: str) -> float | None:
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def is_gated(arguments: argparse.Namespace) -> bool:
    return bool(
        arguments.fail_under
        or arguments.fail_over
        or arguments.fail_on_regression
        or arguments.min_coverage is not None
    )


def demands_of(arguments: argparse.Namespace) -> list[Demand]:
    """The bounds asked for. Raises InputError for a figure that nobody knows, a bound
    outside its scale, or the wrong side."""
    from claimscope.core.analysis.gate import Demand

    found = []
    for flag, at_most in (("under", False), ("over", True)):
        for name, value in getattr(arguments, f"fail_{flag}") or ():
            _check_bound(f"--fail-{flag}", name, value, at_most=at_most)
            found.append(Demand(metric=name, bound=value, at_most=at_most))
    return found


def _check_bound(flag: str, name: str, value: float, *, at_most: bool) -> None:
    from claimscope.core.analysis.summary.iterations import PASS_RATE
    from claimscope.core.metrics.discovery import discover
    from claimscope.core.metrics.overall import is_low_good

    metrics = discover()
    known = [PASS_RATE, *GRADES, *metrics]
    if name not in known:
        raise InputError(
            f"{flag} {name}: there is no such figure", f"there are: {', '.join(known)}"
        )
    if is_low_good(name) != at_most:
        other, good = ("under", "high") if at_most else ("over", "low")
        raise InputError(
            f"{flag} {name}={value:g}: a {good} {name} is the good one",
            f"use --fail-{other} {name}={value:g}",
        )
    if value < 0 or (name == PASS_RATE and value > 1):
        raise InputError(
            f"{flag} {name}={value:g}: that is outside its scale",
            "pass_rate goes from 0 to 1 (or 80%), no figure below 0",
        )


def prepare(arguments: argparse.Namespace, runs: RunStore) -> None:
    """Checks all gate flags, so that a mistake costs no run. Raises InputError."""
    from claimscope.stores.runs.run_store import new_run_id

    demands_of(arguments)
    if getattr(arguments, "detach", False) and (
        is_gated(arguments) or arguments.github
    ):
        raise InputError(
            "a gate needs the end of the run, and --detach does not wait for it",
            "leave --detach out, or gate later: claimscope report RUN --fail-under …",
        )
    if arguments.fail_on_regression not in (None, PREVIOUS):
        runs.read(_baseline_id(arguments, runs))
    # A new run is given its id here, so that it is found again at its end.
    if is_gated(arguments) or arguments.github:
        if arguments.run_id is None:
            arguments.run_id = new_run_id()
        if getattr(arguments, "as_new", False):
            arguments.new_id = arguments.new_id or new_run_id()


def _baseline_id(arguments: argparse.Namespace, runs: RunStore) -> str:
    return run_named(runs, arguments.fail_on_regression)


def gate_of(
    arguments: argparse.Namespace,
    runs: RunStore,
    status: RunStatus,
    samples: Sequence[SampleResult],
) -> Gate | None:
    """The gate that was asked for; None when nothing was demanded."""
    from claimscope.core.analysis.gate import DEFAULT_COVERAGE, gate

    if not is_gated(arguments):
        return None
    least = arguments.min_coverage
    least = DEFAULT_COVERAGE if least is None else least
    regressions: Sequence[Check] = ()
    if arguments.fail_on_regression:
        regressions = regressions_of(arguments, runs, status, samples, least)
    return gate(
        status,
        samples,
        demands_of(arguments),
        min_coverage=least,
        regressions=regressions,
    )


def regressions_of(
    arguments: argparse.Namespace,
    runs: RunStore,
    status: RunStatus,
    samples: Sequence[SampleResult],
    min_coverage: float,
) -> Sequence[Check]:
    """Against the run that was named, or the previous finished one of the suite."""
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.core.analysis.compare.comparison import RunData
    from claimscope.core.analysis.gate import no_baseline, regressions
    from claimscope.core.analysis.summary.iterations import previous_run

    if arguments.fail_on_regression == PREVIOUS:
        before = previous_run(runs.runs(), status)
        if before is None:
            return [no_baseline(len(samples))]
        name = before.header.run_id
    else:
        name = _baseline_id(arguments, runs)
    earlier = apply_overrides(runs.read(name))
    old = RunData(name, earlier.status.header, earlier.samples)
    new = RunData(status.header.run_id, status.header, samples)
    return list(regressions(old, new, min_coverage))


def code_with_gate(
    arguments: argparse.Namespace, workspace: Workspace, run_id: str, code: int
) -> int:
    """After a run: says what became of its gate; gives the exit code of both. A run
    that was stopped or could not be done keeps its own."""
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.tui.services.run.report import document_of, publishable, tell_github

    if code == INTERRUPTED or not (is_gated(arguments) or arguments.github):
        return code
    runs = open_runs(workspace)
    found = publishable(workspace, apply_overrides(runs.read(run_id)))
    gate = gate_of(arguments, runs, found.status, found.samples)
    if gate is not None:
        say_gate(gate)
    if arguments.github:
        report = document_of(found, gate)
        tell_github(report, found.status, to_stderr=arguments.json)
    return code or (gate.exit_code if gate is not None else 0)


def say_gate(gate: Gate) -> None:
    """The gate's table for people, on standard error."""
    from claimscope.core.report.renderers.plain import lines
    from claimscope.core.report.views.gate import gate_view

    for line in lines(gate_view(gate), signs=signs_of(sys.stderr)):
        say(line)
