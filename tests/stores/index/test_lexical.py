"""Words as people write them, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stores.index.lexical import LexicalIndex, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The DAM is 38.5 m high.", ["the", "dam", "is", "38.5", "m", "high"]),
        ("1,200,000 at 10:30", ["1,200,000", "at", "10:30"]),
        ("Straße, naïve ΣΊΣΥΦΟΣ", ["strasse", "naïve", "σίσυφοσ"]),
        ("水库容量为４万", ["水库", "库容", "容量", "量为", "4", "万"]),
        ("ダム", ["ダム"]),
        ("PMID:123_4", ["pmid", "123", "4"]),
        ("[!] …", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_the_rare_word_wins() -> None:
    texts = ["The dam is high.", "The dam is in Varn.", "The dam is old.", "", "!"]
    scores = LexicalIndex(texts).scores("Where in VARN is the dam?")
    assert scores.shape == (5,)
    assert scores.argmax() == 1
    assert scores[3] == scores[4] == 0


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=20))
def test_any_texts_and_any_query(texts: list[str], query: str) -> None:
    scores = LexicalIndex(texts).scores(query)
    assert scores.shape == (len(texts),)
    assert (scores >= 0).all()
    words = set(tokens(query))
    for text, score in zip(texts, scores, strict=True):
        assert (score > 0) == bool(words & set(tokens(text)))
    assert (scores == LexicalIndex(texts).scores(query)).all()
