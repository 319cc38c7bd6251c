"""`claimscope serve daemon`: the resident engine, asked by `check`, editors, Pages."""

from __future__ import annotations

import argparse
import time

from claimscope.core.errors import InputError, StoreError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.process.output import say, write_json

EPILOG = """\
The resident engine has all models loaded (about 300 MB) and judges for `check` and for
editors (`lsp`), with the same result, byte for byte; the Pages screen searches by it.
Only you can speak to it, by a socket of mode 0600; it keeps nothing of any check, and
ends by itself when it was idle for --idle minutes.

`check` asks one that runs and starts none, unless it is told to by --daemon, by
CLAIMSCOPE_DAEMON or by daemon in the settings file: off, use (the default) or start;
`lsp` starts one unless it is told not to; Pages has one started for the next search
where `start` is set. Where something is wrong with the engine, a check is done in its
own process, and says so in one line (a search: in the log). Linux only.

exit codes: 0 done, status: it runs; 3 status: none runs, or it could not be started
"""
WAIT_SECONDS = 120.0
"""For an engine to answer, or to end."""


def arguments(parser: argparse.ArgumentParser) -> None:
    from claimscope.tui.resident.starting import IDLE_MINUTES

    add = parser.add_argument
    add(
        "what",
        choices=("start", "status", "stop", "run"),
        help="start it in the background, look, end it; run: in the foreground",
    )
    add(
        "--idle",
        type=minutes,
        default=IDLE_MINUTES,
        metavar="MINUTES",
        help=f"without a check, after which it ends (default: {IDLE_MINUTES:g})",
    )


def minutes(text: str) -> float:
    """A number of minutes above 0. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes above 0")
    return value


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.resident.place import is_possible

    if not is_possible():
        raise InputError(
            "a resident engine needs Linux, where a process can be copied with what it "
            "has loaded",
            "do without: `check` needs none",
        )
    does = {"start": begin, "status": status, "stop": stop, "run": serve}
    return does[arguments.what](arguments)


def begin(arguments: argparse.Namespace) -> int:
    from claimscope.tui.resident.client import Unusable, ask_engine
    from claimscope.tui.resident.starting import start

    try:
        if ask_engine({"do": "status"}) is not None:
            say("a resident engine runs already")
            return status(arguments)
    except Unusable as error:
        say(f"note: the one that was there is not used: {error}")
    process = start(arguments.idle)
    until = time.monotonic() + WAIT_SECONDS
    while process is not None and time.monotonic() < until:
        if ask_engine({"do": "status"}) is not None:
            return status(arguments)
        if process.poll() not in (None, 0):
            break
        time.sleep(0.1)
    if process is not None and process.poll() is None:
        say(f"the resident engine is still loading, as process {process.pid}")
    else:
        say("the resident engine did not start; `claimscope serve daemon run` says why")
    return 3


def status(arguments: argparse.Namespace) -> int:
    """Whether it runs, since when, what it did."""
    from claimscope.core.report.text import one_line
    from claimscope.tui.resident.client import Unusable, ask_engine

    try:
        found = ask_engine({"do": "status"})
    except Unusable as error:
        found = None
        say(f"note: the resident engine is not used: {error}")
    if arguments.json:
        write_json({"running": found is not None, **(found or {})})
    elif found is None:
        print("no resident engine runs")
    else:
        age = (time.time() - float(found["started"])) / 60
        line = (
            f"resident engine {found['pid']} ({found['version']}): up {age:.0f} min, "
            f"{counted_noun(found['checks'], 'check')}, {found['busy']} at work, "
            f"{found['memory_mb']} MB; ends after {found['idle_minutes']:g} min "
            f"without a check; {found['socket']}"
        )
        print(one_line(line))
    return 0 if found is not None else 3


def stop(arguments: argparse.Namespace) -> int:
    """Ends it; checks at work are finished."""
    from claimscope.tui.resident.client import Unusable, ask_engine

    try:
        found = ask_engine({"do": "stop"})
    except Unusable as error:
        found = None
        say(f"note: the resident engine is not used: {error}")
    until = time.monotonic() + WAIT_SECONDS
    while found is not None and _runs() and time.monotonic() < until:
        time.sleep(0.05)
    if arguments.json:
        write_json({"stopped": found is not None})
    else:
        print("no resident engine runs" if found is None else "stopped")
    return 0


def _runs() -> bool:
    from claimscope.tui.resident.place import socket_path

    return socket_path().exists()


def serve(arguments: argparse.Namespace) -> int:
    from claimscope.tui.cli.entry import main
    from claimscope.tui.resident.loading import load
    from claimscope.tui.resident.place import socket_path
    from claimscope.tui.resident.server import AlreadyRuns, Engine, TooLong

    path = socket_path()
    try:
        Engine(path, arguments.idle * 60, main).serve(load)
    except AlreadyRuns:
        say("a resident engine runs already")
    except TooLong:
        raise StoreError(
            f"{path}: this path is too long for a socket",
            "set XDG_RUNTIME_DIR to a folder with a short name that only you can enter",
        ) from None
    except OSError as error:
        raise StoreError(
            f"{path}: the socket cannot be made ({error.strerror})",
            "look at the folder, or set XDG_RUNTIME_DIR",
        ) from error
    return 0
