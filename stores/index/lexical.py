"""BM25 over sentences: finds the rare word, number or name that vectors blur.

Not saved: building it from 10,000 sentences takes less time than checking that a
saved one still fits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from claimscope.core.lean_imports import importing_without
from claimscope.core.ports import Floats

# Scripts written without blanks between words.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = re.compile(rf"([{_CJK}]+)|\d+(?:[.,:]\d+)+|[^\W_{_CJK}]+")


def tokens(text: str) -> list[str]:
    """Words in lower case, numbers whole (`4.2`, `10:30`), CJK as pairs of characters.

    Compatibility forms are folded (full-width digits, ligatures).
    """
    return list(_tokens(unicodedata.normalize("NFKC", text).casefold()))


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        run = match.group(1)
        if run is None:
            yield match.group()
        elif len(run) == 1:
            yield run
        else:
            yield from (run[i : i + 2] for i in range(len(run) - 1))


class LexicalIndex:
    """Sentences by their words; row numbers are positions in the given order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._size = len(texts)
        self._bm25: Any = None
        split = [tokens(text) for text in texts]
        if any(split):
            with importing_without("scipy", "scipy.sparse", "tqdm"):
                import bm25s

            self._bm25 = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
            self._bm25.index(split, show_progress=False)

    def scores(self, query: str) -> Floats:
        """BM25 of each row, shape (rows,), >= 0; 0 = no word in common."""
        import numpy as np

        words = tokens(query)
        if self._bm25 is None or not words:
            return np.zeros(self._size, dtype=np.float32)
        scores: Floats = self._bm25.get_scores(words).astype(np.float32)
        return scores
