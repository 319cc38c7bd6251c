"""Confidence by repetition: shares, seeds, and when there are too few words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import (
    ReplyIncomplete,
    ReplyTimeout,
    ReplyUnreadable,
)
from claimscope.core.ports import ChatRequest
from claimscope.core.verify.witnesses.self_consistency import (
    TEMPERATURE,
    shares,
    vote_share,
)
from tests.doubles.scripted import Answer, ScriptedChat

REQUEST = ChatRequest(
    purpose="verify",
    messages=(("user", "Is it so?"),),
    prompt_digest="p",
    max_tokens=1,
    top_logprobs=10,
    options={"num_batch": 64},
)


async def test_the_share_of_yes_is_smoothed() -> None:
    chat = ScriptedChat(["Yes", " yes.", "No", "**YES**", "Yes"])
    share, keys = await vote_share(chat, REQUEST, 5)
    assert share == (4 + 1) / (5 + 2)
    assert keys == ("call-1", "call-2", "call-3", "call-4", "call-5")


async def test_each_vote_has_a_seed_of_its_own() -> None:
    chat = ScriptedChat(lambda request: "No")
    share, _ = await vote_share(chat, REQUEST, 3, seeds=(11, 5, 8))
    assert share == 1 / 5
    assert [request.options["seed"] for request in chat.asked] == [11, 5, 8]
    for request in chat.asked:
        assert request.options["temperature"] == TEMPERATURE > 0
        assert request.options["num_batch"] == 64
        assert (request.max_tokens, request.top_logprobs) == (1, 0)
        assert request.messages == REQUEST.messages


async def test_letters_of_labels_are_words_too() -> None:
    chat = ScriptedChat(["A", "(a)", "C", "D"])
    found, _ = await shares(chat, REQUEST, 4, ("a", "b", "c"))
    assert found == {"a": 3 / 6, "b": 1 / 6, "c": 2 / 6}


async def test_half_must_be_readable() -> None:
    cut = ReplyIncomplete("empty")
    share, keys = await vote_share(ScriptedChat(["Yes", "Well", "No", cut]), REQUEST, 4)
    assert share == 1 / 2
    assert len(keys) == 3
    with pytest.raises(ReplyUnreadable, match="only 1 were one of yes, no") as raised:
        await vote_share(ScriptedChat(["Yes", "Well", cut]), REQUEST, 3)
    assert raised.value.raw == "Well"


async def test_a_server_that_hangs_is_asked_once() -> None:
    chat = ScriptedChat(["Yes", ReplyTimeout("no token")])
    with pytest.raises(ReplyTimeout):
        await vote_share(chat, REQUEST, 5)
    assert len(chat.asked) == 2


@pytest.mark.parametrize(("n", "seeds"), [(0, ()), (2, (1,)), (2, (3, 3))])
async def test_votes_need_different_seeds(n: int, seeds: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="different seeds"):
        await vote_share(ScriptedChat([]), REQUEST, n, seeds)


@given(st.lists(st.sampled_from(["Yes", "no", "Hm", ""]), min_size=1, max_size=9))
async def test_shares_are_probabilities(words: list[Answer]) -> None:
    yes = words.count("Yes")
    readable = yes + words.count("no")
    try:
        found, _ = await shares(ScriptedChat(words), REQUEST, len(words), ("yes", "no"))
    except ReplyUnreadable:
        assert 2 * readable < len(words)
        return
    assert sum(found.values()) == pytest.approx(1)
    assert 0 < found["yes"] < 1
    assert (found["yes"] > 0.5) == (2 * yes > readable)
