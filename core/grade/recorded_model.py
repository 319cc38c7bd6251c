"""A model whose replies are kept: a probe reports them, and what they cost.

It also learns on the way what later prompts need to know: how many characters a token
of this model holds, and whether it thinks aloud.
"""

from __future__ import annotations

import re

from claimscope.core.calls.model_wrapper import FrontedChat
from claimscope.core.errors import ConnectionLost, ReplyIncomplete
from claimscope.core.models import Usage
from claimscope.core.ports import ChatModel, ChatReply, ChatRequest

THOUGHT = re.compile(r"</?(?:think|thinking|reasoning)\b", re.IGNORECASE)


class Recording(FrontedChat):
    """A ChatModel in front of another that keeps what came back, for the report."""

    def __init__(self, chat: ChatModel) -> None:
        super().__init__(chat)
        self.replies: list[str] = []
        """Since the last `take`."""
        self.thoughts: list[str] = []
        self.usage = Usage()
        self._longest = 0
        self.characters_per_token: float | None = None
        """Of the longest prompt so far, where the chat template counts least."""

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Asks. Raises a ModelError."""
        try:
            reply = await self._chat.chat(request)
        except ConnectionLost:
            raise
        except ReplyIncomplete as error:
            self.replies.append(f"({error.message})")
            if "think" in error.message or "thought" in error.message:
                self.thoughts.append(error.message)
            raise
        self.replies.append(reply.content)
        self.usage += reply.usage
        if reply.thinking or THOUGHT.search(reply.content):
            self.thoughts.append(reply.thinking or reply.content)
        self._measure(request, reply.usage.prompt_tokens)
        return reply

    def _measure(self, request: ChatRequest, tokens: int) -> None:
        length = sum(len(text) for _, text in request.messages)
        if tokens and length > self._longest:
            self._longest, self.characters_per_token = length, length / tokens

    def take(self) -> tuple[str, ...]:
        """The replies since the last call of this."""
        taken, self.replies = tuple(self.replies), []
        return taken
