"""A claim laid beside one candidate sentence: how much of it stands there.

The sentence counts in full, the page's title and id nearly so (they say what a
sentence speaks of), its neighbours by half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from claimscope.core.models import Evidence
from claimscope.core.text.quantities.dates import Clock, Day
from claimscope.core.text.quantities.numbers import dates_and_times, quantities
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.word_forms import Word, content_words, stems, words

TITLE_WEIGHT = 0.8
CONTEXT_WEIGHT = 0.5
PASSAGE = "passage:"
"""How the ids of passages begin that are no page's."""
Rarity = Callable[[str], float]
"""Weight of a stem, (0, 1]; rare words say more about what a sentence speaks of."""


def passage_number(page_id: str) -> int | None:
    """Place, from 0, of the passage an id names; None = it is a page of the corpus."""
    number = page_id.removeprefix(PASSAGE)
    is_passage = page_id.startswith(PASSAGE) and number.isdecimal()
    return int(number) if is_passage else None


@dataclass(frozen=True)
class AlignedText:
    """A text with all that rules compare."""

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return words(self.text)

    @cached_property
    def content(self) -> list[Word]:
        return content_words(self.words)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return quantities(self.text)

    @cached_property
    def days(self) -> tuple[Day, ...]:
        return dates_and_times(self.text)[0]

    @cached_property
    def clocks(self) -> tuple[Clock, ...]:
        return dates_and_times(self.text)[1]

    @cached_property
    def years(self) -> list[int]:
        """The years named, those of dates and ends of spans among them."""
        found = [day.year for day in self.days if day.year is not None]
        for one in self.quantities:
            if one.kind == "year" and not one.is_era:
                found += [int(one.low), int(one.high)]
        return found

    @cached_property
    def topic(self) -> list[Word]:
        """Content words that are no part of a quantity or date."""
        taken = [(q.start, q.end) for q in self.quantities]
        taken += [(day.start, day.end) for day in self.days]
        taken += [(clock.start, clock.end) for clock in self.clocks]
        return [
            word
            for word in self.content
            if not word.is_number
            and not any(start <= word.start < end for start, end in taken)
        ]


@lru_cache(maxsize=4096)
def aligned_text(text: str) -> AlignedText:
    """A text that is asked for again and again, taken apart once."""
    return AlignedText(text)


@dataclass(frozen=True)
class AlignedWindow:
    """A candidate sentence with what stands around it."""

    evidence: Evidence

    @cached_property
    def sentence(self) -> AlignedText:
        return AlignedText(self.evidence.text)

    @cached_property
    def context(self) -> AlignedText:
        """Title and neighbours."""
        parts = (self.evidence.title, self.evidence.before, self.evidence.after)
        return AlignedText(" \n".join(part for part in parts if part))

    @cached_property
    def subject(self) -> frozenset[str]:
        """Stems of title and page id, which name what the sentence speaks of; the
        number of a passage at hand names nothing."""
        page_id = self.evidence.page_id
        named = None if page_id.startswith(PASSAGE) else page_id
        return stems((self.evidence.title, named))

    @cached_property
    def nearby(self) -> frozenset[str]:
        return stems((self.evidence.before, self.evidence.after))

    @cached_property
    def everything(self) -> frozenset[str]:
        return self.sentence.stems | self.subject | self.nearby

    def weight(self, stem: str) -> float:
        """How far a stem stands here: 1 in the sentence, less around it, 0 nowhere."""
        if stem in self.sentence.stems:
            return 1.0
        if stem in self.subject:
            return TITLE_WEIGHT
        return CONTEXT_WEIGHT if stem in self.nearby else 0.0

    def alignment(self, topic: Sequence[Word], rarity: Rarity) -> float:
        """Share of the topic's weight that stands here, [0, 1]; 1 without a topic."""
        total = sum(rarity(word.stem) for word in topic)
        if not total:
            return 1.0
        found = sum(rarity(word.stem) * self.weight(word.stem) for word in topic)
        return found / total
