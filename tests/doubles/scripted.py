"""A ChatModel that replies by a script, a Verifier that always says the same: for tests
of what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from claimscope.core.models import Usage, Verdict
from claimscope.core.ports import ChatReply, ChatRequest, Question

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


class Fixed:
    """A verifier without a model that always says the same."""

    name = "evidence-1"

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        return [self.verdict for _ in questions]
