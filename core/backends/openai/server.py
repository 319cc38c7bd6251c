"""One server with the OpenAI API (llama.cpp, vLLM, LM Studio), as a pool asks it.

By the official client library, kept on a short rein: no redirect, no proxy of the
environment, nothing compressed or without end, no tries of its own, no header that
tells of this machine, and no key but the one that was named for this server.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from claimscope.core.backends.hosted.chat import HostedChat, ModelHost
from claimscope.core.backends.hosted.failures import no_answer
from claimscope.core.backends.hosted.model_list import InstalledModel, ModelCard
from claimscope.core.backends.hosted.timeouts import (
    CONNECT_SECONDS,
    LIST_SECONDS,
    CallLimits,
    CallWatch,
)
from claimscope.core.backends.openai import failures
from claimscope.core.backends.openai.model_list import APIModel, entries, models_in
from claimscope.core.backends.openai.streaming import DIALECT, event_lines
from claimscope.core.errors import InputError, ModelError, ServerBusy
from claimscope.core.http import redirects, reply_limits
from claimscope.core.http.server_address import root_of
from claimscope.core.http.stream_lines import NotALine, object_in, object_of, text_in
from claimscope.core.models import JsonValue
from claimscope.core.ports import ChatReply, ChatRequest, Inventory

REMEDY = "Name the address of the server itself with --base-url."
OURS = ("x-stainless-", "openai-organization", "openai-project")
"""Headers that the client library sends: machine, interpreter, who pays."""
NEEDED = "x-stainless-raw-response"
"""By this one it knows its own request again; it says nothing."""
OPTIONAL = {
    "logprobs": ("logprobs", "top_logprobs"),
    "stream_options": ("stream_options",),
    "chat_template_kwargs": ("chat_template_kwargs",),
    "response_format": ("response_format",),
    "seed": ("seed",),
}
"""Parts of a request that some servers refuse: by the word in their error, what is left
out from then on. Without log-probabilities votes are asked for."""
LOOK_SECONDS = 0.5
"""Between two calls while a server says that it is loading."""


class OpenAIChat(HostedChat):
    """The context is the server's own: it was given when the server started."""

    dialect = DIALECT

    @property
    def fixed_options(self) -> dict[str, JsonValue]:
        """With the kind of server: a model of the same name behind Ollama is asked
        otherwise."""
        return {**super().fixed_options, "server": "openai"}

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as the API wants it."""
        body: dict[str, Any] = {
            **super().body(request),
            "stream_options": {"include_usage": True},
            "max_tokens": request.max_tokens,
            **super().fixed_options,
            **request.options,
            # Thinking is on unless switched off, where a model's template knows it.
            "chat_template_kwargs": {"enable_thinking": False},
        }
        if request.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": request.purpose,
                    "strict": True,
                    "schema": request.schema,
                },
            }
        return body

    async def once(
        self, request: ChatRequest, host: ModelHost, watch: CallWatch | None = None
    ) -> ChatReply:
        """One try on one host. Where a server does not say how long the model took, it
        is as long as we waited."""
        reply = await super().once(request, host, watch)
        usage = reply.usage
        if not usage.model_seconds:
            seconds = {"model_seconds": usage.wall_seconds}
            usage = usage.model_copy(update=seconds)
        return replace(reply, usage=usage)


class OpenAIHost:
    """One server. Its connections are closed by `close`."""

    errors = failures.ERRORS
    chat_type = OpenAIChat

    def __init__(
        self, url: str, *, key: str | None = None, limits: CallLimits | None = None
    ) -> None:
        """`url`: in full, as server_address gives it. Whatever it is asked raises
        InputError where the client library is missing."""
        self.url = url
        self.limits = limits or CallLimits()
        self._key = key
        self._open: Any = None
        self._left_out: set[str] = set()
        """Parts of OPTIONAL that this server refused."""
        self._renamed = False
        """It wants max_completion_tokens."""

    @property
    def _client(self) -> Any:
        if self._open is None:
            self._open = _client(
                self.url, self._key, self._strip_headers, self._check_reply
            )
        return self._open

    async def _strip_headers(self, request: Any) -> None:
        """Whatever is asked: nothing is told that the API does not need."""
        for name in list(request.headers):
            if name.startswith(OURS) and name != NEEDED:
                del request.headers[name]
        if self._key is None:
            request.headers.pop("Authorization", None)

    async def _check_reply(self, reply: Any) -> None:
        """Whatever is asked: no answer sends us elsewhere, none is without end."""
        redirects.refuse_redirect(reply, self.url, REMEDY)
        reply_limits.limit_reply(reply, self.url)

    async def close(self) -> None:
        if self._open is not None:
            await self._open.close()
            self._open = None

    # --- what it has ----------------------------------------------------------

    def full_name(self, name: str) -> str:
        return name

    async def _get(self, url: str, *, is_optional: bool = False) -> str | None:
        """The text at an address; None where the server has none and may."""
        client = self._client  # which says so where a library is missing
        import httpx2
        import openai

        try:
            async with asyncio.timeout(LIST_SECONDS):
                with failures.mapped_errors(self.url):
                    reply = await client.get(url, cast_to=httpx2.Response)
                    return str(reply.text)
        except TimeoutError as error:
            raise no_answer(f"The server at {self.url}", LIST_SECONDS) from error
        except openai.APIStatusError as error:
            if is_optional and error.status_code in (400, 401, 403, 404, 405, 501):
                return None
            raise self._failure(error, "") from error

    def _failure(self, error: Any, model: str) -> ModelError:
        return failures.http_failure(
            self.url,
            error.status_code,
            self._without_key(error.response.text),
            model,
            error.response.headers.get("Retry-After"),
        )

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    async def _about(self, path: str) -> dict[str, Any]:
        """What a server of one kind says of itself; empty for the others."""
        text = await self._get(f"{root_of(self.url)}{path}", is_optional=True)
        try:
            return object_of(text or "{}")
        except NotALine:
            return {}

    async def version(self) -> str:
        """Kind and version, as far as it says them. A server that is still loading is
        waited for. Raises ServerDown, ModelError."""
        await self._wait_until_loaded()  # it is there, and speaks the API
        try:
            about = await self._about("/props")
            if "default_generation_settings" in about or "build_info" in about:
                return f"llama.cpp {text_in(about, 'build_info')}".strip()
            if version := text_in(await self._about("/version"), "version"):
                return f"vLLM {version}"
            if text_in(await self._about("/api/version"), "version"):
                raise failures.is_ollama(self.url)
        except NotALine:
            pass
        return "LM Studio" if await self._lm_studio() else "of unknown kind"

    async def _lm_studio(self) -> dict[str, dict[str, Any]]:
        """By name what LM Studio says in its own list; empty for other servers."""
        text = await self._get(f"{root_of(self.url)}/api/v0/models", is_optional=True)
        try:
            return {text_in(one, "id"): one for one in entries(text or "{}")}
        except NotALine:
            return {}

    async def _wait_until_loaded(self) -> None:
        """Returns when the server has loaded its model. Raises ServerBusy when it has
        not in time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.limits.first_token
        while True:
            try:
                await self.served_models()
                return
            except ServerBusy as error:
                is_loading = failures.LOADING.search(error.message)
                if not is_loading or loop.time() >= end:
                    raise
            await asyncio.sleep(LOOK_SECONDS)

    async def served_models(self) -> tuple[APIModel, ...]:
        """All models with what is known of each. Raises ServerDown, ModelError."""
        text = await self._get("/models")
        try:
            found = models_in(text or "", {})
            if any(one.window is None for one in found):
                found = models_in(text or "", await self._lm_studio())
        except NotALine as error:
            raise failures.not_openai(self.url) from error
        if found and all(one.window is None for one in found):
            return await self._with_window(found)
        return found

    async def inventory(self) -> Inventory:
        """What it is and has. Raises ServerDown, ModelError."""
        models = tuple(one.summarise() for one in await self.served_models())
        return Inventory("OpenAI API,", await self.version(), models)

    async def _with_window(self, found: tuple[APIModel, ...]) -> tuple[APIModel, ...]:
        """The same with the context that an older llama.cpp tells elsewhere."""
        try:
            usual = object_in(
                await self._about("/props"), "default_generation_settings"
            )
        except NotALine:
            return found
        window = usual.get("n_ctx")
        if not isinstance(window, int) or isinstance(window, bool) or window < 1:
            return found
        return tuple(replace(one, window=window) for one in found)

    async def models(self) -> tuple[InstalledModel, ...]:
        """All models. Raises ServerDown, ModelError."""
        return tuple(one.model for one in await self.served_models())

    async def _find(self, name: str) -> APIModel | None:
        return next(
            (o for o in await self.served_models() if o.model.name == name), None
        )

    async def card(self, name: str, digest: str = "") -> ModelCard:
        """What is known of a model. Raises ModelMissing, ModelError."""
        found = await self._find(name)
        if found is None:
            raise failures.ERRORS.model_missing(name, url=self.url)
        return found.card

    async def is_ready(self, name: str, context_tokens: int) -> bool:
        """Whether nothing says that it is still to be loaded."""
        try:
            found = await self._find(name)
        except ServerBusy:
            return False
        return found is None or found.is_ready

    async def context_of(self, name: str) -> int | None:
        found = await self._find(name)
        return found.window if found else None

    # --- what it does ---------------------------------------------------------

    async def stream(self, body: dict[str, Any], model: str) -> AsyncGenerator[str]:
        """The JSON of each event of a chat. A server that is still loading is asked
        again until the time for the first token is over. Raises ModelError."""
        with failures.mapped_errors(self.url):
            async with self._open_reply(body, model) as reply:
                async for text in event_lines(reply.iter_bytes()):
                    yield text

    @asynccontextmanager
    async def _open_reply(self, body: dict[str, Any], model: str) -> AsyncIterator[Any]:
        """A reply with status 200, not read yet."""
        import openai

        create = self._client.chat.completions.with_streaming_response.create
        while True:
            asking = create(**self._as_server_takes_it(body))
            try:
                reply = await asking.__aenter__()
            except openai.APIStatusError as error:
                await self._adapt_to_refusal(error, body, model)
                continue
            try:
                yield reply
            finally:
                await reply.close()
            return

    def _as_server_takes_it(self, body: dict[str, Any]) -> dict[str, Any]:
        """The request without what this server refused."""
        gone = {part for word in self._left_out for part in OPTIONAL[word]}
        found = {name: value for name, value in body.items() if name not in gone}
        if self._renamed:
            found["max_completion_tokens"] = found.pop("max_tokens")
        more = {name: found.pop(name) for name in list(found) if name not in KNOWN}
        return {**found, "extra_body": more}

    async def _adapt_to_refusal(
        self, error: Any, body: dict[str, Any], model: str
    ) -> None:
        """Returns when the same may be asked again, or in another way. Raises
        ModelError."""
        status, text = error.status_code, str(error.response.text)
        if status == 503 and failures.LOADING.search(text):
            await asyncio.sleep(LOOK_SECONDS)
            return
        if status in (400, 422) and not failures.is_too_long(status, text):
            if "max_completion_tokens" in text and not self._renamed:
                self._renamed = True
                return
            for word in OPTIONAL:
                is_named = re.search(rf"\b(top_)?{word}\b", text)
                if is_named and word in body and word not in self._left_out:
                    self._left_out.add(word)
                    return
        raise self._failure(error, model) from error


KNOWN = tuple(
    """model messages stream stream_options max_tokens max_completion_tokens
    temperature top_p seed response_format logprobs top_logprobs""".split()
)
"""What the client library has an argument for; the rest goes into the body as it is."""


def _client(url: str, key: str | None, sent: Any, came: Any) -> Any:
    try:
        import httpx2
        import openai
    except ImportError as error:
        raise InputError(
            "the client library of the OpenAI API is not installed "
            f"({error.name or error})",
            "pip install 'claimscope[openai]'",
        ) from error
    timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
    client = openai.AsyncOpenAI(
        base_url=url,
        api_key=key or "none",  # never sent: see OpenAIHost._strip_headers
        max_retries=0,
        timeout=timeout,
        default_headers=reply_limits.PLAIN,
        http_client=httpx2.AsyncClient(
            timeout=timeout,
            trust_env=False,  # a proxy must not come between us and loopback
            follow_redirects=False,
            event_hooks={"request": [sent], "response": [came]},
        ),
    )
    # The library takes both from the environment; they belong to another service.
    client.organization = client.project = None
    return client
