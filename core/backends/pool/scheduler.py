"""Who asks which host next.

Each host has so many places. A call that comes takes one on the least busy host; when
one becomes free, it goes to the waiting call whose prompt begins most like the last
one there, because a server that has just read a document answers the next question on
it ten times faster. A host without connection is left alone for a while.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from claimscope.core.backends.hosted.chat import ModelHost
from claimscope.core.errors import ModelError, ServerDown

PATIENCE = 32
"""Times a waiting call may be passed over by ones that fit better."""
PAUSE_SECONDS = 1.0
"""Before a host that was lost is tried again; doubles, with jitter."""
LONGEST_PAUSE = 60.0


@dataclass(eq=False)
class Member:
    """A host of the pool and what we know of it."""

    host: ModelHost
    places: int = 1
    busy: int = 0
    """Calls of ours that are there now."""
    last: str = ""
    """The prompt it read last."""
    losses: int = 0
    """Failed connections in a row."""
    silences: int = 0
    """Calls in a row that it did not answer in time."""
    away_until: float = 0.0
    problem: ServerDown | None = None
    digest_read: dict[str, float] = field(default_factory=dict)
    """By model: when its digest was last seen to be right, since we connected."""
    refused: dict[str, ModelError] = field(default_factory=dict)
    """By model: why this host is not asked for it any more."""
    contexts: set[tuple[str, int]] = field(default_factory=set)
    """(model, num_ctx) that the server was seen to give."""
    pace: dict[str, float] = field(default_factory=dict)
    """By model: seconds it takes to read a character."""

    def forget(self) -> None:
        """The connection was lost: another server may answer next time."""
        self.digest_read.clear()
        self.contexts.clear()

    def stay(self) -> None:
        self.losses, self.away_until, self.problem = 0, 0.0, None
        self.silences = 0


@dataclass(eq=False)
class _WaitingCall:
    prompt: str
    model: str
    avoid: Member | None
    turn: asyncio.Future[Member]
    passed: int = 0
    """Times a later one that fits better was let in before it."""


class HostScheduler:
    """The places of all hosts, and the calls that wait for one."""

    def __init__(
        self,
        members: Sequence[Member],
        *,
        pause: float = PAUSE_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.members = tuple(members)
        self._pause = pause
        self._now = now
        self._waiting: list[_WaitingCall] = []
        self._timers: set[asyncio.TimerHandle] = set()

    @property
    def present(self) -> list[Member]:
        """Hosts that are not left alone now."""
        now = self._now()
        return [member for member in self.members if member.away_until <= now]

    def able(self, model: str) -> list[Member]:
        """Hosts that may be asked for this model, present or not."""
        return [member for member in self.members if model not in member.refused]

    def is_free(self, model: str) -> bool:
        """Whether a call would be let in at once."""
        return any(model not in member.refused for member in self._free())

    async def enter(
        self, prompt: str, model: str, avoid: Member | None = None
    ) -> Member:
        """Waits for a place, which `leave` gives back. `avoid`: a host that failed this
        call and is asked again only if no other is free. Raises the ModelError for
        which no host may be asked."""
        if not self.able(model):
            raise self.members[0].refused[model]
        turn: asyncio.Future[Member] = asyncio.get_running_loop().create_future()
        one = _WaitingCall(prompt, model, avoid, turn)
        self._waiting.append(one)
        self._let_in()
        try:
            return await turn
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            elif turn.done() and not turn.cancelled() and not turn.exception():
                self.leave(turn.result())  # the turn had come, and nobody takes it
            raise

    def leave(self, member: Member) -> None:
        """The call is over."""
        member.busy -= 1
        self._let_in()

    def lose(self, member: Member, problem: ServerDown) -> None:
        """No connection: the host is left alone, longer each time."""
        pause = min(self._pause * 2**member.losses, LONGEST_PAUSE)
        pause *= random.uniform(0.5, 1.0)
        member.losses = min(member.losses + 1, 16)
        member.away_until = self._now() + pause
        member.problem = problem
        member.forget()
        loop = asyncio.get_running_loop()
        self._timers = {timer for timer in self._timers if timer.when() > loop.time()}
        self._timers.add(loop.call_later(pause, self._let_in))

    def refuse(self, member: Member, model: str, problem: ModelError) -> None:
        """The host is not asked for this model any more."""
        member.refused[model] = problem
        if not self.able(model):
            for one in [w for w in self._waiting if w.model == model]:
                self._waiting.remove(one)
                if not one.turn.done():
                    one.turn.set_exception(problem)

    def close(self) -> None:
        """Nothing will be let in by time any more."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _free(self) -> list[Member]:
        # When all are away, only trying can tell whether one is back.
        members = self.present or self.members
        return [member for member in members if member.busy < member.places]

    def _let_in(self) -> None:
        while (pair := self._next()) is not None:
            one, member = pair
            self._waiting.remove(one)
            if one.turn.done():  # cancelled while it waited
                continue
            member.busy += 1
            member.last = one.prompt
            one.turn.set_result(member)

    def _next(self) -> tuple[_WaitingCall, Member] | None:
        """The call to let in and its host: one that was passed over too often, else
        the best fit."""
        pairs = [
            (one, member)
            for one in self._waiting
            for member in self._free()
            if one.model not in member.refused
        ]
        patient = [pair for pair in pairs if pair[0].passed >= PATIENCE]
        if not pairs:
            return None
        best = max(patient[:1] or pairs, key=_fit)
        for one in self._waiting:
            if one is best[0]:
                break
            one.passed += 1
        return best


def common_prefix(one: str, other: str) -> int:
    """Length of the common beginning, in characters."""
    return len(os.path.commonprefix((one, other)))


def _fit(pair: tuple[_WaitingCall, Member]) -> tuple[bool, int, int]:
    """Another host than the one that failed; the least busy; the longest common
    beginning. Of equals the first, as `max` takes it."""
    one, member = pair
    return (
        member is not one.avoid,
        -member.busy,
        common_prefix(one.prompt, member.last),
    )
