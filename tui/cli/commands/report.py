"""`claimscope report RUN`: why a run failed, what it cost; reports, files, the gate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.text.plurals import counted_noun
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.workspace.paths import make_private, write_atomically
from claimscope.tui.cli.gate import (
    EXIT_CODES,
    add_gate_flags,
    gate_of,
    prepare,
    say_gate,
)
from claimscope.tui.process.output import say, write_json, write_lines, write_view
from claimscope.tui.services.run.report import pass_grade
from claimscope.tui.services.workspace import (
    configuration,
    open_runs,
    open_workspace,
    run_named,
)

if TYPE_CHECKING:
    from claimscope.core.analysis.agreement.overrides import CorrectedRun
    from claimscope.core.analysis.gate import Gate
    from claimscope.core.analysis.summary.cost import Cost, Prices
    from claimscope.core.analysis.summary.iterations import Delta
    from claimscope.core.models import JsonValue, RunStatus, SampleResult
    from claimscope.core.ports import RunReader, RunStore
    from claimscope.core.report.document import Report
    from claimscope.core.settings import Settings


EPILOG = f"""\
Without --format: failures, trend and cost, for people. Verdicts that people overruled
count as people gave them.
exit codes: 0 done, and with a gate, passed; 2 wrong use
{EXIT_CODES}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", nargs="?", default="last", metavar="RUN", help="a run id, or `last`")
    add(
        "--format",
        choices=("json", "jsonl", "csv", "md", "html", "junit"),
        help="write a report in this format (default: by the end of -o FILE)",
    )
    add(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write the report there, not to stdout",
    )
    add("--claims", action="store_true", help="with csv: one row a claim, not a sample")
    add(
        "--limit",
        type=count,
        metavar="N",
        help="with md, html: at most N samples in full (default: md 200, html 1000)",
    )
    add("--schema", action="store_true", help="print the JSON Schema of --format json")
    add(
        "--to", type=Path, metavar="DIR", help="write the result files into this folder"
    )
    add("--force", action="store_true", help="write into a folder that has other files")
    add_gate_flags(parser)
    for name in ("prompt", "completion"):
        add(
            f"--{name}-price",
            type=float,
            metavar="X",
            help=f"price of a million {name} tokens (default: the setting prices)",
        )
    add("--currency", help="what prices are in (default: the setting)")


def count(text: str) -> int:
    """A whole number, 0 or more. Raises ArgumentTypeError."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.tui.services.run.report import document_of, publishable, tell_github

    if arguments.schema:
        from claimscope.core.report.document import schema

        write_json(schema())
        return 0
    name = format_wanted(arguments)
    workspace = open_workspace(arguments)
    runs = open_runs(workspace)
    prepare(arguments, runs)
    reader = runs.read(run_named(runs, arguments.run_id))
    prices = prices_of(arguments, configuration(workspace, {}).settings, reader)
    found = publishable(workspace, apply_overrides(reader))
    gate = gate_of(arguments, runs, found.status, found.samples)
    if arguments.to is not None:
        write_result_files(arguments, found, prices)
    if name is None:
        print_analysis(arguments, runs, found, prices, gate)
    if name is not None or arguments.github:
        report = document_of(found, gate, prices)
        if name is not None:
            deliver(report, name, arguments)
        if arguments.github:
            is_data_out = arguments.json or (name and arguments.output is None)
            tell_github(report, found.status, to_stderr=bool(is_data_out))
    if gate is None:
        return 0
    if name is not None or arguments.json:
        say_gate(gate)
    return gate.exit_code


def format_wanted(arguments: argparse.Namespace) -> str | None:
    """By --format, else by the end of -o FILE; None = the analysis for people.

    Raises InputError for flags that do not go together.
    """
    from claimscope.core.report.formats import SUFFIXES, format_of

    if arguments.output is not None and str(arguments.output) == "-":
        arguments.output = None
    name: str | None = arguments.format or format_of(arguments.output)
    if arguments.output is not None and name is None:
        raise InputError(
            f"-o {arguments.output}: which format?",
            f"say --format, or end the name in {', '.join(SUFFIXES)}",
        )
    if arguments.to and not arguments.to.exists() and format_of(arguments.to):
        raise InputError(
            f"--to {arguments.to}: result files go into a folder; this names a file",
            f"-o {arguments.to} writes one report, --to FOLDER the result files",
        )
    if arguments.claims and name != "csv":
        raise InputError("--claims is for CSV", "--format csv --claims")
    if name is not None and arguments.json:
        raise InputError(
            f"--json and the format {name} cannot both be written",
            "leave one out; --format json is the document with a schema",
        )
    return name


def deliver(report: Report, name: str, arguments: argparse.Namespace) -> None:
    from claimscope.core.report.formats import render_report
    from claimscope.tui.services.run.report import write_pieces

    pieces = render_report(report, name, claims=arguments.claims, limit=arguments.limit)
    if name in ("json", "jsonl"):
        pieces = map(escape_json, pieces)
    if arguments.output is None:
        # A report is UTF-8 wherever it goes, as its own head says.
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode())
        sys.stdout.buffer.flush()
        return
    write_pieces(arguments.output, pieces)
    say(f"{name} report of {report.run.run_id} written to {arguments.output}")


def write_result_files(
    arguments: argparse.Namespace, found: CorrectedRun, prices: Prices
) -> None:
    from claimscope.core.report.result_files import result_files

    status, samples = found.status, found.samples
    whole = run_cost(status, samples, prices)
    files = result_files(status.header, samples, prices, pass_grade(status), whole)
    write_files(arguments.to, files, force=arguments.force)
    say(f"{counted_noun(len(files), 'file')} written to {arguments.to}")


def print_analysis(
    arguments: argparse.Namespace,
    runs: RunStore,
    found: CorrectedRun,
    prices: Prices,
    gate: Gate | None,
) -> None:
    """Failures, trend, cost and gate, as text or as one JSON document."""
    from claimscope.core.report.views.gate import gate_view

    status, samples = found.status, found.samples
    before, deltas = trend_of(runs, status, samples)
    if arguments.json:
        plain = document(status, samples, prices, before, deltas)
        write_json({**plain, "gate": gate})
        return
    write_lines(report_lines(status, samples, prices, before, deltas))
    if gate is not None:
        print()
        write_view(gate_view(gate), has_signs=True)


def prices_of(
    arguments: argparse.Namespace, settings: Settings, reader: RunReader
) -> Prices:
    """From the flags, else from the settings, by model. Raises InputError for a price
    below 0 or not a number."""
    from pydantic import ValidationError

    from claimscope.core.analysis.summary.cost import Prices, prices_of_run

    flags = {
        "prompt": arguments.prompt_price,
        "completion": arguments.completion_price,
        "currency": arguments.currency,
    }
    try:
        given = {name: value for name, value in flags.items() if value is not None}
        return Prices(**{**prices_of_run(reader, settings).model_dump(), **given})
    except ValidationError as error:
        name = error.errors()[0]["loc"][0]
        raise InputError(
            f"--{name}-price cannot be used: it is below 0 or no number",
            "give the price of a million tokens, e.g. 0.15",
        ) from error


def run_cost(
    status: RunStatus, samples: Sequence[SampleResult], prices: Prices
) -> Cost:
    """Of all calls of the run, also those of samples that never finished."""
    from claimscope.core.analysis.summary.cost import price_of

    unscored = sum(sample.passed is None for sample in samples)
    return price_of(
        "run", status.usage, prices, samples=len(samples), unscored=unscored
    )


def trend_of(
    runs: RunStore, status: RunStatus, samples: Sequence[SampleResult]
) -> tuple[str | None, tuple[Delta, ...]]:
    """The previous finished run of the suite, and how each mean moved since."""
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.core.analysis.summary.iterations import previous_run, trend
    from claimscope.core.analysis.summary.summary import summarise

    before = previous_run(runs.runs(), status)
    if before is None:
        return None, ()
    earlier = apply_overrides(runs.read(before.header.run_id)).samples
    return before.header.run_id, trend(summarise(samples), summarise(earlier))


def write_files(folder: Path, found: dict[str, JsonValue], *, force: bool) -> None:
    """Each file whole or not at all, private to the user.

    Raises InputError when the folder has files of others, StoreError.
    """
    import orjson

    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, not a folder", "--to another folder")
    if folder.is_dir() and not force and any(folder.iterdir()):
        raise InputError(
            f"{folder} has files already", "--to an empty folder, or --force"
        )
    for name, value in found.items():
        path = folder / name
        make_private(path.parent)
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
        write_atomically(path, escape_json(text).encode())


def document(
    status: RunStatus,
    samples: Sequence[SampleResult],
    prices: Prices,
    before: str | None,
    deltas: Sequence[Delta],
) -> dict[str, object]:
    from claimscope.core.analysis.agreement.overrides import settings_of
    from claimscope.core.analysis.summary.failures import analyse_failures
    from claimscope.core.analysis.summary.iterations import (
        grade_summary,
        over_iterations,
    )
    from claimscope.core.analysis.summary.quadrant import quadrant
    from claimscope.core.analysis.summary.summary import summarise

    return {
        "status": status,
        "summary": summarise(samples, settings_of(status.header)),
        "grades": grade_summary(samples, pass_grade(status)),
        "iterations": over_iterations(samples, pass_grade(status)),
        "failures": analyse_failures(samples),
        "quadrant": quadrant(samples, pass_grade(status)),
        "cost": run_cost(status, samples, prices),
        "trend": {"before": before, "deltas": list(deltas)},
    }


def report_lines(
    status: RunStatus,
    samples: Sequence[SampleResult],
    prices: Prices,
    before: str | None,
    deltas: Sequence[Delta],
) -> Iterator[str]:
    from claimscope.core.analysis.summary.failures import analyse_failures
    from claimscope.core.analysis.summary.iterations import over_iterations
    from claimscope.core.analysis.summary.quadrant import quadrant
    from claimscope.core.report.renderers.plain import lines
    from claimscope.core.report.view import Part, line
    from claimscope.core.report.views import run_analysis as view
    from claimscope.core.report.views.quadrant import quadrant_section
    from claimscope.core.report.views.run_status import run_line

    bounds = pass_grade(status)
    failed = analyse_failures(samples)
    yield run_line(status)
    parts: list[Part] = [
        *view.grades(samples, bounds),
        *view.iterations(over_iterations(samples, bounds)),
        view.failures(failed),
        *view.advice(failed),
        *quadrant_section(quadrant(samples, bounds)),
        *view.since(before, deltas),
        view.cost(run_cost(status, samples, prices)),
    ]
    for part in parts:
        yield from lines([line(), part])
