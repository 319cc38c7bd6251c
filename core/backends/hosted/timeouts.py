"""How long a call may take, and what a model does while one waits for it.

One time-out for a whole call would end slow loads, or let a server that hangs hang on:
so there is a limit for the first token and one for each further one. While nothing
comes, the list of models in memory tells whether the model is still being loaded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from claimscope.core.errors import ClaimscopeError, ReplyTimeout
from claimscope.core.ports import ModelState, OnState, Phase

TELL_SECONDS = 0.5
"""Between two words about one model."""
TICK_SECONDS = 1.0
"""How often the seconds of a phase are told again."""
LOOK_SECONDS = 2.0
"""Between two looks into a server's memory."""
SLOW = 3.0
"""A prompt that takes so many times as long as usual waits for somebody else's."""
PATIENT_SECONDS = 5.0


@dataclass(frozen=True)
class CallLimits:
    """How long a call may take; one time-out for all of it would end slow loads."""

    first_token: float = 300.0
    """Seconds for the model to load, the server's queue before us and the prompt;
    waiting for our own turn does not count."""
    between_tokens: float = 60.0
    retries: int = 2
    """Further tries after 500, 503 or a lost connection; never after 400 or 404."""
    backoff: float = 1.0
    """Seconds before the second try; doubles, with as much jitter."""


async def limit_waits(
    lines: AsyncIterator[str], limits: CallLimits, name: str = "Ollama"
) -> AsyncGenerator[str]:
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
                f"{name} sent no {waited_for} within {limit:g} s.",
                "The model may be too large for this machine, or the server hangs: "
                "see its log, try a smaller model, or raise `first_token_seconds` or "
                "`between_tokens_seconds`.",
            ) from error
        yield line
        limit, waited_for = limits.between_tokens, "further token"


@dataclass
class _Row:
    phase: Phase
    since: float
    told: float = 0.0
    calls: int = 0
    """Of ours that this model works for, or that wait for it."""
    later: asyncio.TimerHandle | None = None


@dataclass
class ModelStateTeller:
    """What each model on each host does for us, told to a listener in time.

    At most one word about a model in TELL_SECONDS; the last one is never lost.
    """

    listener: OnState | None
    now: Callable[[], float] = time.monotonic
    _rows: dict[tuple[str, str], _Row] = field(default_factory=dict)

    def begin(self, host: str, model: str, phase: Phase) -> None:
        """A call of this model begins, in this phase; one that only waits does not
        hide what the model does for others of ours."""
        row = self._row(host, model, phase)
        row.calls += 1
        if phase != "queued" or row.calls == 1:
            self.put(host, model, phase)

    def end(self, host: str, model: str) -> None:
        """A call ended; the model is idle when it was the last one."""
        row = self._row(host, model, "idle")
        row.calls -= 1
        if row.calls <= 0:
            self.put(host, model, "idle")

    def put(self, host: str, model: str, phase: Phase) -> None:
        """Takes a phase; the same one again only makes its seconds known."""
        row = self._row(host, model, phase)
        if row.phase != phase:
            row.phase, row.since = phase, self.now()
        if self.listener is None:
            return
        wait = row.told + TELL_SECONDS - self.now()
        if not row.told or wait <= 0:
            self._tell(host, model)
        elif row.later is None:
            loop = asyncio.get_running_loop()
            row.later = loop.call_later(wait, self._tell, host, model)

    def close(self) -> None:
        """Tells what has not been told yet."""
        for (host, model), row in self._rows.items():
            if row.later is not None:
                self._tell(host, model)

    def _row(self, host: str, model: str, phase: Phase) -> _Row:
        return self._rows.setdefault((host, model), _Row(phase, self.now()))

    def _tell(self, host: str, model: str) -> None:
        row = self._rows[host, model]
        if row.later is not None:
            row.later.cancel()
            row.later = None
        row.told = self.now()
        if self.listener is not None:
            seconds = max(0.0, row.told - row.since)
            self.listener(ModelState(host, model, row.phase, seconds))


@dataclass
class CallWatch:
    """One call, seen from outside until its first token."""

    states: ModelStateTeller
    host: str
    model: str
    is_loaded: Callable[[], Awaitable[bool]]
    """Asks the server whether the model is in memory as this call needs it."""
    usual_seconds: float | None = None
    """How long a prompt of this length takes; None = not known yet."""
    every: float = 0.0
    """Seconds to the next look: the first tick looks at once."""

    def begin(self) -> None:
        """The request is sent."""
        self.states.begin(self.host, self.model, "reading")

    def begin_writing(self) -> None:
        self.states.put(self.host, self.model, "writing")

    def end(self) -> None:
        """It is over, however."""
        self.states.end(self.host, self.model)

    async def look(self) -> None:
        """Says what the model does, until cancelled. Quick calls are never looked at;
        a server that cannot be asked now is asked again later."""
        since = looked = time.monotonic()
        is_loaded = was_loaded = True
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            if now - looked >= self.every:
                looked, self.every = now, LOOK_SECONDS
                with suppress(ClaimscopeError):
                    is_loaded = await self.is_loaded()
            if is_loaded and not was_loaded:
                since = now  # the prompt is read from now on
            was_loaded = is_loaded
            self.states.put(self.host, self.model, self.phase(is_loaded, now - since))

    def phase(self, loaded: bool, waited: float) -> Phase:
        """What a server does that has said nothing for `waited` seconds."""
        if not loaded:
            return "loading"
        usual = self.usual_seconds
        if usual is not None and waited > max(PATIENT_SECONDS, SLOW * usual):
            return "queued"
        return "reading"


async def watch_lines(
    lines: AsyncIterator[str], watch: CallWatch | None
) -> AsyncGenerator[str]:
    """The same lines, with what the model does told to whoever listens."""
    if watch is None:
        async for line in lines:
            yield line
        return
    watch.begin()
    looking: asyncio.Task[None] | None = None
    if watch.states.listener is not None:
        looking = asyncio.create_task(watch.look())
    try:
        async for line in lines:
            if looking is not None:
                await _cancel_task(looking)
                looking = None
            watch.begin_writing()
            yield line
    finally:
        if looking is not None:
            await _cancel_task(looking)
        watch.end()


async def _cancel_task(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled() and (error := task.exception()):
        raise error  # a fault of ours, not of the server's


CONNECT_SECONDS = 5.0


LIST_SECONDS = 30.0
