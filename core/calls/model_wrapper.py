"""A model in front of another: all but the calls is the other one's."""

from __future__ import annotations

from claimscope.core.ports import ChatModel


class FrontedChat:
    """What a ChatModel says of itself, as the one behind it says it."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def digest(self) -> str | None:
        return self._chat.digest

    @property
    def context_tokens(self) -> int:
        return self._chat.context_tokens
