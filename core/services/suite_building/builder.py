"""Cases from pages, by a local model: as many of each kind as were asked for.

Each kind is a lane of its own: material, draft, trace, offer or drop, until it has its
share or has tried long enough. Lanes run side by side and look at nothing of each
other, so that what comes out is the same on one host and on several; questions that
two lanes have in common are dropped at the end.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from claimscope.core.errors import (
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ReplyUnreadable,
)
from claimscope.core.ports import (
    ChatModel,
    Corpus,
    Embedder,
    OnProgress,
    Progress,
    Verifier,
)
from claimscope.core.services.suite_building.candidates import CaseCandidate
from claimscope.core.services.suite_building.material import (
    KINDS,
    Kind,
    Material,
    materials,
)
from claimscope.core.services.suite_building.tracing import DraftDropped, trace
from claimscope.core.services.suite_building.unanswered import check_unanswered
from claimscope.core.services.suite_building.writing import write

MIX: Mapping[Kind, float] = {
    "single": 0.4,
    "several": 0.25,
    "comparison": 0.2,
    "unanswerable": 0.15,
}
"""Shares of the kinds."""
TRIES = 5
"""Drafts for each case that is wanted, before a kind is given up."""
ALIKE = 0.92
"""Cosine from which two questions are the same."""
HURTS_ONE = (ReplyIncomplete, ReplyTimeout, ReplyUnreadable, PromptTooLong)
"""Errors that concern one draft; any other ends the building."""
ASKED = "another case asks the same"
UNREADABLE = "the model's reply could not be read"


@dataclass(frozen=True)
class BuildRequest:
    """What is wanted."""

    cases: int
    seed: int
    mix: Mapping[Kind, float] = field(default_factory=lambda: dict(MIX))


@dataclass(frozen=True)
class DraftedCases:
    """What came of it."""

    candidates: tuple[CaseCandidate, ...]
    wanted: Mapping[Kind, int]
    dropped: Mapping[str, int]
    """Reasons for which drafts were not offered → how many."""
    drafts: int
    """How many the model was asked for."""

    def offered(self, kind: Kind) -> int:
        return sum(one.material.kind == kind for one in self.candidates)


@dataclass(frozen=True)
class Tools:
    """What building needs."""

    corpus: Corpus
    chat: ChatModel
    verifier: Verifier
    embedder: Embedder
    on_progress: OnProgress | None = None
    on_word: Callable[[str], None] | None = None
    """Told of each draft, in a line."""


def shares(count: int, mix: Mapping[Kind, float]) -> dict[Kind, int]:
    """How many of each kind, by largest remainder; they sum to `count`."""
    total = sum(mix.values())
    exact = {kind: count * share / total for kind, share in mix.items()}
    found = {kind: int(number) for kind, number in exact.items()}
    by_rest = sorted(exact, key=lambda kind: found[kind] - exact[kind])
    for kind in by_rest[: count - sum(found.values())]:
        found[kind] += 1
    return found


async def build(recipe: BuildRequest, tools: Tools) -> DraftedCases:
    """Candidates of all kinds, in the order of the kinds. Raises ModelError when the
    model cannot be asked, EmbeddingError, StoreError."""
    wanted = shares(recipe.cases, recipe.mix)
    count = _Count(sum(wanted.values()), tools)
    lanes = [
        _KindBuilder(kind, number, recipe.seed, tools, count)
        for kind, number in wanted.items()
        if number
    ]
    tasks = [asyncio.create_task(lane.run()) for lane in lanes]
    try:
        found = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    candidates = await asyncio.to_thread(
        _drop_alike, [one for some in found for one in some], tools.embedder, count
    )
    return DraftedCases(tuple(candidates), wanted, dict(count.dropped), count.drafts)


@dataclass
class _Count:
    """What all lanes did so far, told as it grows."""

    total: int
    tools: Tools
    offered: int = 0
    drafts: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

    def drop(self, kind: Kind, reason: str, question: str = "") -> None:
        self.dropped[reason] += 1
        self._say(
            f"dropped ({KINDS[kind]}): {reason}" + f": {question}" * bool(question)
        )

    def offer(self, kind: Kind, question: str) -> None:
        self.offered += 1
        self._say(f"{self.offered} of {self.total} ({KINDS[kind]}): {question}")

    def _say(self, words: str) -> None:
        if self.tools.on_word is not None:
            self.tools.on_word(words)
        if self.tools.on_progress is not None:
            rate = self.offered / max(time.monotonic() - self.began, 1e-9)
            left = (self.total - self.offered) / rate if rate else None
            self.tools.on_progress(
                Progress(
                    "building",
                    self.offered,
                    self.total,
                    rate,
                    left,
                    f"{self.dropped.total()} dropped",
                )
            )


@dataclass
class _KindBuilder:
    """One kind of question."""

    kind: Kind
    wanted: int
    seed: int
    tools: Tools
    count: _Count

    async def run(self) -> list[CaseCandidate]:
        """Candidates in the order in which they were made."""
        found: list[CaseCandidate] = []
        asked: set[str] = set()
        material = materials(self.tools.corpus, self.kind, self.seed)
        for _ in range(self.wanted * TRIES):
            if len(found) == self.wanted:
                break
            one = await asyncio.to_thread(next, material, None)
            if one is None:
                break
            candidate = await self._candidate(one, asked)
            if candidate is not None:
                found.append(candidate)
        return found

    async def _candidate(
        self, material: Material, asked: set[str]
    ) -> CaseCandidate | None:
        """A draft that stood; None = it was dropped, and counted."""
        self.count.drafts += 1
        question = ""
        try:
            draft = await write(self.tools.chat, material, self.tools.corpus)
            question = draft.question
            key = question.casefold()
            if key in asked:
                raise DraftDropped(ASKED)
            asked.add(key)
            if self.kind == "unanswerable":
                doubt = await check_unanswered(
                    draft, material, self.tools.corpus, self.tools.chat
                )
                found = CaseCandidate(draft, material, answered=doubt)
            else:
                traced = await trace(
                    draft, material, self.tools.corpus, self.tools.verifier
                )
                found = CaseCandidate(draft, material, traced)
        except DraftDropped as why:
            self.count.drop(self.kind, str(why), question)
            return None
        except HURTS_ONE:
            self.count.drop(self.kind, UNREADABLE)
            return None
        self.count.offer(self.kind, question)
        return found


def _drop_alike(
    candidates: Sequence[CaseCandidate], embedder: Embedder, count: _Count
) -> list[CaseCandidate]:
    """Those whose questions no earlier one asks in other words."""
    if not candidates:
        return []
    vectors = embedder.embed([one.draft.question for one in candidates])
    kept: list[int] = []
    for place, one in enumerate(candidates):
        if kept and float(np.max(vectors[kept] @ vectors[place])) >= ALIKE:
            count.drop(
                one.material.kind, "another case asks the same", one.draft.question
            )
            continue
        kept.append(place)
    return [candidates[place] for place in kept]
