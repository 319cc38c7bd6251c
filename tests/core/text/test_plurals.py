"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from claimscope.core.text.plurals import counted_noun, verb_of


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "claim", "0 claims"),
        (1, "claim", "1 claim"),
        (2, "claim", "2 claims"),
        (1204, "sample", "1,204 samples"),
        (1, "entry", "1 entry"),
        (3, "entry", "3 entries"),
        (2, "day", "2 days"),
        (2, "finished run", "2 finished runs"),
    ],
)
def test_a_noun_has_the_number_that_its_count_asks_for(
    count: int, noun: str, words: str
) -> None:
    assert counted_noun(count, noun) == words


def test_a_verb_agrees() -> None:
    assert [verb_of(n, "was", "were") for n in (0, 1, 2)] == ["were", "was", "were"]
