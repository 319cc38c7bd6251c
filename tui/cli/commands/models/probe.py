"""`claimscope models probe MODEL`: can this model be trusted to judge?"""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.cli.flags import add_server_flags
from claimscope.tui.process.output import (
    progress_bar,
    progress_lines,
    say,
    write_json,
    write_view,
)
from claimscope.tui.services.workspace import command_settings, open_workspace

if TYPE_CHECKING:
    from claimscope.core.grade.probe import Probe
    from claimscope.core.settings import Settings
    from claimscope.stores.workspace.probes import ProbeStore

EPILOG = """\
30 planted cases, about two minutes on a small machine: claims that a document states,
speaks against or says nothing of, numbers, negation, citations, orders to the judge,
grades, thoughts, and whether the context is as long as was asked for.

verdict:
  unfit          a reply that cannot be read at the first try; thoughts in place of
                 replies; a context that was cut; true and false claims told apart in
                 fewer than 0.70 of the pairs; Yes (or No) to nearly everything; facts
                 of a long document missed; a grade moved by an order in the answer
  fit with care  pairs below 0.90, more than 2 claims wrong, or another case wrong
  fit            none of these
It is kept with the weights of the model and the context size; a run says when its
judge is unfit or was never probed. Without MODEL: the probes that are kept.

exit codes: 0 fit, or fit with care; 1 unfit; 2 wrong use; 3 it could not be done;
130 interrupted, nothing is kept
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("model", metavar="MODEL", nargs="?", help="a language model")
    add(
        "--context-tokens",
        type=int,
        metavar="N",
        help="context to probe at, the one you will run with (default: the setting)",
    )
    add(
        "--full-context",
        action="store_true",
        help="fill all of the context with the long document, not 2048 tokens of it",
    )
    add_server_flags(parser)
    add("--lines", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.stores.workspace.probes import ProbeStore

    workspace = open_workspace(arguments)
    store = ProbeStore(workspace.probes)
    if arguments.model is None:
        return show_kept(store, arguments)
    settings = command_settings(workspace, arguments)
    found = probe_with_progress(settings, arguments)
    store.save(found)
    show(found, json=arguments.json)
    return 1 if found.verdict == "unfit" else 0


def probe_with_progress(settings: Settings, arguments: argparse.Namespace) -> Probe:
    """The probe, with its progress on stderr. Raises ModelError."""
    from claimscope.core.grade.probing import case_count
    from claimscope.core.verify.witnesses.model_question import form_of
    from claimscope.tui.services.models.probe import ProbeProgress, probe_model

    cases = case_count(form_of(arguments.model, settings.server))
    with progress_bar(quiet=arguments.lines) as bar:
        probing = probe_model(
            settings,
            arguments.model,
            full_context=arguments.full_context,
            on_case=ProbeProgress(
                cases, bar, progress_lines if arguments.lines else None
            ),
        )
        return asyncio.run(probing)


def show(found: Probe, *, json: bool) -> None:
    """The figures, for people or for programs."""
    from claimscope.core.report.views.probe import probe_view

    if json:
        write_json(found)
    else:
        write_view(probe_view(found), has_signs=True)
    if found.context_tokens < found.asked_tokens:
        say(
            f"note: {found.model} has {found.context_tokens} tokens of context at "
            f"most; {found.asked_tokens} were asked for"
        )


def show_kept(store: ProbeStore, arguments: argparse.Namespace) -> int:
    """All probes of the workspace. Raises InputError for flags that need a model."""
    from claimscope.core.report.text import one_line
    from claimscope.core.report.views.probe import probes_table

    if arguments.full_context or arguments.context_tokens is not None:
        raise InputError(
            "which model is to be probed?",
            "claimscope models probe MODEL --context-tokens N",
        )
    probes = store.probes()
    if arguments.json:
        write_json(probes)
    elif probes:
        write_view([probes_table(probes)])
    else:
        say("no model was probed yet: `claimscope models probe MODEL` does it")
    for problem in store.problems():
        say(f"note: {one_line(str(problem))}")
    return 0
