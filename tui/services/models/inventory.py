"""What the configured servers have, as the command, the screen and doctor show it.

Each host of the pool is asked on its own: one that is down is a line with its remedy,
not the end of the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict

from claimscope.core.errors import ClaimscopeError, ServerDown
from claimscope.core.ports import ModelServer
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap.servers import model_servers
from claimscope.tui.ports.gateway import HostInfo, ModelInfo

FitnessOf = Callable[[str], str | None]
"""From a model's digest to what its last probe said; None = never probed."""


def is_same(name: str, wanted: str | None) -> bool:
    """Whether both name one model; Ollama adds `:latest` to a name without a tag."""
    return wanted is not None and name in (wanted, f"{wanted}:latest")


def find(models: Sequence[ModelInfo], wanted: str | None) -> ModelInfo | None:
    return next((model for model in models if is_same(model.name, wanted)), None)


async def inventory(
    settings: Settings, fitness_of: FitnessOf = lambda digest: None
) -> tuple[HostInfo, ...]:
    """All hosts of the pool in their order. Raises SettingsError for an address that
    cannot be read; a host that does not answer is told of in its `problem`."""
    servers = model_servers(settings)
    try:
        asked = (host_info(server, settings, fitness_of) for server in servers)
        return tuple(await asyncio.gather(*asked))
    finally:
        for server in servers:
            await server.close()


async def host_info(
    server: ModelServer, settings: Settings, fitness_of: FitnessOf
) -> HostInfo:
    """What a server has, or why it cannot be asked."""
    try:
        found = await server.inventory()
    except ClaimscopeError as error:
        return HostInfo(
            server.url,
            problem=error.message,
            remedy=error.hint,
            is_down=isinstance(error, ServerDown),
        )
    models = (
        ModelInfo(
            **asdict(model),
            host=server.url,
            fitness=fitness_of(model.digest or model.name),
            is_chosen=is_same(model.name, settings.model),
            refused=refusal(model.is_remote, model.capabilities, settings),
        )
        for model in found.models
    )
    return HostInfo(server.url, found.version, tuple(models), software=found.software)


def refusal(
    is_remote: bool, capabilities: Sequence[str], settings: Settings
) -> str | None:
    """Why a model would not be used here, in a few words; None = nothing known."""
    if is_remote and settings.offline:
        return "runs elsewhere: refused offline"
    if capabilities and "completion" not in capabilities:
        return "cannot chat"
    return None


def largest_model(hosts: Sequence[HostInfo]) -> str | None:
    """The model of the settings, else the largest local one that can chat; None when
    there is none to ask."""
    models = [
        model
        for host in hosts
        for model in host.models
        if not (model.is_remote or model.refused)
        and (not model.capabilities or "completion" in model.capabilities)
    ]
    if chosen := [model for model in models if model.is_chosen]:
        return chosen[0].name
    return max(models, key=lambda m: m.size_bytes).name if models else None
