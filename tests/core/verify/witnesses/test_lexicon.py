"""Words that mean the same, words that exclude one another."""

from __future__ import annotations

import pytest

from claimscope.core.verify.witnesses.lexicon import exclude, mean_same
from claimscope.core.verify.word_forms import stem


@pytest.mark.parametrize(
    ("one", "other"),
    [("requires", "needs"), ("repaired", "mended"), ("cellar", "basement")],
)
def test_words_of_one_meaning(one: str, other: str) -> None:
    assert mean_same(stem(one), stem(other))
    assert mean_same(stem(other), stem(one))
    assert not exclude(stem(one), stem(other))


@pytest.mark.parametrize(
    ("one", "other"), [("permits", "forbids"), ("open", "closed"), ("fast", "slow")]
)
def test_words_that_exclude_one_another(one: str, other: str) -> None:
    assert exclude(stem(one), stem(other))
    assert exclude(stem(other), stem(one))
    assert not mean_same(stem(one), stem(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("takes", "asks"), ("parent", "child"), ("plant", "works"), ("red", "blue")],
)
def test_words_that_are_neither(one: str, other: str) -> None:
    assert not mean_same(stem(one), stem(other))
    assert not exclude(stem(one), stem(other))
