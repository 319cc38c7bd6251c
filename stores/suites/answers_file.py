"""Answers files that are written one answer at a time and survive a kill.

Each answer is one line, synced when it is there; a last line that was torn by a kill
is cut off, so that going on repeats nothing that was finished.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Self

from claimscope.core.errors import InputError
from claimscope.core.models import Answer, Suite
from claimscope.stores.suites.loading import load_answers
from claimscope.stores.workspace.paths import sync_data


class AnswersFile:
    """An answers file that is being written; use as a context manager."""

    def __init__(self, path: Path, suite: Suite) -> None:
        """Reads what is there. Raises SuiteError for a file that is no answers file of
        the suite, InputError when it cannot be written."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: BinaryIO = open(path, "a+b")
        except OSError as error:
            raise InputError(
                f"--out {path}: {error.strerror}", "name a file that can be written"
            ) from None
        try:
            self._cut_torn_line()
            self.answers = load_answers(path, suite)
        except BaseException:
            self._stream.close()
            raise

    def _cut_torn_line(self) -> None:
        self._stream.seek(0)
        data = self._stream.read()
        if data and not data.endswith(b"\n"):
            self._stream.truncate(data.rfind(b"\n") + 1)

    def put(self, answer: Answer) -> None:
        """Appends an answer; durable when it returns."""
        self._stream.write(answer.model_dump_json().encode() + b"\n")
        self._stream.flush()
        sync_data(self._stream.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
