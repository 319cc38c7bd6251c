"""What a shell offers behind the tab key: commands, flags, runs, suites, corpora.

The shell asks the program itself (argcomplete), so that what it offers is what there
is: the runs of this workspace, not those of the day it was installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping

from claimscope.stores.workspace.paths import Workspace

Completer = Callable[..., Iterable[str]]


def complete(parser: argparse.ArgumentParser) -> None:
    """Answers the shell's question and ends the process; called only when it asks."""
    import argcomplete

    for action in actions_of(parser):
        completer = BY_FLAG.get(action.dest) or COMPLETERS.get(str(action.metavar))
        if completer is not None:
            action.completer = completer  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser, always_complete_options=False)


def actions_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from actions_of(command)


def words_of(line: str) -> list[str]:
    """The words that were typed so far, quotes and all: only commands are looked for
    among them."""
    return line.split()[1:]


# --- what there is ----------------------------------------------------------------


def _runs(parsed_args: argparse.Namespace, **_: object) -> Iterable[str]:
    root = Workspace.find(getattr(parsed_args, "workspace", None)).runs
    found = root.iterdir() if root.is_dir() else ()
    return ["last", *sorted((path.name for path in found), reverse=True)]


def _suites(prefix: str, **_: object) -> Iterable[str]:
    from claimscope.stores.suites.loading import shipped_suites

    return [*shipped_suites(), *_files(prefix)]


def _runs_or_suites(
    prefix: str, parsed_args: argparse.Namespace, **_: object
) -> Iterable[str]:
    return [*_runs(parsed_args), *_suites(prefix)]


def _screens(**_: object) -> Iterable[str]:
    from claimscope.tui.cli.printing import NAMES

    return list(NAMES)


def _corpora(parsed_args: argparse.Namespace, **_: object) -> Iterable[str]:
    from claimscope.stores.index.manifest import corpora

    index = Workspace.find(getattr(parsed_args, "workspace", None)).index
    return [manifest.name for manifest in corpora(index)]


def _metrics(prefix: str, **_: object) -> Iterable[str]:
    """Names with commas between: those before the last comma stay."""
    from claimscope.core.metrics.discovery import discover

    head, comma, _last = prefix.rpartition(",")
    return [f"{head}{comma}{name}" for name in discover()]


def _files(prefix: str, **_: object) -> Iterable[str]:
    from argcomplete.completers import FilesCompleter

    found: Iterable[str] = FilesCompleter()(prefix)
    return found


def _folders(prefix: str, **_: object) -> Iterable[str]:
    from argcomplete.completers import DirectoriesCompleter

    found: Iterable[str] = DirectoriesCompleter()(prefix)
    return found


COMPLETERS: Mapping[str, Completer] = {
    "RUN": _runs,
    "RUN|FILE": _runs,
    "SCREEN": _screens,
    "RUN|SUITE": _runs_or_suites,
    "SUITE": _suites,
    "FOLDER": _folders,
    "DIR": _folders,
}
"""By the placeholder of an argument. All others are files."""
BY_FLAG: Mapping[str, Completer] = {"corpus": _corpora, "metrics": _metrics}
