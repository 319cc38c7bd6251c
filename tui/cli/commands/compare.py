"""`claimscope compare RUN_A RUN_B …`: what differs between runs, beyond noise."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.process.output import write_json, write_view
from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

if TYPE_CHECKING:
    from claimscope.core.analysis.compare.comparison import RunData
    from claimscope.stores.runs.run_store import DiskRunStore

EPILOG = """\
The first run is A; each other one is held against it. Samples are paired by case,
provider and iteration; --providers pairs the providers of one run by case and
iteration. Exit code: 0 compared, whatever it says; 2 nothing to pair. To fail a build
on a regression use --fail-on-regression of `claimscope run` and `report`.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="a run id, or `last`")
    add("--providers", action="store_true", help="compare the providers of one RUN")
    add("--base", metavar="NAME", help="with --providers: the one to compare with")
    add("--all", action="store_true", help="list every flip, not the first 20")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.analysis.compare.comparison import (
        between_providers,
        compare_many,
    )
    from claimscope.core.report.views.comparison import SHOWN, comparison_view

    check(arguments)
    runs = open_runs(open_workspace(arguments))
    data = [run_data(runs, name) for name in arguments.runs]
    if arguments.providers:
        found = between_providers(data[0], arguments.base)
    else:
        found = compare_many(data)
    if arguments.json:
        write_json(list(found))
        return 0
    for number, one in enumerate(found):
        if number:
            print()
        write_view(comparison_view(one, None if arguments.all else SHOWN))
    return 0


def check(arguments: argparse.Namespace) -> None:
    count = len(arguments.runs)
    if arguments.providers and count > 1:
        raise InputError(
            f"--providers compares within one run, and {count} are named",
            "name one run, or leave out --providers",
        )
    if not arguments.providers and count < 2:
        raise InputError(
            "a comparison takes two runs or more, and one is named",
            "name another run (`claimscope runs` lists them), or add --providers",
        )
    if arguments.base and not arguments.providers:
        raise InputError(
            "--base names a provider, and providers are not compared",
            "add --providers; of runs, the first one named is the base",
        )


def run_data(runs: DiskRunStore, name: str) -> RunData:
    """A run as people see it. Raises StoreError, InputError."""
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.core.analysis.compare.comparison import RunData

    run_id = run_named(runs, name)
    found = apply_overrides(runs.read(run_id))
    return RunData(run_id, found.status.header, found.samples)
