"""Search over the sentences of a corpus: two orders, fused, with neighbours.

Vectors find what is said in other words, BM25 finds the rare word or number; by
reciprocal rank neither needs the other's scale (Cormack, Clarke and Büttcher 2009).
The same code ranks for the index on disk and for one in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from claimscope.core.models import Evidence
from claimscope.core.ports import Floats
from claimscope.stores.index.page_texts import CorpusTexts

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


def nearest_in_order(
    found: Iterable[tuple[int, float]], n: int
) -> list[tuple[int, float]]:
    """The n nearest of (row, cosine), ordered as `exact_nearest` does."""
    return sorted(found, key=lambda pair: (-round(pair[1], SAME), pair[0]))[:n]


def rank(
    texts: CorpusTexts,
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
    lexical = texts.lexical().scores(query)
    by_words = _best_rows(lexical, depth, allowed)
    fused = fuse((list(similar), by_words))
    unknown = [row for row in fused if row not in similar]
    if unknown:
        cosines = vectors(unknown) @ vector
        similar |= {row: float(c) for row, c in zip(unknown, cosines, strict=True)}
    order = sorted(fused, key=lambda row: (-fused[row], -similar[row], row))
    if min_similarity is not None:
        order = [row for row in order if similar[row] >= min_similarity]
    return tuple(
        texts.evidence(row).model_copy(
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
    texts: CorpusTexts, query: str, k: int, allowed: list[range] | None
) -> tuple[Evidence, ...]:
    """The k best sentences by BM25 alone; nobody knows how similar they are."""
    scores = texts.lexical().scores(query)
    return tuple(
        texts.evidence(row).model_copy(
            update={"lexical": float(scores[row]), "score": 1 / (K + place)}
        )
        for place, row in enumerate(_best_rows(scores, k, allowed), start=1)
    )


def _best_rows(scores: Floats, n: int, allowed: list[range] | None) -> list[int]:
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


def page_vectors(texts: CorpusTexts, vectors: Floats) -> tuple[list[str], Floats]:
    """Ids and vectors of the pages that have sentences: the normalised mean of
    their sentences' vectors. `vectors`: shape (rows, dimensions)."""
    import numpy as np

    ids = [page_id for page_id, rows in texts.spans.items() if rows]
    means = np.zeros((len(ids), vectors.shape[1]), dtype=np.float32)
    for i, page_id in enumerate(ids):
        rows = texts.spans[page_id]
        means[i] = vectors[rows.start : rows.stop].mean(axis=0)
    norms = np.linalg.norm(means, axis=1, keepdims=True)
    means /= np.where(norms > 0, norms, 1)
    return ids, means
