"""`claimscope report RUN`: why a run failed, what it cost, and its result files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.analysis.cost import Cost, Prices
    from claimscope.core.analysis.iterations import Delta
    from claimscope.core.models import JsonValue, RunStatus, SampleResult
    from claimscope.core.ports import RunStore


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, where to, at which prices."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument(
        "--to", type=Path, metavar="DIR", help="write the result files into this folder"
    )
    parser.add_argument(
        "--force", action="store_true", help="write into a folder that has other files"
    )
    for name in ("prompt", "completion"):
        parser.add_argument(
            f"--{name}-price",
            type=float,
            default=0.0,
            metavar="X",
            help=f"price of a million {name} tokens (default: 0, a model of one's own)",
        )
    parser.add_argument("--currency", default="USD", help="what prices are in")


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; with --to writes the files as well."""
    from claimscope.core.report.result_files import result_files
    from claimscope.tui.output import say, write_json, write_lines
    from claimscope.tui.workspace import open_runs, open_workspace, run_named

    prices = prices_of(arguments)
    runs = open_runs(open_workspace(arguments))
    reader = runs.read(run_named(runs, arguments.run_id))
    status, samples = reader.status(), reader.samples()
    before, deltas = trend_of(runs, status, samples)
    if arguments.to is not None:
        whole = run_cost(status, samples, prices)
        found = result_files(status.header, samples, prices, pass_grade(status), whole)
        write_files(arguments.to, found, force=arguments.force)
        say(f"{len(found)} files written to {arguments.to}")
    if arguments.json:
        write_json(document(status, samples, prices, before, deltas))
    else:
        write_lines(report_lines(status, samples, prices, before, deltas))
    return 0


def prices_of(arguments: argparse.Namespace) -> Prices:
    """From the flags. Raises InputError for a price below 0 or not a number."""
    from pydantic import ValidationError

    from claimscope.core.analysis.cost import Prices
    from claimscope.core.errors import InputError

    try:
        return Prices(
            prompt=arguments.prompt_price,
            completion=arguments.completion_price,
            currency=arguments.currency,
        )
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
    from claimscope.core.analysis.cost import priced

    unscored = sum(sample.passed is None for sample in samples)
    return priced("run", status.usage, prices, samples=len(samples), unscored=unscored)


def pass_grade(status: RunStatus) -> float:
    """The threshold the run was judged with."""
    value = status.header.settings.get("pass_grade", 4)
    return float(value) if isinstance(value, int | float) else 4.0


def trend_of(
    runs: RunStore, status: RunStatus, samples: Sequence[SampleResult]
) -> tuple[str | None, tuple[Delta, ...]]:
    """The previous finished run of the suite, and how each mean moved since."""
    from claimscope.core.analysis.iterations import previous_run, trend
    from claimscope.core.analysis.summary import summarise

    before = previous_run(runs.runs(), status)
    if before is None:
        return None, ()
    earlier = runs.read(before.header.run_id).samples()
    return before.header.run_id, trend(summarise(samples), summarise(earlier))


def write_files(folder: Path, found: dict[str, JsonValue], *, force: bool) -> None:
    """Each file whole or not at all, private to the user.

    Raises InputError when the folder has files of others, StoreError.
    """
    import orjson

    from claimscope.core.errors import InputError
    from claimscope.stores.paths import make_private, write_atomically

    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, not a folder", "--to another folder")
    if folder.is_dir() and not force and any(folder.iterdir()):
        raise InputError(
            f"{folder} has files already", "--to an empty folder, or --force"
        )
    for name, value in found.items():
        path = folder / name
        make_private(path.parent)
        write_atomically(path, orjson.dumps(value, option=orjson.OPT_INDENT_2))


def document(
    status: RunStatus,
    samples: Sequence[SampleResult],
    prices: Prices,
    before: str | None,
    deltas: Sequence[Delta],
) -> dict[str, object]:
    """For programs."""
    from claimscope.core.analysis.failures import analyse_failures
    from claimscope.core.analysis.iterations import grade_summary, over_iterations
    from claimscope.core.analysis.summary import summarise

    return {
        "status": status,
        "summary": summarise(samples),
        "grades": grade_summary(samples, pass_grade(status)),
        "iterations": over_iterations(samples, pass_grade(status)),
        "failures": analyse_failures(samples),
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
    """For people."""
    from claimscope.core.report import analysis_text as text
    from claimscope.core.report.text import status_line

    yield status_line(status)
    yield from text.grade_lines(samples, pass_grade(status))
    yield from text.iteration_lines(samples, pass_grade(status))
    yield from text.failure_lines(samples)
    yield from text.trend_lines(before, deltas)
    yield from text.cost_lines(run_cost(status, samples, prices))
