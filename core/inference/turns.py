"""Whose turn it is at a server that keeps what it read last.

A server that has just read a document answers the next question on it ten times
faster than one on another. Samples are judged at once, so their calls mix: the next
to be let in is the one whose prompt begins most like the last one's.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

PATIENCE = 32
"""Times a waiting call may be passed over by ones that fit better."""


@dataclass(eq=False)
class _Waiting:
    prompt: str
    turn: asyncio.Future[None]
    passed: int = 0


class Turns:
    """A semaphore that prefers the call with the longest prefix in common."""

    def __init__(self, places: int = 1) -> None:
        """`places`: calls at once."""
        self._free = places
        self._waiting: list[_Waiting] = []
        self._last = ""

    @property
    def busy(self) -> int:
        """Calls that wait for a turn."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, prompt: str) -> AsyncIterator[None]:
        """Waits for a place, and gives it back."""
        await self._enter(prompt)
        try:
            yield
        finally:
            self._free += 1
            self._let_in()

    async def _enter(self, prompt: str) -> None:
        one = _Waiting(prompt, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        self._let_in()
        try:
            await one.turn
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            elif not one.turn.cancelled():
                self._free += 1  # the turn had come, and nobody takes it
                self._let_in()
            raise

    def _let_in(self) -> None:
        while self._free and self._waiting:
            one = self._next()
            self._waiting.remove(one)
            if one.turn.done():  # cancelled while it waited
                continue
            self._free -= 1
            self._last = one.prompt
            one.turn.set_result(None)

    def _next(self) -> _Waiting:
        """The one that was passed over too often, else the best fit, else the first."""
        first = self._waiting[0]
        if first.passed >= PATIENCE:
            return first
        best = max(self._waiting, key=lambda one: common_prefix(one.prompt, self._last))
        for one in self._waiting:
            if one is best:
                break
            one.passed += 1
        return best


def common_prefix(one: str, other: str) -> int:
    """Length of the common beginning, in characters."""
    return len(os.path.commonprefix((one, other)))
