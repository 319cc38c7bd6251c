"""The reading side of a corpus, wherever its sentences and vectors are kept.

Implements core.ports.Corpus over a texts in memory with exact search; the index on
disk puts ChromaDB in its place where it may.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import Evidence, Page, Sentence
from claimscope.core.ports import Embedder, Floats, SearchResult
from claimscope.core.run.meters import meters
from claimscope.stores.index.embeddings import VectorStore, text_hash
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.stores.index.ranking import (
    Nearest,
    as_rows,
    by_words,
    exact_nearest,
    page_vectors,
    rank,
)

log = logging.getLogger(__name__)
BY_WORDS = "the embedding model failed, words alone were searched"


class IndexedCorpus(ABC):
    """Pages, sentences, vectors and search; safe for threads."""

    def __init__(self, name: str, embedder: Embedder) -> None:
        self._name = name
        self._embedder = embedder
        self._guard = threading.RLock()
        self._logged: set[str] = set()
        self._hold(CorpusTexts({}))

    def _hold(self, texts: CorpusTexts) -> None:
        """Takes another state; its vectors are read when they are needed."""
        self._texts = texts
        self._matrix: Floats | None = None

    @abstractmethod
    def _read_vectors(self, rows: Sequence[int]) -> Floats:
        """Vectors of rows, shape (len(rows), dimensions)."""

    @property
    def name(self) -> str:
        return self._name

    @property
    @abstractmethod
    def version(self) -> str:
        """Hash of pages, splitter and embedding model."""

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    def page_ids(self) -> Sequence[str]:
        return tuple(self._texts.pages)

    def page(self, page_id: str) -> Page | None:
        return self._texts.pages.get(page_id)

    def indexed_at(self, page_id: str) -> str | None:
        """When a page came into the index, UTC, ISO 8601; None = not known."""
        return self._texts.indexed.get(page_id)

    def sentences(self, page_id: str) -> Sequence[Sentence]:
        return self._texts.of_page(page_id)

    def vectors(self, page_id: str) -> Floats:
        return self._vectors_of(self._texts.spans.get(page_id, range(0)))

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        min_similarity: float | None = None,
        sources: Sequence[str] = (),
    ) -> SearchResult:
        """The k best sentences, embedding and BM25 orders fused, with neighbours.

        `sources`: sources of pages, or how their ids begin. When sentence search
        fails, the best sentence of each of the best pages answers and `fallback`
        says why; when the embedding model fails, BM25 alone, whatever
        `min_similarity`. Raises StoreError when page search fails too.
        """
        if k < 1 or not self._texts.sentences:
            return SearchResult(())
        with meters().searched.timing():
            return self._search(query, k, min_similarity, sources)

    def _search(
        self, query: str, k: int, min_similarity: float | None, sources: Sequence[str]
    ) -> SearchResult:
        allowed = self._texts.allowed(sources)
        try:
            vector = self._embedder.embed([query])[0]
        except EmbeddingError as error:
            said = f"{BY_WORDS} (BM25): {error.message}"
            self._log(said, error)
            return SearchResult(by_words(self._texts, query, k, allowed), said)
        try:
            hits = rank(
                self._texts,
                query,
                vector,
                self._nearest_of(allowed),
                self._vectors_of,
                k=k,
                min_similarity=min_similarity,
                allowed=allowed,
            )
            return SearchResult(hits)
        except Exception as error:  # whatever a database may raise
            pages = self._search_pages(vector, k, min_similarity, allowed)
            reason = str(error).splitlines()[0] if str(error) else repr(error)
            said = f"sentence search failed, pages were searched: {reason}"
            self._log(said, error)
            return SearchResult(pages, said)

    def _log(self, said: str, error: Exception) -> None:
        """A warning, with its traceback the first time."""
        log.warning("%s", said, exc_info=None if said in self._logged else error)
        self._logged.add(said)

    def _nearest_of(self, allowed: list[range] | None) -> Nearest:
        if allowed is None:
            return self._nearest_sentences
        rows = as_rows(allowed)

        # Exact: filters by metadata are slow in ChromaDB, and it knows no prefixes.
        def nearest(query: Floats, n: int) -> list[tuple[int, float]]:
            found = exact_nearest(self._all_vectors()[rows], query, n)
            return [(int(rows[i]), similarity) for i, similarity in found]

        return nearest

    def _nearest_sentences(self, query: Floats, n: int) -> list[tuple[int, float]]:
        return exact_nearest(self._all_vectors(), query, n)

    def _nearest_pages(self, query: Floats, n: int) -> list[tuple[str, float]]:
        ids, vectors = page_vectors(self._texts, self._all_vectors())
        return [(ids[row], cosine) for row, cosine in exact_nearest(vectors, query, n)]

    def _search_pages(
        self,
        query: Floats,
        k: int,
        min_similarity: float | None,
        allowed: list[range] | None,
    ) -> tuple[Evidence, ...]:
        try:
            pages = self._nearest_pages(query, len(self._texts.pages))
        except Exception as error:  # the pages' collection is no better
            self._log(f"the index of pages failed, each was compared: {error}", error)
            pages = IndexedCorpus._nearest_pages(self, query, len(self._texts.pages))
        starts = None if allowed is None else {rows.start for rows in allowed if rows}
        hits: list[Evidence] = []
        for page_id, _ in pages:
            rows = self._texts.spans.get(page_id)
            if not rows or (starts is not None and rows.start not in starts):
                continue
            ((best, cosine),) = exact_nearest(self._vectors_of(rows), query, 1)
            if min_similarity is None or cosine >= min_similarity:
                update = {"similarity": max(-1.0, min(1.0, cosine))}
                hit = self._texts.evidence(rows[best]).model_copy(update=update)
                hits.append(hit)
            if len(hits) == k:
                break
        return tuple(hits)

    def _all_vectors(self) -> Floats:
        """Vectors of all rows, read once."""
        with self._guard:
            if self._matrix is None:
                self._matrix = self._read_vectors(range(len(self._texts.sentences)))
            return self._matrix

    def _vectors_of(self, rows: Sequence[int]) -> Floats:
        matrix = self._matrix
        return self._read_vectors(rows) if matrix is None else matrix[list(rows)]


class SnapshotCorpus(IndexedCorpus):
    """The state of an index as of now with the vectors that are kept, searched exactly:
    without a lock, without ChromaDB."""

    def __init__(
        self, name: str, texts: CorpusTexts, embedder: Embedder, store: VectorStore
    ) -> None:
        super().__init__(name, embedder)
        self._store = store
        self._hold(texts)

    @property
    def version(self) -> str:
        return ""

    def _read_vectors(self, rows: Sequence[int]) -> Floats:
        hashes = [text_hash(self._texts.sentences[row].text) for row in rows]
        return self._store.matrix(self.model_id, hashes, self._embedder.dimensions)
