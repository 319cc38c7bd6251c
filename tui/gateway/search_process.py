"""The viewer's end of a search that goes on while somebody types."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress

from claimscope.core.models import Evidence
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.ports.library import Hits, OnHits
from claimscope.tui.process.child import (
    END_SECONDS,
    ChildDialogue,
    Dialogue,
    OpenDialogue,
)
from claimscope.tui.process.faults import log_error


class SearchProcess:
    """`claimscope pages search --lines` (tui.ports.library.Search): by the process that
    `elsewhere` gives, else, or when that one breaks off, by one of its own."""

    def __init__(
        self,
        workspace: Workspace,
        corpus: str,
        on_hits: OnHits,
        elsewhere: OpenDialogue,
    ) -> None:
        self._on_hits = on_hits
        self._number = 0
        self._line = ""
        """The newest query."""
        self._is_closed = False
        self._dialogue: Dialogue | None = None
        self._guard = threading.Lock()
        words = ["pages", "search", "--lines", "--corpus", corpus]
        self._reader = threading.Thread(
            target=self._search,
            args=(
                lambda: elsewhere(workspace, words),
                lambda: ChildDialogue(workspace, words),
            ),
            daemon=True,
        )
        self._reader.start()

    def ask(self, number: int, query: str, k: int) -> None:
        """Sends a query, or keeps it until there is who answers; a process that has
        ended has said so already."""
        with self._guard:
            self._number = number
            self._line = json.dumps({"number": number, "query": query, "k": k})
            self._send()

    def _send(self) -> None:
        if self._dialogue is not None and self._line:
            with suppress(OSError, ValueError):
                self._dialogue.stdin.write(f"{self._line}\n")
                self._dialogue.stdin.flush()

    def tell(self, hits: Hits) -> None:
        """Passes an answer on, unless nobody waits any more."""
        if not self._is_closed:
            self._on_hits(hits)

    def failed(self, words: str) -> None:
        """The process has ended by itself."""
        self.tell(Hits(self._number, "failed", problem=words))

    def close(self) -> None:
        with self._guard:
            self._is_closed = True
            dialogue = self._dialogue
        if dialogue is not None:
            dialogue.end()
        self._reader.join(END_SECONDS)

    def _search(self, *ways: Callable[[], Dialogue | None]) -> None:
        """Asks one after the other until one has answered to its end."""
        try:
            for begin in ways:
                words = None if self._is_closed else self._answered(begin())
                if words is not None:
                    self.failed(words or "the search ended")
                    return
        except Exception as error:
            self.failed(log_error(error).message)

    def _answered(self, dialogue: Dialogue | None) -> str | None:
        """Takes answers until the process ends; its last words. None where it did not
        do it."""
        if dialogue is None:
            return None
        try:
            with self._guard:
                self._dialogue = dialogue
                is_closed = self._is_closed
                self._send()
            if is_closed:
                dialogue.end()
            return self._read(dialogue)
        finally:
            with self._guard:
                self._dialogue = None
            dialogue.close()

    def _read(self, dialogue: Dialogue) -> str | None:
        said: list[str] = []
        talk = threading.Thread(
            target=lambda stream: said.extend(stream),
            args=(dialogue.stderr,),
            daemon=True,
        )
        talk.start()
        for line in dialogue.stdout:
            with suppress(ValueError, KeyError, TypeError):
                if hits := _hits(json.loads(line)):
                    self.tell(hits)
        talk.join(END_SECONDS)
        if self._is_closed:
            return ""
        if dialogue.code() is None:
            return None
        words = " ".join(line.strip() for line in said[-4:])
        return words.removeprefix("claimscope: ")


def _hits(answer: dict[str, object]) -> Hits | None:
    """None for lines that answer no query."""
    number, order = answer.get("number"), answer.get("order")
    if not isinstance(number, int) or order not in ("words", "meaning"):
        return None
    problem = answer.get("problem")
    found = answer.get("hits", [])
    assert isinstance(found, list)
    return Hits(
        number,
        "words" if order == "words" else "meaning",
        tuple(Evidence.model_validate(hit) for hit in found),
        problem if isinstance(problem, str) else None,
    )
