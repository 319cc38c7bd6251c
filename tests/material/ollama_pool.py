"""Ollama servers as tests and benchmarks ask them: an address is enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.server import OllamaChat, OllamaHost
from claimscope.core.backends.pool.pool import ModelPool
from claimscope.core.ports import OnState


class OllamaPool(ModelPool):
    """Several Ollama hosts as one."""

    def __init__(
        self,
        hosts: Sequence[str | None | OllamaHost],
        *,
        parallel: int = 1,
        limits: CallLimits | None = None,
        offline: bool = True,
        on_state: OnState | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> None:
        """`hosts`: addresses in any form of OLLAMA_HOST (see address.py). `parallel`:
        a server serves one call at a time unless its OLLAMA_NUM_PARALLEL says more.
        Else as ModelPool. Raises SettingsError."""
        super().__init__(
            [
                host
                if isinstance(host, OllamaHost)
                else OllamaHost(host, limits=limits, offline=offline)
                for host in hosts
            ],
            parallel=parallel,
            limits=limits,
            offline=offline,
            on_state=on_state,
            on_note=on_note,
        )


class OllamaServer(OllamaHost):
    """One server and its models: a host that is a pool of one."""

    def __init__(
        self,
        host: str | None = None,
        *,
        concurrency: int = 1,
        limits: CallLimits | None = None,
        offline: bool = True,
        on_state: OnState | None = None,
    ) -> None:
        """`host`: any form of OLLAMA_HOST (see address.py). `concurrency`: calls at
        once; a server serves one at a time unless OLLAMA_NUM_PARALLEL says more."""
        super().__init__(host, limits=limits, offline=offline)
        self._pool = OllamaPool(
            [self],
            parallel=concurrency,
            limits=self.limits,
            offline=offline,
            on_state=on_state,
        )

    async def close(self) -> None:
        self._pool.end()
        await super().close()

    async def chat_model(
        self, name: str, *, context_tokens: int | None = None, seed: int = 7
    ) -> OllamaChat:
        """A model that is ready to be asked; as ModelPool.chat_model."""
        chat = await self._pool.chat_model(
            name, context_tokens=context_tokens, seed=seed
        )
        assert isinstance(chat, OllamaChat)
        return chat
