"""Search over the sentences of a corpus: two orders, fused, with neighbours.

Vectors find what is said in other words, BM25 finds the rare word or number; by
reciprocal rank neither needs the other's scale (Cormack, Clarke and Büttcher 2009).
The same code ranks for the index on disk and for its twin in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimscope.core.models import Evidence, Page, Sentence
from claimscope.core.ports import Floats
from claimscope.stores.index.lexical import LexicalIndex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

K = 60
"""The constant of reciprocal rank fusion; the paper's value."""
SAME = 6
"""Decimals to which cosines are compared: beyond them is the noise of float32."""
DEPTH = 50
"""Candidates of each order; more when more hits are asked for."""
Nearest = Callable[[Floats, int], list[tuple[int, float]]]
"""(query vector, n) → the n nearest rows with their cosine, best first."""


def fuse(orders: Iterable[Sequence[int]], k: int = K) -> dict[int, float]:
    """Score of each row: the sum of 1 / (k + rank) over the orders it is in."""
    scores: dict[int, float] = {}
    for order in orders:
        for rank, row in enumerate(order, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (k + rank)
    return scores


def exact_nearest(vectors: Floats, query: Floats, n: int) -> list[tuple[int, float]]:
    """The n nearest rows of vectors, shape (rows, dimensions), by cosine; equal ones
    in row order, so that a search gives the same every time."""
    import numpy as np

    similarities = vectors @ query
    order = np.argsort(-similarities.round(SAME), kind="stable")[:n]
    return [(int(row), float(similarities[row])) for row in order]


def in_order(found: Iterable[tuple[int, float]], n: int) -> list[tuple[int, float]]:
    """The n nearest of (row, cosine), ordered as `exact_nearest` does."""
    return sorted(found, key=lambda pair: (-round(pair[1], SAME), pair[0]))[:n]


@dataclass
class Shelf:
    """Pages and their sentences in memory, each sentence with a row number.

    Rows are in order of (page id, sentence index), so they do not depend on the
    order in which pages were indexed.
    """

    pages: dict[str, Page]
    sentences: list[Sentence] = field(default_factory=list)
    spans: dict[str, range] = field(default_factory=dict)
    """Rows of each page."""
    indexed: dict[str, str] = field(default_factory=dict)
    """When each page came into the index, UTC, ISO 8601; not known of old ones."""
    _lexical: LexicalIndex | None = None

    @classmethod
    def of(cls, entries: Iterable[tuple[Page, Sequence[Sentence]]]) -> Shelf:
        """A shelf of pages with their sentences."""
        shelf = cls({})
        for page, sentences in sorted(entries, key=lambda entry: entry[0].page_id):
            first = len(shelf.sentences)
            shelf.pages[page.page_id] = page
            shelf.sentences.extend(sentences)
            shelf.spans[page.page_id] = range(first, len(shelf.sentences))
        return shelf

    def of_page(self, page_id: str) -> Sequence[Sentence]:
        """All sentences of a page; empty when there is no such page."""
        rows = self.spans.get(page_id, range(0))
        return tuple(self.sentences[rows.start : rows.stop])

    def row(self, page_id: str, index: int) -> int | None:
        """Row of a sentence; None when there is no such sentence."""
        rows = self.spans.get(page_id, range(0))
        return rows[index] if 0 <= index < len(rows) else None

    def allowed(self, sources: Sequence[str]) -> list[range] | None:
        """Row ranges of the pages whose source is one of `sources`, or whose id begins
        with one; None when all are allowed."""
        if not sources:
            return None
        wanted = set(sources)
        prefixes = tuple(sources)
        return [
            rows
            for page_id, rows in self.spans.items()
            if self.pages[page_id].source in wanted or page_id.startswith(prefixes)
        ]

    def lexical(self) -> LexicalIndex:
        """BM25 over all sentences, built at first use."""
        if self._lexical is None:
            self._lexical = LexicalIndex([s.text for s in self.sentences])
        return self._lexical

    def evidence(self, row: int) -> Evidence:
        """A sentence as evidence, with its true neighbours; not yet scored."""
        sentence = self.sentences[row]
        page = self.pages[sentence.page_id]
        rows = self.spans[sentence.page_id]
        return Evidence(
            page_id=sentence.page_id,
            index=sentence.index,
            text=sentence.text,
            start=sentence.start,
            end=sentence.end,
            before=self.sentences[row - 1].text if row > rows.start else None,
            after=self.sentences[row + 1].text if row + 1 < rows.stop else None,
            title=page.title,
            url=page.url,
        )


def rank(
    shelf: Shelf,
    query: str,
    vector: Floats,
    nearest: Nearest,
    vectors: Callable[[Sequence[int]], Floats],
    *,
    k: int,
    min_similarity: float | None,
    allowed: list[range] | None,
) -> tuple[Evidence, ...]:
    """The k best sentences. `nearest` gives the order by vectors (of the allowed
    rows only), `vectors` the vectors of rows that only BM25 found."""
    depth = max(DEPTH, 5 * k)
    similar = dict(nearest(vector, depth))
    lexical = shelf.lexical().scores(query)
    by_words = _best(lexical, depth, allowed)
    fused = fuse((list(similar), by_words))
    unknown = [row for row in fused if row not in similar]
    if unknown:
        cosines = vectors(unknown) @ vector
        similar |= {row: float(c) for row, c in zip(unknown, cosines, strict=True)}
    order = sorted(fused, key=lambda row: (-fused[row], -similar[row], row))
    if min_similarity is not None:
        order = [row for row in order if similar[row] >= min_similarity]
    return tuple(
        shelf.evidence(row).model_copy(
            update={
                # Rounding may carry a cosine of float32 beyond its bounds.
                "similarity": max(-1.0, min(1.0, similar[row])),
                "lexical": float(lexical[row]),
                "score": fused[row],
            }
        )
        for row in order[:k]
    )


def by_words(
    shelf: Shelf, query: str, k: int, allowed: list[range] | None
) -> tuple[Evidence, ...]:
    """The k best sentences by BM25 alone; nobody knows how similar they are."""
    scores = shelf.lexical().scores(query)
    return tuple(
        shelf.evidence(row).model_copy(
            update={"lexical": float(scores[row]), "score": 1 / (K + place)}
        )
        for place, row in enumerate(_best(scores, k, allowed), start=1)
    )


def _best(scores: Floats, n: int, allowed: list[range] | None) -> list[int]:
    """The n best rows with a score above 0; equal ones in row order."""
    import numpy as np

    rows: Ints = np.flatnonzero(scores > 0)
    if allowed is not None:
        rows = np.intersect1d(rows, as_rows(allowed), assume_unique=True)
    order = np.argsort(-scores[rows], kind="stable")[:n]
    return [int(row) for row in rows[order]]


def as_rows(ranges: Iterable[range]) -> Ints:
    """Row numbers of ranges, in order."""
    import numpy as np

    parts = [np.arange(r.start, r.stop, dtype=np.int64) for r in ranges]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def page_vectors(shelf: Shelf, vectors: Floats) -> tuple[list[str], Floats]:
    """Ids and vectors of the pages that have sentences: the normalised mean of
    their sentences' vectors. `vectors`: shape (rows, dimensions)."""
    import numpy as np

    ids = [page_id for page_id, rows in shelf.spans.items() if rows]
    means = np.zeros((len(ids), vectors.shape[1]), dtype=np.float32)
    for i, page_id in enumerate(ids):
        rows = shelf.spans[page_id]
        means[i] = vectors[rows.start : rows.stop].mean(axis=0)
    norms = np.linalg.norm(means, axis=1, keepdims=True)
    means /= np.where(norms > 0, norms, 1)
    return ids, means
