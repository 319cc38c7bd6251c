"""What the configured servers have, as the command, the screen and doctor show it.

Each host of the pool is asked on its own: one that is down is a line with its remedy,
not the end of the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from claimscope.core.errors import ClaimscopeError, ServerDown
from claimscope.core.settings import Settings
from claimscope.tui.ports.gateway import HostInfo, ModelInfo

if TYPE_CHECKING:
    from claimscope.core.backends.openai.model_list import Served
    from claimscope.core.backends.openai.server import OpenAIHost
    from claimscope.core.backends.pool.ollama_models import Listed, OllamaHost

FitnessOf = Callable[[str], str | None]
"""From a model's digest to what its last probe said; None = never probed."""


def addresses(text: str) -> tuple[str, ...]:
    """The addresses of servers with the OpenAI API, in full. Raises SettingsError for
    one that cannot be read."""
    from claimscope.core.backends.openai.address import base_urls

    return base_urls(text, offline=False)


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
    from claimscope.core.backends.ollama.address import server_hosts
    from claimscope.core.backends.pool.ollama_models import OllamaHost

    if settings.server == "openai":
        return await _openai_inventory(settings, fitness_of)
    hosts = [
        OllamaHost(host, offline=settings.offline)
        for host in server_hosts(settings.ollama_host)
    ]
    asked = (_host(host, settings, fitness_of) for host in hosts)
    return await _together(hosts, asked)


async def _together(
    hosts: Sequence[OllamaHost | OpenAIHost], asked: Iterable[Awaitable[HostInfo]]
) -> tuple[HostInfo, ...]:
    """What each host has, all asked at once; then they are closed."""
    try:
        return tuple(await asyncio.gather(*asked))
    finally:
        for host in hosts:
            await host.close()


def _failed(url: str, error: ClaimscopeError) -> HostInfo:
    """A host that did not answer, or not as it should."""
    return HostInfo(
        url,
        problem=error.message,
        remedy=error.hint,
        is_down=isinstance(error, ServerDown),
    )


async def _host(
    host: OllamaHost, settings: Settings, fitness_of: FitnessOf
) -> HostInfo:
    try:
        await host.knock()
        version = await host.version()
        listing = await host.listing()
    except ClaimscopeError as error:
        return _failed(host.url, error)
    models = (_info(one, host.url, settings, fitness_of) for one in listing)
    return HostInfo(host.url, version, tuple(models))


def _info(
    one: Listed, url: str, settings: Settings, fitness_of: FitnessOf
) -> ModelInfo:
    model, card, running = one.model, one.card, one.running
    is_remote = model.remote or card.remote
    capabilities = card.capabilities or model.capabilities
    return ModelInfo(
        name=model.name,
        host=url,
        digest=model.digest,
        size_bytes=model.size_bytes,
        parameters=model.parameters,
        quantization=model.quantization,
        context_tokens=card.context_tokens or model.context_tokens,
        capabilities=capabilities,
        is_remote=is_remote,
        is_loaded=running is not None,
        loaded_context=running.context_tokens if running else None,
        loaded_until=running.expires if running else None,
        fitness=fitness_of(model.digest),
        is_chosen=is_same(model.name, settings.model),
        refused=refusal(is_remote, capabilities, settings),
    )


async def _openai_inventory(
    settings: Settings, fitness_of: FitnessOf
) -> tuple[HostInfo, ...]:
    from claimscope.core.backends.pool.configured import openai_hosts

    hosts = openai_hosts(settings)
    asked = (_openai_host(host, settings, fitness_of) for host in hosts)
    return await _together(hosts, asked)


async def _openai_host(
    host: OpenAIHost, settings: Settings, fitness_of: FitnessOf
) -> HostInfo:
    try:
        found = await host.served()
        version = await host.version()
    except ClaimscopeError as error:
        return _failed(host.url, error)
    models = (_openai_info(one, host.url, settings, fitness_of) for one in found)
    return HostInfo(host.url, version, tuple(models), software="OpenAI API,")


def _openai_info(
    one: Served, url: str, settings: Settings, fitness_of: FitnessOf
) -> ModelInfo:
    model = one.model
    return ModelInfo(
        name=model.name,
        host=url,
        digest=model.digest,
        size_bytes=model.size_bytes,
        parameters=model.parameters,
        quantization=model.quantization,
        context_tokens=one.window or model.context_tokens,
        capabilities=model.capabilities,
        is_loaded=one.is_ready,
        loaded_context=one.window if one.is_ready else None,
        fitness=fitness_of(model.digest or model.name),
        is_chosen=model.name == settings.model,
        refused=refusal(False, model.capabilities, settings),
    )


def refusal(
    is_remote: bool, capabilities: Sequence[str], settings: Settings
) -> str | None:
    """Why a model would not be used here, in a few words; None = nothing known."""
    if is_remote and settings.offline:
        return "runs elsewhere: refused offline"
    if capabilities and "completion" not in capabilities:
        return "cannot chat"
    return None
