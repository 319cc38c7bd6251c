"""Having Ollama fetch a model, because a person asked for it, and saying how far it is.

Claimscope downloads nothing: the server does, and keeps what came when it is stopped.
A pool gets the model on each of its hosts, one after the other, so that all of them
judge with the same weights.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from claimscope.core.errors import InputError, ModelError
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap.servers import ollama_servers, runs_elsewhere
from claimscope.tui.ports.gateway import OnStep, PullStep

WINDOW_SECONDS = 10.0
"""The rate is that of the last seconds: a line may grow slow."""
LOOK_SECONDS = 0.2
"""How often a waiting pull looks whether it shall stop."""


@dataclass
class PullMeter:
    """Bytes a second over the last seconds. What an earlier pull had fetched is there
    at the first look and does not count."""

    now: Callable[[], float] = time.monotonic
    _seen: deque[tuple[float, int]] = field(default_factory=deque)

    def rate(self, done: int) -> float | None:
        """Takes how many bytes are there; None until there are two looks at it."""
        now = self.now()
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > WINDOW_SECONDS:
            self._seen.popleft()
        (then, before), *_ = self._seen
        seconds = now - then
        return (done - before) / seconds if seconds > 0 and done > before else None


def check_name(name: str, settings: Settings) -> None:
    """Refuses what may not be pulled. Raises InputError."""
    if not name.strip() or any(letter.isspace() for letter in name.strip()):
        raise InputError(
            f"{name!r} is no name of a model", "names look like qwen2.5:7b"
        )
    if settings.offline and runs_elsewhere(name):
        raise InputError(
            f"the model {name!r} runs on a server of somebody else, and the setting "
            "offline is on",
            "choose a local model; only with `offline = false` in the settings "
            "(CLAIMSCOPE_OFFLINE=false) may text leave this machine",
        )


async def pull(settings: Settings, name: str) -> AsyncGenerator[PullStep]:
    """Steps of the pull on each host in turn; the last one of a host has the status
    `success`. Raises InputError, ServerDown, ModelError."""
    check_name(name, settings)
    if settings.server != "ollama":
        raise InputError(
            "a server with the OpenAI API fetches no model",
            "start it with the model; or pull by Ollama: --server ollama",
        )
    for host in ollama_servers(settings):
        async with host as server:
            meter = PullMeter()
            async with aclosing(server.pull(name)) as steps:
                async for step in steps:
                    done, total = step.completed, step.total
                    rate = meter.rate(done) if total else None
                    yield PullStep(server.url, step.status, done, total, rate)


def pull_until(
    settings: Settings,
    name: str,
    on_step: OnStep,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """The same for a caller that blocks; False when stopped. Raises as `pull`."""

    async def take() -> None:
        async for step in pull(settings, name):
            on_step(step)

    async def watch() -> bool:
        task = asyncio.create_task(take())
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
            if is_stopped() and not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, ModelError):
                    await task
                return False
        await task
        return True

    return asyncio.run(watch())
