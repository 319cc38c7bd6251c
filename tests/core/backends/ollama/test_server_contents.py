"""What a host has, and having it fetch a model: lists, cards, pulls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from inspect import signature
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ollama import AsyncClient, ListResponse, ShowResponse

from claimscope.core.backends.hosted.failures import seconds_of
from claimscope.core.backends.hosted.model_list import RunningModel, full_name, is_cloud
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.failures import http_failure
from claimscope.core.backends.ollama.server import AT_ONCE, OllamaHost, PullProgress
from claimscope.core.backends.pool import pool as pool_module
from claimscope.core.errors import (
    ConnectionLost,
    ModelError,
    ModelMissing,
    ReplyIncomplete,
    ServerBusy,
)
from claimscope.core.ports import ChatRequest
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, Reply, as_line, said
from tests.material.ollama_pool import OllamaServer

REQUEST = ChatRequest("verify", (("user", "How deep is the harbour?"),), "p1")
QUICK = CallLimits(first_token=120, between_tokens=120, backoff=0)


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama() as started:
        yield started


# --- what it has --------------------------------------------------------------


async def test_all_that_is_known_of_each_model(fake: FakeOllama) -> None:
    for number in range(6):
        fake.models[f"n{number}:1b"] = fake_ollama.model()
    fake.models["far:cloud"] = fake_ollama.model(remote_model="far")
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b", context_tokens=2048)
        await chat.chat(REQUEST)
        listing = {one.model.name: one for one in await server.listing()}
        shown = fake.paths.count("POST /api/show")
        await server.listing()
        assert fake.paths.count("POST /api/show") == shown, "cards are kept"
    assert len(listing) == 8
    one = listing["m:1b"]
    assert (one.model.family, one.model.quantization) == ("tiny", "Q4_0")
    assert one.model.modified == fake_ollama.CREATED
    assert (one.card.context_tokens, one.card.embedding_dimensions) == (8192, 16)
    assert one.card.capabilities == one.model.capabilities == ("completion",)
    assert one.running is not None and one.running.expires is not None
    assert (one.running.context_tokens, one.running.digest) == (2048, "f" * 64)
    assert [name for name in listing if listing[name].model.remote] == ["far:cloud"]
    assert listing["n0:1b"].running is None


async def test_cards_are_asked_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = most = 0

    async def answer(self: OllamaHost, path: str, *more: Any) -> Any:
        nonlocal at_once, most
        if path == "/api/tags":
            return {"models": [{"name": f"m{n}", "digest": str(n)} for n in range(20)]}
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1
        return {}

    async def none_in_memory(self: OllamaHost) -> tuple[RunningModel, ...]:
        return ()

    monkeypatch.setattr(OllamaHost, "_json", answer)
    monkeypatch.setattr(OllamaHost, "running", none_in_memory)
    assert len(await OllamaHost().listing()) == 20
    assert most == AT_ONCE


def test_the_client_library_still_leaves_out_what_is_asked_beside_it() -> None:
    """Why lists, cards and chats do not go through it (CONTRIBUTING)."""
    elsewhere = {"remote_host": "https://cloud.test", "capabilities": ["completion"]}
    listed = ListResponse.model_validate({"models": [{"model": "m", **elsewhere}]})
    assert set(elsewhere).isdisjoint(listed.models[0].model_dump())
    shown = ShowResponse.model_validate({"model_info": {}, **elsewhere})
    assert "remote_host" not in shown.model_dump()
    assert {"truncate", "shift"}.isdisjoint(signature(AsyncClient.chat).parameters)


async def test_an_old_server_says_less(fake: FakeOllama) -> None:
    fake.tags_script = [
        Reply(200, (json.dumps({"models": [{"name": "m:1b"}]}).encode(),)),
        Reply(200, (b'{"models": null}',)),
    ]
    async with OllamaHost(fake.host) as host:
        (one,) = await host.models()
        assert (one.name, one.size_bytes, one.family) == ("m:1b", 0, None)
        assert not one.remote and one.context_tokens is None
        assert await host.models() == ()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, (b"[]",)),
        Reply(200, (b'{"models": [1]}',)),
        Reply(200, (b'{"models": [{"size": "big"}]}',)),
        fake_ollama.html(200),
        fake_ollama.html(404),
    ],
)
async def test_a_list_that_is_none(fake: FakeOllama, reply: Reply) -> None:
    fake.tags_script = [reply]
    async with OllamaHost(fake.host) as host:
        with pytest.raises(ModelError, match="is not Ollama"):
            await host.models()


@pytest.mark.parametrize(
    ("name", "full", "cloud"),
    [
        ("m", "m:latest", False),
        ("m:1b", "m:1b", False),
        ("registry:5000/team/m", "registry:5000/team/m:latest", False),
        ("m:120b-cloud", "m:120b-cloud", True),
        ("m:cloud", "m:cloud", True),
        ("cloudy", "cloudy:latest", False),
    ],
)
def test_names(name: str, full: str, cloud: bool) -> None:
    assert full_name(name) == full
    assert is_cloud(name) is cloud


# --- pulls --------------------------------------------------------------------


async def pulled(fake: FakeOllama, name: str = "new:1b") -> list[PullProgress]:
    """All steps of a pull."""
    async with OllamaHost(fake.host) as host, aclosing(host.pull(name)) as steps:
        return [step async for step in steps]


async def test_a_pull_adds_up_its_layers(fake: FakeOllama) -> None:
    fake.registry["new:1b"] = fake_ollama.model()
    steps = await pulled(fake)
    whole = sum(fake_ollama.LAYERS.values())
    assert steps[0] == PullProgress("pulling manifest", None, 0, 0)
    assert (steps[-1].status, steps[-1].completed) == ("success", whole)
    done = [step.completed for step in steps]
    assert done == sorted(done) and steps[-1].total == whole
    assert {step.digest for step in steps} == {None, *fake_ollama.LAYERS}
    async with OllamaHost(fake.host) as host:
        assert "new:1b" in {model.name for model in await host.models()}


async def test_a_pull_without_success_failed(fake: FakeOllama) -> None:
    fake.pull_script = [Reply(lines=fake_ollama.pulling(done=False))]
    with pytest.raises(ModelError, match="stopped after 'writing manifest'") as raised:
        await pulled(fake)
    assert "goes on there" in raised.value.hint
    fake.pull_script = [Reply(lines=())]
    with pytest.raises(ModelError, match="stopped after 'nothing'"):
        await pulled(fake)


async def test_a_pull_of_what_is_not_there(fake: FakeOllama) -> None:
    with pytest.raises(ModelMissing, match="library has no model 'new:1b'"):
        await pulled(fake)
    assert len(fake.pulls) == 1


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            fake_ollama.pull_failed("dial tcp: lookup example.com: no such host"),
            "could not reach",
        ),
        (fake_ollama.pull_failed("no space left on device"), "no space left"),
        (Reply(lines=(as_line({"status": "pulling"}), b"<html>\n")), "is not Ollama"),
        (fake_ollama.failed(500, "no space left on device"), "no space left"),
    ],
)
async def test_a_pull_that_fails_is_not_tried_again(
    fake: FakeOllama, reply: Reply, message: str
) -> None:
    fake.pull_script = [reply]
    with pytest.raises(ModelError, match=message) as raised:
        await pulled(fake)
    assert raised.value.hint
    assert len(fake.pulls) == 1


async def test_a_pull_that_was_cut_goes_on_when_asked_again(fake: FakeOllama) -> None:
    fake.registry["new:1b"] = fake_ollama.model()
    fake.pull_script = [Reply(lines=fake_ollama.pulling()[:5], cut=True)]
    with pytest.raises(ConnectionLost):
        await pulled(fake)
    assert len(fake.pulls) == 1
    assert (await pulled(fake))[-1].status == "success"


async def test_a_cloud_model_is_not_pulled_offline(fake: FakeOllama) -> None:
    with pytest.raises(ModelError, match="remote server"):
        await pulled(fake, "new:cloud")
    assert not fake.pulls


# --- replies ------------------------------------------------------------------


async def test_what_a_call_cost(fake: FakeOllama) -> None:
    fake.script = [
        said(
            "Yes",
            prompt_eval_count=540,
            prompt_eval_cached_count=510,
            prompt_eval_duration=170_000_000,
            load_duration=1_250_000_000,
        ),
        said("Yes", prompt_eval_count=540, prompt_eval_cached_count=None),
    ]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        usage = (await chat.chat(REQUEST)).usage
        assert (usage.prompt_tokens, usage.cached_tokens) == (540, 510)
        assert (usage.prompt_seconds, usage.load_seconds) == (0.17, 1.25)
        assert (await chat.chat(REQUEST)).usage.cached_tokens == 0


@pytest.mark.parametrize(
    "reply",
    [
        said('{"verdicts": [1', done_reason="length"),
        said('{"verdicts": [1', done_reason="unload"),
        Reply(lines=(fake_ollama.line('{"verdicts": [1'),)),
    ],
)
async def test_an_incomplete_reply_is_kept_with_its_error(
    fake: FakeOllama, reply: Reply
) -> None:
    fake.script = [reply]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        with pytest.raises(ReplyIncomplete) as raised:
            await chat.chat(REQUEST)
    assert raised.value.raw == '{"verdicts": [1'


# --- when to ask again --------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("7", 7.0),
        (" 120 ", 120.0),
        ("-1", None),
        ("soon", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)
def test_when_a_server_wants_to_be_asked_again(
    header: str | None, seconds: float | None
) -> None:
    assert seconds_of(header) == seconds
    error = http_failure(503, "busy", "m", header)
    assert isinstance(error, ServerBusy) and error.retry_after == seconds


@given(st.text(max_size=40))
def test_any_header_is_read_or_left(header: str) -> None:
    seconds = seconds_of(header)
    assert seconds is None or seconds >= 0


async def test_the_wait_is_at_least_what_the_server_wants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def busy(*args: object) -> None:
        raise http_failure(503, "busy", "m", asked.pop(0))

    asked = ["7", "100000", None]
    tries = pool_module.retrying(CallLimits(retries=2, backoff=1.0))
    monkeypatch.setattr(tries, "sleep", sleep)
    with pytest.raises(ServerBusy):
        await tries(busy)
    assert waits[0] == 7.0 and waits[1] == pool_module.LONGEST_BACKOFF
    waits, asked = [], [None] * 4
    tries = pool_module.retrying(CallLimits(retries=3, backoff=1.0))
    monkeypatch.setattr(tries, "sleep", sleep)
    with pytest.raises(ServerBusy):
        await tries(busy)
    for number, wait in enumerate(waits):
        assert 2**number <= wait <= 2**number + 1
    assert len(waits) == 3
