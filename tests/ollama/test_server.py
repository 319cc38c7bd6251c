"""What we believe of Ollama, asked of a real one. No test asks for good answers."""

from __future__ import annotations

import asyncio
import json
import math

import pytest

from claimscope.core.errors import ModelMissing, PromptTooLong, ReplyIncomplete
from claimscope.core.inference.ollama import OllamaChat, OllamaServer
from claimscope.core.ports import ChatRequest

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


async def test_cancelling_frees_the_server(chat: OllamaChat) -> None:
    long = asyncio.create_task(chat.chat(question("Tell a long tale.", 1500)))
    done, _ = await asyncio.wait({long}, timeout=1)
    long.cancel()
    if not done:
        with pytest.raises(asyncio.CancelledError):
            await long
    async with asyncio.timeout(60):
        assert (await chat.chat(question("Hello?"))).content
