"""How near texts are by their words alone, the rare ones more: for when the embedding
model fails.

Vectors of words stand in for one batch of texts that are compared with each other,
never beside vectors of a model, and never for a metric that measures meaning: those say
that they could not. Verdicts made with them say so in what "likeness" says.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from claimscope.core.ports import Floats
from claimscope.core.verify.word_forms import content_words, rarity, words

log = logging.getLogger(__name__)
BY_WORDS = "the embedding model failed, words alone were compared"


@lru_cache(maxsize=64)
def say_once(reason: str) -> None:
    """Logs that it happened: once for each reason, not once for each claim."""
    log.warning("%s: %s", BY_WORDS, reason)


def word_vectors(texts: Sequence[str]) -> Floats:
    """Shape (len(texts), stems or 1), L2-normalised; of a text without a word all 0."""
    stems = [[word.stem for word in content_words(words(text))] for text in texts]
    known = dict.fromkeys(stem for own in stems for stem in own)
    places = {stem: number for number, stem in enumerate(known)}
    found = np.zeros((len(texts), max(1, len(places))), dtype=np.float32)
    for row, own in enumerate(stems):
        for stem in own:
            found[row, places[stem]] = rarity(stem)
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    found /= np.where(norms > 0, norms, 1)
    return found


def word_overlap(left: Sequence[str], right: Sequence[str]) -> Floats:
    """Overlap of words by their rarity, [0, 1], shape (len(left), len(right)): twice
    the weight of the words in common over the weight of the words of both."""
    first, second = [_weights(text) for text in left], [_weights(t) for t in right]
    return np.array(
        [[_overlap(a, b) for b in second] for a in first], dtype=np.float32
    ).reshape(len(left), len(right))


def _weights(text: str) -> dict[str, float]:
    return {word.stem: rarity(word.stem) for word in content_words(words(text))}


def _overlap(left: dict[str, float], right: dict[str, float]) -> float:
    both = sum(left.values()) + sum(right.values())
    if not both:
        return 0.0
    shared = sum(weight for stem, weight in left.items() if stem in right)
    return min(1.0, 2 * shared / both)
