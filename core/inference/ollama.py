"""Language models behind Ollama: what a server has, and calls that end well or say why.

The official client lists models; chat goes through its HTTP session, because the
client cannot send `truncate` and `shift`, without which a server cuts long prompts
in silence. The facts behind each choice were measured on a real server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from claimscope.core.errors import ModelError, ReplyTimeout, ServerBusy, ServerDown
from claimscope.core.inference import failures
from claimscope.core.inference.address import server_url
from claimscope.core.inference.streaming import collect, finished
from claimscope.core.models import JsonValue
from claimscope.core.ports import ChatReply, ChatRequest

RETRIED = (ServerBusy, ServerDown, failures.ConnectionLost)
KEEP_ALIVE = "30m"
"""Ollama unloads after 5 minutes, which a person reading verdicts easily takes."""
CONNECT_SECONDS = 5.0
LIST_SECONDS = 30.0


@dataclass(frozen=True)
class Limits:
    """How long a call may take; one time-out for all of it would end slow loads."""

    first_token: float = 300.0
    """Seconds for the model to load, the queue before us and the prompt."""
    between_tokens: float = 60.0
    retries: int = 2
    """Further tries after 500, 503 or a lost connection; never after 400 or 404."""
    backoff: float = 1.0
    """Seconds before the second try; doubles, with as much jitter."""


@dataclass(frozen=True)
class Installed:
    """A model that a server has."""

    name: str
    digest: str
    size_bytes: int
    parameters: str | None
    quantization: str | None


@dataclass(frozen=True)
class ModelCard:
    """What a server says about a model."""

    name: str
    context_tokens: int | None
    """Tokens the model was trained for."""
    capabilities: tuple[str, ...]
    remote: bool
    """Runs on somebody else's machine: never used."""


class OllamaServer:
    """One server. Use as `async with`; leaving ends calls that are in flight."""

    def __init__(
        self,
        host: str | None = None,
        *,
        concurrency: int = 1,
        limits: Limits | None = None,
    ) -> None:
        """`host`: any form of OLLAMA_HOST (see address.py). `concurrency`: calls at
        once; a server serves one at a time unless OLLAMA_NUM_PARALLEL says more."""
        self.url = server_url(host)
        self.limits = limits or Limits()
        self._room = asyncio.Semaphore(concurrency)
        self._open: Any = None

    @property
    def _client(self) -> Any:
        if self._open is None:
            import httpx
            from ollama import AsyncClient

            self._open = AsyncClient(
                host=self.url,
                timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
                trust_env=False,  # a proxy must not come between us and loopback
            )
        return self._open

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; the server stops generating for them."""
        if self._open is not None:
            await self._open._client.aclose()
            self._open = None

    async def _ask(self, call: Any, model: str = "") -> Any:
        with failures.mapped(self.url, model):
            try:
                async with asyncio.timeout(LIST_SECONDS):
                    return await call
            except TimeoutError as error:
                raise ReplyTimeout(
                    f"Ollama at {self.url} did not answer in {LIST_SECONDS:.0f} s.",
                    "See its log; start it anew if it hangs.",
                ) from error

    async def version(self) -> str:
        """The server's version. Raises ServerDown, ModelError."""
        reply = await self._ask(self._client._client.get("/api/version"))
        try:
            return str(reply.json()["version"])
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"What answers at {self.url} is not Ollama.",
                "Name the right address with OLLAMA_HOST.",
            ) from error

    async def models(self) -> tuple[Installed, ...]:
        """All models on the server. Raises ServerDown, ModelError."""
        found = await self._ask(self._client.list())
        return tuple(
            Installed(
                name=item.model or "",
                digest=item.digest or "",
                size_bytes=int(item.size or 0),
                parameters=item.details.parameter_size if item.details else None,
                quantization=(
                    item.details.quantization_level if item.details else None
                ),
            )
            for item in found.models
        )

    async def card(self, name: str) -> ModelCard:
        """What the server says about a model. Raises ModelMissing, ModelError."""
        # Not by the client's show(): it drops remote_host.
        call = self._client._client.post("/api/show", json={"model": name})
        reply = await self._ask(call, name)
        if reply.status_code >= 400:
            raise failures.http_failure(reply.status_code, reply.text, name)
        shown = reply.json()
        info = shown.get("model_info") or {}
        context = info.get(f"{info.get('general.architecture')}.context_length")
        return ModelCard(
            name=name,
            context_tokens=int(context) if context else None,
            capabilities=tuple(shown.get("capabilities") or ()),
            remote=bool(shown.get("remote_host") or shown.get("remote_model")),
        )

    async def loaded(self) -> dict[str, int | None]:
        """Models in memory with their true context length in tokens."""
        found = await self._ask(self._client.ps())
        return {item.model or "": item.context_length for item in found.models}

    async def chat_model(
        self, name: str, *, context_tokens: int = 4096, seed: int = 7
    ) -> OllamaChat:
        """A model that is ready to be asked; nothing is loaded yet.

        `context_tokens` is lowered to what the model was trained for. Raises
        ServerDown, ModelMissing (with what is installed), ModelError for a model that
        runs elsewhere or cannot chat.
        """
        await self.version()
        installed = {model.name: model for model in await self.models()}
        full = name if ":" in name else f"{name}:latest"
        if full not in installed:
            raise failures.model_missing(name, list(installed))
        card = await self.card(full)
        if card.remote:
            raise ModelError(
                f"The model {name!r} runs on a remote server, not on this machine.",
                "Claimscope sends no text away: choose a local model.",
            )
        if card.capabilities and "completion" not in card.capabilities:
            raise ModelError(
                f"The model {name!r} cannot chat ({', '.join(card.capabilities)}).",
                "Choose a language model.",
            )
        room = min(context_tokens, card.context_tokens or context_tokens)
        return OllamaChat(self, card, installed[full].digest, room, seed)

    async def stream(self, body: dict[str, Any], model: str) -> AsyncGenerator[str]:
        """Lines of a chat as they come. Raises ModelError."""
        session = self._client._client
        with failures.mapped(self.url, model):
            async with session.stream("POST", "/api/chat", json=body) as reply:
                if reply.status_code >= 400:
                    text = (await reply.aread()).decode("utf-8", "replace")
                    raise failures.http_failure(reply.status_code, text, model)
                async for line in reply.aiter_lines():
                    yield line

    async def in_turn(self, request: ChatRequest, chat: OllamaChat) -> ChatReply:
        """One call with its tries, when there is room for it."""
        from tenacity import (
            AsyncRetrying,
            retry_if_exception_type,
            stop_after_attempt,
            wait_exponential,
            wait_random,
        )

        limits = self.limits
        tries = AsyncRetrying(
            retry=retry_if_exception_type(RETRIED),
            stop=stop_after_attempt(limits.retries + 1),
            wait=wait_exponential(limits.backoff, max=30)
            + wait_random(0, limits.backoff),
            reraise=True,
        )
        async with self._room:
            return await tries(chat.once, request)


class OllamaChat:
    """One model of a server, with one context length and seed for a whole run:
    changing either between calls would load the model again."""

    def __init__(
        self,
        server: OllamaServer,
        card: ModelCard,
        digest: str | None,
        context_tokens: int,
        seed: int,
    ) -> None:
        self._server = server
        self._card = card
        self._digest = digest
        self._context = context_tokens
        self._seed = seed

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
    def fixed_options(self) -> dict[str, JsonValue]:
        """Options that every call of this model has; part of a call's key."""
        return {"temperature": 0, "seed": self._seed, "num_ctx": self._context}

    def with_seed(self, seed: int) -> OllamaChat:
        """The same model with another seed, for another iteration of a run."""
        return OllamaChat(self._server, self._card, self._digest, self._context, seed)

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Raises a ModelError; never returns a cut, empty or unfinished reply.

        `done_reason` "length" is accepted for a request of one token, which is what
        it asks for.
        """
        return await self._server.in_turn(request, self)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as Ollama wants it."""
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": role, "content": content} for role, content in request.messages
            ],
            "stream": True,
            "truncate": False,
            "shift": False,
            "keep_alive": KEEP_ALIVE,
            "options": {
                **self.fixed_options,
                **request.options,
                "num_ctx": self._context,
                "num_predict": request.max_tokens,
            },
        }
        if "thinking" in self._card.capabilities:
            # Thinking is on unless switched off; gpt-oss knows only levels.
            body["think"] = "low" if "gpt-oss" in self.name else False
        if request.schema is not None:
            body["format"] = request.schema
        if request.top_logprobs:
            body["logprobs"] = True
            body["top_logprobs"] = request.top_logprobs
        return body

    async def once(self, request: ChatRequest) -> ChatReply:
        """One try. Raises a ModelError."""
        started = time.monotonic()
        async with (
            aclosing(self._server.stream(self.body(request), self.name)) as lines,
            aclosing(in_time(lines, self._server.limits)) as timely,
        ):
            parts = await collect(timely)
        return finished(parts, request, self._context, time.monotonic() - started)


async def in_time(lines: AsyncIterator[str], limits: Limits) -> AsyncGenerator[str]:
    """The lines, each within its limit. Raises ReplyTimeout."""
    limit, waited_for = limits.first_token, "first token"
    while True:
        try:
            async with asyncio.timeout(limit):
                line = await anext(lines)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise ReplyTimeout(
                f"Ollama sent no {waited_for} within {limit:.0f} s.",
                "The model may be too large for this machine, or the server hangs: "
                "see its log, or try a smaller model.",
            ) from error
        yield line
        limit, waited_for = limits.between_tokens, "further token"
