"""`claimscope export RUN`: a run as plain TinyDB JSON, human verdicts included."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
The file is one JSON document, {table: {id: document}}; in Python, `TinyDB(path)` opens
it. Without -o it goes to stdout. A run that is still going is exported as far as it is.

exit codes:
  0  done
  2  wrong use
  3  no such run, or it could not be read or written: a file that was there before is
     unharmed
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and where to."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file; `-` is stdout"
    )


def run(arguments: argparse.Namespace) -> int:
    """Writes the document; says how many records of each table are in it."""
    import sys

    from claimscope.stores.export import plain_tinydb
    from claimscope.stores.paths import replace_file
    from claimscope.tui.output import say, write_json
    from claimscope.tui.workspace import open_runs, open_workspace, run_named

    runs = open_runs(open_workspace(arguments))
    tables = runs.read(run_named(runs, arguments.run_id)).tables()
    if arguments.output in (None, "-"):
        sys.stdout.flush()
        for part in plain_tinydb(tables):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return 0
    path = Path(arguments.output).absolute()
    replace_file(path, plain_tinydb(tables))
    counts = {name: len(table) for name, table in tables.items()}
    if arguments.json:
        write_json({"path": str(path), "records": counts})
    else:
        words = ", ".join(f"{count} {name}" for name, count in counts.items())
        say(f"{path}: {words}")
    return 0
