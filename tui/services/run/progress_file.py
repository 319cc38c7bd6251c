"""The file that says after each sample what of a run is done (`--progress-file`): who
watches it from outside needs neither the workspace nor this program."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from claimscope.core.analysis.summary.iterations import by_iteration
from claimscope.core.errors import InputError, StoreError
from claimscope.core.events import Event, RunFinished, SampleFinished
from claimscope.core.models import SampleResult
from claimscope.core.ports import RunWriter
from claimscope.core.report.progress import progress_document
from claimscope.stores.workspace.paths import replace_file
from claimscope.tui.process.output import say

MANY = 500
"""From so many samples on, the file is written once a second and at the end: it holds
all of them, and writing it must not take longer than judging."""
SECONDS = 1.0


def progress_file(path: Path | None) -> Path | None:
    """The file, wherever the run goes on. Raises InputError for a folder that is not
    there."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise InputError(
            f"--progress-file {path}: that is a folder, or in a folder that does not "
            "exist",
            "name a file in an existing folder",
        )
    return path and path.absolute()


def progress_listener(
    path: Path | None, journal: RunWriter
) -> Callable[[Event], None] | None:
    """What writes the file at each sample; None without one."""
    return None if path is None else ProgressFile(path, journal)


class ProgressFile:
    """A listener of the engine's events."""

    def __init__(self, path: Path, journal: RunWriter) -> None:
        self._path = path
        self._journal = journal
        self._done: dict[str, SampleResult] = dict(journal.finished())
        self._written = 0.0
        self._iteration = 1
        self._is_broken = False

    def __call__(self, event: Event) -> None:
        if isinstance(event, SampleFinished):
            self._done[str(event.result.key)] = event.result
            self._iteration = event.result.key.iteration
            late = time.monotonic() - self._written >= SECONDS
            if len(self._done) < MANY or late:
                self._write(self._iteration)
        elif isinstance(event, RunFinished):
            several = "{iteration}" in self._path.name
            parts = by_iteration(self._done.values())
            for number in parts if several else [self._iteration]:
                self._write(number)

    def _write(self, iteration: int) -> None:
        """What cannot be written is said once; the run goes on."""
        header = self._journal.header()
        part = by_iteration(self._done.values()).get(iteration, [])
        document = progress_document(header, iteration, part)
        name = self._path.name.replace("{iteration}", str(iteration))
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        try:
            replace_file(self._path.with_name(name), [text.encode()])
        except (OSError, StoreError) as error:
            if not self._is_broken:
                say(f"note: --progress-file {self._path}: {error}")
            self._is_broken = True
        self._written = time.monotonic()
