"""How long a context a run needs, and how much text fits into it.

A change of num_ctx loads a model anew, so a run has one, planned before its first
call. How many characters a token holds differs by model and language: it is measured
once, on a text of the run itself, by a call that is journalled like any other; so a
resumed run packs its prompts as before and finds its calls again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.errors import ReplyIncomplete, ReplyTimeout
from claimscope.core.models import digest
from claimscope.core.ports import ChatModel, ChatRequest

STEP = 1024
"""num_ctx is a multiple of it: few values, few reloads between runs."""
LEAST, MOST = 2048, 16384
"""MOST bounds memory: a longer context is used when the settings name one."""
CAREFUL = 3.0
"""Characters a token before anything was measured: careful for European languages."""
DENSE = 1.0
"""The same for text of scripts without letters, where a character is about a token."""
SAMPLE = 1500
"""Characters that are measured: a few seconds on the slowest machine."""
FRAME = 40
"""Tokens of a chat template around a message."""
SPARE = 0.95
"""Part of a measured figure that is relied on: other texts may be denser."""


@dataclass(frozen=True)
class Needs:
    """What the longest call of a run holds, in characters; the reply in tokens."""

    document: int
    question: int
    reply_tokens: int


def planned_context(needs: Needs, limit: int | None) -> int:
    """The num_ctx for calls with these needs, in tokens.

    A multiple of STEP from LEAST to MOST, never beyond the model's own limit.
    """
    tokens = (needs.document + needs.question) / CAREFUL
    wanted = math.ceil((tokens + needs.reply_tokens + FRAME) / STEP) * STEP
    bounded = min(max(wanted, LEAST), MOST)
    return min(bounded, limit) if limit else bounded


def characters_per_token(text: str) -> float:
    """A careful guess without a model: most of a text's characters decide."""
    if not text:
        return CAREFUL
    dense = sum(1 for character in text if ord(character) > 0x2E80)
    share = dense / len(text)
    return 1 / (share / DENSE + (1 - share) / CAREFUL)


class ContextRoom:
    """How many characters fit into a model's context, beside the rest of a prompt."""

    def __init__(self, chat: ChatModel, texts: Sequence[str] = ()) -> None:
        """`texts`: ground truth, measured once; without it the careful guess holds."""
        self._chat = chat
        self._sample = "\n\n".join(texts)[:SAMPLE]
        self._per_token: float | None = None
        self._measuring = asyncio.Lock()

    async def per_token(self) -> float:
        """Characters a token holds. Raises ModelError when none can be asked."""
        async with self._measuring:
            if self._per_token is None:
                self._per_token = await self._measure()
        return self._per_token

    async def characters(self, beside: int, reply_tokens: int) -> int:
        """Characters left beside so many others and the reply; raises likewise."""
        per_token = await self.per_token()
        room = self._chat.context_tokens - reply_tokens - FRAME
        return max(0, math.floor(room * per_token) - beside)

    async def _measure(self) -> float:
        guess = characters_per_token(self._sample)
        if not self._sample.strip():
            return guess
        text = f"{self._sample}\n\nAnswer with one word, Yes."
        request = ChatRequest(
            purpose="measure",
            messages=(("user", text),),
            prompt_digest=digest("measure"),
            max_tokens=1,
            top_logprobs=1,
        )
        try:
            reply = await self._chat.chat(request)
        except (ReplyIncomplete, ReplyTimeout):
            return guess
        tokens = reply.usage.prompt_tokens
        if tokens <= FRAME:
            return guess  # a server that counts only what it did not know yet
        return min(SPARE * len(text) / tokens, 2 * guess)
