"""The parser of the command line: one module a command (tui/cli/commands/).

Only argparse is imported to answer `--help`; a command loads what it needs when it
runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

from claimscope.tui.process.logs import add_log_level

COMMANDS = {
    "check": "judge one answer against a folder of pages, like a linter",
    "daemon": "keep what `check` loads in memory, in a process that ends when idle",
    "lsp": "judge answers in an editor, as a language server",
    "demo": "index the shipped pages, run a shipped suite, show the result",
    "index": "read a folder of pages into an index",
    "search": "find sentences in an index",
    "pages": "list the pages of an index, or delete some",
    "run": "judge the answers of a suite",
    "suite": "check suite files, import those of other tools, export",
    "resume": "go on with a run that was stopped or killed, or add to one",
    "attach": "follow a run that works in the background",
    "pause": "let a run that works in the background wait",
    "cancel": "end a run that works in the background",
    "reanalyse": "judge again what changed pages touch, take over the rest",
    "runs": "list the runs of the workspace",
    "repair": "keep every good record of a run whose file was damaged",
    "export": "write a run as plain TinyDB JSON",
    "show": "print a run, one case of it, or what any screen shows",
    "compare": "say what differs between runs or providers, beyond noise",
    "trends": "show the runs of a suite over time",
    "stats": "show how much was judged, how fast, at what cost, what went wrong",
    "overrule": "give a claim of a run another verdict, or take it back",
    "agreement": "hold the judge against the people who agreed or overruled",
    "labels": "write what people said of claims as rows for `verify`",
    "report": "say why a run failed and what it cost; report it; gate it",
    "validate": "hold the metrics and verdicts of a run against human ratings",
    "verify": "judge rows of claim and evidence from a JSON lines file",
    "score": "score rows of question and answer by chosen metrics",
    "judge": "have a local model grade rows of question and answer",
    "cite": "say what becomes of each citation of an answer",
    "metrics": "list the metrics, or explain one",
    "rules": "list the rules that hold claims against sentences",
    "generate": "have a local model answer the questions of a suite, with citations",
    "lab": "sweep model, temperature, top_p and system prompt; judge each cell",
    "split": "split a text file into sentences with offsets",
    "models": "list the models that Ollama, or another server, has",
    "pull": "have Ollama fetch a model; only ever done when asked for",
    "probe": "find out whether a local model can be trusted to judge",
    "serve": "show the terminal interface in a browser, on this machine only",
    "doctor": "say what works here: models, index, servers, disk, terminal",
    "completion": "print what bash, zsh or fish needs to complete commands",
    "man": "print the manual page",
}
"""Name and help of each command."""
PLACES = {
    "show": "runs.show",
    "resume": "runs.resume",
    "attach": "runs.attach",
    "pause": "runs.pause",
    "cancel": "runs.cancel",
    "reanalyse": "runs.reanalyse",
    "export": "runs.export",
    "repair": "runs.repair",
    "stats": "runs.stats",
    "trends": "runs.trends",
    "index": "pages.index",
    "search": "pages.search",
    "pull": "models.pull",
    "probe": "models.probe",
    "generate": "answers.generate",
    "cite": "answers.cite",
    "judge": "answers.judge",
    "verify": "answers.verify",
    "split": "answers.split",
    "agreement": "labels.agreement",
    "overrule": "labels.overrule",
    "validate": "labels.validate",
    "metrics": "help.metrics",
    "rules": "help.rules",
    "completion": "help.completion",
    "man": "help.man",
    "daemon": "serve.daemon",
    "lsp": "serve.lsp",
    "runs": "runs.list",
    "pages": "pages.list",
    "models": "models.list",
    "lab": "answers.sweep",
    "labels": "labels.export",
    "serve": "serve.web",
}
"""Where the module of a command lies below tui/cli/commands/, if not NAME.py."""

EPILOG = """\
exit codes:
  0  done; `check`: nothing stands against the answer
  1  `check`: a claim is contradicted (--strict: or not supported); `probe`: unfit;
     `run`, `resume`, `report`: the gate failed
  2  wrong use, or input that cannot be used
  3  it could not be done or could not be judged (never mistaken for a pass)
  130  interrupted; what was finished is saved

Without a command the terminal interface opens.
"""


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command, else of the interface. That one is opened without
    the names and helps of all commands, which take as long as a frame."""
    if not {*COMMANDS, "-h", "--help"}.intersection(words):
        parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
        _add_general(parser)
        try:
            arguments, others = parser.parse_known_args(words)
        except argparse.ArgumentError:
            others = list(words)
        if not others:
            return arguments
    return build_parser(words).parse_args(words)


def build_parser(words: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser; imports nothing slow. words: only the arguments of commands among
    these are known, since reading all of them takes as long as the first frame may."""
    parser = argparse.ArgumentParser(
        prog="claimscope",
        description="Judge AI answers against ground-truth text, claim by claim, "
        "offline.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_general(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in COMMANDS.items():
        if words is not None and name not in words:
            commands.add_parser(name, help=text)
            continue
        module = import_module(f"claimscope.tui.cli.commands.{PLACES.get(name, name)}")
        command = commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
        add_workspace(command, default=argparse.SUPPRESS)
        add_log_level(command, default=argparse.SUPPRESS)
        command.add_argument("--json", action="store_true", help="print JSON to stdout")
        elsewhere = getattr(module, "elsewhere", None)
        command.set_defaults(run=module.run, elsewhere=elsewhere)
    return parser


def _add_general(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="store_true", help="print the version")
    add_workspace(parser)
    add_log_level(parser)


def add_workspace(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """--workspace works before and after the command."""
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        default=default,
        help="folder of index, runs and settings (default: CLAIMSCOPE_WORKSPACE, "
        "else the user's data folder)",
    )
