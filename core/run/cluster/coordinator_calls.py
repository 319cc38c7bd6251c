"""The coordinator's side of model calls: looked up, handed out once, and saved.

A worker asks for each call before it makes it, so that nothing that is in the journal
is paid for again, by whichever worker; two workers that need the same call at once make
it once. A reply is in the journal before the worker may use it.

A worker makes only as many calls at once as it has room for. The others stay open to
whoever needs them too, so that calls which every worker needs at its start (how a model
leans) are shared out instead of waited for.
"""

from __future__ import annotations

import asyncio
from collections import Counter
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


@dataclass(frozen=True)
class _Wish:
    """A call that is waited for."""

    worker: str
    key: str
    room: int
    answer: asyncio.Future[Answer]


@dataclass
class CallDesk:
    """Answers workers; `worker` below is any name that is theirs alone."""

    calls: CallLog
    _makers: dict[str, str] = field(default_factory=dict)
    """Key of each call that is being made → who makes it."""
    _busy: Counter[str] = field(default_factory=Counter)
    """How many calls each worker makes."""
    _waiting: list[_Wish] = field(default_factory=list)
    """In the order they came."""
    _journal: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, worker: str, key: str, room: int = 1) -> Answer:
        """The saved call, now or when another worker has made it; else the word to make
        it, of which a worker has at most `room` at once. Raises StoreError."""
        async with self._journal:
            record = await asyncio.to_thread(self.calls.call, key)
        if record is not None:
            return Answer("known", record)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Wish(worker, key, room, future))
        self._hand_out()
        return await future

    async def keep(self, worker: str, record: CallRecord) -> Answer:
        """Saves a call that was made. Raises StoreError."""
        async with self._journal:
            await asyncio.to_thread(self.calls.save_call, record)
            # Before the next look into the journal: nobody may wait for it after.
            for wish in self._waiting:
                if wish.key == record.key and not wish.answer.done():
                    wish.answer.set_result(Answer("known", record))
            self._free(record.key)
        return Answer("kept")

    def give_up(self, worker: str, key: str) -> None:
        """The call failed: who waits for it makes it."""
        if self._makers.get(key) == worker:
            self._free(key)

    def leave(self, worker: str) -> None:
        """A worker is gone: nothing waits for its calls, and it waits for none."""
        for wish in self._waiting:
            if wish.worker == worker:
                wish.answer.cancel()
        for key, maker in list(self._makers.items()):
            if maker == worker:
                self._free(key)

    def _free(self, key: str) -> None:
        maker = self._makers.pop(key, None)
        if maker is not None:
            self._busy[maker] -= 1
        self._hand_out()

    def _hand_out(self) -> None:
        """Lets whoever has room make the calls that nobody makes."""
        self._waiting = [wish for wish in self._waiting if not wish.answer.done()]
        for wish in self._waiting:
            if wish.key not in self._makers and self._busy[wish.worker] < wish.room:
                self._makers[wish.key] = wish.worker
                self._busy[wish.worker] += 1
                wish.answer.set_result(Answer("make"))
