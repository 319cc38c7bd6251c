"""Search while somebody types: asks when the typing rests, keeps the newest answer."""

from __future__ import annotations

import threading
from collections.abc import Callable

from claimscope.core.models import Evidence
from claimscope.tui.ports.library import Hits, Library, OnHits, Search

REST_SECONDS = 0.15
"""Between the last key and the question."""
MOST_HITS = 50


class SentenceSearch:
    """The search of a screen. Its process is started at the first question."""

    def __init__(self, library: Library, on_hits: OnHits) -> None:
        self._library = library
        self._on_hits = on_hits
        self._search: Search | None = None
        self._corpus: str | None = None
        self._number = 0
        self.hits: tuple[Evidence, ...] = ()
        self.state = ""
        """What was searched by, or why not by more."""

    def ask(self, corpus: str, query: str) -> None:
        """Asks in this corpus. Raises ClaimscopeError."""
        if self._corpus != corpus:
            self.close()
        if self._search is None:
            self._search = self._library.search(corpus, self._on_hits)
            self._corpus = corpus
            self.state = "opening the index"
        self._number += 1
        self._search.ask(self._number, query, MOST_HITS)

    def take(self, answer: Hits) -> bool:
        """Keeps an answer; False when it is one to an older question."""
        if answer.order == "failed":
            self._search, self._corpus = None, None
            self.state = answer.problem or "the search ended"
            return True
        if answer.number != self._number:
            return False
        if answer.problem is not None:
            self.state = answer.problem
            self.hits = answer.hits or self.hits
        elif answer.order == "words":
            self.hits = answer.hits
            self.state = "by words; by meaning when the model is ready"
        else:
            self.hits = answer.hits
            self.state = "by words and meaning"
        return True

    def clear(self) -> None:
        """Nothing is asked any more; the process stays for the next question."""
        self._number += 1
        self.hits, self.state = (), ""

    def close(self) -> None:
        """Ends the process, without waiting for it."""
        search, self._search, self._corpus = self._search, None, None
        if search is not None:
            _apart(search.close)


def _apart(action: Callable[[], object]) -> None:
    threading.Thread(target=action).start()
