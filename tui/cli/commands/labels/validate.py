"""`claimscope labels validate RATINGS`: metrics and judge of a run against people."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.stores.workspace.regular_files import read_regular
from claimscope.tui.process.output import write_json, write_view
from claimscope.tui.services.workspace import read_run

if TYPE_CHECKING:
    from claimscope.core.analysis.agreement.validation import Rating
    from claimscope.core.analysis.statistics.alpha import Level
    from claimscope.core.models import SampleResult

EPILOG = """\
RATINGS is a CSV file with a header, or JSON lines, with the fields
  case_id, provider, iteration (default 1), rater, metric, value
With --fit-weights the weights of `overall` are fitted to the ratings, and held against
cases that were left out.
Without RATINGS only the verdicts that people agreed with or overruled are counted.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("ratings", nargs="?", type=Path, metavar="RATINGS", help="CSV or JSON lines")
    add("--run", dest="run_id", default="last", metavar="RUN", help="default: last")
    add(
        "--nominal",
        action="store_true",
        help="values are names: a step apart is as wrong as any other "
        "(default: their order counts, kappas are weighted)",
    )
    add(
        "--fit-weights",
        metavar="A,B",
        help="fit weights of these metrics in `overall` to the ratings, with the "
        "correlation on cases that were held out",
    )
    add(
        "--rated",
        metavar="NAME",
        help="with --fit-weights: which ratings (default: the only ones, else overall)",
    )


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.agreement.validation import validate, validate_judge
    from claimscope.core.report.view import line
    from claimscope.core.report.views.agreement import judge_section, metric_section

    given = [] if arguments.ratings is None else read_ratings(arguments.ratings)
    reader = read_run(arguments)
    if arguments.fit_weights:
        return fit(arguments, given, reader.samples())
    level: Level = "nominal" if arguments.nominal else "ordinal"
    metrics = validate(given, reader.samples(), level)
    judge = validate_judge(reader.human_verdicts())
    if arguments.json:
        write_json({"metrics": metrics, "judge": judge})
    else:
        for metric in metrics:
            write_view([metric_section(metric), line()])
        write_view([judge_section(judge)])
    return 0


def fit(
    arguments: argparse.Namespace,
    given: Sequence[Rating],
    samples: Iterable[SampleResult],
) -> int:
    from claimscope.core.analysis.agreement.weight_fit import fit_weights
    from claimscope.core.report.views.agreement import fit_view

    names = [name.strip() for name in arguments.fit_weights.split(",") if name.strip()]
    found = fit_weights(given, samples, names, arguments.rated)
    if arguments.json:
        write_json({**found.model_dump(mode="json"), "setting": found.setting})
    else:
        write_view(fit_view(found))
    return 0


def read_ratings(path: Path) -> list[Rating]:
    """The rows of a file. Raises InputError, which names line and field."""
    from pydantic import ValidationError

    from claimscope.core.analysis.agreement.validation import Rating

    try:
        text = read_regular(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(
            f"{path} cannot be read: {reason}", "check the name"
        ) from error
    found: dict[tuple[str, str, str], Rating] = {}
    for line, row in _rows(path, text):
        try:
            rating = Rating.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "row"
            raise InputError(
                f"{path}:{line}: {field}: {first['msg']}",
                "fields: case_id, provider, iteration, rater, metric, value",
            ) from error
        name = (str(rating.key), rating.metric, rating.rater)
        if name in found:
            raise InputError(
                f"{path}:{line}: {rating.rater} rated {rating.metric} of "
                f"{rating.key} before",
                "keep one rating of a person for each sample and metric",
            )
        found[name] = rating
    if not found:
        raise InputError(f"{path} has no ratings", "one row a rating")
    return list(found.values())


def _rows(path: Path, text: str) -> Iterator[tuple[int, object]]:
    if path.suffix.lower() == ".csv":
        reader = csv.DictReader(io.StringIO(text))
        for row in reader:
            # An empty cell is a field that was not given.
            yield reader.line_num, {k: v for k, v in row.items() if v}
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise InputError(
                    f"{path}:{number}: not JSON: {error}", "one JSON object a line"
                ) from error
