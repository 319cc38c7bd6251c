"""How near texts are: by their vectors, or, where there are none, by their words.

METRICS A: a failed embedding is retried with back-off (the embedder does that), then
words are compared instead, and the score says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Embed, Findings
from claimscope.core.models import Evidence
from claimscope.core.ports import Corpus, Floats
from claimscope.core.verify.evidence import PassageSentence, sentences_of
from claimscope.core.verify.word_vectors import word_overlap

NO_MODEL = "there is no embedding model"
NEAREST = 5
"""Search results looked at for the best cosine: their order mixes in words."""


@dataclass(frozen=True)
class NearestSentence:
    """The ground-truth sentence nearest to a text."""

    sentence_id: str
    text: str
    similarity: float
    """[0, 1]."""
    url: str | None = None


def by_vectors(left: Sequence[str], right: Sequence[str], embed: Embed) -> Floats:
    """Cosines in [0, 1], shape (len(left), len(right)). Raises EmbeddingError."""
    vectors = embed([*left, *right])
    found = np.clip(vectors[: len(left)] @ vectors[len(left) :].T, 0.0, 1.0)
    if not np.isfinite(found).all():
        raise EmbeddingError(
            "the embedding model gave vectors that hold no numbers.",
            "Choose another one with the setting embedding_model.",
        )
    return np.asarray(found, dtype=np.float32)


def has_ground_truth(findings: Findings) -> bool:
    """Whether the case or the run has any."""
    return bool(findings.case.contexts) or findings.corpus is not None


def nearest(texts: Sequence[str], findings: Findings) -> list[NearestSentence | None]:
    """The nearest ground-truth sentence of each text: of the case's own contexts, else
    of the corpus; None where there is none. Raises EmbeddingError."""
    if not texts:
        return []
    if findings.case.contexts:
        if findings.embed is None:
            raise EmbeddingError(NO_MODEL)
        pieces = sentences_of(findings.case.contexts)
        if not pieces:
            return [None] * len(texts)
        cosines = by_vectors(texts, [piece.text for piece in pieces], findings.embed)
        return _best_of(pieces, cosines)
    if findings.corpus is not None:
        return [_nearest_in_corpus(text, findings.corpus) for text in texts]
    return [None] * len(texts)


def nearest_by_words(
    texts: Sequence[str], findings: Findings
) -> list[NearestSentence | None] | None:
    """The same without vectors; None for a corpus, whose search needs them."""
    pieces = sentences_of(findings.case.contexts)
    if not pieces:
        return None
    return _best_of(pieces, word_overlap(texts, [piece.text for piece in pieces]))


def _best_of(
    pieces: Sequence[PassageSentence], similarities: Floats
) -> list[NearestSentence | None]:
    best = similarities.argmax(axis=1) if len(similarities) else ()
    return [
        NearestSentence(
            f"{pieces[column].page_id}:S:{pieces[column].index}",
            pieces[column].text,
            float(similarities[row, column]),
        )
        for row, column in enumerate(best)
    ]


def _nearest_in_corpus(text: str, corpus: Corpus) -> NearestSentence | None:
    hits: Sequence[Evidence] = [
        hit for hit in corpus.search(text, k=NEAREST).hits if hit.similarity is not None
    ]
    if not hits:
        return None
    best = max(hits, key=lambda hit: hit.similarity or 0.0)
    similarity = min(1.0, max(0.0, best.similarity or 0.0))
    return NearestSentence(best.sentence_id, best.text, similarity, best.url)
