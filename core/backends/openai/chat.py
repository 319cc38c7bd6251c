"""A model behind a server with the OpenAI API, as it is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from claimscope.core.backends.hosted.chat import HostedChat, ModelHost
from claimscope.core.backends.hosted.timeouts import Watch
from claimscope.core.backends.openai.streaming import DIALECT
from claimscope.core.models import JsonValue
from claimscope.core.ports import ChatReply, ChatRequest


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
        self, request: ChatRequest, host: ModelHost, watch: Watch | None = None
    ) -> ChatReply:
        """One try on one host. Where a server does not say how long the model took, it
        is as long as we waited."""
        reply = await super().once(request, host, watch)
        usage = reply.usage
        if not usage.model_seconds:
            seconds = {"model_seconds": usage.wall_seconds}
            usage = usage.model_copy(update=seconds)
        return replace(reply, usage=usage)
