"""The viewer's end of a search that goes on while somebody types."""

from __future__ import annotations

import json
import subprocess
import threading
from contextlib import suppress

from claimscope.core.models import Evidence
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.ports.library import Hits, OnHits
from claimscope.tui.process.child import END_SECONDS, end, start


class SearchProcess:
    """`claimscope pages search --lines` (tui.ports.library.Search)."""

    def __init__(self, workspace: Workspace, corpus: str, on_hits: OnHits) -> None:
        self._on_hits = on_hits
        self._number = 0
        self._is_closed = False
        words = ["pages", "search", "--lines", "--corpus", corpus]
        self._process = start(workspace, words, talks=True)
        self._reader = threading.Thread(
            target=_read, args=(self, self._process), daemon=True
        )
        self._reader.start()

    def ask(self, number: int, query: str, k: int) -> None:
        """Sends a query; a process that has ended has said so already."""
        self._number = number
        line = json.dumps({"number": number, "query": query, "k": k})
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(OSError, ValueError):
            stdin.write(f"{line}\n")
            stdin.flush()

    def tell(self, hits: Hits) -> None:
        """Passes an answer on, unless nobody waits any more."""
        if not self._is_closed:
            self._on_hits(hits)

    def failed(self, words: str) -> None:
        """The process has ended by itself."""
        self.tell(Hits(self._number, "failed", problem=words))

    def close(self) -> None:
        """Ends the process."""
        self._is_closed = True
        end(self._process)
        self._reader.join(END_SECONDS)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _read(search: SearchProcess, process: subprocess.Popen[str]) -> None:
    """Takes answers until the process ends."""
    assert process.stdout is not None and process.stderr is not None
    said: list[str] = []
    talk = threading.Thread(
        target=lambda stream: said.extend(stream), args=(process.stderr,), daemon=True
    )
    talk.start()
    for line in process.stdout:
        with suppress(ValueError, KeyError, TypeError):
            if hits := _hits(json.loads(line)):
                search.tell(hits)
    talk.join(END_SECONDS)
    words = " ".join(line.strip() for line in said[-4:])
    search.failed(words.removeprefix("claimscope: ") or "the search ended")


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
