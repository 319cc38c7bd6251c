"""What a claim was held against: looked up again, and held to the run's record.

A run keeps of each look into the pages only a digest of what was found. The same look
is done again here with the vectors that are kept, so no model is loaded; the digest
says whether it found what the run had found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.errors import StoreError
from claimscope.core.models import RunHeader, SampleResult
from claimscope.core.ports import Floats
from claimscope.core.run.provenance import CorpusLook, answer_of
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.stores.index.corpus import SnapshotCorpus
from claimscope.stores.index.embeddings import FILE, VectorStore, text_hash
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.tui.ports.gateway import CandidateSearch

OWN = 4
"""Of the pages a claim is meant of, this many times as many sentences are looked up
(core/verify/page_selection.py)."""


class KeptVectors:
    """Vectors of texts that were embedded before (core.ports.Embedder)."""

    def __init__(self, store: VectorStore, model_id: str, dimensions: int) -> None:
        self._store = store
        self._model_id = model_id
        self._dimensions = dimensions

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions). Raises StoreError when one is not kept."""
        hashes = [text_hash(text) for text in texts]
        return self._store.matrix(self._model_id, hashes, self._dimensions)


def search_again(
    index: Path,
    texts_of: Callable[[str], CorpusTexts],
    header: RunHeader,
    sample: SampleResult,
    claim: str,
) -> Sequence[CandidateSearch]:
    """All that a claim of a sample was held against.

    index: the folder of the corpora, where the vectors are. Raises StoreError for what
    is kept no more.
    """
    k = settings_of(header).evidence_sentences
    path = index / FILE
    if header.embedding_model is None or not path.exists():
        raise StoreError(
            "The vectors of this run are not in the workspace.",
            "Open it in the workspace where it was made.",
        )
    with closing(VectorStore(path)) as store:
        vectors = _vectors(store, header.embedding_model, claim)
        if sample.case.contexts or header.corpus is None:
            hits = candidates_from_text(claim, sample.case.contexts, vectors, k)
            return (CandidateSearch("the passages of the case", hits, None),)
        corpus = SnapshotCorpus(header.corpus, texts_of(header.corpus), vectors, store)
        return tuple(_looks(corpus, sample, claim, k))


def _vectors(store: VectorStore, model_id: str, claim: str) -> KeptVectors:
    """Those of the run's model; the claim's own says how long they are."""
    key = text_hash(claim)
    found = store.get(model_id, [key])
    if key not in found:
        raise StoreError(
            "The vector of this claim is not kept any more.",
            "Judge the run again in this workspace: what is missing is embedded.",
        )
    return KeptVectors(store, model_id, len(found[key]))


def _looks(
    corpus: SnapshotCorpus, sample: SampleResult, claim: str, k: int
) -> Iterator[CandidateSearch]:
    seen = list(_recorded(sample.grounds, claim, k))
    if not seen:
        yield CandidateSearch("all pages", corpus.search(claim, k=k).hits, None)
    for sources, digest in seen:
        size = OWN * k if sources else k
        hits = corpus.search(claim, k=size, sources=sources).hits
        look: CorpusLook = ("search", claim, str(size), "", *sources)
        is_as_then = answer_of(look, corpus) == digest
        if sources:
            named = ", ".join(sources)
            own = tuple(hit for hit in hits if hit.page_id in sources)[:k]
            where = f"the pages that the answer speaks of: {named}"
            yield CandidateSearch(where, own, is_as_then)
        else:
            yield CandidateSearch("all pages", hits, is_as_then)


def _recorded(
    grounds: str | None, claim: str, k: int
) -> Iterator[tuple[tuple[str, ...], str]]:
    """(pages, digest) of the looks for a claim's evidence, its own pages first."""
    rows = json.loads(grounds) if grounds else []
    found = []
    for row in rows:
        if row[:2] == ["search", claim]:
            size, _, *sources, digest = row[2:]
            if size == str(OWN * k if sources else k):
                found.append((tuple(sources), digest))
    yield from sorted(found, key=lambda look: not look[0])
