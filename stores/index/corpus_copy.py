"""A corpus that came from another machine in one piece, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from claimscope.core.ports import Embedder, Floats
from claimscope.core.run.cluster.recipe import CorpusCopy
from claimscope.stores.index.corpus import ShelfCorpus
from claimscope.stores.index.ranking import Shelf


class CopiedCorpus(ShelfCorpus):
    """Searched exactly (core.ports.Corpus)."""

    def __init__(self, copy: CorpusCopy, embedder: Embedder) -> None:
        """`embedder`: of the model that the copy's vectors are made with."""
        super().__init__(copy.name, embedder)
        self._version = copy.version
        parts = groupby(copy.sentences, key=lambda sentence: sentence.page_id)
        of_page = {page_id: tuple(own) for page_id, own in parts}
        self._put_on(Shelf.of((p, of_page.get(p.page_id, ())) for p in copy.pages))
        self._vectors = copy.vectors

    @property
    def version(self) -> str:
        """As the corpus was when it was copied."""
        return self._version

    def _read_vectors(self, rows: Sequence[int]) -> Floats:
        import numpy as np

        if not len(rows):
            return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        return self._vectors[list(rows)]
