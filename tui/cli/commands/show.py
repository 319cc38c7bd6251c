"""`claimscope show SCREEN`: what a screen shows, as lines or JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from claimscope.tui.process.output import say, write_json, write_view
from claimscope.tui.services.workspace import open_workspace, run_named

if TYPE_CHECKING:
    from claimscope.core.report.view import Part
    from claimscope.tui.gateway.workspace import WorkspaceGateway

EPILOG = """\
SCREEN is one of home, pages [CORPUS], suite [SUITE], new-run, run [RUN],
  results [RUN], stepper [RUN] (every failed sample, claim by claim), compare [RUN]
  (with the run before it), trends [SUITE], judge, models, lab, metrics [METRIC],
  settings, keys (every action with its id, for a table [keys] of the settings file).
Without any word it lists them with the commands that print the same. `show RUN` is now
`runs show RUN`.
exit codes: 0 done; 2 no such screen; else those of that command
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("screen", nargs="?", metavar="SCREEN", help="the name of a screen")
    add("more", nargs="?", metavar="MORE", help="what of the screen")
    # Those of `runs show`, which was `show RUN`.
    add("--provider", help=argparse.SUPPRESS)
    add("--failures", action="store_true", help=argparse.SUPPRESS)
    add("--machine", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from claimscope.tui.cli.command_table import rename_note
    from claimscope.tui.cli.entry import main
    from claimscope.tui.cli.printing import NAMES, TABLE, table_view, words_of
    from claimscope.tui.gateway.workspace import WorkspaceGateway

    if arguments.screen is None:
        if arguments.json:
            write_json([asdict(printed) for printed in TABLE])
        else:
            write_view([table_view()])
        return 0
    if arguments.screen not in NAMES:
        from claimscope.tui.cli.commands.runs.show import run as show_run

        if not arguments.json:
            say(rename_note("show RUN", "runs show RUN"))
        arguments.run_id, arguments.case = arguments.screen, arguments.more
        return show_run(arguments)
    workspace = open_workspace(arguments)
    gateway = WorkspaceGateway(workspace)
    words = words_of(arguments.screen, arguments.more, gateway)
    if words is None:
        return print_screen(gateway, arguments)
    flags = ["--workspace", str(workspace.root), *(["--json"] * arguments.json)]
    return main([*words, *flags])


def print_screen(gateway: WorkspaceGateway, arguments: argparse.Namespace) -> int:
    """A screen that no other command prints."""
    from dataclasses import asdict

    from claimscope.core.report.views.run_status import run_view
    from claimscope.stores.suites.loading import load_suite
    from claimscope.tui.cli import printing
    from claimscope.tui.views.case import suite_view
    from claimscope.tui.views.home import home_view
    from claimscope.tui.views.settings import settings_view

    name, more = arguments.screen, arguments.more
    data: object
    parts: Iterable[Part]
    if name == "stepper":
        return step_through(gateway, more or "last", as_json=arguments.json)
    if name == "run":
        status = gateway.runs.read(run_named(gateway.runs, more or "last")).status()
        data, parts = status, run_view(status)
    elif name == "suite" and more:
        loaded = load_suite(more)
        data = {"suite": loaded.suite, "answers": list(loaded.answers)}
        parts = suite_view(loaded)
    elif name == "settings":
        found = gateway.settings()
        data, parts = [asdict(info) for info in found], settings_view(found)
    elif name == "keys":
        data, parts = printing.key_data(), printing.key_view()
    elif name == "home":
        data, parts = printing.home_data(gateway), home_view(gateway)
    else:  # new-run, or suite without a name: what there is to choose from
        data = [asdict(suite) for suite in gateway.suites()]
        parts = printing.new_run_view(gateway)
    if arguments.json:
        write_json(data)
    else:
        write_view(parts)
    return 0


def step_through(gateway: WorkspaceGateway, run_id: str, *, as_json: bool) -> int:
    """Every sample that did not pass, claim by claim, as people see it."""
    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.tui.cli.commands.runs.show import show_json, show_text

    found = apply_overrides(gateway.runs.read(run_named(gateway.runs, run_id)))
    failed = [sample for sample in found.samples if sample.passed is not True]
    show = show_json if as_json else show_text
    show(found.status, failed, whole=True)
    return 0
