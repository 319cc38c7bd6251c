"""Model calls that are never paid for twice: resume, cache and audit in one.

A call has a key made of everything that decides its reply. The journal is asked for
the key before the model is, and a reply is saved before it is used.
"""

from __future__ import annotations

import asyncio
import json
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol, runtime_checkable

from claimscope.core.models import CallRecord, JsonValue, Usage, digest
from claimscope.core.ports import CallStore, ChatModel, ChatReply, ChatRequest


class FrontedChat:
    """What a ChatModel says of itself, as the one behind it says it."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def digest(self) -> str | None:
        return self._chat.digest

    @property
    def context_tokens(self) -> int:
        return self._chat.context_tokens


@runtime_checkable
class HasFixedOptions(Protocol):
    """A model that sends options of its own with each call."""

    @property
    def fixed_options(self) -> dict[str, JsonValue]: ...


@runtime_checkable
class HasServerVersion(Protocol):
    """A model that knows the version of its server."""

    @property
    def server_version(self) -> str | None: ...


@runtime_checkable
class AwaitedCalls(Protocol):
    """A store of calls on another machine (core/run/cluster/worker_calls.py), which
    must be waited for; several machines that need one call at once make it once."""

    async def find(self, key: str, *, is_everyones: bool = False) -> CallRecord | None:
        """None = make it, then `keep` or `give_up`. is_everyones: others need it."""

    async def keep(self, record: CallRecord) -> None:
        """Durable when it returns."""

    async def give_up(self, key: str) -> None: ...


class CallMeter:
    """Adds up what calls cost, apart for each task that began a count.

    Samples are judged at once in tasks of one loop; `begin` in a sample's task makes
    its count, which the tasks it starts share.
    """

    def __init__(self) -> None:
        self._count: ContextVar[list[Usage] | None] = ContextVar("count", default=None)

    def begin(self) -> None:
        """Starts the count of this task at nothing."""
        self._count.set([])

    def add(self, usage: Usage) -> None:
        """Counts a call in the task that makes it."""
        if (count := self._count.get()) is None:
            self.begin()
            count = self._count.get()
        assert count is not None
        count.append(usage)

    def take(self) -> Usage:
        """What was counted since `begin` or the last `take`."""
        count = self._count.get() or []
        total = sum(count, Usage())
        count.clear()
        return total


class JournalledChat(FrontedChat):
    """A ChatModel in front of another that looks each call up before making it."""

    def __init__(
        self, chat: ChatModel, store: CallStore, meter: CallMeter | None = None
    ) -> None:
        super().__init__(chat)
        self._store = store
        self._meter = meter
        self._asking: dict[str, asyncio.Lock] = {}

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The saved reply to this very call, else a new one, saved first.

        Two equal calls at once are made once. Raises ModelError; errors are not saved,
        so a resumed run asks again. A reply from the journal costs nothing now and is
        not metered.
        """
        key = self.key(request)
        async with self._asking.setdefault(key, asyncio.Lock()):
            if isinstance(self._store, AwaitedCalls):
                reply = await self._chat_remotely(self._store, key, request)
            else:
                reply = await self._chat_here(self._store, key, request)
        # Who still waits looks the reply up; no lock is kept for each call ever made.
        self._asking.pop(key, None)
        return reply

    async def _chat_here(
        self, store: CallStore, key: str, request: ChatRequest
    ) -> ChatReply:
        if (record := store.call(key)) is not None:
            return reply_of(record)
        reply = replace(await self._chat.chat(request), call_key=key)
        store.save_call(self._record(key, request, reply))
        if self._meter is not None:
            self._meter.add(reply.usage)
        return reply

    async def _chat_remotely(
        self, store: AwaitedCalls, key: str, request: ChatRequest
    ) -> ChatReply:
        record = await store.find(key, is_everyones=request.is_everyones)
        if record is not None:
            return reply_of(record)
        try:
            reply = replace(await self._chat.chat(request), call_key=key)
            await store.keep(self._record(key, request, reply))
        except BaseException:
            await store.give_up(key)
            raise
        if self._meter is not None:
            self._meter.add(reply.usage)
        return reply

    def key(self, request: ChatRequest) -> str:
        """Digest of all that decides the reply: model, prompt, input, options."""
        return digest(
            self._chat.digest or self._chat.name,
            request.prompt_digest,
            _json(request.messages),
            _json(request.schema),
            _json(self._options(request)),
        )

    def _options(self, request: ChatRequest) -> dict[str, JsonValue]:
        chat = self._chat
        fixed = chat.fixed_options if isinstance(chat, HasFixedOptions) else {}
        return {
            **fixed,
            **request.options,
            "num_predict": request.max_tokens,
            "top_logprobs": request.top_logprobs,
        }

    def _record(self, key: str, request: ChatRequest, reply: ChatReply) -> CallRecord:
        chat = self._chat
        return CallRecord(
            key=key,
            purpose=request.purpose,
            model=self._chat.name,
            model_digest=self._chat.digest,
            server=chat.server_version if isinstance(chat, HasServerVersion) else None,
            prompt_digest=request.prompt_digest,
            prompt=_json(
                [{"role": role, "content": text} for role, text in request.messages]
            ),
            options=self._options(request),
            reply=reply.content,
            thinking=reply.thinking,
            done_reason=reply.done_reason,
            logprobs=reply.logprobs,
            usage=reply.usage,
            finished=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )


def reply_of(record: CallRecord) -> ChatReply:
    """A saved reply as it was given."""
    return ChatReply(
        content=record.reply,
        thinking=record.thinking,
        done_reason=record.done_reason or "",
        logprobs=record.logprobs,
        usage=record.usage,
        call_key=record.key,
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
