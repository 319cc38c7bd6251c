"""A sample of logged questions: from each category its share, none asked twice.

Logs repeat themselves: the same question in other letters, and in other words. Equal
questions are put together first; then each category is drawn from in an order of the
seed, and a question that is near one already taken is passed over. So only questions
that are drawn are embedded, however long the log.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from claimscope.core.models import Case
from claimscope.core.ports import Embedder, Floats

ALIKE = 0.9
"""Cosine from which two questions ask the same."""
BATCH = 64
"""Questions embedded at once."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class DrawnSample:
    """A sample, and what became of the rest."""

    cases: tuple[Case, ...]
    """In the order of the log, each with `asked`: how often it was asked."""
    read: int
    equal: int
    """Rows that repeat a question in the same words."""
    near: int
    """Questions passed over for one that was taken."""
    by_category: dict[str | None, tuple[int, int]]
    """Category → (taken, different questions there are)."""


def sample(
    cases: Sequence[Case],
    count: int,
    seed: int,
    embedder: Embedder,
    alike: float = ALIKE,
) -> DrawnSample:
    """At most `count` cases, shared out by category in proportion to its different
    questions; a category that runs out leaves its places to the others. The same for
    the same rows and seed. Raises EmbeddingError."""
    different, times = _distinct_questions(cases)
    piles: dict[str | None, _Pile] = {}
    for place, case in enumerate(different):
        piles.setdefault(case.category, _Pile()).left.append(place)
    sizes = {category: len(pile.left) for category, pile in piles.items()}
    for category, pile in piles.items():
        random.Random(f"{seed}/{category}").shuffle(pile.left)
        pile.left.reverse()  # drawn from the end
    drawing = _Drawing(different, embedder, alike)
    while len(drawing.taken) < count and any(pile.left for pile in piles.values()):
        open_ = {c: len(p.left) for c, p in piles.items() if p.left}
        for category, places in allocate(count - len(drawing.taken), open_).items():
            drawing.draw(piles[category], places)
    taken = [
        case.model_copy(
            update={"metadata": {**case.metadata, "asked": times[question_key(case)]}}
        )
        for case in (different[place] for place in sorted(drawing.taken))
    ]
    return DrawnSample(
        tuple(taken),
        len(cases),
        len(cases) - len(different),
        drawing.near,
        {c: (sum(t.category == c for t in taken), size) for c, size in sizes.items()},
    )


def allocate(count: int, sizes: dict[str | None, int]) -> dict[str | None, int]:
    """`count` places by largest remainder, and one for each category while there are
    places; none gets more than it has."""
    total = sum(sizes.values())
    count = min(count, total)
    exact = {name: count * size / total for name, size in sizes.items()}
    found = {
        name: min(max(int(share), int(count >= len(sizes))), sizes[name])
        for name, share in exact.items()
    }
    while (rest := count - sum(found.values())) > 0:
        short = [name for name in found if found[name] < sizes[name]]
        found[max(short, key=lambda name: exact[name] - found[name])] += 1
    for _ in range(-rest):
        long = [name for name in found if found[name] > 1]
        found[max(long, key=lambda name: found[name] - exact[name])] -= 1
    return found


def question_key(case: Case) -> str:
    """Equal for questions of the same words, whatever their letters and marks."""
    folded = unicodedata.normalize("NFKC", case.question).casefold()
    return " ".join(_WORD.findall(folded)) or folded


def _distinct_questions(cases: Iterable[Case]) -> tuple[list[Case], dict[str, int]]:
    """The first case of each question, and how often each was asked."""
    first: dict[str, Case] = {}
    times: dict[str, int] = {}
    for case in cases:
        key = question_key(case)
        first.setdefault(key, case)
        times[key] = times.get(key, 0) + 1
    return list(first.values()), times


@dataclass
class _Pile:
    """What is left of a category, the next one last."""

    left: list[int] = field(default_factory=list)


@dataclass
class _Drawing:
    """What was taken so far, of all categories."""

    cases: Sequence[Case]
    embedder: Embedder
    alike: float
    taken: list[int] = field(default_factory=list)
    near: int = 0
    _vectors: list[Floats] = field(default_factory=list)

    def draw(self, pile: _Pile, places: int) -> None:
        """Takes so many from a pile, or as many as it has."""
        while places and pile.left:
            batch = [pile.left.pop() for _ in range(min(BATCH, places, len(pile.left)))]
            texts = [self.cases[place].question for place in batch]
            known, new = self._matrix(), list[Floats]()
            for place, vector in zip(batch, self.embedder.embed(texts), strict=True):
                if _is_near(vector, known, self.alike) or _is_near(
                    vector, np.array(new), self.alike
                ):
                    self.near += 1
                    continue
                self.taken.append(place)
                new.append(vector)
                places -= 1
            self._vectors.extend(new)

    def _matrix(self) -> Floats:
        return np.array(self._vectors, dtype=np.float32)


def _is_near(vector: Floats, known: Floats, alike: float) -> bool:
    return len(known) > 0 and float(np.max(known @ vector)) >= alike
