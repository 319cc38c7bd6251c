"""Quotations held to the text, and sentences that say otherwise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import ReplyIncomplete, ServerDown
from claimscope.core.verification.quotation import contradiction, find_quote
from tests.core.scripted import Answer, ScriptedChat

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


def said(quote: str) -> str:
    """A reply."""
    return json.dumps({"quote": quote})


async def test_a_sentence_that_says_otherwise_is_named_with_its_rule() -> None:
    chat = ScriptedChat([said(FERRY)])
    found = await contradiction(chat, DOCUMENT, "The Lindal ferry carries\n52 cars.")
    assert found is not None
    assert found.quote.text == FERRY
    assert (found.rule.rule, found.rule.claim_text) == ("number", "52")
    ((_, text),) = chat.asked[0].messages
    assert text.index(DOCUMENT) < text.index("Claim: The Lindal ferry carries 52 cars.")


@pytest.mark.parametrize(
    "answer",
    [
        said(""),
        said("The Lindal ferry carries 60 cars."),
        said("It does not run in August."),
        said("Straße 9 is closed."),
        "There is none.",
        ReplyIncomplete("cut"),
    ],
)
async def test_without_quote_or_conflict_nothing_is_contradicted(
    answer: Answer,
) -> None:
    chat = ScriptedChat([answer])
    assert await contradiction(chat, DOCUMENT, "The Lindal ferry is red.") is None


async def test_a_sentence_that_agrees_contradicts_nothing() -> None:
    chat = ScriptedChat([said(FERRY)])
    assert await contradiction(chat, DOCUMENT, FERRY) is None


async def test_a_server_that_is_down_is_no_answer() -> None:
    with pytest.raises(ServerDown):
        await contradiction(ScriptedChat([ServerDown("no")]), DOCUMENT, FERRY)
