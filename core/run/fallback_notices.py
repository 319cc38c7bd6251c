"""A corpus whose makeshift answers are told: no search result changes in silence.

When sentence search fails, pages are searched in its place, and verdicts may be others
than they would have been. So the run's log names each sample that had such an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import SampleKey
from claimscope.core.ports import CallLog, Corpus, Embedder, Floats, SearchResult
from claimscope.core.run.corpus_view import CorpusView
from claimscope.core.run.sample import Services


class TellingCorpus(CorpusView):
    """The same corpus; `note` is given once each reason why another answered."""

    def __init__(self, corpus: Corpus, note: Callable[[str], object]) -> None:
        super().__init__(corpus)
        self._note = note
        self._told: set[str] = set()

    def _note_search(self, found: SearchResult, *asked: object) -> None:
        if found.fallback is not None and found.fallback not in self._told:
            self._told.add(found.fallback)
            self._note(found.fallback)


class TellingEmbedder:
    """The same embedder; `note` is given once each reason why it failed, and whoever
    asked still hears of it: words may stand in, and a metric may be unscored."""

    def __init__(self, inner: Embedder, note: Callable[[str], object]) -> None:
        self._inner = inner
        self._note = note
        self._told: set[str] = set()

    @property
    def model_id(self) -> str:
        return self._inner.model_id

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        try:
            return self._inner.embed(texts)
        except EmbeddingError as error:
            if error.message not in self._told:
                self._told.add(error.message)
                self._note(f"the embedding model failed: {error.message}")
            raise


def telling(services: Services, key: SampleKey, calls: CallLog) -> Services:
    """The same services; a search that another one answered, and an embedding model
    that failed, are noted in the run's log, with the sample."""

    def note(reason: str) -> None:
        calls.save_note(f"{key}: {reason}")

    services = replace(services, embedder=TellingEmbedder(services.embedder, note))
    if services.corpus is None:
        return services
    return replace(services, corpus=TellingCorpus(services.corpus, note))
