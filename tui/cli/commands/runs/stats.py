"""`claimscope runs stats`: how much was judged, how fast, at what cost."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError, StoreError
from claimscope.tui.process.output import write_json, write_view
from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimscope.core.models import RunStatus
    from claimscope.core.ports import RunReader
    from claimscope.stores.runs.run_store import DiskRunStore

EPILOG = """\
Per run and per domain: analyses, those unscored, errors by kind, wall seconds of a
sample (median, 95 %), tokens of the models, tokens that the embedding model read, and
how long the searches of the pages took.
Made from the indexes of the runs; no result is read. `–` means not known.
Exit code: 0; 2 when there is no run; 3 when no run could be read.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("runs", nargs="*", metavar="RUN", help="ids, or `last` (default: all runs)")
    add("--suite", metavar="SUITE", help="only runs of this suite's id")
    add("--last", type=int, metavar="N", help="only the newest N runs")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.summary.operations import stats
    from claimscope.core.report.views.operations import operations_view

    if arguments.last is not None and arguments.last < 1:
        raise InputError(f"--last {arguments.last} leaves no run", "give 1 or more")
    store = open_runs(open_workspace(arguments))
    chosen = chosen_runs(store, arguments)
    unreadable: list[str] = []
    found = stats(readable(store, chosen, unreadable))
    found = found.model_copy(update={"unreadable": tuple(unreadable)})
    if arguments.json:
        write_json(found)
    else:
        write_view(operations_view(found))
    return 0 if found.runs else 3


def chosen_runs(store: DiskRunStore, arguments: argparse.Namespace) -> list[RunStatus]:
    """Newest first. Raises InputError when none is left, or one does not exist."""
    found = list(store.runs())
    if arguments.runs:
        wanted = {run_named(store, name) for name in arguments.runs}
        unknown = sorted(wanted - {status.header.run_id for status in found})
        if unknown:
            raise InputError(
                f"there is no run {unknown[0]!r} in this workspace",
                "`claimscope runs` lists them",
            )
        found = [status for status in found if status.header.run_id in wanted]
    if arguments.suite:
        found = [s for s in found if s.header.suite_id == arguments.suite]
    if not found:
        what = f" of suite {arguments.suite!r}" if arguments.suite else ""
        raise InputError(
            f"there is no run{what} in this workspace", "`claimscope run SUITE`"
        )
    return found[: arguments.last]


def readable(
    store: DiskRunStore, chosen: list[RunStatus], unreadable: list[str]
) -> Iterator[tuple[RunStatus, RunReader]]:
    """Runs with their readers, one open at a time; the others are named."""
    for status in chosen:
        try:
            reader = store.read(status.header.run_id)
        except StoreError as error:
            unreadable.append(f"{status.header.run_id}: {error.message}")
        else:
            yield status, reader
