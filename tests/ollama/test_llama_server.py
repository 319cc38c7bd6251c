"""llama.cpp's own server, of the real Ollama's installation, behind the OpenAI API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from benchmarks.quality import two_servers
from benchmarks.tools import llama_server
from claimscope.core.backends.hosted.chat import HostedChat
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.openai.server import OpenAIHost
from claimscope.core.backends.pool.pool import ModelPool
from claimscope.core.calls.replies import read_reply, schema_of
from claimscope.core.errors import PromptTooLong
from claimscope.core.grade.probing import CitedReply
from claimscope.core.ports import ChatRequest
from tests.doubles.fake_openai import FakeOpenAI
from tests.material.ollama_pool import OllamaServer
from tests.ollama.conftest import MODEL, REQUIRED

pytestmark = pytest.mark.ollama

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / ".ollama" / "ci", ROOT / ".ollama")
"""Where .ci/run and `make ollama` have theirs."""
ASK = (("user", "Is water wet? Answer Yes or No."),)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a llama-server with the small model; skips, or fails where it
    must be, when `make ollama` has not been here."""
    there = [one for one in FOLDERS if (one / "lib" / "ollama").exists()]
    try:
        with llama_server.serving((there or FOLDERS)[0], MODEL, context=2048) as found:
            yield found
    except llama_server.Missing as error:
        if REQUIRED:
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture
async def served(url: str) -> AsyncIterator[HostedChat]:
    """The small model behind it."""
    limits = CallLimits(backoff=0)
    async with ModelPool([OpenAIHost(url, limits=limits)], limits=limits) as pool:
        yield await pool.chat_model(MODEL)


async def test_it_says_what_it_is(served: HostedChat) -> None:
    assert served.server_version.startswith("llama.cpp ")
    assert served.context_tokens == 2048, "its own, below the usual 4096"
    assert served.digest and served.digest.startswith("desc:")


async def test_a_token_comes_with_its_alternatives(served: HostedChat) -> None:
    reply = await served.chat(ChatRequest("verify", ASK, "p", None, 1, 10))
    assert len(reply.logprobs) == 10 and reply.content
    assert reply.logprobs[0][1] == max(value for _, value in reply.logprobs)
    assert reply.usage.prompt_tokens > 5 and reply.usage.prompt_seconds > 0
    again = await served.chat(ChatRequest("verify", ASK, "p", None, 1, 10))
    assert again.usage.cached_tokens > 0


async def test_a_schema_is_kept_to(served: HostedChat) -> None:
    request = ChatRequest("cite", ASK, "p", schema_of(CitedReply), 40)
    assert read_reply(
        (await served.chat(request)).content, CitedReply
    ).sentence in range(5)


async def test_a_prompt_that_does_not_fit_is_refused(served: HostedChat) -> None:
    with pytest.raises(PromptTooLong, match="exceeds the available context"):
        await served.chat(
            ChatRequest("verify", (("user", "word " * 4000),), "p", None, 1)
        )


async def test_the_double_has_its_shapes(url: str) -> None:
    """Of what we read: the list of models, /props, and the events of a chat."""
    host = OpenAIHost(url)
    with FakeOpenAI() as fake:
        double = OpenAIHost(fake.url)
        try:
            for one, kinds in ((host, "true"), (double, "double")):
                (served, *_) = await one.served_models()
                assert served.window and served.is_ready, kinds
                assert served.model.parameters and served.model.quantization, kinds
                assert (await one.version()).startswith("llama.cpp "), kinds
        finally:
            await host.close()
            await double.close()


async def test_ollama_and_llama_server_give_the_same_20_verdicts(
    server: OllamaServer, served: HostedChat
) -> None:
    two = two_servers
    chat = await server.chat_model(MODEL, context_tokens=2048)
    pairs = await two.compared(chat, served)
    print(two.figure(pairs))
    assert len(pairs) == 20
    # What a server reads from its cache moves a probability by some hundredths, and
    # those of so small a model lie close to the middle.
    assert sum(pair.is_same for pair in pairs) >= 16, two.figure(pairs)
    assert max(pair.apart for pair in pairs) < 0.1
