"""A command of ours as a process of its own, followed by the lines it prints.

Torch and ChromaDB stay out of the process that draws the screen, and stopping is
ending a process: stores are made for a kill at any moment.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from typing import IO, Protocol

from claimscope.core.errors import ClaimscopeError
from claimscope.core.ports import OnProgress, Progress
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.process.output import PROGRESS

POLL_SECONDS = 0.1
END_SECONDS = 5.0


class Dialogue(Protocol):
    """A command of ours that reads lines and answers with lines, wherever it runs."""

    @property
    def stdin(self) -> IO[str]: ...

    @property
    def stdout(self) -> IO[str]: ...

    @property
    def stderr(self) -> IO[str]: ...

    def code(self) -> int | None:
        """Its exit code, once it has ended; None: it broke off, and another one has to
        do it."""

    def end(self) -> None:
        """Has it end; harmless when it has."""

    def close(self) -> None:
        """Gives its streams back, once nobody reads them."""


OpenDialogue = Callable[[Workspace, Sequence[str]], Dialogue | None]
"""Begins `claimscope WORDS`; None where that is for another to do."""


class ChildDialogue:
    """With a process of its own."""

    def __init__(self, workspace: Workspace, words: Sequence[str]) -> None:
        self._process = start_command(workspace, words, talks=True)
        given, printed = self._process.stdin, self._process.stdout
        said = self._process.stderr
        assert given is not None and printed is not None and said is not None
        self.stdin: IO[str] = given
        self.stdout: IO[str] = printed
        self.stderr: IO[str] = said

    def code(self) -> int:
        """Waits for it: it has closed its streams."""
        return self._process.wait()

    def end(self) -> None:
        end_process(self._process)

    def close(self) -> None:
        close_streams(self)


def close_streams(dialogue: Dialogue) -> None:
    """Closes all three, whatever was left in them."""
    for stream in (dialogue.stdin, dialogue.stdout, dialogue.stderr):
        with suppress(OSError, ValueError):
            stream.close()


@dataclass(frozen=True)
class EndedCommand:
    """A command that came to its end."""

    code: int
    out: str
    """What it printed to stdout."""
    said: tuple[str, ...]
    """Lines of its stderr, without those that were progress."""


class CommandFailed(ClaimscopeError):
    """A command that could not do its work; the words are its own."""

    title = "It could not be done"


def command_line(workspace: Workspace, words: Sequence[str]) -> list[str]:
    """`claimscope WORDS` on a workspace, as a process is started."""
    # -P: no module of the folder we happen to be in
    program = [sys.executable, "-P", "-m", "claimscope"]
    return [*program, "--workspace", str(workspace.root), *words]


def start_command(
    workspace: Workspace, words: Sequence[str], *, talks: bool = False
) -> subprocess.Popen[str]:
    """Starts `claimscope WORDS`; its stdin is open when it `talks`."""
    return subprocess.Popen(
        command_line(workspace, words),
        stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )


def run_command(
    workspace: Workspace,
    words: Sequence[str],
    on_progress: OnProgress = lambda step: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> EndedCommand | None:
    """Runs a command to its end; None when stopped."""
    process = start_command(workspace, words)
    assert process.stdout is not None and process.stderr is not None
    lines: Queue[str | None] = Queue()
    out: list[str] = []
    readers = [
        threading.Thread(target=_queue, args=(process.stderr, lines), daemon=True),
        threading.Thread(
            target=lambda stream: out.append(stream.read()),
            args=(process.stdout,),
            daemon=True,
        ),
    ]
    for reader in readers:
        reader.start()
    try:
        said = _follow(lines, on_progress, is_stopped)
        if said is not None:
            process.wait()  # it has closed its stderr: it is on its way out
    finally:
        end_process(process)
        for reader in readers:
            reader.join(END_SECONDS)
        process.stdout.close()
        process.stderr.close()
    if said is None:
        return None
    return EndedCommand(process.returncode, "".join(out), tuple(said))


def expect_code(ended: EndedCommand, codes: Sequence[int] = (0,)) -> EndedCommand:
    """The same. Raises CommandFailed with the command's last words for other codes."""
    if ended.code in codes:
        return ended
    begin = next(
        (n for n, line in enumerate(ended.said) if line.startswith("claimscope: ")),
        max(len(ended.said) - 2, 0),
    )
    first, *rest = ended.said[begin:] or (f"the command ended with {ended.code}",)
    raise CommandFailed(first.removeprefix("claimscope: "), " ".join(rest))


def _queue(stream: IO[str], lines: Queue[str | None]) -> None:
    for line in stream:
        lines.put(line.rstrip("\n"))
    lines.put(None)


def _follow(
    lines: Queue[str | None], on_progress: OnProgress, is_stopped: Callable[[], bool]
) -> list[str] | None:
    """Its words on stderr, without what was progress; None when stopped."""
    said: list[str] = []
    while not is_stopped():
        try:
            line = lines.get(timeout=POLL_SECONDS)
        except Empty:
            continue
        if line is None:
            return said
        if line.startswith(PROGRESS):
            on_progress(Progress(**json.loads(line.removeprefix(PROGRESS))))
        elif line.strip():
            said.append(line.strip())
    return None


def end_process(process: subprocess.Popen[str]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
