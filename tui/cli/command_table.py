"""What can be typed: the commands by task, their groups, and the names of before.

A command lies in tui/cli/commands/ under its words: `runs resume` in runs/resume.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

COMMANDS: Mapping[str, str] = {
    "check": "judge one answer against a folder of pages, like a linter",
    "run": "judge the answers of a suite",
    "score": "score rows of question and answer by chosen metrics",
    "answers cite": "say what becomes of each citation of an answer",
    "answers verify": "judge rows of claim and evidence from a JSON lines file",
    "answers grade": "have a local model grade rows of question and answer",
    "answers generate": "have a local model answer a suite's questions, with citations",
    "answers sweep": "sweep model, temperature, top_p, system prompt; judge each cell",
    "answers split": "split a text file into sentences with offsets",
    "runs list": "list the runs of the workspace",
    "runs show": "print a run, or one case of it claim by claim",
    "runs resume": "go on with a run that was stopped or killed, or add to one",
    "runs attach": "follow a run that works in the background",
    "runs pause": "let a run that works in the background wait",
    "runs cancel": "end a run that works in the background",
    "runs reanalyse": "judge again what changed pages touch, take over the rest",
    "runs trends": "show the runs of a suite over time",
    "runs stats": "show how much was judged, how fast, at what cost, what went wrong",
    "runs export": "write a run as plain TinyDB JSON",
    "runs repair": "keep every good record of a run whose file was damaged",
    "compare": "say what differs between runs or providers, beyond noise",
    "report": "say why a run failed and what it cost; report it; gate it",
    "labels export": "write what people said of claims as rows for `answers verify`",
    "labels override": "give a claim of a run another verdict, or take it back",
    "labels agreement": "hold the judge against the people who agreed or overruled",
    "labels validate": "hold the metrics and verdicts of a run against human ratings",
    "show": "print what any screen shows",
    "pages list": "list the pages of an index, or delete some",
    "pages index": "read a folder of pages into an index",
    "pages search": "find sentences in an index",
    "suite": "check suite files, build, import and export them",
    "models list": "list the models that Ollama, or another server, has",
    "models pull": "have Ollama fetch a model; only ever done when asked for",
    "models probe": "find out whether a local model can be trusted to judge",
    "demo": "index the shipped pages, run a shipped suite, show the result",
    "serve web": "show the terminal interface in a browser, on this machine only",
    "serve daemon": "keep what `check` loads in memory; the process ends when idle",
    "serve lsp": "judge answers in an editor, as a language server",
    "doctor": "say what works here: models, index, servers, disk, terminal",
    "help metrics": "list the metrics, or explain one",
    "help rules": "list the rules that hold claims against sentences",
    "help completion": "print what bash, zsh or fish needs to complete commands",
    "help man": "print the manual page",
}
"""Every command with what it does."""
GROUPS: Mapping[str, str] = {
    "answers": "answers and rows without a suite: cite, verify, grade, generate, …",
    "runs": "list the runs; show, resume, pause, cancel, export one; trends, stats",
    "labels": "what people said of claims, and the judge held against it",
    "pages": "list indexed pages; index a folder, search",
    "models": "list the models of the servers; fetch one, probe one as a judge",
    "serve": "the interface in a browser; the resident engine, a language server",
    "help": "metrics and rules explained; manual page, completion of shells",
}
"""Commands that have commands of their own."""
FIRST: Mapping[str, str] = {
    "runs": "list",
    "labels": "export",
    "pages": "list",
    "models": "list",
    "serve": "web",
}
"""What a group does without one of them."""
TAKING = ("labels", "pages")
"""Those whose first command may be followed by a word of its own."""
TASKS: Mapping[str, Sequence[str]] = {
    "judge": ("check", "run", "score", "answers"),
    "look into what was found": ("runs", "compare", "report", "labels", "show"),
    "prepare": ("pages", "suite", "models", "demo"),
    "the program": ("serve", "doctor", "help"),
}
"""The words that `--help` lists, by task."""
BEFORE: Mapping[str, str] = {
    "resume": "runs resume",
    "attach": "runs attach",
    "pause": "runs pause",
    "cancel": "runs cancel",
    "reanalyse": "runs reanalyse",
    "trends": "runs trends",
    "stats": "runs stats",
    "export": "runs export",
    "repair": "runs repair",
    "index": "pages index",
    "search": "pages search",
    "pull": "models pull",
    "probe": "models probe",
    "generate": "answers generate",
    "lab": "answers sweep",
    "judge": "answers grade",
    "cite": "answers cite",
    "verify": "answers verify",
    "split": "answers split",
    "overrule": "labels override",
    "agreement": "labels agreement",
    "validate": "labels validate",
    "daemon": "serve daemon",
    "lsp": "serve lsp",
    "metrics": "help metrics",
    "rules": "help rules",
    "completion": "help completion",
    "man": "help man",
}
"""New names by those of before, which go with the next release."""
GENERAL = ("--workspace", "--log-level")
"""Flags with a value that may stand before the command."""


class Words(NamedTuple):
    """What was typed, in the names of now."""

    words: list[str]
    before: str = ""
    """The old name that was typed; empty = none."""
    now: str = ""


def words_help(name: str) -> str:
    """What a word of `--help` does."""
    return GROUPS.get(name) or COMMANDS[name]


def parts_of(group: str) -> dict[str, str]:
    """The commands of a group with what they do; none for what is no group."""
    return {
        name.partition(" ")[2]: text
        for name, text in COMMANDS.items()
        if name.startswith(f"{group} ")
    }


def module_of(name: str) -> str:
    """The module of a command, below tui/cli/commands/."""
    return name.replace(" ", ".")


def in_present_names(words: Sequence[str]) -> Words:
    """The same with the command in its present name: an old one is replaced, a group
    without a command does its first."""
    place = command_place(words)
    if place is None:
        return Words(list(words))
    before, word, rest = list(words[:place]), words[place], list(words[place + 1 :])
    if word in BEFORE:
        return Words([*before, *BEFORE[word].split(), *rest], word, BEFORE[word])
    if word not in GROUPS or (rest and rest[0] in (*parts_of(word), "-h", "--help")):
        return Words(list(words))
    if word == "help":  # `help run` is `run --help`
        return Words([*before, *rest, "--help"])
    is_flag = not rest or rest[0].startswith("-")
    if word in FIRST and (is_flag or word in TAKING):
        return Words([*before, word, FIRST[word], *rest])
    return Words(list(words))


def command_place(words: Sequence[str]) -> int | None:
    """Where the command stands behind general flags; None where there is none."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in GENERAL else 1
    return place if place < len(words) else None


def rename_note(before: str, now: str) -> str:
    """What is said of an old name, on standard error; not where a program reads the
    output (`--json`)."""
    return (
        f"note: `claimscope {before}` is now `claimscope {now}`; the old name goes "
        "with the next release"
    )
