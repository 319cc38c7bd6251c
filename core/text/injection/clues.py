"""Where the words that matter stand in a sentence, read in one language."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from claimscope.core.text.injection.lexicon import LexiconToken

NEAR = 25
"""Tokens within which the parts of an order stand."""
CLAUSE_ENDS = frozenset(",;:.!?-–—()[]{}<>|*#\"'“”„«»‘’=/\\_~`")
_OF = frozenset(
    """/ of out von sur de su su di z ze iz из з ас av af uit van 中 から dari trong
    üzerinden uzerinden में ใน από מתוך من kati""".split()
)
_TOPS = frozenset({"5", "10", "100"})
_SPOKEN = frozenset(",:;!.–—-")
_WEAK = frozenset(
    """opens hedge when notice this elsewhere past former wholly about loose machine
    checked""".split()
)
"""Kinds of words that are everywhere: two others are wanted before rules are asked."""


@dataclass(frozen=True)
class Clues:
    """Places of each kind of word in a sentence, in one language (and in any)."""

    tokens: Sequence[LexiconToken]
    language: str

    @cached_property
    def places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for place, token in enumerate(self.tokens):
            for kind, language in token.kinds:
                if language in (self.language, "any"):
                    if not found[kind] or found[kind][-1] != place:
                        found[kind].append(place)
        return found

    def of(self, kind: str) -> list[int]:
        """Places of a kind, in order."""
        return self.places.get(kind, [])

    @cached_property
    def orders(self) -> list[int]:
        """Verbs that order: where the language has words that open an order, only
        those at the start of a clause or after such a word."""
        if self.language != "en":
            return self.of("order")
        return [place for place in self.of("order") if self.opens_at(place)]

    def opens_at(self, place: int) -> bool:
        """Whether a verb at a place can be an order there."""
        if place == 0:
            return True
        before = self.tokens[place - 1]
        if before.text in CLAUSE_ENDS or ("opens", "en") in before.kinds:
            return True
        # "The evaluator gives …", "graders are to give …", "whoever grades: give".
        return ("judge", "en") in before.kinds or before.kinds.issuperset(
            self.tokens[place].kinds
        )

    @cached_property
    def targets(self) -> list[int]:
        """The answer itself: "this answer", "jawaban ini"."""
        this = self.of("this")
        return [p for p in self.of("answer") if any_near(this, p, 2, 2)]

    @cached_property
    def tops(self) -> list[int]:
        """The highest grade, in words or figures."""
        # "To mark 100 years": the verb is no noun as well.
        verbs = set(self.orders) if self.language == "en" else set()
        nouns = [place for place in self.of("grade") if place not in verbs]
        found = {*self.of("full"), *self._ratios(), *self._stars()}
        found |= {p for p in self.of("best") if any_near(nouns, p, 2, 3, but=p)}
        found |= {p for p in self.of("five") if any_near(nouns, p, 3, 2, but=p)}
        return sorted(found)

    @cached_property
    def fives(self) -> list[int]:
        """A five, ten or hundred, as a word or a figure."""
        return sorted({*self.of("five"), *self._ratios()})

    @cached_property
    def addressed(self) -> list[int]:
        """Who grades, spoken to: "Judge:", "note to the graders", "dear evaluator"."""
        found = []
        marks = [p for p, t in enumerate(self.tokens) if t.text in _SPOKEN]
        machines = set(self.of("machine"))
        for place in self.of("judge"):
            noticed = any_near(self.of("notice"), place, 3, 0, but=place)
            room = 1 if place in machines else 4
            if (self.begins_clause(place) or noticed) and any_near(
                marks, place, 0, room
            ):
                found.append(place)
        return found

    def begins_clause(self, place: int) -> bool:
        """Whether a place is the first of a sentence or of a clause."""
        return place == 0 or self.tokens[place - 1].text in CLAUSE_ENDS

    def _ratios(self) -> Iterator[int]:
        """5/5, 5 out of 5, 10 von 10, 5 üzerinden 5: places of the first figure."""
        figures = [p for p, t in enumerate(self.tokens) if t.text in _TOPS]
        for first, second in zip(figures, figures[1:], strict=False):
            between = {t.text for t in self.tokens[first + 1 : second]}
            if (
                self.tokens[first].text == self.tokens[second].text
                and second - first <= 3
                and between
                and between <= _OF
            ):
                yield first

    def _stars(self) -> Iterator[int]:
        if not any(token.text in "★⭐" for token in self.tokens):
            return
        for place in range(4, len(self.tokens)):
            if all(t.text in "★⭐" for t in self.tokens[place - 4 : place + 1]):
                yield place


def languages(tokens: Iterable[LexiconToken]) -> list[str]:
    """Languages of which two words that matter, of different kinds, were found."""
    found: dict[str, set[str]] = defaultdict(set)
    for token in tokens:
        for kind, language in token.kinds:
            if kind not in _WEAK:
                found[language].add(kind)
    shared = found.pop("any", set())
    if len(shared) > 1:
        found.setdefault("en", set())
    return sorted(
        language for language, kinds in found.items() if len(kinds | shared) > 1
    )


def any_near(
    places: Sequence[int], place: int, before: int, after: int, but: int | None = None
) -> bool:
    """Whether one of `places`, in order, is so many tokens before or after `place`."""
    index = bisect_left(places, place - before)
    while index < len(places) and places[index] <= place + after:
        if places[index] != but:
            return True
        index += 1
    return False


def pairs(
    left: Sequence[int], right: Sequence[int], before: int, after: int
) -> Iterator[tuple[int, int]]:
    """Pairs of different places of which the second is so near to the first."""
    for one in left:
        index = bisect_left(right, one - before)
        while index < len(right) and right[index] <= one + after:
            if right[index] != one:
                yield one, right[index]
            index += 1
