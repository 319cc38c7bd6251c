"""One model as it is asked: its fixed options, the body of a call, one try of it.

num_ctx, shift and the seed are the same for a whole run: another value in one call
would load the model again and lose what it has read. A kind of server brings its errors
along (`PoolErrors`): a remedy for Ollama is none for llama.cpp.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, ClassVar, Protocol, Self

from claimscope.core.backends.hosted.failures import PoolErrors
from claimscope.core.backends.hosted.model_list import InstalledModel, ModelCard
from claimscope.core.backends.hosted.streaming import Dialect, collect, finished_reply
from claimscope.core.backends.hosted.timeouts import (
    CallLimits,
    CallWatch,
    limit_waits,
    watch_lines,
)
from claimscope.core.models import JsonValue
from claimscope.core.ports import ChatReply, ChatRequest, ModelServer
from claimscope.core.tracing import Value, span


class Dispatcher(Protocol):
    """Finds a host for a call, waits for room there, tries again (pool.py)."""

    async def in_turn(self, request: ChatRequest, chat: HostedChat) -> ChatReply:
        """One call with its tries. Raises ModelError."""


class HostedChat:
    """One model of a server or pool, with one context length and seed for a run."""

    dialect: ClassVar[Dialect]

    def __init__(
        self,
        dispatcher: Dispatcher,
        card: ModelCard,
        digest: str | None,
        context_tokens: int,
        seed: int,
        server_version: str = "",
    ) -> None:
        self._dispatcher = dispatcher
        self._card = card
        self._digest = digest
        self._context = context_tokens
        self._seed = seed
        self._version = server_version

    @property
    def name(self) -> str:
        return self._card.name

    @property
    def digest(self) -> str | None:
        return self._digest

    @property
    def context_tokens(self) -> int:
        return self._context

    @property
    def server_version(self) -> str:
        """When the model was chosen; several with commas where hosts of a pool
        differ."""
        return self._version

    @property
    def fixed_options(self) -> dict[str, JsonValue]:
        """Options that every call of this model has; part of a call's key."""
        return {"temperature": 0, "seed": self._seed}

    def with_seed(self, seed: int) -> Self:
        """The same model with another seed, for another iteration of a run."""
        return type(self)(
            self._dispatcher, self._card, self._digest, self._context, seed,
            self._version,
        )  # fmt: skip

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Raises a ModelError; never returns a cut, empty or unfinished reply.

        `done_reason` "length" is accepted for a request of one token, which is what
        it asks for.
        """
        asked: dict[str, Value | None] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": self.name,
            "gen_ai.request.max_tokens": request.max_tokens,
            "claimscope.purpose": request.purpose,
            "claimscope.server": self._version,
        }
        with span("call", asked) as found:
            reply = await self._dispatcher.in_turn(request, self)
            found.note(
                {
                    "gen_ai.usage.input_tokens": reply.usage.prompt_tokens,
                    "gen_ai.usage.output_tokens": reply.usage.completion_tokens,
                    "claimscope.cached_tokens": reply.usage.cached_tokens,
                    "claimscope.model_seconds": reply.usage.model_seconds,
                }
            )
            return reply

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as the server wants it; here what servers of all kinds want."""
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": role, "content": content} for role, content in request.messages
            ],
            "stream": True,
        }
        if request.top_logprobs:
            body["logprobs"] = True
            body["top_logprobs"] = request.top_logprobs
        return body

    async def once(
        self, request: ChatRequest, host: ModelHost, watch: CallWatch | None = None
    ) -> ChatReply:
        """One try on one host. Raises a ModelError."""
        started = time.monotonic()
        async with (
            aclosing(host.stream(self.body(request), self.name)) as lines,
            aclosing(limit_waits(lines, host.limits, self.dialect.name)) as timely,
            aclosing(watch_lines(timely, watch)) as seen,
        ):
            parts = await collect(seen, self.dialect)
        return finished_reply(parts, request, self._context, time.monotonic() - started)


class ModelHost(ModelServer, Protocol):
    """One server of language models. All that it is asked may raise ServerDown and
    ModelError."""

    @property
    def limits(self) -> CallLimits: ...

    @property
    def errors(self) -> PoolErrors: ...

    @property
    def chat_type(self) -> type[HostedChat]:
        """A model as this kind of server is asked."""

    def full_name(self, name: str) -> str:
        """The name as the server's list has it. Raises ModelError for one that may
        not be asked."""

    async def version(self) -> str: ...

    async def models(self) -> tuple[InstalledModel, ...]: ...

    async def card(self, name: str, digest: str = "") -> ModelCard: ...

    async def is_ready(self, name: str, context_tokens: int) -> bool:
        """Whether the model is in memory with so much context."""

    async def context_of(self, name: str) -> int | None:
        """The tokens of context that it is in memory with; None = not known."""

    # Any: the JSON of a request.
    def stream(self, body: dict[str, object], model: str) -> AsyncGenerator[str]:
        """Lines of a chat as they come."""
