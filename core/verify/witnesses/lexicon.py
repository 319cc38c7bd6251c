"""Words that mean the same, and words that exclude one another.

From WordNet 3.0 (lexicon_data/words.tsv, made by
benchmarks/quality/entailment/wordnet.py): two words mean the same only where the sense
in which each is mostly used is the same.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from claimscope.core.verify.word_forms import opposites, stem

WORDS = Path(__file__).with_name("lexicon_data") / "words.tsv"
"""Lines of Penn Treebank tag, word, other word, "same" or "opposite"; every inflected
form has a line of its own."""


@lru_cache(maxsize=1)
def _pairs() -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    """(pairs of stems that mean the same, pairs that exclude one another)."""
    same: set[tuple[str, str]] = set()
    opposite: set[tuple[str, str]] = set()
    for line in WORDS.read_text("utf-8").splitlines():
        tag, one, other, kind = line.split("\t")
        if kind == "same":
            same.add((stem(one), stem(other)))
        elif not tag.startswith("NN"):  # a parent's fee says nothing of a child's
            opposite.add((stem(one), stem(other)))
    for word, others in opposites().items():
        opposite |= {(word, other) for other in others}
    opposite |= {(other, word) for word, other in opposite}
    return frozenset(same - opposite), frozenset(opposite)


def mean_same(one: str, other: str) -> bool:
    """Two stems that are equal, or mean the same."""
    return one == other or (one, other) in _pairs()[0]


def exclude(one: str, other: str) -> bool:
    """Two stems that cannot both be said of the same thing."""
    return (one, other) in _pairs()[1]
