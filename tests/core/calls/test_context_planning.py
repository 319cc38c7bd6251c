"""Planned contexts: never longer than the model's, never too short for the needs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.calls.context_planning import (
    CAREFUL,
    FRAME,
    LEAST,
    MOST,
    STEP,
    ContextRoom,
    Needs,
    characters_per_token,
    planned_context,
)
from claimscope.core.errors import ReplyIncomplete
from claimscope.core.models import Usage
from claimscope.core.ports import ChatReply, ChatRequest

SIZES = st.integers(min_value=0, max_value=60_000)


class Counting:
    """A model whose tokens hold a fixed number of characters."""

    name, digest = "m:1b", "d"

    def __init__(self, per_token: float, context_tokens: int = 4096) -> None:
        self.per_token = per_token
        self.context_tokens = context_tokens
        self.asked: list[ChatRequest] = []

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        letters = len(request.messages[0][1])
        usage = Usage(calls=1, prompt_tokens=round(letters / self.per_token))
        return ChatReply("Yes", None, "length", (), usage)


class Silent(Counting):
    """A model that gives no reply."""

    async def chat(self, request: ChatRequest) -> ChatReply:
        raise ReplyIncomplete("It said nothing.", "Try another.")


@given(SIZES, SIZES, st.integers(1, 2000), st.sampled_from([None, 2048, 8192, 131072]))
def test_a_context_holds_the_call_or_is_as_long_as_it_may_be(
    document: int, question: int, reply: int, limit: int | None
) -> None:
    found = planned_context(Needs(document, question, reply), limit)
    need = (document + question) / CAREFUL + reply + FRAME
    assert found >= need or found in (MOST, limit)
    assert found <= min(MOST, limit or MOST)
    assert found % STEP == 0 and found >= min(LEAST, limit or LEAST)


async def test_a_token_is_measured_once_on_the_texts_of_the_run() -> None:
    chat = Counting(4.0)
    room = ContextRoom(chat, ["The lock was rebuilt in 1907. " * 40])
    per_token = await room.per_token()
    assert 3.5 < per_token < 4.0, "a little is kept in reserve"
    assert await room.per_token() == per_token and len(chat.asked) == 1
    assert chat.asked[0].max_tokens == 1


async def test_what_stands_beside_a_document_takes_its_room() -> None:
    room = ContextRoom(Counting(4.0), ["The lock was rebuilt in 1907. " * 40])
    wide = await room.characters(0, 100)
    assert await room.characters(1000, 100) == wide - 1000
    assert await room.characters(100_000, 100) == 0
    assert wide / 4.0 + 100 + FRAME <= 4096


async def test_a_model_that_gives_no_reply_leaves_the_careful_guess() -> None:
    assert await ContextRoom(Silent(4.0), ["Some text."]).per_token() == CAREFUL
    assert await ContextRoom(Counting(4.0)).per_token() == CAREFUL, "nothing to measure"


async def test_a_count_that_leaves_out_known_tokens_is_not_believed() -> None:
    assert (
        await ContextRoom(Counting(1000.0), ["Some text. " * 99]).per_token() == CAREFUL
    )


def test_dense_scripts_hold_fewer_characters_a_token() -> None:
    assert characters_per_token("The lock") == CAREFUL
    assert characters_per_token("水門は一九〇七年に再建された") < 1.1
    assert 1 < characters_per_token("水門 was rebuilt") < CAREFUL
