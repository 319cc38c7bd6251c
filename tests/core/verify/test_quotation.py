"""Quotations held to the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.quotation import find_quote

DOCUMENT = (
    "Harbour rules.\nThe basin of Lindal is 11 metres deep — “deep enough”, they say. "
    "The Lindal ferry carries 40 cars. It does not run in August. Straße 9 is closed."
)
FERRY = "The Lindal ferry carries 40 cars."


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (FERRY, FERRY),
        ("the LINDAL\n ferry  carries 40 cars", FERRY),
        ('"The Lindal ferry carries 40 cars..."', FERRY),
        ("The Lindal fery carries 40 cars.", FERRY),
        (
            "11 metres deep - 'deep enough', they say",
            "11 metres deep — “deep enough”, they say.",
        ),
        ("strasse 9 is closed", "Straße 9 is closed."),
        ("indal ferry carries 40 car", FERRY.removeprefix("The ")),
    ],
)
def test_a_quote_is_found_in_the_text_s_own_words(said: str, text: str) -> None:
    found = find_quote(DOCUMENT, said)
    assert found is not None
    assert found.text == text == DOCUMENT[found.start : found.end]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "40 cars",
        "the the the",
        "The Lindal ferry carries 41 cars.",
        "The basin of Lindal is 1 metres deep.",
        "It does run in August. Straße 9 is closed.",
        "The Lindal ferry carries 40 cars and buses.",
        "The Lindal tram carries 40 cars.",
        DOCUMENT + " And more.",
    ],
)
def test_what_the_text_does_not_say_is_no_quote(said: str) -> None:
    assert find_quote(DOCUMENT, said) is None


@given(st.text(max_size=80), st.text(max_size=60))
def test_a_found_quote_is_a_stretch_of_the_document(document: str, said: str) -> None:
    for wanted in (said, document[10:50]):
        found = find_quote(document, wanted)
        if found is not None:
            assert document[found.start : found.end] == found.text != ""


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_what_stands_in_the_text_is_found(document: str, start: int, end: int) -> None:
    wanted = document[start:end]
    words = wanted.casefold().strip(" \"'.…").split()
    if len(words) >= 3 and all(len(word) > 6 and word.isalnum() for word in words):
        assert find_quote(document, wanted) is not None
