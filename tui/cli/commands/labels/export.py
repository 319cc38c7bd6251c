"""`claimscope labels export [RUN]`: what people said of claims, as rows."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.workspace.paths import write_atomically
from claimscope.tui.process.output import say, write_json_line
from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

EPILOG = """\
out: {"id", "claim", "evidence", "question", "label", "machine", "support", …} a line,
     as `claimscope answers verify FILE` reads it: label is supported, contradicted,
     not_enough_info, unscored or no_claim, by people; machine is the judge's
`claimscope answers verify FILE --score` says how well a verifier does on such rows.
exit codes: 0 done, 2 wrong use, 3 nobody has labelled anything, or it cannot be written
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "run_id",
        nargs="?",
        metavar="RUN",
        help="a run id, or `last` (default: all runs of the workspace)",
    )
    add("-o", "--output", type=Path, metavar="FILE", help="default: stdout")
    add("--force", action="store_true", help="write over a file that is there")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.agreement.labels import label_rows
    from claimscope.core.report.text import one_line

    path: Path | None = arguments.output
    if path is not None and path.exists() and not arguments.force:
        raise InputError(f"{path} is there already", "another name, or --force")
    runs = open_runs(open_workspace(arguments))
    wanted: Iterable[str] = [run_named(runs, arguments.run_id or "last")]
    if arguments.run_id is None:
        wanted = [status.header.run_id for status in runs.runs()]
    rows: list[dict[str, object]] = []
    for run_id in wanted:
        try:
            rows += label_rows(runs.read(run_id))
        except ClaimscopeError as error:
            if arguments.run_id is not None:
                raise
            say(one_line(f"run {run_id} left out: {error}"))
    if path is None:
        for row in rows:
            write_json_line(row)
    elif rows:
        write(path, rows)
        say(f"{len(rows)} labelled claims written to {path}")
    if not rows:
        say(
            "nobody has labelled a claim yet: a and o in the claim stepper, or overrule"
        )
    return 0 if rows else 3


def write(path: Path, rows: Iterable[dict[str, object]]) -> None:
    """Whole or not at all, private to the user. Raises StoreError."""
    import orjson

    lines = (f"{escape_json(orjson.dumps(row).decode())}\n" for row in rows)
    write_atomically(path, "".join(lines).encode())
