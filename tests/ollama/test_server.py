"""What we believe of Ollama, asked of a real one. No test asks for good answers."""

from __future__ import annotations

import asyncio
import json
import math

import pytest

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.embedding import OllamaEmbedder
from claimscope.core.backends.ollama.server import OllamaChat
from claimscope.core.errors import (
    EmbeddingError,
    ModelMissing,
    PromptTooLong,
    ReplyIncomplete,
    ServerDown,
)
from claimscope.core.ports import ChatRequest, ModelState
from tests.material.ollama_pool import OllamaPool, OllamaServer
from tests.ollama.conftest import HOST

pytestmark = pytest.mark.ollama

DOCUMENT = "The Lindal light stands on a skerry and shows two white flashes. " * 12


def question(text: str, max_tokens: int = 1, top_logprobs: int = 0) -> ChatRequest:
    """A request of one message."""
    return ChatRequest(
        "verify", (("user", text),), "p1", None, max_tokens, top_logprobs
    )


async def test_a_token_comes_with_its_alternatives(chat: OllamaChat) -> None:
    reply = await chat.chat(question("Is water wet? Answer Yes or No.", 1, 10))
    assert len(reply.logprobs) == 10
    assert reply.content.strip()
    assert 0 < sum(math.exp(p) for _, p in reply.logprobs) <= 1.001
    assert reply.usage.prompt_tokens > 5
    assert reply.usage.completion_tokens == 1


async def test_a_schema_is_kept_to(chat: OllamaChat) -> None:
    properties = {"explanation": {"type": "string", "maxLength": 40}}
    schema = {
        "type": "object",
        "properties": {**properties, "grade": {"enum": [1, 2, 3, 4, 5]}},
        "required": ["explanation", "grade"],
    }
    request = ChatRequest(
        "grade", (("user", "Grade this lamp as JSON."),), "p1", schema, 300
    )
    reply = json.loads((await chat.chat(request)).content)
    assert list(reply) == ["explanation", "grade"]
    assert reply["grade"] in (1, 2, 3, 4, 5)


async def test_a_prompt_that_does_not_fit_is_refused(chat: OllamaChat) -> None:
    with pytest.raises(PromptTooLong, match="the context holds 2048"):
        await chat.chat(question(DOCUMENT * 30))


async def test_a_reply_cut_at_its_limit_is_refused(chat: OllamaChat) -> None:
    with pytest.raises(ReplyIncomplete, match="limit of 5 tokens"):
        await chat.chat(question("Count from one to one hundred.", 5))


async def test_a_second_question_on_a_document_reads_it_from_cache(
    chat: OllamaChat,
) -> None:
    first = await chat.chat(question(f"{DOCUMENT}\nIs it red?"))
    second = await chat.chat(question(f"{DOCUMENT}\nIs it white?"))
    # The count includes tokens from the cache, or the check for cut prompts is wrong.
    assert second.usage.prompt_tokens >= len(DOCUMENT.split())
    assert abs(second.usage.prompt_tokens - first.usage.prompt_tokens) < 10
    assert second.usage.cached_tokens > 0.8 * second.usage.prompt_tokens
    assert 0 < second.usage.prompt_seconds <= second.usage.model_seconds


async def test_a_missing_model_is_named_with_what_is_there(
    server: OllamaServer,
) -> None:
    with pytest.raises(ModelMissing, match="smollm2:135m"):
        await server.chat_model("no-such-model:1b")


async def test_the_true_context_is_the_one_asked_for(
    server: OllamaServer, chat: OllamaChat
) -> None:
    await chat.chat(question("Hello?"))
    assert (await server.loaded())[chat.name] == 2048


async def test_what_is_known_of_a_model(server: OllamaServer, chat: OllamaChat) -> None:
    await chat.chat(question("Hello?"))
    (one,) = [one for one in await server.listing() if one.model.name == chat.name]
    assert one.model.digest == chat.digest
    assert one.model.capabilities == one.card.capabilities == ("completion",)
    assert one.card.context_tokens == one.model.context_tokens == 8192
    assert one.running is not None and one.running.expires is not None
    assert not one.model.remote and not one.card.remote
    assert chat.server_version == await server.version()


async def test_a_pool_of_one_server_under_two_names(chat: OllamaChat) -> None:
    port = HOST.rpartition(":")[2]
    hosts = (f"127.0.0.1:{port}", f"localhost:{port}", "127.0.0.1:9")
    async with OllamaPool(hosts, limits=CallLimits(backoff=0)) as pool:
        with pytest.raises(ServerDown, match="127.0.0.1:9"):
            await OllamaPool(["127.0.0.1:9"], limits=CallLimits(backoff=0)).chat_model(
                "m"
            )
        pooled = await pool.chat_model(chat.name, context_tokens=2048)
        assert pooled.digest == chat.digest
        calls = (pooled.chat(question(f"{n}: hello?")) for n in range(3))
        assert all(reply.content for reply in await asyncio.gather(*calls))


async def test_a_call_is_told_of_from_reading_to_idle(
    server: OllamaServer, chat: OllamaChat
) -> None:
    states: list[ModelState] = []
    async with OllamaServer(server.url, on_state=states.append) as watched:
        other = await watched.chat_model(chat.name, context_tokens=2048)
        await other.chat(question("Hello?"))
    assert states[0].phase == "reading" and states[-1].phase == "idle"
    assert {(one.host, one.model) for one in states} == {(server.url, chat.name)}


async def test_a_chat_model_is_refused_as_an_embedder(chat: OllamaChat) -> None:
    before = await _loads(chat)
    with pytest.raises(EmbeddingError, match="makes no embeddings"):
        await asyncio.to_thread(OllamaEmbedder(chat.name, HOST).embed, ["a"])
    assert await _loads(chat) == before


async def _loads(chat: OllamaChat) -> bool:
    """Whether a call had to load the model."""
    return (await chat.chat(question("Hello?"))).usage.load_seconds > 0.5


async def test_cancelling_frees_the_server(chat: OllamaChat) -> None:
    long = asyncio.create_task(chat.chat(question("Tell a long tale.", 1500)))
    done, _ = await asyncio.wait({long}, timeout=1)
    long.cancel()
    if not done:
        with pytest.raises(asyncio.CancelledError):
            await long
    async with asyncio.timeout(60):
        assert (await chat.chat(question("Hello?"))).content
