"""Servers with the OpenAI API: what they are asked, and how what they say is taken."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from claimscope.core.backends.hosted.chat import HostedChat
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.openai import server
from claimscope.core.backends.openai.server import OpenAIHost
from claimscope.core.backends.pool import pool
from claimscope.core.backends.pool.configured import hosts_of
from claimscope.core.backends.pool.pool import SILENCES, ModelPool
from claimscope.core.errors import (
    ModelChanged,
    ModelError,
    ModelMissing,
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ServerBusy,
    ServerDown,
    SettingsError,
)
from claimscope.core.http.api_key import api_key
from claimscope.core.http.server_address import base_urls, is_near
from claimscope.core.ports import ChatReply, ChatRequest
from claimscope.core.settings import Settings
from claimscope.core.verify.witnesses.self_consistency import vote_share
from tests.doubles.fake_ollama import Reply, broke_off, chose, said, speaking
from tests.doubles.fake_openai import LOADING, TOO_LONG, FakeOpenAI, Kind, failure

QUICK = CallLimits(first_token=60, between_tokens=60, retries=1, backoff=0)
REQUEST = ChatRequest("grade", (("user", "How deep is the harbour?"),), "p1")
ONE = ChatRequest("verify", REQUEST.messages, "p1", None, 1, 10)
MODEL = "m:1b"


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as started:
        yield started


@asynccontextmanager
async def model(
    *fakes: FakeOpenAI,
    key: str | None = None,
    limits: CallLimits = QUICK,
    context_tokens: int | None = None,
) -> AsyncIterator[HostedChat]:
    """The model as a run asks it."""
    hosts = [OpenAIHost(fake.url, key=key, limits=limits) for fake in fakes]
    async with ModelPool(hosts, limits=limits) as found:
        yield await found.chat_model(MODEL, context_tokens=context_tokens)


async def ask(fake: FakeOpenAI, request: ChatRequest = REQUEST) -> ChatReply:
    """One call from connecting to closing."""
    async with model(fake) as chat:
        return await chat.chat(request)


# --- what is sent ---------------------------------------------------------------


async def test_a_call_has_fixed_options_and_a_limit(fake: FakeOpenAI) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    options = {"top_k": 3, "temperature": 0.5}
    request = ChatRequest(
        "grade", REQUEST.messages, "p1", schema, 99, options=dict(options)
    )
    await ask(fake, request)
    (sent,) = fake.chats
    assert sent["messages"] == [{"role": "user", "content": "How deep is the harbour?"}]
    assert (sent["max_tokens"], sent["seed"], sent["temperature"]) == (99, 7, 0.5)
    assert sent["top_k"] == 3 and sent["stream"] is True
    assert sent["response_format"]["json_schema"]["schema"] == schema
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    assert "logprobs" not in sent and "server" not in sent


async def test_nothing_of_this_machine_is_told(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "theirs")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nothing listens there
    await ask(fake)
    for headers in fake.headers:
        assert not any(name.startswith("openai-") for name in headers)
        told = [name for name in headers if name.startswith("x-stainless")]
        assert set(told) <= {server.NEEDED}
        assert "authorization" not in headers and "theirs" not in str(headers)
        assert headers["accept-encoding"] == "identity"


async def test_a_key_goes_to_the_server_and_into_no_error(fake: FakeOpenAI) -> None:
    fake.key = "sesame-4711"
    async with model(fake, key="sesame-4711") as chat:
        assert (await chat.chat(REQUEST)).content == "fine"
    with pytest.raises(ModelError) as wrong:
        async with model(fake, key="other-0815"):
            pass
    assert "HTTP 401" in str(wrong.value) and "CLAIMSCOPE_API_KEY" in wrong.value.hint
    assert "other-0815" not in str(wrong.value), "the server repeats it; we do not"
    with pytest.raises(ModelError, match="HTTP 401"):
        async with model(fake):
            pass


async def test_no_redirect_is_followed(fake: FakeOpenAI) -> None:
    with FakeOpenAI() as other:
        async with model(fake) as chat:
            fake.redirects_to = f"http://{other.host}"
            with pytest.raises(ModelError) as error:
                await chat.chat(REQUEST)
        assert other.host in str(error.value) and fake.host in str(error.value)
        assert "--base-url" in error.value.hint and other.paths == []


# --- what comes -----------------------------------------------------------------


async def test_a_reply_is_put_together_and_counted(fake: FakeOpenAI) -> None:
    fake.script = [
        said("Eleven metres.", thinking="hm", prompt_eval_count=31,
             prompt_eval_cached_count=20)
    ]  # fmt: skip
    reply = await ask(fake)
    assert (reply.content, reply.thinking) == ("Eleven metres.", "hm")
    usage = reply.usage
    assert (usage.prompt_tokens, usage.cached_tokens) == (31, 20)
    assert (usage.calls, usage.completion_tokens) == (1, 7)
    assert usage.model_seconds == usage.wall_seconds > 0


async def test_one_token_comes_with_its_alternatives(fake: FakeOpenAI) -> None:
    fake.script = [chose({"Yes": -0.1, "No": -2.5})]
    reply = await ask(fake, ONE)
    assert reply.logprobs == (("Yes", -0.1), ("No", -2.5))
    assert (fake.chats[0]["logprobs"], fake.chats[0]["top_logprobs"]) == (True, 10)


@pytest.mark.parametrize("part", ["logprobs", "stream_options", "seed"])
async def test_what_a_server_refuses_is_left_out(fake: FakeOpenAI, part: str) -> None:
    fake.refuses = (part,)
    async with model(fake) as chat:
        for _ in range(2):
            assert (await chat.chat(ONE)).content == "fine"
    first, second, third = fake.chats
    assert part in first and part not in second and part not in third
    assert ("top_logprobs" in second) == (part != "logprobs")


async def test_another_name_of_the_limit_is_learned(fake: FakeOpenAI) -> None:
    wants = failure(400, "'max_tokens' is unknown; use 'max_completion_tokens' instead")
    fake.script = [wants]
    assert (await ask(fake)).content == "fine"
    assert fake.chats[1]["max_completion_tokens"] == 512
    assert "max_tokens" not in fake.chats[1]


async def test_without_log_probabilities_votes_are_asked(fake: FakeOpenAI) -> None:
    fake.with_logprobs = False
    fake.answer = lambda body: chose({"Yes": -0.1, "No": -2.5})
    async with model(fake) as chat:
        assert (await chat.chat(ONE)).logprobs == ()
        share, keys = await vote_share(chat, ONE, 3)
    assert share > 0.5
    assert len({body["seed"] for body in fake.chats[1:]}) == 3
    assert all(body["temperature"] > 0 for body in fake.chats[1:])


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        *((one, PromptTooLong, "refused the prompt") for one in TOO_LONG.values()),
        (failure(400, "bad grammar"), ModelError, "HTTP 400.*bad grammar"),
        (failure(404, "The model `m:1b` does not exist."), ModelMissing, "m:1b"),
        (failure(404, "File Not Found"), ModelError, "not speak the OpenAI API"),
        (failure(403, "no"), ModelError, "HTTP 403"),
        (Reply(502, (b"<h1>Bad gateway</h1>",), "text/html"), ServerBusy, "Bad gat"),
        (said("Elev", done_reason="length"), ReplyIncomplete, "limit of 512 tokens"),
        (said("", "thought"), ReplyIncomplete, "only thought"),
        (said("E", done_reason="content_filter"), ReplyIncomplete, "content_filter"),
        (said("fine", prompt_eval_count=2), PromptTooLong, "The server read only 2"),
        (broke_off("CUDA error"), ServerBusy, "broke off its reply: CUDA error"),
        (
            broke_off("request exceeds the available context size"),
            PromptTooLong,
            "exceeds",
        ),
    ],
)
async def test_each_failure_is_an_error_of_ours(
    fake: FakeOpenAI, reply: Reply, error: type[ModelError], message: str
) -> None:
    fake.answer = lambda body: reply
    with pytest.raises(error, match=message) as caught:
        await ask(fake)
    assert caught.value.hint and "Ollama" not in str(caught.value)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_what_may_pass_is_tried_again(fake: FakeOpenAI, status: int) -> None:
    fake.script = [failure(status, "busy")]
    assert (await ask(fake)).content == "fine"
    fake.script = [Reply(lines=said("Eleven").lines[:1], cut=True)]
    assert (await ask(fake)).content == "fine"
    fake.script = [failure(400, "bad")]
    with pytest.raises(ModelError):
        await ask(fake)
    assert len(fake.chats) == 5, "400 is not tried again"


async def test_a_server_that_loads_is_waited_for(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOOK_SECONDS", 0.001)
    fake.list_script = [LOADING, LOADING]
    fake.script = [LOADING] * 5
    assert (await ask(fake)).content == "fine"
    assert len(fake.chats) == 6
    fake.answer = lambda body: LOADING
    limits = CallLimits(first_token=0.2, between_tokens=1, retries=0, backoff=0)
    async with model(fake, limits=limits) as chat:
        with pytest.raises(ReplyTimeout, match="The server sent no first token"):
            await chat.chat(REQUEST)


async def test_a_host_that_answers_nothing_is_left_out(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    async def silent(
        self: OpenAIHost, body: dict[str, object], model: str
    ) -> AsyncIterator[str]:
        calls.append(model)
        raise ReplyTimeout("The server sent no first token within 300 s.", "")
        yield ""

    monkeypatch.setattr(OpenAIHost, "stream", silent)
    async with model(fake) as chat:
        for _ in range(SILENCES):
            with pytest.raises(ReplyTimeout, match="no first token"):
                await chat.chat(REQUEST)
        for _ in range(5):
            with pytest.raises(ReplyTimeout, match="answered none of the last 3"):
                await chat.chat(REQUEST)
    assert len(calls) == SILENCES


async def test_a_call_that_is_given_up_ends_at_the_server(fake: FakeOpenAI) -> None:
    hold = threading.Event()
    fake.answer = lambda body: Reply(lines=(b"",), hold=hold)
    limits = CallLimits(first_token=0.5, between_tokens=1, retries=0, backoff=0)
    async with model(fake, limits=limits) as chat:
        with pytest.raises(ReplyTimeout):
            await chat.chat(REQUEST)
    assert await asyncio.to_thread(fake.gone.wait, 30)
    hold.set()


async def test_nobody_there_is_said_with_address_and_remedy(fake: FakeOpenAI) -> None:
    fake.stop()
    try:
        with pytest.raises(ServerDown) as error:
            await ask(fake)
        assert fake.url in error.value.message and "--base-url" in error.value.hint
    finally:
        fake.start()


# --- what is known of servers and models ------------------------------------------


@pytest.mark.parametrize(
    ("kind", "version", "is_described"),
    [
        ("llama.cpp", "llama.cpp b1-7e4c0a9", True),
        ("vllm", "vLLM 0.11.0", True),
        ("lmstudio", "LM Studio", True),
        ("bare", "of unknown kind", False),
    ],
)
async def test_each_kind_says_what_it_can(
    kind: Kind, version: str, is_described: bool
) -> None:
    with FakeOpenAI(kind, window=2048, answer=speaking()) as fake:
        async with model(fake, context_tokens=3000) as chat:
            assert chat.server_version == version
            assert chat.context_tokens == (3000 if kind == "bare" else 2048)
            assert bool(chat.digest) == is_described
            assert (await chat.chat(ONE)).content == "Yes"


async def test_ollama_is_asked_by_its_own_api(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI("bare") as fake:
        get = fake.get

        def ollama(path: str) -> Reply:
            if path != "/api/version":
                return get(path)
            return Reply(200, (b'{"version": "0.33.3"}',), "application/json")

        monkeypatch.setattr(fake, "get", ollama)
        with pytest.raises(ModelError, match="is Ollama") as error:
            await ask(fake)
        assert f"--ollama-host {fake.host}" in error.value.hint
    assert fake.chats == []


async def test_an_older_llama_cpp_says_its_context_elsewhere() -> None:
    entry = {"id": MODEL, "owned_by": "llamacpp", "meta": {"n_params": 1}}
    with FakeOpenAI(models=[entry], window=1024) as fake:
        async with model(fake) as chat:
            assert chat.context_tokens == 1024


async def test_another_name_of_a_model_is_one(fake: FakeOpenAI) -> None:
    async with ModelPool([OpenAIHost(fake.url)]) as found:
        assert (await found.chat_model("small")).name == "small"
        with pytest.raises(ModelMissing, match="It has: m:1b, small"):
            await found.chat_model("large")


async def test_an_embedding_model_cannot_chat() -> None:
    with FakeOpenAI("bare") as fake:
        fake.models = [{"id": MODEL, "type": "embeddings"}]
        with pytest.raises(ModelError, match="cannot chat"):
            await ask(fake)


async def test_other_weights_under_the_name_end_it(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "DIGEST_SECONDS", 0)
    async with model(fake) as chat:
        assert (await chat.chat(REQUEST)).content == "fine"
        fake.models = [{"id": MODEL, "meta": {"n_params": 7_000_000_000}}]
        with pytest.raises(ModelChanged, match="desc:"):
            await chat.chat(REQUEST)


async def test_a_pool_goes_around_a_server_that_is_down(fake: FakeOpenAI) -> None:
    with FakeOpenAI(answer=lambda body: said("second")) as other:
        async with model(fake, other) as chat:
            fake.stop()
            try:
                for _ in range(3):
                    assert (await chat.chat(REQUEST)).content == "second"
            finally:
                fake.start()


async def test_a_pool_of_different_models_is_refused(fake: FakeOpenAI) -> None:
    with FakeOpenAI(models=[{"id": MODEL, "meta": {"n_params": 5}}]) as other:
        with pytest.raises(ModelError, match="hold different models"):
            async with model(fake, other):
                pass


# --- where they are, and the key ---------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "urls"),
    [
        ("127.0.0.1:8080", ("http://127.0.0.1:8080/v1",)),
        ("http://127.0.0.1:8080/v1/", ("http://127.0.0.1:8080/v1",)),
        ("http://box:1234", ("http://box:1234/v1",)),
        ("https://box/api/openai", ("https://box/api/openai",)),
        ("[::1]:8080", ("http://[::1]:8080/v1",)),
        ("0.0.0.0:8080", ("http://127.0.0.1:8080/v1",)),
        ("a:1, b:1,a:1", ("http://a:1/v1", "http://b:1/v1")),
        ("http://10.1.2.3:8000/v1", ("http://10.1.2.3:8000/v1",)),
    ],
)
def test_forms_of_an_address(setting: str, urls: tuple[str, ...]) -> None:
    assert base_urls(setting, offline=True) == urls


@pytest.mark.parametrize(
    "setting",
    [
        "",
        " , ",
        "ftp://box/v1",
        "http://",
        "http://user:S3cret@box/v1",
        "http://box/v1?key=S3cret",
        "http://box:x/v1",
        "http://a b/v1",
        "http://134744072/v1",  # 8.8.8.8 as one number
        "http://0x08080808/v1",
    ],
)
def test_an_address_that_is_none_is_refused(setting: str) -> None:
    with pytest.raises(SettingsError) as error:
        base_urls(setting, offline=True)
    assert "base_url" in str(error.value) and "S3cret" not in str(error.value)


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.7.2", True),
        ("100.64.3.1", True),
        ("gpu-box", True),
        ("gpu.lan", True),
        ("gpu.local", True),
        ("8.8.8.8", False),
        ("2600::1", False),
        ("api.openai.com", False),
        ("local.example.com", False),
    ],
)
def test_offline_the_open_internet_is_refused(host: str, near: bool) -> None:
    assert is_near(host) == near
    shown = f"[{host}]" if ":" in host else host
    assert base_urls(f"https://{shown}/v1", offline=False)
    if not near:
        with pytest.raises(SettingsError, match="offline"):
            base_urls(f"https://{shown}/v1", offline=True)


def test_a_key_is_in_the_environment_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("of-the-file\n")
    assert api_key(str(file), {}) == "of-the-file"
    assert api_key(str(file), {"CLAIMSCOPE_API_KEY": "of-env"}) == "of-env"
    assert api_key(None, {"OPENAI_API_KEY": "theirs"}) is None
    for text in ("", "two words", "a\nb", "\x00", "k" * 9000):
        file.write_text(text)
        with pytest.raises(SettingsError) as error:
            api_key(str(file), {})
        assert str(file) in str(error.value) and (not text or text not in str(error))
    with pytest.raises(SettingsError, match="No such file"):
        api_key(str(tmp_path / "none"), {})


def test_the_server_of_the_settings() -> None:
    (host,) = hosts_of(Settings(server="openai", base_url="127.0.0.1:8080"))
    assert host.url == "http://127.0.0.1:8080/v1"
    with pytest.raises(SettingsError, match="no address of a server is named"):
        hosts_of(Settings(server="openai"))
    (host,) = hosts_of(Settings(base_url="127.0.0.1:8080", ollama_host="box:1"))
    assert host.url == "http://box:1", "off unless it is named"


def test_calls_at_once_are_those_of_its_kind() -> None:
    two = "127.0.0.1:1,127.0.0.1:2"
    settings = Settings(server="openai", base_url=two, server_parallel=4)
    assert settings.calls_at_once == 8
    assert Settings(base_url=two, ollama_parallel=3).calls_at_once == 3


def test_a_verifier_is_named_by_its_server() -> None:
    assert Settings(verifier="model").verifier == "ollama"
    for name in ("model", "ollama", "openai"):
        settings = Settings.model_validate({"server": "openai", "verifier": name})
        assert settings.verifier == "openai" and settings.asks_model
    assert not Settings(server="openai").asks_model
    with pytest.raises(ValueError, match="--server openai"):
        Settings(verifier="openai")


def test_no_key_is_a_setting() -> None:
    assert not {name for name in Settings.model_fields if name.endswith("key")}
    assert "CLAIMSCOPE_API_KEY" not in os.environ
