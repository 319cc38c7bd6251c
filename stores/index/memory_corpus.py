"""Corpora without a disk: pages given by a program, or copied from another machine.

Both are searched exactly; contract tests hold them to what the index on disk does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from claimscope.core.models import Page
from claimscope.core.ports import Embedder, Floats
from claimscope.core.run.cluster.recipe import CorpusCopy
from claimscope.core.text.sentences import SPLITTER_ID
from claimscope.stores.index.corpus import IndexedCorpus
from claimscope.stores.index.manifest import corpus_version
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.stores.index.update_plan import plan_update


class MemoryCorpus(IndexedCorpus):
    """Pages that end with the process (core.ports.Corpus), searched exactly."""

    def __init__(self, name: str, pages: Iterable[Page], embedder: Embedder) -> None:
        """Splits the pages now and embeds them at first use. `warnings` names pages
        that were skipped."""
        super().__init__(name, embedder)
        entries, _, report = plan_update(pages, {}, delete_missing=True)
        self.warnings = report.warnings
        self._hold(CorpusTexts.of((entry.page, entry.sentences) for entry in entries))
        hashes = {entry.page.page_id: entry.content_hash for entry in entries}
        self._version = corpus_version(embedder.model_id, SPLITTER_ID, hashes)

    @property
    def version(self) -> str:
        return self._version

    def _read_vectors(self, rows: Sequence[int]) -> Floats:
        return self._embedder.embed([self._texts.sentences[row].text for row in rows])

    def _vectors_of(self, rows: Sequence[int]) -> Floats:
        return self._all_vectors()[list(rows)]


class CopiedCorpus(IndexedCorpus):
    """Searched exactly (core.ports.Corpus)."""

    def __init__(self, copy: CorpusCopy, embedder: Embedder) -> None:
        """`embedder`: of the model that the copy's vectors are made with."""
        super().__init__(copy.name, embedder)
        self._version = copy.version
        parts = groupby(copy.sentences, key=lambda sentence: sentence.page_id)
        of_page = {page_id: tuple(own) for page_id, own in parts}
        self._hold(CorpusTexts.of((p, of_page.get(p.page_id, ())) for p in copy.pages))
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
