"""Several hosts as one: calls go where there is room, and around what is down.

Each host must hold the same weights under the model's name. A host that is lost is
left alone for a while and comes back by itself; it is greeted first, because its model
may be another one by then. A single server is a pool of one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from claimscope.core.backends.hosted import failures
from claimscope.core.backends.hosted.chat import HostedChat, ModelHost
from claimscope.core.backends.hosted.model_list import InstalledModel, ModelCard
from claimscope.core.backends.hosted.timeouts import (
    CallLimits,
    CallWatch,
    ModelStateTeller,
)
from claimscope.core.backends.pool.scheduler import HostScheduler, Member
from claimscope.core.errors import (
    ClaimscopeError,
    ConnectionLost,
    ContextTooShort,
    ModelError,
    ReplyTimeout,
    ServerBusy,
    ServerDown,
)
from claimscope.core.ports import ChatReply, ChatRequest, OnState

if TYPE_CHECKING:
    from tenacity import AsyncRetrying, RetryCallState

RETRIED = (ServerBusy, ServerDown, ConnectionLost)
LONGEST_BACKOFF = 60.0
"""Seconds; also when a server asks for more."""
SILENCES = 3
"""Calls in a row without an answer in time, after which a host is left out."""
DIGEST_SECONDS = 60.0
"""How long a digest that was read is relied on."""
RELOAD_SECONDS = 0.5
"""A call that loaded for longer found the model not as we had left it."""
USUAL_CONTEXT = 4096


@dataclass(frozen=True)
class _ModelOnHost:
    """The model on one host."""

    member: Member
    version: str
    model: InstalledModel
    card: ModelCard


class ModelPool:
    """Hosts of one kind that hold the same model. Use as `async with`."""

    def __init__(
        self,
        hosts: Sequence[ModelHost],
        *,
        parallel: int = 1,
        limits: CallLimits | None = None,
        offline: bool = True,
        on_state: OnState | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> None:
        """`hosts`: one at least; of two with one address the first counts.
        `parallel`: calls at once on each. `on_note` is told which host is left out,
        and why."""
        self.limits = limits or CallLimits()
        once = {host.url: host for host in reversed(hosts)}
        self.hosts = tuple(host for host in hosts if once[host.url] is host)
        self.errors = self.hosts[0].errors
        self.offline = offline
        self._scheduler = HostScheduler([Member(host, parallel) for host in self.hosts])
        self._states = ModelStateTeller(on_state)
        self._on_note = on_note

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self.end()
        await asyncio.gather(*(host.close() for host in self.hosts))

    def end(self) -> None:
        """Ends what waits for a time to come; connections are the hosts'."""
        self._scheduler.close()
        self._states.close()

    # --- choosing a model -------------------------------------------------------

    async def chat_model(
        self, name: str, *, context_tokens: int | None = None, seed: int = 7
    ) -> HostedChat:
        """A model that is ready to be asked; nothing is loaded yet.

        `context_tokens` (None = 4096) is lowered to what the model can.
        Raises ServerDown, ModelMissing (with what is installed), ModelError for a
        model that runs elsewhere, cannot chat, or differs between the hosts.
        """
        first_host = self.hosts[0]
        found = await self._find(first_host.full_name(name), name)
        digests = {one.member.host.url: one.model.digest for one in found}
        if len(set(digests.values())) > 1:
            raise self.errors.hosts_differ(name, digests)
        card, first = found[0].card, found[0].model
        if self.offline and (card.remote or first.remote):
            raise failures.runs_elsewhere(name)
        if card.capabilities and "completion" not in card.capabilities:
            raise ModelError(
                f"The model {name!r} cannot chat ({', '.join(card.capabilities)}).",
                "Choose a language model.",
            )
        now = time.monotonic()
        for one in found:
            one.member.digest_read[card.name] = now
        asked = context_tokens or USUAL_CONTEXT
        room = min(asked, card.context_tokens or asked)
        versions = ", ".join(dict.fromkeys(one.version for one in found))
        return first_host.chat_type(
            self, card, first.digest or None, room, seed, versions
        )

    async def _find(self, full: str, name: str) -> list[_ModelOnHost]:
        """The model on each host that can be reached."""
        asked = (
            self._find_on(member, full, name) for member in self._scheduler.members
        )
        results = await asyncio.gather(*asked, return_exceptions=True)
        found = [result for result in results if isinstance(result, _ModelOnHost)]
        for member, result in zip(self._scheduler.members, results, strict=True):
            if isinstance(result, ServerDown):
                self._scheduler.lose(member, result)
            elif isinstance(result, BaseException):
                raise result
        if not found:
            raise self._all_down()
        for result in results:
            if isinstance(result, ServerDown):
                self._tell(f"{result.message} The other hosts are asked until it is.")
        return found

    async def _find_on(self, member: Member, full: str, name: str) -> _ModelOnHost:
        host = member.host
        version = await host.version()
        installed = {model.name: model for model in await host.models()}
        if full not in installed:
            where = host.url if len(self.hosts) > 1 else None
            raise self.errors.model_missing(name, list(installed), where)
        model = installed[full]
        return _ModelOnHost(member, version, model, await host.card(full, model.digest))

    def answering(self) -> list[ModelHost]:
        """The hosts that are not lost, in their order."""
        return [member.host for member in self._scheduler.present]

    # --- asking it --------------------------------------------------------------

    async def in_turn(self, request: ChatRequest, chat: HostedChat) -> ChatReply:
        """One call with its tries, each when and where there is room for it."""
        # The name first: calls of one model follow one another, so that of several
        # judges none is loaded anew for each question.
        texts = (chat.name, *(text for _, text in request.messages))
        call = _Call(request, chat, "\n".join(texts))
        return await retrying(self.limits)(self._try_hosts, call)

    async def _try_hosts(self, call: _Call) -> ChatReply:
        """One try; a host without connection costs no try while there are others."""
        lost: ServerDown | None = None
        for _ in self._scheduler.members:
            with self._tell_queued(call.chat.name):
                member = await self._scheduler.enter(
                    call.prompt, call.chat.name, call.avoid
                )
            try:
                if not await self._may_be_asked(member, call.chat):
                    continue
                return await self._ask_host(member, call)
            except ServerDown as error:
                self._scheduler.lose(member, error)
                call.avoid, lost = member, error
                if not self._scheduler.present:
                    break
            except (ServerBusy, ConnectionLost):
                call.avoid = member
                member.forget()
                raise
            except ReplyTimeout:
                self._count_silence(member, call.chat.name)
                raise
            finally:
                self._scheduler.leave(member)
        raise self._all_down(lost)

    def _count_silence(self, member: Member, model: str) -> None:
        """A host that hangs is asked SILENCES times, not once for each of the calls to
        come, each of which would wait as long as the settings allow."""
        member.silences += 1
        if member.silences < SILENCES or model in member.refused:
            return
        problem = self.errors.hangs(member.host.url, model, member.silences)
        self._tell(f"{member.host.url} is left out: {problem.message}")
        self._scheduler.refuse(member, model, problem)

    async def _ask_host(self, member: Member, call: _Call) -> ChatReply:
        chat, host = call.chat, member.host

        async def is_loaded() -> bool:
            return await host.is_ready(chat.name, chat.context_tokens)

        pace = member.pace.get(chat.name)
        usual = None if pace is None else pace * len(call.prompt)
        watch = CallWatch(self._states, host.url, chat.name, is_loaded, usual)
        reply = await chat.once(call.request, host, watch)
        member.stay()
        usage = reply.usage
        fresh = usage.prompt_tokens - usage.cached_tokens
        if usage.prompt_seconds and fresh > 0 and call.prompt:
            read = len(call.prompt) * fresh / usage.prompt_tokens
            member.pace[chat.name] = usage.prompt_seconds / read
        await self._check_context(member, chat, usage.load_seconds)
        return reply

    async def _check_context(
        self, member: Member, chat: HostedChat, load_seconds: float
    ) -> None:
        """Raises ContextTooShort when the server gave less than was asked for."""
        key = (chat.name, chat.context_tokens)
        if key in member.contexts and load_seconds < RELOAD_SECONDS:
            return
        try:
            given = await member.host.context_of(chat.name)
        except ClaimscopeError:
            return  # the reply is good; asked again after the next call
        if given is None:
            return
        if given < chat.context_tokens:
            raise ContextTooShort(
                f"The context of {chat.name!r} was asked for with "
                f"{chat.context_tokens} tokens; the server at {member.host.url} gives "
                f"{given}.",
                f"Set `context_tokens = {given}`, or lift the limit on the server. If "
                "another program uses the same model, it may have loaded it anew.",
            )
        member.contexts.add(key)

    # --- the same weights -------------------------------------------------------

    async def _may_be_asked(self, member: Member, chat: HostedChat) -> bool:
        """Whether the host may be asked: one that came back with other weights, or
        none, is refused while there are others. Raises ModelChanged, ServerDown."""
        is_known = chat.name in member.digest_read
        try:
            await self._check_digest(member, chat)
        except ReplyTimeout:
            if not is_known:
                raise
        except (ServerDown, ServerBusy, ConnectionLost):
            raise
        except ModelError as error:
            if is_known or len(self._scheduler.able(chat.name)) == 1:
                raise
            self._scheduler.refuse(member, chat.name, error)
            self._tell(f"{member.host.url} is left out: {error.message}")
            return False
        return True

    async def _check_digest(self, member: Member, chat: HostedChat) -> None:
        read = member.digest_read.get(chat.name)
        if read is not None and time.monotonic() - read < DIGEST_SECONDS:
            return
        installed = {model.name: model for model in await member.host.models()}
        if chat.name not in installed:
            url = member.host.url
            raise self.errors.model_missing(chat.name, list(installed), url)
        digest = installed[chat.name].digest
        if chat.digest and digest != chat.digest:
            url = member.host.url
            raise failures.model_changed(url, chat.name, chat.digest, digest)
        member.digest_read[chat.name] = time.monotonic()

    # --- words ------------------------------------------------------------------

    def _tell(self, note: str) -> None:
        if self._on_note is not None:
            self._on_note(note)

    def _all_down(self, last: ServerDown | None = None) -> ServerDown:
        """The error that names each host; while some are there, the last one's."""
        problems = [m.problem for m in self._scheduler.members if m.problem is not None]
        if last is not None and len(problems) < len(self.hosts):
            return last
        if len(problems) == 1:
            return problems[0]
        return self.errors.all_down([problem.message for problem in problems])

    @contextmanager
    def _tell_queued(self, model: str) -> Iterator[None]:
        """Tells that a call waits, unless there is room for it."""
        if self._scheduler.is_free(model):
            yield
            return
        urls = [member.host.url for member in self._scheduler.able(model)]
        for url in urls:
            self._states.begin(url, model, "queued")
        try:
            yield
        finally:
            for url in urls:
                self._states.end(url, model)


@dataclass
class _Call:
    request: ChatRequest
    chat: HostedChat
    prompt: str
    avoid: Member | None = None
    """The host that failed it last."""


def retrying(limits: CallLimits) -> AsyncRetrying:
    """Tries again what may pass by itself, later each time."""
    from tenacity import (
        AsyncRetrying,
        retry_if_exception_type,
        stop_after_attempt,
        wait_exponential,
        wait_random,
    )

    usual = wait_exponential(limits.backoff, max=30) + wait_random(0, limits.backoff)

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, ServerBusy) else None
        return min(max(usual(state), asked or 0.0), LONGEST_BACKOFF)

    return AsyncRetrying(
        retry=retry_if_exception_type(RETRIED),
        stop=stop_after_attempt(limits.retries + 1),
        wait=wait,
        reraise=True,
    )
