"""How near texts are by their words alone, where no embedding model can be asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from claimscope.core.ports import Floats
from claimscope.core.verify.word_forms import content, words
from claimscope.core.verify.word_rarity import rarity


def by_words(left: Sequence[str], right: Sequence[str]) -> Floats:
    """Overlap of words by their rarity, [0, 1], shape (len(left), len(right)): twice
    the weight of the words in common over the weight of the words of both."""
    first, second = [_weights(text) for text in left], [_weights(t) for t in right]
    return np.array(
        [[_overlap(a, b) for b in second] for a in first], dtype=np.float32
    ).reshape(len(left), len(right))


def _weights(text: str) -> dict[str, float]:
    return {word.stem: rarity(word.stem) for word in content(words(text))}


def _overlap(left: dict[str, float], right: dict[str, float]) -> float:
    both = sum(left.values()) + sum(right.values())
    if not both:
        return 0.0
    shared = sum(weight for stem, weight in left.items() if stem in right)
    return min(1.0, 2 * shared / both)
