"""The coordinator's side of model calls: looked up, handed out once, and saved.

A worker asks for each call before it makes it, so that nothing that is in the journal
is paid for again, by whichever worker; two workers that need the same call at once make
it once. A reply is in the journal before the worker may use it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Literal

from claimscope.core.models import CallRecord
from claimscope.core.ports import CallLog

Word = Literal["known", "make", "kept"]


@dataclass(frozen=True)
class Answer:
    """What a worker is told: the record, or to make the call, or that it is kept."""

    word: Word
    record: CallRecord | None = None


@dataclass
class CallDesk:
    """Answers workers; `worker` below is any name that is theirs alone."""

    calls: CallLog
    _makers: dict[str, str] = field(default_factory=dict)
    """Key of each call that is being made → who makes it."""
    _waiting: dict[str, list[tuple[str, asyncio.Future[Answer]]]] = field(
        default_factory=dict
    )
    """Who waits for it meanwhile."""
    _journal: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, worker: str, key: str) -> Answer:
        """The saved call, now or when another worker has made it; else the word to make
        it. Raises StoreError."""
        if key in self._makers:
            return await self._wait(worker, key)
        self._makers[key] = worker
        try:
            async with self._journal:
                record = await asyncio.to_thread(self.calls.call, key)
        except BaseException:
            self.give_up(worker, key)
            raise
        if record is None:
            return Answer("make")
        self._tell(key, record)
        return Answer("known", record)

    async def keep(self, worker: str, record: CallRecord) -> Answer:
        """Saves a call that was made. Raises StoreError."""
        async with self._journal:
            await asyncio.to_thread(self.calls.save_call, record)
        self._tell(record.key, record)
        return Answer("kept")

    def give_up(self, worker: str, key: str) -> None:
        """The call failed: who waits for it first makes it."""
        if self._makers.get(key) != worker:
            return
        del self._makers[key]
        waiting = self._waiting.pop(key, [])
        while waiting:
            following, future = waiting.pop(0)
            if not future.done():
                self._makers[key] = following
                self._waiting[key] = waiting
                future.set_result(Answer("make"))
                return

    def leave(self, worker: str) -> None:
        """A worker is gone: nothing waits for its calls, and it waits for none."""
        for key, waiting in list(self._waiting.items()):
            for one, future in waiting:
                if one == worker:
                    future.cancel()
            self._waiting[key] = [pair for pair in waiting if pair[0] != worker]
        for key, maker in list(self._makers.items()):
            if maker == worker:
                self.give_up(worker, key)

    async def _wait(self, worker: str, key: str) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, []).append((worker, future))
        return await future

    def _tell(self, key: str, record: CallRecord) -> None:
        self._makers.pop(key, None)
        for _, future in self._waiting.pop(key, []):
            if not future.done():
                future.set_result(Answer("known", record))
