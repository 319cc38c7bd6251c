"""Calls of Ollama: each way to fail ends as a named error, never as a reply."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.hosted.failures import error_text
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.address import server_url
from claimscope.core.backends.ollama.server import OllamaHost
from claimscope.core.errors import (
    ConnectionLost,
    ModelError,
    ModelMissing,
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ServerBusy,
    ServerDown,
    SettingsError,
)
from claimscope.core.ports import ChatReply, ChatRequest
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, Reply, last, line, said
from tests.material.ollama_pool import OllamaServer

REQUEST = ChatRequest("grade", (("user", "How deep is the harbour?"),), "p1")
QUICK = CallLimits(first_token=120, between_tokens=120, backoff=0)


@pytest.fixture
async def ollama() -> AsyncIterator[FakeOllama]:
    with FakeOllama() as fake:
        yield fake


async def ask(
    fake: FakeOllama, request: ChatRequest = REQUEST, limits: CallLimits = QUICK
) -> ChatReply:
    """One call from connecting to closing."""
    async with OllamaServer(fake.host, limits=limits) as server:
        return await (await server.chat_model("m:1b")).chat(request)


async def test_a_reply_is_put_together_and_counted(ollama: FakeOllama) -> None:
    ollama.script = [said("Eleven metres.", thinking="hm", prompt_eval_count=31)]
    reply = await ask(ollama)
    assert (reply.content, reply.thinking) == ("Eleven metres.", "hm")
    assert reply.usage.calls == 1
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (31, 7)
    assert reply.usage.model_seconds == 2.0


async def test_a_call_forbids_cuts_and_fixes_its_options(ollama: FakeOllama) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    request = ChatRequest(
        "grade", REQUEST.messages, "p1", schema, 99, options={"num_ctx": 9, "top_k": 3}
    )
    await ask(ollama, request)
    (sent,) = ollama.chats
    assert (sent["truncate"], sent["shift"], sent["stream"]) == (False, False, True)
    assert sent["options"] == {
        "temperature": 0,
        "seed": 7,
        "num_ctx": 4096,
        "num_predict": 99,
        "top_k": 3,
    }
    assert sent["format"] == schema
    assert "think" not in sent and "logprobs" not in sent


async def test_thinking_is_switched_off_where_a_model_can(ollama: FakeOllama) -> None:
    ollama.models["m:1b"] = fake_ollama.model(capabilities=["completion", "thinking"])
    await ask(ollama)
    assert ollama.chats[0]["think"] is False


async def test_one_token_with_its_alternatives(ollama: FakeOllama) -> None:
    ollama.script = [fake_ollama.chose({"Yes": -0.1, "No": -2.5})]
    request = ChatRequest("verify", REQUEST.messages, "p1", None, 1, 10)
    reply = await ask(ollama, request)
    assert reply.logprobs == (("Yes", -0.1), ("No", -2.5))
    assert ollama.chats[0]["top_logprobs"] == 10


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (fake_ollama.TOO_LONG, PromptTooLong, "9020 tokens; the context holds 2048"),
        (
            fake_ollama.failed(
                400, "the prompt is longer than the context length currently available"
            ),
            PromptTooLong,
            "longer than the context",
        ),
        (fake_ollama.failed(400, "bad seed"), ModelError, "HTTP 400.*bad seed"),
        (fake_ollama.failed(404, "model 'm:1b' not found"), ModelMissing, "m:1b"),
        (fake_ollama.failed(403, ""), ModelError, "HTTP 403"),
        (fake_ollama.html(404), ModelError, "Bad gateway"),
        (
            fake_ollama.failed(500, 'option "num_ctx" must be of type integer'),
            ModelError,
            "num_ctx",
        ),
        (said("Elev", done_reason="length"), ReplyIncomplete, "limit of 512 tokens"),
        (
            said("Elev", done_reason="length", eval_count=40, prompt_eval_count=4056),
            ReplyIncomplete,
            "cut after 40 tokens: the context is full",
        ),
        (
            said("", "so long", done_reason="length"),
            ReplyIncomplete,
            "spent its budget of 512 tokens thinking",
        ),
        (said("", "thought"), ReplyIncomplete, "only thought"),
        (said(" \n"), ReplyIncomplete, "empty reply"),
        (said("Elev", done_reason="unload"), ReplyIncomplete, "unload"),
        (Reply(lines=(line("\n" * 40),)), ReplyIncomplete, "without an end mark"),
        (Reply(lines=(b"<html>hello",)), ModelError, "not Ollama's"),
        (Reply(lines=(b"[1]\n",)), ModelError, "not Ollama's"),
        (
            fake_ollama.broke_off("request exceeds the available context size"),
            PromptTooLong,
            "exceeds",
        ),
    ],
)
async def test_failures_that_are_not_tried_again(
    ollama: FakeOllama, reply: Reply, error: type[ModelError], message: str
) -> None:
    ollama.script = [reply]
    with pytest.raises(error, match=message) as raised:
        await ask(ollama)
    assert raised.value.hint
    assert len(ollama.chats) == 1


@pytest.mark.parametrize(
    "reply",
    [
        fake_ollama.BUSY,
        fake_ollama.failed(500, "model runner has unexpectedly stopped"),
        fake_ollama.html(502),
        fake_ollama.broke_off("an error was encountered while running the model"),
        Reply(lines=(line("Elev"),), cut=True),
        Reply(),
    ],
)
async def test_failures_that_pass_are_tried_again(
    ollama: FakeOllama, reply: Reply
) -> None:
    ollama.script = [reply, said("Eleven metres.")]
    assert (await ask(ollama)).content == "Eleven metres."
    assert len(ollama.chats) == 2


async def test_tries_end(ollama: FakeOllama) -> None:
    ollama.answer = lambda body: fake_ollama.BUSY
    with pytest.raises(ServerBusy, match="HTTP 503.*maximum pending"):
        await ask(ollama)
    assert len(ollama.chats) == QUICK.retries + 1
    ollama.answer = lambda body: Reply(lines=(line("Elev"),), cut=True)
    with pytest.raises(ConnectionLost, match="was lost"):
        await ask(ollama)


@pytest.mark.parametrize(
    ("lines", "token"), [((last(),), "first"), ((line("Elev"), last()), "further")]
)
async def test_a_hung_call_ends_once(
    ollama: FakeOllama, lines: tuple[bytes, ...], token: str
) -> None:
    release = threading.Event()
    ollama.script = [Reply(lines=lines, hold=release)]
    limits = CallLimits(
        first_token=0.3 if token == "first" else 20,
        between_tokens=0.3,
        backoff=0,
    )
    with pytest.raises(ReplyTimeout, match=f"no {token} token within"):
        await ask(ollama, limits=limits)
    assert len(ollama.chats) == 1
    assert await asyncio.to_thread(ollama.gone.wait, 120), "the stream was left open"
    release.set()


async def test_cancelling_closes_the_stream(ollama: FakeOllama) -> None:
    ollama.script = [Reply(lines=(line("Elev"), last()), hold=threading.Event())]
    async with OllamaServer(ollama.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        call = asyncio.create_task(chat.chat(REQUEST))
        while not ollama.chats:
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(ollama.gone.wait, 120)
        assert (await chat.chat(REQUEST)).content == "fine"


async def test_a_prompt_read_only_in_part_is_not_believed(ollama: FakeOllama) -> None:
    page = "The first paragraph has the answer. " + "Filler follows here. " * 3000
    request = ChatRequest("verify", (("user", page),), "p1")
    ollama.script = [said("Yes", prompt_eval_count=4000)]
    with pytest.raises(PromptTooLong, match=r"read only 4000 tokens of .* 9006 words"):
        await ask(ollama, request)


async def test_the_mark_where_servers_cut_is_known(ollama: FakeOllama) -> None:
    page = "港の深さは十一メートルである。" * 700
    request = ChatRequest("verify", (("user", page),), "p1")
    ollama.script = [said("Yes", prompt_eval_count=4096 // 2 + 2)]
    with pytest.raises(PromptTooLong):
        await ask(ollama, request)
    ollama.script = [said("Yes", prompt_eval_count=9000)]
    assert (await ask(ollama, request)).content == "Yes"


async def test_calls_wait_for_room(ollama: FakeOllama) -> None:
    release = threading.Event()
    ollama.answer = lambda body: Reply(lines=(line("a"), last()), hold=release)
    async with OllamaServer(ollama.host, concurrency=2, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        calls = [asyncio.create_task(chat.chat(REQUEST)) for _ in range(5)]
        while len(ollama.chats) < 2:
            await asyncio.sleep(0)
        assert not any(call.done() for call in calls)
        assert len(ollama.chats) == 2
        release.set()
        assert [reply.content for reply in await asyncio.gather(*calls)] == ["a"] * 5


async def test_what_a_server_has(ollama: FakeOllama) -> None:
    async with OllamaServer(ollama.host) as server:
        assert await server.version() == "0.33.3"
        (found,) = await server.models()
        assert (found.name, found.parameters) == ("m:1b", "1B")
        assert await server.loaded() == {}
        chat = await server.chat_model("m:1b", context_tokens=10**6)
        assert (chat.context_tokens, chat.digest) == (8192, fake_ollama.DIGEST)
        other = chat.with_seed(8)
        assert {**chat.fixed_options, "seed": 8} == other.fixed_options
        await chat.chat(REQUEST)
        assert await server.loaded() == {"m:1b": 8192}


async def test_a_missing_model_lists_what_is_there(ollama: FakeOllama) -> None:
    async with OllamaServer(ollama.host) as server:
        with pytest.raises(ModelMissing, match="Installed: m:1b") as raised:
            await server.chat_model("bigger")
        assert "ollama pull bigger" in raised.value.hint


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        (fake_ollama.model(remote_host="https://example.com"), "remote server"),
        (fake_ollama.model(capabilities=["embedding"]), "cannot chat"),
    ],
)
async def test_models_that_may_not_be_used(
    ollama: FakeOllama, shown: dict[str, object], message: str
) -> None:
    ollama.models["m:1b"] = shown
    async with OllamaServer(ollama.host) as server:
        with pytest.raises(ModelError, match=message):
            await server.chat_model("m:1b")


async def test_no_server() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: refused
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        async with OllamaServer(host) as server:
            with pytest.raises(ServerDown, match=host) as raised:
                await server.chat_model("m:1b")
    assert "ollama serve" in raised.value.hint


async def test_a_knock_says_what_a_call_would_say(ollama: FakeOllama) -> None:
    async with OllamaHost(ollama.host) as server:
        await server.knock()
        assert await server.version()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with OllamaHost(f"127.0.0.1:{taken.getsockname()[1]}") as server:
            with pytest.raises(ServerDown, match="refused") as knocked:
                await server.knock()
            with pytest.raises(ServerDown) as called:
                await server.version()
    assert str(knocked.value) == str(called.value)
    async with OllamaHost(f"{'x' * 70}.example:1") as server:
        with pytest.raises(ServerDown, match="xxx.example:1"):
            await server.knock()


@pytest.mark.parametrize(
    ("given_host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("example.org", "http://example.org:11434"),
        ("example.org:8000", "http://example.org:8000"),
        (":8000", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("[::]:8000", "http://[::1]:8000"),
        ("::1", "http://[::1]:11434"),
        ("http://example.org", "http://example.org:80"),
        ("HTTPS://example.org/ollama/", "https://example.org:443/ollama"),
        ("http://example.org:8000/", "http://example.org:8000"),
        (' "example.org:8000" ', "http://example.org:8000"),
    ],
)
def test_forms_of_the_address(
    given_host: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server_url(given_host) == url
    monkeypatch.setenv("OLLAMA_HOST", given_host)
    assert server_url() == url
    assert server_url("other:1") == "http://other:1"


@given(st.text(max_size=20))
def test_an_address_is_read_or_refused(text: str) -> None:
    try:
        url = server_url(text)
    except SettingsError as error:
        assert error.hint
    else:
        assert url.startswith(("http://", "https://"))


@pytest.mark.parametrize("text", ["ftp://example.org", "a:b", "x y", "host:99999"])
def test_an_address_that_is_none(text: str) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        server_url(text)


@given(st.text(max_size=400))
def test_an_error_text_is_one_short_line(body: str) -> None:
    text = error_text(body)
    assert text and len(text) <= 300 and len(text.splitlines()) == 1
