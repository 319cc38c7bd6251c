"""A finished call is looked up, not made again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from claimscope.core.calls.journalled import CallMeter, JournalledChat
from claimscope.core.errors import ReplyIncomplete
from claimscope.core.models import CallRecord, JsonValue, Usage
from claimscope.core.ports import ChatReply, ChatRequest

REQUEST = ChatRequest("verify", (("user", "Is it so?"),), "p1", None, 1, 10)
REPLY = ChatReply("Yes", "hm", "stop", (("Yes", -0.1),), Usage(calls=1))


@dataclass
class Store:
    """Calls in memory."""

    records: dict[str, CallRecord] = field(default_factory=dict)

    def call(self, key: str) -> CallRecord | None:
        return self.records.get(key)

    def save_call(self, record: CallRecord) -> None:
        self.records[record.key] = record


@dataclass
class Model:
    """A model that counts its calls."""

    name: str = "m:1b"
    digest: str | None = "d1"
    context_tokens: int = 4096
    fixed_options: dict[str, JsonValue] = field(default_factory=lambda: {"seed": 7})
    asked: int = 0
    broken: bool = False

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.asked += 1
        await asyncio.sleep(0)
        if self.broken:
            raise ReplyIncomplete("cut")
        return REPLY


async def test_a_reply_comes_from_the_journal_the_second_time() -> None:
    model, store = Model(), Store()
    first = await JournalledChat(model, store).chat(REQUEST)
    again = await JournalledChat(model, store).chat(REQUEST)
    assert first == again == replace(REPLY, call_key=first.call_key)
    assert model.asked == 1
    (record,) = store.records.values()
    assert (record.key, record.reply, record.thinking) == (first.call_key, "Yes", "hm")
    assert record.prompt == '[{"role":"user","content":"Is it so?"}]'
    assert record.options == {"seed": 7, "num_predict": 1, "top_logprobs": 10}


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, messages=(("user", "Is it not so?"),)),
        replace(REQUEST, messages=(("system", "Is it so?"),)),
        replace(REQUEST, prompt_digest="p2"),
        replace(REQUEST, schema={"type": "object"}),
        replace(REQUEST, max_tokens=2),
        replace(REQUEST, options={"seed": 8}),
    ],
)
async def test_all_that_decides_a_reply_is_in_the_key(other: ChatRequest) -> None:
    chat = JournalledChat(Model(), Store())
    assert chat.key(REQUEST) != chat.key(other)
    assert chat.key(REQUEST) == chat.key(replace(REQUEST, purpose="named otherwise"))


async def test_the_model_is_in_the_key() -> None:
    key = JournalledChat(Model(), Store()).key(REQUEST)
    for other in (Model(digest="d2"), Model(fixed_options={"seed": 8})):
        assert JournalledChat(other, Store()).key(REQUEST) != key


async def test_equal_calls_at_once_are_made_once() -> None:
    model = Model()
    chat = JournalledChat(model, Store())
    replies = await asyncio.gather(*(chat.chat(REQUEST) for _ in range(5)))
    assert len(set(replies)) == 1 and model.asked == 1


async def test_a_failed_call_is_made_again() -> None:
    model, store = Model(broken=True), Store()
    chat = JournalledChat(model, store)
    with pytest.raises(ReplyIncomplete):
        await chat.chat(REQUEST)
    assert store.records == {}
    model.broken = False
    assert (await chat.chat(REQUEST)).content == "Yes"


async def test_costs_are_counted_apart_for_each_task() -> None:
    meter = CallMeter()
    chat = JournalledChat(Model(), Store(), meter)

    async def sample(number: int) -> int:
        meter.begin()
        requests = [replace(REQUEST, max_tokens=n + 2) for n in range(number)]
        await asyncio.gather(*(chat.chat(request) for request in requests))
        calls = meter.take().calls
        assert meter.take() == Usage()
        return calls

    # The smaller sample's calls were paid for by whoever made them first.
    assert sum(await asyncio.gather(sample(1), sample(3))) == 3
    assert await sample(3) == 0
