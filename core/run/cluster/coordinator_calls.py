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
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Literal

from claimscope.core.models import CallRecord
from claimscope.core.ports import CallLog

Word = Literal["known", "make", "kept"]


@dataclass(frozen=True)
class CallReply:
    """What a worker is told: the record, or to make the call, or that it is kept."""

    word: Word
    record: CallRecord | None = None


@dataclass(frozen=True)
class _CallWish:
    """A call that is waited for."""

    worker: str
    key: str
    room: int
    answer: asyncio.Future[CallReply]


@dataclass(frozen=True)
class _NewRecord:
    """A call to be saved."""

    record: CallRecord
    answer: asyncio.Future[CallReply]


@dataclass
class CallBroker:
    """Answers workers; `worker` below is any name that is theirs alone."""

    calls: CallLog
    together: Callable[[], AbstractContextManager[object]] = nullcontext
    """What is saved within waits for the disk once (RunWriter.together)."""
    _makers: dict[str, str] = field(default_factory=dict)
    """Key of each call that is being made → who makes it."""
    _busy: Counter[str] = field(default_factory=Counter)
    """How many calls each worker makes."""
    _waiting: list[_CallWish] = field(default_factory=list)
    """In the order they came."""
    _not_looked_up: list[_CallWish] = field(default_factory=list)
    """Not looked up yet."""
    _looking: list[_CallWish] = field(default_factory=list)
    """Being looked up."""
    _unsaved: list[_NewRecord] = field(default_factory=list)
    """Not saved yet."""
    _writing: asyncio.Task[None] | None = None

    async def find(self, worker: str, key: str, room: int = 1) -> CallReply:
        """The saved call, now or when another worker has made it; else the word to make
        it, of which a worker has at most `room` at once. Raises StoreError."""
        future: asyncio.Future[CallReply] = asyncio.get_running_loop().create_future()
        self._not_looked_up.append(_CallWish(worker, key, room, future))
        self._begin()
        return await future

    async def keep(self, worker: str, record: CallRecord) -> CallReply:
        """Saves a call that was made. Raises StoreError."""
        future: asyncio.Future[CallReply] = asyncio.get_running_loop().create_future()
        self._unsaved.append(_NewRecord(record, future))
        self._begin()
        return await future

    async def wait_for_journal(self) -> None:
        """When the journal is not used any more: a thread cannot be cancelled."""
        self._not_looked_up, self._unsaved = [], []
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    def _begin(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._use_journal())

    async def _use_journal(self) -> None:
        """In turns. What came during one turn shares the next, with one wait for the
        disk: a hundred workers save more calls a second than a disk syncs."""
        while self._not_looked_up or self._unsaved:
            self._looking, self._not_looked_up = self._not_looked_up, []
            made, self._unsaved = self._unsaved, []
            keys = [wish.key for wish in self._looking]
            records = {one.record.key: one.record for one in made}
            found, problems = await asyncio.to_thread(
                self._find_and_save, keys, records
            )
            for wish, answer in zip(self._looking, found, strict=True):
                self._answer_lookup(wish, answer)
            self._looking = []
            # After those that were looked up before it was saved.
            for one in made:
                self._answer_saved(one, problems.get(one.record.key))
            self._hand_out()

    def _find_and_save(
        self, keys: Sequence[str], records: Mapping[str, CallRecord]
    ) -> tuple[list[CallRecord | None | Exception], dict[str, Exception]]:
        """In a thread: what is saved under keys, and what could not be saved."""
        found: list[CallRecord | None | Exception] = []
        for key in keys:
            try:
                found.append(self.calls.call(key))
            except Exception as error:  # the worker waits, whatever it is
                found.append(error)
        return found, self._save(records) if records else {}

    def _save(self, records: Mapping[str, CallRecord]) -> dict[str, Exception]:
        try:
            with self.together():
                for record in records.values():
                    self.calls.save_call(record)
        except Exception as error:
            if len(records) == 1:
                return dict.fromkeys(records, error)
            # One that cannot be saved does not keep the others from it.
            problems: dict[str, Exception] = {}
            for key, record in records.items():
                problems |= self._save({key: record})
            return problems
        return {}

    def _answer_lookup(
        self, wish: _CallWish, answer: CallRecord | None | Exception
    ) -> None:
        if wish.answer.done():  # its worker is gone
            return
        if answer is None:
            self._waiting.append(wish)
        elif isinstance(answer, Exception):
            wish.answer.set_exception(answer)
        else:
            wish.answer.set_result(CallReply("known", answer))

    def _answer_saved(self, one: _NewRecord, problem: Exception | None) -> None:
        if problem is None:
            for wish in self._waiting:
                if wish.key == one.record.key and not wish.answer.done():
                    wish.answer.set_result(CallReply("known", one.record))
            self._free(one.record.key)
        if one.answer.done():
            return
        if problem is None:
            one.answer.set_result(CallReply("kept"))
        else:
            one.answer.set_exception(problem)

    def give_up(self, worker: str, key: str) -> None:
        """The call failed: who waits for it makes it."""
        if self._makers.get(key) == worker:
            self._free(key)
            self._hand_out()

    def leave(self, worker: str) -> None:
        """A worker is gone: nothing waits for its calls, and it waits for none."""
        for wish in (*self._not_looked_up, *self._looking, *self._waiting):
            if wish.worker == worker:
                wish.answer.cancel()
        for key, maker in list(self._makers.items()):
            if maker == worker:
                self._free(key)
        self._hand_out()

    def _free(self, key: str) -> None:
        maker = self._makers.pop(key, None)
        if maker is not None:
            self._busy[maker] -= 1
            if not self._busy[maker]:
                del self._busy[maker]

    def _hand_out(self) -> None:
        """Lets whoever has room make the calls that nobody makes."""
        self._waiting = [wish for wish in self._waiting if not wish.answer.done()]
        for wish in self._waiting:
            if wish.key not in self._makers and self._busy[wish.worker] < wish.room:
                self._makers[wish.key] = wish.worker
                self._busy[wish.worker] += 1
                wish.answer.set_result(CallReply("make"))
