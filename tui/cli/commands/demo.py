"""`claimscope demo`: the main job from nothing, on what ships."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from claimscope.tui.cli.flags import add_model_flags
from claimscope.tui.process.output import say
from claimscope.tui.services.workspace import (
    command_settings,
    open_runs,
    open_workspace,
    run_named,
)

if TYPE_CHECKING:
    from claimscope.core.settings import Settings

EPILOG = """\
Indexes the shipped pages, judges the shipped answers of two providers, prints the
summary and, on a terminal, opens the result. Without a model server everything but the
two grades works; when one answers (Ollama, or --server openai --base-url URL), its
largest local model is asked for grades too.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--suite", default="medicine", help="medicine (default), courses or website")
    add("--no-ollama", action="store_true", help="do not look for Ollama")
    add("--no-tui", action="store_true", help="do not open the interface afterwards")
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.services.run.engine import begin
    from claimscope.tui.services.run.planning import RunRequest

    workspace = open_workspace(arguments)
    settings = command_settings(workspace, arguments)
    settings = with_ollama(settings, arguments)
    code = begin(
        workspace, settings, RunRequest(suite=arguments.suite), json=arguments.json
    )
    shown = sys.stdin.isatty() and sys.stdout.isatty() and not arguments.json
    if code or arguments.no_tui or not shown:
        return code
    from claimscope.tui.cli.terminal import open_interface

    say("opening the result; ctrl+q leaves it")
    newest = run_named(open_runs(workspace), "last")
    return open_interface(arguments.workspace, run_id=newest, step=True)


def with_ollama(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Settings that use Ollama when one answers; says what it adds when none does."""
    if arguments.no_ollama:
        return settings
    from claimscope.tui.services.models.inventory import inventory, largest_model

    model = settings.model
    if not model:
        first, *_ = asyncio.run(inventory(settings))
        model = largest_model([first])
    if model is None:
        say(
            f"no {_who(settings)} answers: verdicts come without a language model, and "
            "no grades are asked for"
        )
        return settings
    say(
        f"{_who(settings)} answers: {model} is asked for two grades of each answer "
        "(--no-ollama leaves them out;\n  ctrl+c stops after what is in flight, and "
        "`claimscope runs resume last` goes on)"
    )
    return settings.model_copy(update={"model": model, "judge": True})


def _who(settings: Settings) -> str:
    return "Ollama" if settings.server == "ollama" else "model server"
