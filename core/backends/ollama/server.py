"""One Ollama server: its connection, what it has, and the lines of a chat.

Which host a call goes to, and what is tried again, is decided in pool.py. What is in
memory and what is pulled is asked by the official client; chats, which need `truncate`
and `shift`, and lists and cards, of which its types leave out what runs elsewhere
(`remote_host`), by a session of ours over the same connections.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from claimscope.core.backends.hosted.chat import HostedChat
from claimscope.core.backends.hosted.failures import (
    no_answer,
    reason,
    runs_elsewhere,
    whole_characters,
)
from claimscope.core.backends.hosted.model_list import (
    InstalledModel,
    ListedModel,
    ModelCard,
    RunningModel,
    card_of,
    entries,
    full_name,
    installed_of,
    is_cloud,
    running_of,
)
from claimscope.core.backends.hosted.streaming import OLLAMA
from claimscope.core.backends.hosted.timeouts import (
    CONNECT_SECONDS,
    LIST_SECONDS,
    CallLimits,
)
from claimscope.core.backends.ollama import failures
from claimscope.core.backends.ollama.address import PORTS, server_url
from claimscope.core.backends.ollama.failures import not_ollama
from claimscope.core.errors import ModelError, ModelMissing, ReplyTimeout
from claimscope.core.http import redirects, reply_limits
from claimscope.core.lean_imports import importing_without
from claimscope.core.models import JsonValue
from claimscope.core.ports import ChatRequest, Inventory

KEEP_ALIVE = "30m"
"""Ollama unloads after 5 minutes, which a person reading verdicts easily takes."""
PULL_SECONDS = 300.0
"""Longest silence of a pull: the check of a large model's digest takes a while."""
STRANGE = (ValueError, TypeError, AttributeError, OverflowError)
"""What reading a list raises that is none of Ollama's."""
AT_ONCE = 4
"""Models of a host that are asked about at once."""
UNKNOWN = re.compile(r"file does not exist|manifest unknown|not found", re.IGNORECASE)
NO_NETWORK = re.compile(
    r"no such host|dial tcp|i/o timeout|connection refused|network is unreachable|TLS",
    re.IGNORECASE,
)


def plain_headers() -> dict[str, str]:
    """As the official client sends them, and nothing compressed."""
    headers = dict(reply_limits.PLAIN)
    if key := os.environ.get("OLLAMA_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    return headers


def _httpx() -> Any:
    # It would bring its own command line: 5 MB in every interface.
    with importing_without("click"):
        import httpx
    return httpx


class OllamaChat(HostedChat):
    """A model behind Ollama."""

    dialect = OLLAMA

    @property
    def fixed_options(self) -> dict[str, JsonValue]:
        """With num_ctx: another one loads the model anew."""
        return {**super().fixed_options, "num_ctx": self._context}

    def body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            **super().body(request),
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
        return body


class OllamaHost:
    """One server. Use as `async with`; leaving ends calls that are in flight."""

    def __init__(
        self,
        host: str | None = None,
        *,
        limits: CallLimits | None = None,
        offline: bool = True,
    ) -> None:
        """`host`: any form of OLLAMA_HOST (see address.py). `offline`: refuse models
        that run on somebody else's machine."""
        self.url = server_url(host)
        self.limits = limits or CallLimits()
        self.offline = offline
        self._transport: Any = None
        self._open_session: Any = None
        self._open_client: Any = None
        self._cards: dict[tuple[str, str], ModelCard] = {}

    @property
    def _session(self) -> Any:
        if self._open_session is None:
            self._open_session = _httpx().AsyncClient(
                base_url=self.url, **self._options()
            )
        return self._open_session

    @property
    def _client(self) -> Any:
        if self._open_client is None:
            with importing_without("click"):
                from ollama import AsyncClient

            self._open_client = AsyncClient(host=self.url, **self._options())
        return self._open_client

    def _options(self) -> dict[str, Any]:
        httpx = _httpx()
        if self._transport is None:
            self._transport = httpx.AsyncHTTPTransport(trust_env=False)
        return {
            "transport": self._transport,
            "timeout": httpx.Timeout(None, connect=CONNECT_SECONDS),
            "trust_env": False,  # a proxy must not come between us and loopback
            "follow_redirects": False,
            "headers": plain_headers(),
            "event_hooks": {"response": [self._check]},
        }

    async def _check(self, reply: Any) -> None:
        """Whatever is asked: no answer sends us elsewhere, none is without end."""
        redirects.refuse_redirect(reply, self.url)
        reply_limits.limit_reply(reply, self.url)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.aclose()
        self._transport = self._open_session = self._open_client = None

    # --- what it has ----------------------------------------------------------

    async def _json(
        self, path: str, body: dict[str, Any] | None = None, model: str = ""
    ) -> Any:
        """The answer to a short question, as JSON."""
        with failures.mapped_errors(self.url, model):
            try:
                async with asyncio.timeout(LIST_SECONDS):
                    if body is None:
                        reply = await self._session.get(path)
                    else:
                        reply = await self._session.post(path, json=body)
            except TimeoutError as error:
                raise no_answer(f"Ollama at {self.url}", LIST_SECONDS) from error
        if reply.status_code in (404, 405) and not model:
            raise failures.not_ollama(self.url)
        return failures.json_of(reply, self.url, model)

    errors = failures.ERRORS
    chat_type = OllamaChat

    def full_name(self, name: str) -> str:
        """The name with its tag. Raises ModelError for one that runs elsewhere, which
        offline mode refuses."""
        if self.offline and is_cloud(name):
            raise runs_elsewhere(name)
        return full_name(name)

    async def knock(self) -> None:
        """Whether anything listens there, by a bare socket: mostly nobody does, and the
        client libraries take 7 MB of an interface that only wants to know. Raises
        ServerDown as a call does."""
        parts = urlsplit(self.url)
        port = parts.port or PORTS[parts.scheme]
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                _, writer = await asyncio.open_connection(parts.hostname, port)
        except (OSError, UnicodeError) as error:  # TimeoutError is an OSError
            raise failures.server_down(self.url, reason(error)) from error
        writer.close()
        with suppress(OSError):  # hung up at the other end
            await writer.wait_closed()

    async def version(self) -> str:
        try:
            said = (await self._json("/api/version"))["version"]
            return whole_characters(str(said))
        except (KeyError, TypeError) as error:
            raise failures.not_ollama(self.url) from error

    async def models(self) -> tuple[InstalledModel, ...]:
        """All models on the server. Raises ServerDown, ModelError."""
        try:
            found = entries(await self._json("/api/tags"))
            return tuple(installed_of(item) for item in found)
        except STRANGE as error:
            raise failures.not_ollama(self.url) from error

    async def running(self) -> tuple[RunningModel, ...]:
        """Models in memory. Raises ServerDown, ModelError."""
        from ollama import ResponseError

        with failures.mapped_errors(self.url):
            try:
                async with asyncio.timeout(LIST_SECONDS):
                    found = await self._client.ps()
            except TimeoutError as error:
                raise no_answer(f"Ollama at {self.url}", LIST_SECONDS) from error
            except ResponseError as error:
                if error.status_code in (404, 405):
                    raise failures.not_ollama(self.url) from error
                raise
            except (*STRANGE, RecursionError) as error:
                raise failures.not_ollama(self.url) from error
        return tuple(running_of(one) for one in found.models)

    async def loaded(self) -> dict[str, int | None]:
        """Models in memory with their true context length in tokens."""
        return {one.name: one.context_tokens for one in await self.running()}

    async def is_ready(self, name: str, context_tokens: int) -> bool:
        return (await self.context_of(name) or 0) >= context_tokens

    async def context_of(self, name: str) -> int | None:
        """The context it is in memory with; None = it is not, or nobody knows."""
        return (await self.loaded()).get(name)

    async def card(self, name: str, digest: str = "") -> ModelCard:
        """What the server says about a model; asked once for each digest that is
        given. Raises ModelMissing, ModelError."""
        key = (full_name(name), digest)
        if digest and key in self._cards:
            return self._cards[key]
        shown = await self._json("/api/show", {"model": name}, name)
        try:
            card = card_of(name, shown)
        except STRANGE as error:
            raise failures.not_ollama(self.url) from error
        self._cards[key] = card
        return card

    async def listing(self) -> Sequence[ListedModel]:
        """All models with what is known of each. Raises ServerDown, ModelError."""
        installed = await self.models()
        running = {one.name: one for one in await self.running()}
        room = asyncio.Semaphore(AT_ONCE)

        async def listed(model: InstalledModel) -> ListedModel:
            async with room:
                card = await self.card(model.name, model.digest)
            return ListedModel(model, card, running.get(model.name))

        return await asyncio.gather(*(listed(model) for model in installed))

    async def inventory(self) -> Inventory:
        """What it is and has. Raises ServerDown, ModelError."""
        await self.knock()
        version, models = await self.version(), await self.listing()
        return Inventory("Ollama", version, tuple(one.summarise() for one in models))

    # --- what it does ---------------------------------------------------------

    async def pull(self, name: str) -> AsyncGenerator[PullProgress]:
        """Has the server fetch a model; only ever because a person asked for it.

        Never tried again by itself: the same pull goes on where it stopped. Raises
        ServerDown, ModelMissing, ModelError; leaving early stops the server's work.
        """
        if self.offline and is_cloud(name):
            raise runs_elsewhere(name)
        with failures.mapped_errors(self.url, name):
            lines = await self._client.pull(name, stream=True)
            async with (
                aclosing(lines),
                aclosing(pull_steps(lines, self.url, name)) as steps,
            ):
                while True:
                    try:
                        async with asyncio.timeout(PULL_SECONDS):
                            step = await anext(steps)
                    except StopAsyncIteration:
                        return
                    except TimeoutError as error:
                        raise ReplyTimeout(
                            f"The pull of {name!r} stood still for "
                            f"{PULL_SECONDS:.0f} s.",
                            "What came is kept: run it again, it goes on there.",
                        ) from error
                    yield step

    async def stream(self, body: dict[str, Any], model: str) -> AsyncGenerator[str]:
        """Lines of a chat as they come. Raises ModelError.

        Not by the client library's chat(): it cannot send `truncate` and `shift`.
        """
        with failures.mapped_errors(self.url, model):
            async with self._session.stream("POST", "/api/chat", json=body) as reply:
                if reply.status_code >= 400:
                    text = (await reply.aread()).decode("utf-8", "replace")
                    raise failures.http_failure(
                        reply.status_code, text, model, reply.headers.get("Retry-After")
                    )
                async for line in reply.aiter_lines():
                    yield line


@dataclass(frozen=True)
class PullProgress:
    """A line of a pull, with all layers that were named so far added up."""

    status: str
    """In Ollama's words, e.g. `pulling manifest`; `success` at the end."""
    digest: str | None
    """Of the layer that this line is about."""
    completed: int
    """Bytes of all layers known so far."""
    total: int
    """Bytes of all layers known so far; 0 before the first is known."""


async def pull_steps(
    lines: AsyncIterator[Any], url: str, name: str
) -> AsyncGenerator[PullProgress]:
    """The steps of a pull from the client library's lines.

    A server fetches several layers at once and says so in turns, leaves out `completed`
    while it is 0, and ends a pull that failed like one that did not: only a last line
    `success` means that the model is there.
    Raises ModelError for a line that says so, and when the end is not `success`.
    """
    from ollama import ResponseError

    layers: dict[str, tuple[int, int]] = {}
    status = ""
    try:
        async for line in lines:
            status = line.status or ""
            if line.digest:
                layers[line.digest] = (line.completed or 0, line.total or 0)
            yield PullProgress(
                status=status,
                digest=line.digest or None,
                completed=sum(done for done, _ in layers.values()),
                total=sum(size for _, size in layers.values()),
            )
    except ResponseError as error:
        raise not_pulled(url, name, error.error) from error
    except (ValueError, RecursionError) as error:  # no JSON, or other fields
        raise not_ollama(url) from error
    if status != "success":
        raise not_pulled(url, name, f"it stopped after {status or 'nothing'!r}")


def not_pulled(url: str, name: str, text: str) -> ModelError:
    """The error for what came instead of `success`."""
    if UNKNOWN.search(text):
        return ModelMissing(
            f"Ollama's library has no model {name!r} (says the server at {url}).",
            "Check the name, and the tag behind the colon.",
        )
    if NO_NETWORK.search(text):
        return ModelError(
            f"The server at {url} could not reach Ollama's library: {text}.",
            "It needs a network for this. Without one, copy the model's files to that "
            "machine and use `ollama create`.",
        )
    return ModelError(
        f"The server at {url} did not fetch {name!r}: {text}.",
        "What came is kept: run it again, it goes on there.",
    )
