"""`claimscope models pull NAME`: have Ollama fetch a model, when one asks for it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from claimscope.tui.process.output import at_most_every, rich_bars, say, write_json_line
from claimscope.tui.services.workspace import command_settings, open_workspace

if TYPE_CHECKING:
    from claimscope.tui.ports.gateway import PullStep

EPILOG = """\
Ollama does the download, from its own library; Claimscope itself connects only to the
configured Ollama, and nothing is ever pulled unasked. Of a pool each host gets the
model. Ctrl+C stops; the server keeps what came, and the same command goes on there.
exit codes: 0 the model is there; 2 wrong use, or refused; 3 it could not be fetched
"""
LINE_SECONDS = 10.0
"""Without a terminal, a line of progress at most this often."""
JSON_SECONDS = 0.5


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", help="as in `ollama pull`: qwen2.5:7b")
    add("--server", choices=("ollama",), help="Ollama alone fetches")
    add("--ollama-host", metavar="URL", help="one address, or several with commas")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.services.models.pull import pull_until

    settings = command_settings(open_workspace(arguments), arguments)
    name = arguments.name.strip()
    try:
        with step_printer(json=arguments.json) as show:
            pull_until(settings, name, show)
    except KeyboardInterrupt:
        say(
            "stopped: the server keeps what came, and "
            f"`claimscope models pull {name}` goes on there"
        )
        return 130
    if not arguments.json:
        say(
            f"{name} is there; `claimscope models probe {name}` says whether it can "
            "judge"
        )
    return 0


@contextmanager
def step_printer(*, json: bool) -> Iterator[Callable[[PullStep], None]]:
    """JSON lines, a bar on a terminal, else a line of talk now and then."""
    import sys

    from claimscope.tui.services.models.status import is_coming

    def kind(step: PullStep) -> str:
        return f"{step.host} {'pulling' if is_coming(step) else step.status}"

    if json:
        yield at_most_every(JSON_SECONDS, print_json, kind)
    elif sys.stderr.isatty():
        with bar() as show:
            yield show
    else:
        yield at_most_every(LINE_SECONDS, print_line, kind)


def print_json(step: PullStep) -> None:
    from dataclasses import asdict

    write_json_line({**asdict(step), "eta_seconds": step.eta_seconds})


def print_line(step: PullStep) -> None:
    from claimscope.core.report.text import one_line
    from claimscope.tui.services.models.status import pull_words

    say(one_line(f"{step.host}: {pull_words(step)}"))


@contextmanager
def bar() -> Iterator[Callable[[PullStep], None]]:
    from claimscope.core.report.text import one_line
    from claimscope.tui.services.models.status import pull_words

    with rich_bars("", "{task.description}") as bars:
        task = bars.add_task("asking the server", total=None)

        def show(step: PullStep) -> None:
            words, total = one_line(pull_words(step)), step.total or None
            bars.update(task, description=words, completed=step.done, total=total)

        yield show
