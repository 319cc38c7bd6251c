"""`claimscope answers sweep SUITE --models A,B …`: over how answers are written."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError, StoreError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.cli.flags import add_custom_flags, add_model_flags
from claimscope.tui.process.output import say, write_json, write_lines, write_view
from claimscope.tui.services.workspace import (
    configuration,
    flag_settings,
    open_runs,
    open_workspace,
)

if TYPE_CHECKING:
    from claimscope.core.ports import Control
    from claimscope.core.run.lab import Lab
    from claimscope.stores.runs.labs import LabFolder
    from claimscope.stores.workspace.paths import Workspace

WIDTH = 100
"""Of the matrix; further figures stand below."""
EPILOG = """\
A lab has a cell for each combination of model, temperature, top_p and system prompt.
The model of a cell answers the cases from sentences of the pages, as `answers
generate` does, and an ordinary run judges the answers (--verifier, --judge and
--model say how), which `runs show`, `compare` and the interface open like any other.
The matrix has the figures of each cell with the number they are over. A cell is
called best only where it is better than each other cell beyond noise.

At temperature 0 the likeliest word is taken: top_p and the seed decide nothing, so one
cell stands for all of --top-p, with one answer to a case. Above it, --iterations N
takes N answers to a case, the first with the seed, each further one with the next.

With `--metrics +quality` the lab tells which cells gain text quality at the cost of
correctness; `--show LAB --view quality` has both side by side.

A lab survives a kill: --resume LAB (or `last`) asks no model twice.
exit codes: 0 every cell was answered and judged; 2 wrong use; 3 a cell failed, was
cancelled, or lacks answers; 130 stopped by a signal
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("suite", metavar="SUITE", nargs="?")
    axes = parser.add_argument_group("axes")
    axes.add_argument("--models", metavar="A,B", help="language models that answer")
    axes.add_argument(
        "--temperatures", metavar="T,T", default="0", help="from 0 to 2 (default 0)"
    )
    axes.add_argument(
        "--top-p", dest="top_ps", metavar="P,P", default="", help="above 0, at most 1"
    )
    axes.add_argument(
        "--prompts",
        metavar="FILE,FILE",
        default="",
        help="versions of the system prompt, one text file each (default: none)",
    )
    axes.add_argument(
        "--iterations", type=int, default=1, metavar="N", help="answers to a case"
    )
    add("--cases", type=int, metavar="N", help="so many cases by chance (default: all)")
    add(
        "--seed", type=int, metavar="S", help="of that chance and the models, default 7"
    )
    add("--pages", type=Path, metavar="FOLDER", help="pages in place of the suite's")
    add(
        "--metrics",
        metavar="A,B",
        help="only these (default: all); +NAME adds one, +quality those of the text",
    )
    add(
        "--view",
        choices=("all", "quality"),
        default="all",
        help="quality: only figures of correctness beside those of text quality",
    )
    add("--judge", action="store_true", default=None, help="have a model grade, too")
    add("--concurrency", type=int, metavar="N", help="cases at once, default 5")
    add("--detach", action="store_true", help="go on in the background; print the id")
    _actions(parser)
    add_model_flags(parser)
    add_custom_flags(parser)


def _actions(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "a lab that is there"
    ).add_mutually_exclusive_group()
    add = group.add_argument
    add("--resume", metavar="LAB", help="go on with a lab, or `last`")
    add("--show", metavar="LAB", help="print its matrix as it stands")
    add("--pause", metavar="LAB", help="let it wait after this call")
    add("--cancel", metavar="LAB", help="end it after this call")
    add("--list", action="store_true", help="list the labs")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.services.sweep.planning import labs_of

    workspace = open_workspace(arguments)
    labs = labs_of(workspace)
    named = [arguments.resume, arguments.show, arguments.pause, arguments.cancel]
    lab_id = next((name for name in named if name), None)
    if arguments.list:
        return list_labs(workspace, json=arguments.json)
    if lab_id is None:
        if not arguments.suite or not arguments.models:
            raise InputError(
                "a lab needs a suite and --models",
                "claimscope answers sweep SUITE --models a,b; --list: those there are",
            )
        return begin(workspace, arguments)
    if arguments.suite or arguments.models:
        raise InputError(
            "a lab that is there goes on with what it began with",
            "leave SUITE and the axes out, or start a new lab",
        )
    folder = labs.folder(lab_id)
    if arguments.show:
        print_lab(workspace, folder.read(), arguments.view, json=arguments.json)
        return 0
    if arguments.pause or arguments.cancel:
        return request_control(folder, "pause" if arguments.pause else "cancel")
    return go_on(workspace, folder, arguments)


def begin(workspace: Workspace, arguments: argparse.Namespace) -> int:
    from claimscope.tui.ports.labs import LabWish
    from claimscope.tui.services.sweep.planning import names, new_lab

    flags = {k: v for k, v in flag_settings(arguments).items() if k != "iterations"}
    settings = configuration(workspace, flags).settings
    wish = LabWish(
        suite=arguments.suite,
        models=arguments.models,
        temperatures=arguments.temperatures,
        top_ps=arguments.top_ps,
        prompts=arguments.prompts,
        pages=arguments.pages,
        metrics=names(arguments.metrics or ""),
        cases=arguments.cases,
        iterations=arguments.iterations,
    )
    return go_on(workspace, new_lab(workspace, settings, wish), arguments)


def go_on(
    workspace: Workspace, folder: LabFolder, arguments: argparse.Namespace
) -> int:
    """A lab to its end, here or in the background; a waiting one is told to."""
    from claimscope.tui.services.run.detached import start_lab
    from claimscope.tui.services.sweep.engine import sweep
    from claimscope.tui.services.sweep.planning import settings_of

    lab = folder.read()
    if lab.pid is not None and folder.requested_control() == "pause":
        return request_control(folder, "run")
    if arguments.detach:
        pid = start_lab(workspace, folder)
        if arguments.json:
            write_json({"lab_id": lab.lab_id, "pid": pid})
        else:
            print(lab.lab_id)
        return 0
    flags = {k: v for k, v in flag_settings(arguments).items() if k != "iterations"}
    settings = settings_of(lab, configuration(workspace, flags).settings)
    say(
        f"lab {lab.lab_id}: {counted_noun(len(lab.cells), 'cell')}, "
        f"{counted_noun(len(lab.cases), 'case')}"
    )
    lab = sweep(workspace, settings, folder)
    return print_lab(workspace, lab, arguments.view, json=arguments.json)


def print_lab(workspace: Workspace, lab: Lab, view: str, *, json: bool) -> int:
    """Prints a lab with its matrix; gives the exit code of its state."""
    from claimscope.core.analysis.compare.matrix import figures_beside
    from claimscope.core.report.views.lab import lab_view
    from claimscope.tui.services.sweep.engine import matrix_of

    found = matrix_of(open_runs(workspace), lab)
    if json:
        write_json({"lab": lab, "matrix": found})
    else:
        columns = figures_beside(found.columns) if view == "quality" else None
        write_view(lab_view(lab, found, columns), width=WIDTH, has_signs=True)
    if lab.state == "stopped":
        say(f"`claimscope answers sweep --resume {lab.lab_id}` goes on")
        return 130
    is_whole = all(c.state == "finished" and not c.unanswered for c in lab.cells)
    return 0 if is_whole or lab.state in ("running", "paused") else 3


def list_labs(workspace: Workspace, *, json: bool) -> int:
    from claimscope.core.report.text import one_line
    from claimscope.core.report.views.lab import lab_line
    from claimscope.tui.services.sweep.planning import labs_of

    store = labs_of(workspace)
    labs = store.labs()
    if json:
        write_json(labs)
    else:
        write_lines(one_line(lab_line(lab)) for lab in labs)
        if not labs:
            say(
                "no labs yet: claimscope answers sweep SUITE --models a,b "
                "--temperatures 0,0.7"
            )
    for problem in store.problems():
        say(one_line(str(problem)))
    return 0


def request_control(folder: LabFolder, control: Control) -> int:
    """Leaves a request to the engine. Raises InputError when none is at work."""
    lab = folder.read()
    if lab.pid is None:
        raise StoreError(
            f"no engine is at work on lab {lab.lab_id} ({lab.state})",
            f"`claimscope answers sweep --resume {lab.lab_id}` goes on with it",
        )
    folder.ask(control)
    say(f"lab {lab.lab_id}, process {lab.pid}: asked to {control}")
    return 0
