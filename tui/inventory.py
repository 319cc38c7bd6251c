"""What the configured Ollama hosts have, as the command, the screen and doctor show it.

Each host of the pool is asked on its own: one that is down is a line with its remedy,
not the end of the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from claimscope.core.errors import ClaimscopeError
from claimscope.core.settings import Settings
from claimscope.tui.desk import HostInfo, ModelInfo

if TYPE_CHECKING:
    from claimscope.core.inference.ollama import Installed, OllamaServer

AT_ONCE = 4
"""Models of a host that are asked about at once."""
CLOUD = ("-cloud", ":cloud")
"""How names of models end that run on somebody else's machine."""

FitnessOf = Callable[[str], str | None]
"""From a model's digest to what its last probe said; None = never probed."""


def hosts_of(settings: Settings) -> list[str | None]:
    """The hosts of the pool as written; [None] = where Ollama is by default."""
    names = (settings.ollama_host or "").split(",")
    return [name.strip() for name in names if name.strip()] or [None]


def is_cloud(name: str) -> bool:
    """Whether a name says that the model runs elsewhere."""
    return name.endswith(CLOUD)


def is_same(name: str, wanted: str | None) -> bool:
    """Whether both name one model; Ollama adds `:latest` to a name without a tag."""
    return wanted is not None and name in (wanted, f"{wanted}:latest")


def find(models: Sequence[ModelInfo], wanted: str | None) -> ModelInfo | None:
    """The model of that name."""
    return next((model for model in models if is_same(model.name, wanted)), None)


async def inventory(
    settings: Settings, fitness_of: FitnessOf = lambda digest: None
) -> tuple[HostInfo, ...]:
    """All hosts of the pool in their order. Raises SettingsError for an address that
    cannot be read; a host that does not answer is told of in its `problem`."""
    from claimscope.core.inference.ollama import OllamaServer

    servers = [OllamaServer(host) for host in hosts_of(settings)]
    try:
        return tuple(
            await asyncio.gather(
                *(_host(server, settings, fitness_of) for server in servers)
            )
        )
    finally:
        for server in servers:
            await server.close()


async def _host(
    server: OllamaServer, settings: Settings, fitness_of: FitnessOf
) -> HostInfo:
    try:
        version = await server.version()
        installed = await server.models()
        loaded = await server.loaded()
        room = asyncio.Semaphore(AT_ONCE)

        async def info(model: Installed) -> ModelInfo:
            async with room:
                card = await server.card(model.name)
            is_remote = card.remote or is_cloud(model.name)
            return ModelInfo(
                name=model.name,
                host=server.url,
                digest=model.digest,
                size_bytes=model.size_bytes,
                parameters=model.parameters,
                quantization=model.quantization,
                context_tokens=card.context_tokens,
                capabilities=card.capabilities,
                is_remote=is_remote,
                is_loaded=model.name in loaded,
                loaded_context=loaded.get(model.name),
                fitness=fitness_of(model.digest),
                is_chosen=is_same(model.name, settings.model),
                refused=refusal(is_remote, card.capabilities, settings),
            )

        models = await asyncio.gather(*(info(model) for model in installed))
    except ClaimscopeError as error:
        return HostInfo(server.url, problem=error.message, remedy=error.hint)
    return HostInfo(server.url, version, tuple(models))


def refusal(
    is_remote: bool, capabilities: Sequence[str], settings: Settings
) -> str | None:
    """Why a model would not be used here, in a few words; None = nothing known."""
    if is_remote and settings.offline:
        return "runs elsewhere: refused offline"
    if capabilities and "completion" not in capabilities:
        return "cannot chat"
    return None


# --- how it reads -------------------------------------------------------------


def size(count: int) -> str:
    """Bytes as Ollama writes them: powers of 1000, e.g. `98 MB`, `1.1 GB`."""
    if count < 1000**2:
        return f"{count / 1000:.0f} kB"
    if count < 1000**3:
        return f"{count / 1000**2:.0f} MB"
    return f"{count / 1000**3:.1f} GB"


def clock_time(moment: str | None) -> str:
    """The local time of day of an ISO 8601 moment; empty for none."""
    try:
        found = datetime.fromisoformat(moment or "")
    except ValueError:
        return ""
    return found.astimezone().strftime("%H:%M")


def in_memory(model: ModelInfo) -> str:
    """`no`, or `2048 tokens, until 14:05`."""
    if not model.is_loaded:
        return "no"
    words = []
    if model.loaded_context:
        words.append(f"{model.loaded_context} tokens")
    if until := clock_time(model.loaded_until):
        words.append(f"until {until}")
    return ", ".join(words) or "yes"
