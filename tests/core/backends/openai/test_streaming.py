"""Replies that no server with the OpenAI API sends: each is an error of its call, said
with its reason, and the next call is answered as if nothing had been."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from claimscope.core.backends.hosted.streaming import collect, finished_reply
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.openai.model_list import models_in
from claimscope.core.backends.openai.server import OpenAIHost
from claimscope.core.backends.openai.streaming import DIALECT, event_lines
from claimscope.core.backends.pool.pool import ModelPool
from claimscope.core.errors import ModelError
from claimscope.core.http import reply_limits
from claimscope.core.ports import ChatReply, ChatRequest
from tests.doubles.fake_ollama import Reply
from tests.doubles.fake_openai import SSE, FakeOpenAI, chunk, ending, event, failure

DEEP = "[" * 100_000
HALF = "\ud83d"
QUICK = CallLimits(first_token=60, between_tokens=60, retries=0, backoff=0)
REQUEST = ChatRequest(
    "verify", (("user", "How deep is it?"),), "p1", max_tokens=1, top_logprobs=5
)
YES = {"content": "Yes"}


def stream(*events: bytes) -> Reply:
    """A stream of these events."""
    return Reply(200, events, SSE)


def first(*events: bytes) -> Reply:
    """These events, then a true end."""
    return stream(*events, *ending())


def token(**more: Any) -> Reply:
    """A one-token reply whose first log-probability is this."""
    item = {"token": "Yes", "logprob": -0.1, **more}
    return first(event(chunk(YES, logprobs={"content": [item]})))


def raw(text: str) -> Reply:
    """Bytes as they stand, then a true end."""
    return first(text.encode("utf-8", "surrogatepass") + b"\n\n")


REPLIES: dict[str, Reply] = {
    "deep nesting": raw('data: {"choices": ' + DEEP),
    "half a character": first(event(chunk({"content": f"Yes{HALF}"}))),
    "half a thought": first(event(chunk({**YES, "reasoning_content": HALF}))),
    "choices an object": first(event({**chunk(), "choices": {"delta": YES}})),
    "choices a list of texts": first(event({**chunk(), "choices": ["Yes"]})),
    "delta a text": first(event(chunk("Yes"))),
    "delta a list": first(event(chunk(["Yes"]))),
    "content a list": first(event(chunk({"content": ["Yes"]}))),
    "content a number": first(event(chunk({"content": 4}))),
    "finish_reason a list": first(event(chunk(YES, reason=["stop"]))),
    "logprobs a list": first(event(chunk(YES, logprobs=["Yes"]))),
    "logprobs a text": first(event(chunk(YES, logprobs={"content": "Yes"}))),
    "token a list": token(token=["Yes"]),
    "half a token": token(token=HALF),
    "top_logprobs a number": token(top_logprobs=4),
    "log-probability above 0": token(logprob=0.5),
    "log-probability a text": token(logprob="-0.1"),
    "log-probability NaN": token(logprob=float("nan")),
    "tokens below 0": stream(event(chunk(YES)), *ending(prompt_tokens=-4)),
    "tokens a text": stream(event(chunk(YES)), *ending(completion_tokens="7")),
    "tokens without end": stream(event(chunk(YES)), *ending(prompt_tokens=1e300)),
    "usage a list": first(event({**chunk(YES), "usage": [1]})),
    "timings a text": first(event({**chunk(YES), "timings": "fast"})),
    "not JSON": raw("data: Yes"),
    "a number": raw("data: 4"),
    "a line that is none": raw("Yes"),
    "HTML": Reply(200, (b"<html>hello</html>\n",), "text/html"),
    "one whole object": Reply(200, (b'{"choices": []}\n',), "application/json"),
    "bytes that are no text": first(b"data: \xff\xfe\n\n"),
    "no end": stream(event(chunk(YES))),
    "nothing": stream(b"data: [DONE]\n\n"),
    "an error": first(event({"error": {"message": HALF}})),
    "an error as llama.cpp once sent it": stream(b'error: {"message": "gone"}\n\n'),
    "a deep error": first(b'data: {"error": ' + DEEP.encode() + b"\n\n"),
    "an error that is a text": failure(400, HALF),
    "an error that is none": Reply(400, (b'{"error": ' + DEEP.encode(),), "text/json"),
    "compressed": Reply(200, (b"\x1f\x8b\x08",), SSE),
}


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as started:
        yield started


@pytest.mark.parametrize("name", REPLIES)
async def test_a_reply_that_is_none_is_an_error_of_its_call(
    fake: FakeOpenAI, name: str
) -> None:
    async with ModelPool([OpenAIHost(fake.url, limits=QUICK)], limits=QUICK) as pool:
        chat = await pool.chat_model("m:1b")
        fake.script = [REPLIES[name]]
        with pytest.raises(ModelError) as error:
            await chat.chat(REQUEST)
        assert error.value.hint and "\ud83d" not in str(error.value)
        assert (await chat.chat(REQUEST)).content


async def test_what_has_no_end_is_given_up(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_limits, "LARGEST_REPLY", 65_536)
    async with ModelPool([OpenAIHost(fake.url, limits=QUICK)], limits=QUICK) as pool:
        chat = await pool.chat_model("m:1b")
        for endless in (
            stream(b"x" * 70_000),
            stream(*[event(chunk({"content": "word "}))] * 1000),
            Reply(500, (b"x" * 70_000,), "text/html"),
        ):
            fake.script = [endless]
            with pytest.raises(ModelError, match="sent more than"):
                await chat.chat(REQUEST)
        assert (await chat.chat(REQUEST)).content
        fake.list_script = [Reply(200, (b" " * 70_000,), "application/json")]
        with pytest.raises(ModelError, match="sent more than"):
            await pool.hosts[0].models()


@pytest.mark.parametrize(
    "models",
    [
        "[]",
        "4",
        '{"data": {}}',
        '{"data": ["m:1b"]}',
        '{"data": [{"id": 4}]}',
        '{"data": [{}]}',
        '{"data": [{"id": "m", "meta": [1]}]}',
        '{"data": [{"id": "m", "meta": {"n_params": 1e999}}]}',
        '{"data": [{"id": "m", "max_model_len": -4}]}',
        '{"data": ' + DEEP,
        "<html></html>",
    ],
)
async def test_a_list_that_is_none_is_not_of_the_api(
    fake: FakeOpenAI, models: str
) -> None:
    fake.list_script = [Reply(200, (models.encode(),), "application/json")]
    async with ModelPool([OpenAIHost(fake.url, limits=QUICK)], limits=QUICK) as pool:
        with pytest.raises(ModelError, match="not speak the OpenAI API"):
            await pool.hosts[0].models()
        assert await pool.hosts[0].models()


@pytest.mark.parametrize("path", ["/props", "/version", "/api/v0/models"])
@pytest.mark.parametrize("text", ["[]", "{", '{"data": [4]}', '{"version": [1]}'])
async def test_what_a_server_says_beside_may_be_nonsense(
    monkeypatch: pytest.MonkeyPatch, path: str, text: str
) -> None:
    with FakeOpenAI("bare") as fake:
        get = fake.get

        def other(asked: str) -> Reply:
            if asked != path:
                return get(asked)
            return Reply(200, (text.encode(),), "application/json")

        monkeypatch.setattr(fake, "get", other)
        async with ModelPool([OpenAIHost(fake.url, limits=QUICK)]) as pool:
            assert (await pool.chat_model("m:1b")).context_tokens == 4096


# --- properties --------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["content", "token", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)
ITEM = {
    "token": "Yes",
    "logprob": -0.1,
    "top_logprobs": [{"token": "No", "logprob": -2.0}],
}
GOOD = (
    event(chunk({"role": "assistant", "content": None})),
    event(chunk(YES, logprobs={"content": [ITEM]})),
    *ending("length"),
)
FIELDS = (
    ("choices",),
    ("choices", 0),
    ("choices", 0, "delta"),
    ("choices", 0, "delta", "content"),
    ("choices", 0, "delta", "reasoning_content"),
    ("choices", 0, "finish_reason"),
    ("choices", 0, "logprobs"),
    ("choices", 0, "logprobs", "content"),
    ("usage",),
    ("usage", "prompt_tokens"),
    ("usage", "prompt_tokens_details"),
    ("timings",),
    ("error",),
)


def outcome(data: bytes, size: int) -> ChatReply | ModelError:
    """What becomes of a stream that comes in pieces of so many bytes."""

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(data), size):
            yield data[start : start + size]

    async def read() -> ChatReply:
        parts = await collect(event_lines(pieces()), DIALECT)
        return finished_reply(parts, REQUEST, 4096, 1.0)

    try:
        return asyncio.run(read())
    except ModelError as error:
        return error


def check(found: ChatReply | ModelError) -> None:
    """Either way it can be kept and shown."""
    if isinstance(found, ModelError):
        str(found).encode()
        assert found.message and found.hint
        return
    found.content.encode()
    (found.thinking or "").encode()
    for one, value in found.logprobs:
        one.encode()
        assert value <= 0
    usage = found.usage
    assert 0 <= usage.cached_tokens <= usage.prompt_tokens
    assert usage.completion_tokens >= 0 and usage.model_seconds >= 0


@given(st.integers(1, 400))
def test_a_good_stream_is_the_same_in_pieces_of_any_size(size: int) -> None:
    found = outcome(b"".join(GOOD), size)
    assert isinstance(found, ChatReply), found
    assert (found.content, found.done_reason) == ("Yes", "length")
    assert found.logprobs == (("No", -2.0),)
    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == (3000, 7)


@given(st.data(), st.sampled_from(FIELDS), JSON)
def test_any_value_in_any_field_is_taken_or_refused(
    data: st.DataObject, path: tuple[str | int, ...], value: object
) -> None:
    number = data.draw(st.integers(0, 3))
    events = [json.loads(one.removeprefix(b"data: ")) for one in GOOD[:-1]]
    place: Any = events[number % len(events)]
    for step in path[:-1]:
        try:
            place = place[step]
        except (KeyError, IndexError, TypeError):
            return
    try:
        place[path[-1]] = value
    except (TypeError, IndexError):
        return
    check(outcome(b"".join(map(event, events)) + GOOD[-1], 64))


@given(st.integers(0, 2000), st.binary(max_size=6), st.integers(0, 40))
@example(place=0, put=b"\xed\xa0\xbd", gone=0)
def test_any_damage_to_the_bytes_is_taken_or_refused(
    place: int, put: bytes, gone: int
) -> None:
    good = b"".join(GOOD)
    at = place % len(good)
    check(outcome(good[:at] + put + good[at + gone :], 50))


@given(st.text(max_size=200))
@example('{"data": [{"id": "m", "aliases": [4, "n"]}]}')
def test_any_list_of_models_is_read_or_refused(text: str) -> None:
    try:
        for one in models_in(text, {}):
            one.model.name.encode()
    except ValueError:
        pass
