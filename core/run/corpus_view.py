"""A corpus seen through another object: it answers as the one beneath.

Views that remember or tell what is asked of them say only what they do otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.models import Page, Sentence
from claimscope.core.ports import Corpus, Floats, SearchResult


class CorpusView:
    """Implements core.ports.Corpus by another one."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @property
    def name(self) -> str:
        return self._corpus.name

    @property
    def version(self) -> str:
        return self._corpus.version

    @property
    def model_id(self) -> str:
        return self._corpus.model_id

    def page_ids(self) -> Sequence[str]:
        return self._corpus.page_ids()

    def page(self, page_id: str) -> Page | None:
        return self._corpus.page(page_id)

    def sentences(self, page_id: str) -> Sequence[Sentence]:
        return self._corpus.sentences(page_id)

    def vectors(self, page_id: str) -> Floats:
        return self._corpus.vectors(page_id)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        min_similarity: float | None = None,
        sources: Sequence[str] = (),
    ) -> SearchResult:
        found = self._corpus.search(
            query, k=k, min_similarity=min_similarity, sources=sources
        )
        self._note_search(found, query, k, min_similarity, sources)
        return found

    def _note_search(
        self,
        found: SearchResult,
        query: str,
        k: int,
        least: float | None,
        sources: Sequence[str],
    ) -> None:
        """For a view that remembers searches, or tells of them."""
