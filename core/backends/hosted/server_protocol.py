"""What a pool asks of a server, whatever its kind (host.py, openai_host.py).

A kind of server brings its errors along: a remedy for Ollama is none for llama.cpp.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from claimscope.core.backends.hosted.model_list import Installed, ModelCard
from claimscope.core.backends.hosted.timeouts import Limits
from claimscope.core.errors import ModelError, ModelMissing, ReplyTimeout, ServerDown

if TYPE_CHECKING:
    from claimscope.core.backends.hosted.chat import HostedChat


class Wording(Protocol):
    """The errors of a pool in the words of its servers; a module is one."""

    def all_down(self, problems: Sequence[str]) -> ServerDown: ...

    def model_missing(
        self,
        model: str,
        installed: Sequence[str] | None = None,
        url: str | None = None,
    ) -> ModelMissing: ...

    def hosts_differ(self, model: str, digests: Mapping[str, str]) -> ModelError: ...

    def hangs(self, url: str, model: str, calls: int) -> ReplyTimeout: ...


class ModelHost(Protocol):
    """One server of language models. All that it is asked may raise ServerDown and
    ModelError."""

    @property
    def url(self) -> str:
        """As errors and screens name it."""

    @property
    def limits(self) -> Limits: ...

    @property
    def wording(self) -> Wording: ...

    @property
    def chat_type(self) -> type[HostedChat]:
        """A model as this kind of server is asked."""

    def full_name(self, name: str) -> str:
        """The name as the server's list has it. Raises ModelError for one that may
        not be asked."""

    async def version(self) -> str: ...

    async def models(self) -> tuple[Installed, ...]: ...

    async def card(self, name: str, digest: str = "") -> ModelCard: ...

    async def is_ready(self, name: str, context_tokens: int) -> bool:
        """Whether the model is in memory with so much context."""

    async def given(self, name: str) -> int | None:
        """The tokens of context that it is in memory with; None = not known."""

    # Any: the JSON of a request.
    def stream(self, body: dict[str, object], model: str) -> AsyncGenerator[str]:
        """Lines of a chat as they come."""

    async def close(self) -> None: ...
