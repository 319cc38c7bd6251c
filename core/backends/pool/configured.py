"""The servers of the settings: which kind, where, and how they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from claimscope.core.backends.hosted.chat import ModelHost
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.settings import Settings

if TYPE_CHECKING:
    from claimscope.core.backends.ollama.server import OllamaHost
    from claimscope.core.backends.pool.pool import ModelPool
    from claimscope.core.ports import OnState


def limits_of(settings: Settings) -> CallLimits:
    """How long a call may take."""
    return CallLimits(
        first_token=settings.first_token_seconds,
        between_tokens=settings.between_tokens_seconds,
        retries=settings.retries,
    )


def hosts_of(settings: Settings) -> list[ModelHost]:
    """Each server once; none is asked yet. Raises SettingsError, and InputError when a
    client library is missing."""
    if settings.server == "ollama":
        return [*ollama_hosts(settings)]
    from claimscope.core.backends.openai.server import OpenAIHost
    from claimscope.core.http.api_key import api_key
    from claimscope.core.http.server_address import base_urls

    urls = base_urls(settings.base_url, offline=settings.offline)
    key = api_key(settings.api_key_file)
    return [OpenAIHost(url, key=key, limits=limits_of(settings)) for url in urls]


def ollama_hosts(settings: Settings) -> list[OllamaHost]:
    """Those of Ollama. Raises SettingsError."""
    from claimscope.core.backends.ollama.address import server_hosts
    from claimscope.core.backends.ollama.server import OllamaHost

    return [
        OllamaHost(name, limits=limits_of(settings), offline=settings.offline)
        for name in server_hosts(settings.ollama_host)
    ]


def pool_of(
    settings: Settings,
    on_state: OnState | None = None,
    on_note: Callable[[str], None] | None = None,
) -> ModelPool:
    """All of them as one. Raises as `hosts_of`."""
    from claimscope.core.backends.pool.pool import ModelPool

    return ModelPool(
        hosts_of(settings),
        parallel=settings.calls_per_server,
        limits=limits_of(settings),
        offline=settings.offline,
        on_state=on_state,
        on_note=on_note,
    )
