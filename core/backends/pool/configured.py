"""The servers of the settings: which kind, where, and how they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from claimscope.core.backends.hosted.chat import ModelHost
from claimscope.core.backends.hosted.timeouts import Limits
from claimscope.core.settings import Settings

if TYPE_CHECKING:
    from claimscope.core.backends.openai.server import OpenAIHost
    from claimscope.core.backends.pool.pool import ModelPool
    from claimscope.core.ports import OnState


def limits_of(settings: Settings) -> Limits:
    """How long a call may take."""
    return Limits(
        first_token=settings.first_token_seconds,
        between_tokens=settings.between_tokens_seconds,
        retries=settings.retries,
    )


def hosts_of(settings: Settings, limits: Limits | None = None) -> list[ModelHost]:
    """Each server once; none is asked yet. Raises SettingsError, and InputError when a
    client library is missing."""
    limits = limits or limits_of(settings)
    if settings.server == "openai":
        return [*openai_hosts(settings, limits)]
    from claimscope.core.backends.ollama.address import server_hosts
    from claimscope.core.backends.ollama.server import OllamaHost

    return [
        OllamaHost(name, limits=limits, offline=settings.offline)
        for name in server_hosts(settings.ollama_host)
    ]


def openai_hosts(settings: Settings, limits: Limits | None = None) -> list[OpenAIHost]:
    """Those with the OpenAI API. Raises as `hosts_of`."""
    from claimscope.core.backends.openai.address import base_urls
    from claimscope.core.backends.openai.server import OpenAIHost
    from claimscope.core.http.api_key import api_key

    urls = base_urls(settings.base_url, offline=settings.offline)
    key = api_key(settings.api_key_file)
    limits = limits or limits_of(settings)
    return [OpenAIHost(url, key=key, limits=limits) for url in urls]


def calls_at_once(settings: Settings) -> int:
    """On all servers together; none is asked."""
    if settings.server == "openai":
        return len((settings.base_url or "").split(",")) * settings.server_parallel
    return len((settings.ollama_host or "").split(",")) * settings.ollama_parallel


def pool_of(
    settings: Settings,
    on_state: OnState | None = None,
    on_note: Callable[[str], None] | None = None,
) -> ModelPool:
    """All of them as one. Raises as `hosts_of`."""
    from claimscope.core.backends.pool.pool import ModelPool

    is_ollama = settings.server == "ollama"
    return ModelPool(
        hosts_of(settings),
        parallel=settings.ollama_parallel if is_ollama else settings.server_parallel,
        limits=limits_of(settings),
        offline=settings.offline,
        on_state=on_state,
        on_note=on_note,
    )
