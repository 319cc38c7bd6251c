"""Long texts in pieces that a model's window holds; nothing is ever cut off.

A model reads a fixed number of tokens and drops the rest in silence. Here the rest
becomes further pieces of about equal size, cut between words where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Floats


def window_spans(starts_word: Sequence[bool], window: int) -> list[tuple[int, int]]:
    """Token spans of a text's pieces, in order, without gap or overlap.

    `starts_word[i]` says that token i may begin a piece. Each piece has 1 to
    `window` tokens; a text without tokens is one empty piece.
    """
    total = len(starts_word)
    spans: list[tuple[int, int]] = []
    begin = 0
    while total - begin > window:
        left = -(-(total - begin) // window)
        end = begin + -(-(total - begin) // left)
        # Back to the start of a word, unless one word fills half a piece.
        border, least = end, begin + max(1, (end - begin) // 2)
        while border > least and not starts_word[border]:
            border -= 1
        end = border if starts_word[border] else end
        spans.append((begin, end))
        begin = end
    spans.append((begin, total))
    return spans


def word_starts(words: Sequence[int | None]) -> list[bool]:
    """Which tokens begin a word, from a tokenizer's word number of each token."""
    return [i == 0 or word != words[i - 1] for i, word in enumerate(words)]


def mean_vectors(vectors: Floats, owners: Sequence[int], count: int) -> Floats:
    """Vectors of texts, shape (count, n): the mean of each text's pieces, L2 = 1.

    `owners[i]` is the text of piece i. Raises EmbeddingError for a vector that is
    not finite or zero, which would poison every search.
    """
    sums = np.zeros((count, vectors.shape[1]), dtype=np.float64)
    np.add.at(sums, np.asarray(owners, dtype=np.int64), vectors)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(norms[:, 0]) & (norms[:, 0] > 0)))
    if bad.size:
        raise EmbeddingError(
            f"The embedding model gave no usable vector for text {bad[0] + 1} of "
            f"{count}.",
            "Its weights may be damaged: choose another model or install it again.",
        )
    return np.asarray(sums / norms, dtype=np.float32)
