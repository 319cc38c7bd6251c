"""The worker's side of model calls: each is asked for at the coordinator, which keeps
the journal, before it is made, and is in that journal before its reply is used."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from claimscope.core.errors import ClusterLost, StoreError
from claimscope.core.models import CallRecord

Message = dict[str, Any]
"""Plain values only: it crosses the network as MessagePack."""


@dataclass
class RemoteCalls:
    """A CallLog whose journal is on another machine
    (core/run/cluster/coordinator_calls.py).

    `send` hands a message to the coordinator; whoever reads its answers gives them to
    `receive`.
    """

    worker: str
    send: Callable[[Message], Awaitable[None]]
    room: int = 1
    """Calls that this worker takes upon itself at once, at most."""
    shared_room: int = 1
    """The same of calls that every worker needs: one that took many of them ahead
    would leave the others without work, and waiting for it."""
    notes: list[str] = field(default_factory=list)
    """Since they were last taken along with a sample."""
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _open: dict[int, asyncio.Future[Message]] = field(default_factory=dict)
    _lost: str | None = None

    def call(self, key: str) -> CallRecord | None:
        """Nothing is kept here; `find` asks."""
        return None

    def save_call(self, record: CallRecord) -> None:
        """Raises NotImplementedError: a reply must be kept before it is used, which
        only `keep` can wait for."""
        raise NotImplementedError("calls of a worker are kept by `keep`")

    def save_note(self, message: str) -> None:
        """Goes to the coordinator with the next sample."""
        self.notes.append(message)

    def take_notes(self) -> tuple[str, ...]:
        """The notes since the last call of this."""
        taken, self.notes = tuple(self.notes), []
        return taken

    async def find(self, key: str, *, is_everyones: bool = False) -> CallRecord | None:
        """The call as it was saved, by whichever worker; None = make it, and then
        `keep` or `give_up`. Raises StoreError, ClusterLost."""
        room = self.shared_room if is_everyones else self.room
        answer = await self._ask({"op": "find", "key": key, "room": room})
        if answer["word"] != "known":
            return None
        return CallRecord.model_validate_json(answer["record"])

    async def keep(self, record: CallRecord) -> None:
        """In the journal when it returns. Raises StoreError, ClusterLost."""
        await self._ask({"op": "keep", "record": record.model_dump_json()})

    async def give_up(self, key: str) -> None:
        """The call failed; another worker may make it."""
        if self._lost is None:
            await self.send({"op": "give_up", "key": key, "worker": self.worker})

    async def _ask(self, message: Message) -> Message:
        if self._lost is not None:
            raise ClusterLost(self._lost)
        number = next(self._numbers)
        future = asyncio.get_running_loop().create_future()
        self._open[number] = future
        try:
            await self.send({**message, "worker": self.worker, "id": number})
            answer: Message = await future
        finally:
            self._open.pop(number, None)
        if (error := answer.get("error")) is not None:
            raise StoreError(str(error))
        return answer

    def receive(self, answer: Message) -> None:
        future = self._open.get(answer.get("id", -1))
        if future is not None and not future.done():
            future.set_result(answer)

    def lose(self, reason: str) -> None:
        """The coordinator is gone: whoever waits for it, or asks later, is told."""
        self._lost = reason
        for future in self._open.values():
            if not future.done():
                future.set_exception(ClusterLost(reason))
