"""A probe as a process of its own, followed by the lines it prints.

The libraries that speak to a server stay out of the process that draws the screen,
and stopping is ending a process: nothing of a probe is kept before its end.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from queue import Empty, Queue
from typing import IO

from claimscope.core.errors import ModelError
from claimscope.stores.paths import Workspace
from claimscope.tui.desk import OnProbeStep, ProbeStep

STEP = re.compile(r"(\d+)/(\d+) (.*)")
"""A line for a case, as `claimscope probe --lines` prints it."""
PROBED = (0, 1)
"""Exit codes of a probe that came to a verdict."""
POLL_SECONDS = 0.1
END_SECONDS = 5.0


def run_probe(
    workspace: Workspace,
    model: str,
    context_tokens: int | None,
    on_step: OnProbeStep,
    is_stopped: Callable[[], bool],
) -> bool:
    """Probes a model to its end; False when stopped. Raises ModelError with the words
    of the process when it came to no verdict."""
    command = ["probe", "--lines"]
    if context_tokens is not None:
        command += ["--context-tokens", str(context_tokens)]
    process = subprocess.Popen(
        [
            sys.executable,
            "-P",  # no module of the folder we happen to be in
            "-m",
            "claimscope",
            "--workspace",
            str(workspace.root),
            *command,
            "--",
            model,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stderr is not None
    lines: Queue[str | None] = Queue()
    reader = threading.Thread(target=_read, args=(process.stderr, lines), daemon=True)
    reader.start()
    try:
        words = _follow(lines, on_step, is_stopped)
        if words is not None:
            process.wait()  # it has closed its stderr: it is on its way out
    finally:
        _end(process)
        reader.join(END_SECONDS)
        process.stderr.close()
    if words is None:
        return False
    if process.returncode in PROBED:
        return True
    first, *rest = words or [f"the probe ended (exit {process.returncode})"]
    raise ModelError(first.removeprefix("claimscope: "), " ".join(rest))


def _read(stream: IO[str], lines: Queue[str | None]) -> None:
    for line in stream:
        lines.put(line.rstrip("\n"))
    lines.put(None)


def _follow(
    lines: Queue[str | None], on_step: OnProbeStep, is_stopped: Callable[[], bool]
) -> list[str] | None:
    """What was said beside the steps; None when stopped."""
    words: list[str] = []
    while not is_stopped():
        try:
            line = lines.get(timeout=POLL_SECONDS)
        except Empty:
            continue
        if line is None:
            return words
        if step := STEP.fullmatch(line):
            on_step(ProbeStep(int(step[1]), int(step[2]), step[3]))
        elif line.strip():
            words.append(line.strip())
    return None


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a process that is not done; the server stops when its client is gone."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
