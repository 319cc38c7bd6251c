"""No client follows a redirect: the other server sees nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from typing import Any
from urllib.error import URLError

import pytest

from benchmarks.tools import local_ollama
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.embedding import OllamaEmbedder
from claimscope.core.errors import ClaimscopeError, EmbeddingError, ModelError
from claimscope.core.ports import ChatRequest
from tests.doubles.fake_ollama import FakeOllama, embedder
from tests.material.ollama_pool import OllamaPool, OllamaServer

REQUEST = ChatRequest("verify", (("user", "How deep is the harbour?"),), "p1")
QUICK = CallLimits(first_token=120, between_tokens=120, backoff=0)
Ask = Callable[[OllamaServer], Coroutine[Any, Any, object]]


@pytest.fixture
def pair() -> Iterator[tuple[FakeOllama, FakeOllama]]:
    """A server that redirects when it is told to, and the one it points to."""
    with FakeOllama() as first, FakeOllama() as other:
        yield first, other


async def _pulled(server: OllamaServer) -> None:
    async for _ in server.pull("m:1b"):
        pass


ROUTES: dict[str, Ask] = {
    "version": lambda server: server.version(),
    "models": lambda server: server.models(),
    "running": lambda server: server.running(),
    "card": lambda server: server.card("m:1b"),
    "pull": _pulled,
}


@pytest.mark.parametrize("route", ROUTES)
async def test_no_question_is_redirected(
    pair: tuple[FakeOllama, FakeOllama], route: str
) -> None:
    first, other = pair
    first.redirects_to = f"http://user:secret@{other.host}"
    async with OllamaServer(first.host, limits=QUICK) as server:
        with pytest.raises(ModelError) as error:
            await ROUTES[route](server)
    assert first.host in error.value.message and other.host in error.value.message
    assert "secret" not in str(error.value) and "307" in error.value.message
    assert other.paths == []


async def test_no_prompt_is_redirected(pair: tuple[FakeOllama, FakeOllama]) -> None:
    first, other = pair
    async with OllamaServer(first.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b", context_tokens=2048)
        first.redirects_to = f"http://{other.host}"
        with pytest.raises(ModelError, match=f"redirects to http://{other.host}"):
            await chat.chat(REQUEST)
    assert other.paths == [] and len(first.paths) == 4, "and it is not tried again"


async def test_a_pool_names_the_host_that_redirects(
    pair: tuple[FakeOllama, FakeOllama],
) -> None:
    first, other = pair
    first.redirects_to = f"http://{other.host}"
    async with OllamaPool([first.host], limits=QUICK) as pool:
        with pytest.raises(ModelError, match="redirects to"):
            await pool.chat_model("m:1b")
    assert other.paths == []


@pytest.mark.parametrize("location", ["", "http://[::1", "//elsewhere.test:1"])
async def test_a_location_that_is_none_is_no_way_either(
    pair: tuple[FakeOllama, FakeOllama],
    location: str,
) -> None:
    first, _ = pair
    first.redirects_to = location
    async with OllamaServer(first.host, limits=QUICK) as server:
        with pytest.raises(ModelError, match=f"http://{first.host} redirects to"):
            await server.version()


def test_no_text_to_embed_is_redirected(pair: tuple[FakeOllama, FakeOllama]) -> None:
    first, other = pair
    first.models["e:1b"] = embedder()
    model = OllamaEmbedder("e:1b", first.host, limits=QUICK)
    first.redirects_to = f"http://{other.host}"
    with pytest.raises(EmbeddingError, match=f"redirects to http://{other.host}"):
        _ = model.model_id
    first.redirects_to = None
    assert model.dimensions
    first.redirects_to = f"http://{other.host}"
    with pytest.raises(ClaimscopeError, match=f"redirects to http://{other.host}"):
        model.embed(["The basin is eleven metres deep."])
    assert other.paths == []


def test_the_script_that_starts_ollama_follows_none_either(
    pair: tuple[FakeOllama, FakeOllama],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, other = pair
    first.redirects_to = f"http://{other.host}"
    for method in ("GET", "POST"):
        with pytest.raises(URLError, match=f"redirects to http://{other.host}"):
            local_ollama.call(
                first.host, method, "/api/tags", {} if method == "POST" else None
            )
    assert other.paths == []
