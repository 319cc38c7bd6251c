"""An answer in an editor, judged by the resident engine as `check` would judge it.

The server of an editor asks for the same command that a person types, so both come to
the same result, and none of what judges is loaded into the process of the editor.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from claimscope.core.models import SampleResult
from claimscope.tui.resident.choice import mode_of
from claimscope.tui.resident.client import EngineAnswer, Unusable, output_of
from claimscope.tui.resident.place import is_possible
from claimscope.tui.resident.starting import start, wait_for_socket

log = logging.getLogger(__name__)
LOADING_SECONDS = 120.0
"""For an engine that was started to listen."""
REST_SECONDS = 300.0
"""After something was wrong with it, until it is asked again."""
JUDGED = (0, 1, 3)
"""Exit codes of a check that printed a result."""


class ResidentJudge:
    """Asks the resident engine, and starts one where none runs and that is wanted."""

    def __init__(
        self, arguments: argparse.Namespace, tell: Callable[[str], None]
    ) -> None:
        """tell: gets why the engine is not used, once for each reason."""
        self._mode = mode_of(arguments, "start")
        self._tell = tell
        self._told: set[str] = set()
        self._rests_until = 0.0
        if self._mode == "start" and not is_possible():
            self._mode = "off"

    def sample(
        self, name: str, text: str, folder: Path, words: Sequence[str]
    ) -> SampleResult | None:
        """The result of an answer of that name; None where it has to be judged in this
        process. words: flags of `check`; folder: where it is run. Raises
        ClaimscopeError for what the check itself ends with."""
        if self._mode == "off" or time.monotonic() < self._rests_until:
            return None
        command = ["check", "-", "--json", f"--name={name}", *words]
        try:
            answer = self._answer(command, text, folder)
        except Unusable as error:
            self._rests_until = time.monotonic() + REST_SECONDS
            self._say(str(error))
            return None
        return None if answer is None else result_of(answer)

    def _answer(
        self, command: Sequence[str], text: str, folder: Path
    ) -> EngineAnswer | None:
        """None where no engine runs and none is wanted. Raises Unusable."""
        # A check takes one mark of the order of bytes away; offsets are of `text`.
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        given = (mark + text).encode("utf-8", "surrogatepass")
        try:
            return output_of(command, given, folder)
        except FileNotFoundError:
            if self._mode != "start":
                return None
        process = start()
        if process is None or not wait_for_socket(process, LOADING_SECONDS):
            raise Unusable("it did not start; `claimscope serve daemon run` says why")
        try:
            return output_of(command, given, folder)
        except FileNotFoundError:
            raise Unusable("it ended at once") from None

    def _say(self, why: str) -> None:
        if why not in self._told:
            self._told.add(why)
            self._tell(
                f"the resident engine is not used: {why}; judged in this process"
            )


def result_of(answer: EngineAnswer) -> SampleResult:
    """The result that a check of one answer printed. Raises CommandFailed with its own
    words where it printed none."""
    from claimscope.tui.process.child import EndedCommand, expect_code

    if answer.code not in JUDGED or not answer.printed:
        said = tuple(line.strip() for line in answer.said.splitlines() if line.strip())
        expect_code(EndedCommand(answer.code, "", said), ())
    return SampleResult.model_validate(json.loads(answer.printed)["result"])
