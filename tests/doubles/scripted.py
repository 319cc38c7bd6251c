"""A ChatModel that replies by a script: for tests of what is made of replies."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from claimscope.core.models import Usage
from claimscope.core.ports import ChatReply, ChatRequest

Answer = str | Exception | ChatReply


class ScriptedChat:
    """Replies with what `answer` makes of each request, or with the script in turn."""

    name = "scripted:1b"
    digest: str | None = None
    context_tokens = 4096

    def __init__(self, answer: Callable[[ChatRequest], Answer] | Iterable[Answer]):
        if callable(answer):
            self._answer = answer
        else:
            script = iter(answer)
            self._answer = lambda request: next(script)
        self.asked: list[ChatRequest] = []

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The next reply, with a call key of its place; or raises the next error."""
        self.asked.append(request)
        answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, ChatReply):
            return answer
        return ChatReply(answer, None, "stop", (), Usage(calls=1), self._key())

    def _key(self) -> str:
        return f"call-{len(self.asked)}"
