"""stdout for data, stderr for talk, and progress only where somebody looks."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO, TypeVar

from claimscope.core.text.sanitising import escape_json

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from claimscope.core.ports import OnProgress, Progress
    from claimscope.core.report.view import Part, Sign

log = logging.getLogger(__name__)
S = TypeVar("S")
PROGRESS = "progress "
"""Begins a line of progress on stderr; a JSON object follows (core.ports.Progress)."""


def write_json_line(value: BaseModel | dict[str, object]) -> None:
    if isinstance(value, dict):
        print(escape_json(json.dumps(value, ensure_ascii=False, default=_plain)))
    else:
        print(escape_json(value.model_dump_json()))


def write_json(value: object) -> None:
    print(escape_json(json.dumps(value, ensure_ascii=False, indent=2, default=_plain)))


def _plain(value: object) -> object:
    from pydantic import BaseModel  # slow to load; the parser needs none

    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not JSON")


def write_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def write_view(
    parts: Iterable[Part], *, width: int | None = None, has_signs: bool = False
) -> None:
    """A view to stdout. width: None = that of the terminal; a pipe gets each line
    whole. has_signs: they stand before the words."""
    from claimscope.core.report.renderers.plain import lines

    if width is None and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
    signs = signs_of(sys.stdout) if has_signs else None
    write_lines(lines(parts, signs=signs, width=width))


def signs_of(stream: TextIO) -> Mapping[Sign, str]:
    """The signs that what reads a stream can show."""
    from claimscope.core.report.view import ASCII_SIGNS, SIGNS

    is_unicode = (stream.encoding or "").lower().startswith("utf")
    return SIGNS if is_unicode else ASCII_SIGNS


def spare_signs() -> None:
    """A character that stdout or stderr cannot encode becomes a question mark: better
    than no output at all."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(text: str) -> None:
    """A line of talk; the log has it too, but for progress."""
    stage("")
    if not text.startswith(PROGRESS):
        log.info("%s", text)
    print(text, file=sys.stderr, flush=True)


def stage(text: str) -> None:
    """What is being done now, on a line of standard error that what is said next takes
    away; where nobody looks, nothing. Empty: nothing is done any more."""
    global _has_stage
    if not (text or _has_stage) or not sys.stderr.isatty():
        return
    if os.environ.get("TERM") in (None, "dumb"):  # it could not be taken away
        return
    room = shutil.get_terminal_size().columns - 1
    shown = text if len(text) <= room else text[: room - 1] + "…"
    _has_stage = bool(text)
    print(f"\r\x1b[K{shown}", end="", file=sys.stderr, flush=True)


_has_stage = False


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[OnProgress | None]:
    """A bar on stderr with rate and time left when stderr is a terminal, else None; it
    appears when there is something to show."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bars: list[OnProgress] = []

        def show(progress: Progress) -> None:
            if not bars:  # often there is nothing to show, and rich takes 0.1 s
                stage("")
                bars.append(stack.enter_context(_bars()))
            bars[0](progress)

        yield show


@contextmanager
def _bars() -> Iterator[OnProgress]:
    counts = "{task.completed:.0f}/{task.total:.0f}  {task.fields[note]}"
    with rich_bars("{task.description}", counts) as bars:
        tasks: dict[str, TaskID] = {}

        def show(progress: Progress) -> None:
            if progress.action not in tasks:
                tasks[progress.action] = bars.add_task(
                    progress.action, total=progress.total, note=""
                )
            bars.update(
                tasks[progress.action],
                completed=progress.done,
                total=progress.total,
                note=", ".join(_notes(progress)),
            )

        yield show


def rich_bars(before: str, after: str) -> Bars:
    """Bars on stderr, which go when they end, with a text on either side."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    return Bars(
        *([TextColumn(before)] if before else []),
        BarColumn(bar_width=24),
        TextColumn(after, markup=False),
        console=Console(stderr=True),
        refresh_per_second=2,
        transient=True,
    )


def at_most_every(
    seconds: float, show: Callable[[S], object], kind: Callable[[S], str]
) -> Callable[[S], None]:
    """Shows a step when it is of another kind than the last one, else no more often
    than that."""
    shown = (0.0, "")

    def take(step: S) -> None:
        nonlocal shown
        now = time.monotonic()
        if kind(step) != shown[1] or now - shown[0] >= seconds:
            shown = (now, kind(step))
            show(step)

    return take


def progress_lines(progress: Progress) -> None:
    """Progress as a line of JSON on stderr, for a program that follows this one."""
    from dataclasses import asdict

    say(f"{PROGRESS}{json.dumps(asdict(progress))}")


def _notes(progress: Progress) -> Iterator[str]:
    if progress.rate:
        yield f"{progress.rate:.1f}/s"
        yield f"{duration(progress.eta_seconds)} left"
    if progress.note:
        yield progress.note


def duration(seconds: float | None) -> str:
    """`42 s`, `3 min 05 s`, `2 h 10 min`, or `?`."""
    if seconds is None:
        return "?"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def terminal_encoding(
    encoding: str | None, environment: Mapping[str, str], *, is_utf8_mode: bool
) -> str | None:
    """What the terminal takes: `encoding`, that of standard output, but `ascii` in the
    locale C where somebody named it. Python writes UTF-8 there too; tmux and terminals
    do not show it. Where no locale is named, Python's guess is the better one.

    is_utf8_mode: sys.flags.utf8_mode, which is on when the locale was C at the start;
    the variables alone do not tell, because Python then sets LC_CTYPE.
    """
    is_wanted = environment.get("PYTHONUTF8") == "1"
    named = environment.get("LC_ALL") or environment.get("LANG")
    if is_utf8_mode and not is_wanted and named in ("C", "POSIX"):
        return "ascii"
    return encoding
