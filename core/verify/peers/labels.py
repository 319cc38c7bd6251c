"""What things that stand side by side are called, and which of them a text names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby

from claimscope.core.text.quantities.number_words import number_word
from claimscope.core.verify.word_forms import STOP, stem

LONGEST = 5
"""Words of a label that names a thing; what is longer is a sentence."""
MOST_CHARACTERS = 120
"""Of such a label, with what stands in brackets."""
SUBJECT = 5
"""Words of a sentence among which an ordinary word is what it is about: "Tools are lent
for …", but not "… with tools and paint"."""
KNOWN = 4096
"""Texts of which it is kept what they name, for each group."""
_WORD = re.compile(r"[^\W_]+(?:[-_./][^\W_]+)*")
BRACKETS = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]")
_REST = re.compile(r"\s*(?::\s|\s[–—-]\s).*", re.S)
"""What a title says of its thing: "Route 12: Sandmere – Oxley"."""
_PARTS = re.compile(r":\s|\s[–—-]\s|\(")
_SIGN = re.compile(r"(?i)yes|no|none|nothing|any|all|other|others|total|[–—-]|")
_CODE = re.compile(r"--\S+(?: \S+)?|\S*\w[_./]\w\S*")
_BOUND_WORDS = frozenset(
    """under over up to from at least most about more less fewer than after before
    between and or below above first next until second minute hour day week month
    year night h min s ms kg g km m cm mm l ml % °c c f euro dollar pound mb gb kb w
    kw""".split()
)
"""Words of a span of time, size or age: "under 3 seconds", "from 6 to 15 years"."""
_ORDINAL = re.compile(r"(?i)(?:first|second|third|\dst|\dnd|\drd|th)$")
_QUOTES = " \"'“‘(`*"
_BEFORE = 8
"""Characters before a word that say whether it begins a sentence."""


@dataclass(frozen=True)
class Word:
    """A word of a text."""

    text: str
    stem: str
    is_first: bool
    """It begins a sentence, so that its capital says nothing."""

    @property
    def is_name(self) -> bool:
        """Written as a name."""
        return self.text[0].isupper() and not self.is_first

    @property
    def is_short(self) -> bool:
        """A figure or a letter, which names nothing by itself."""
        return self.text.isdigit() or len(self.text) == 1


@lru_cache(maxsize=16384)
def split_words(text: str) -> tuple[Word, ...]:
    """The words of a text, single letters too ("class K")."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        start = match.start()
        before = text[max(0, start - _BEFORE) : start].rstrip(_QUOTES)
        is_first = before[-1:] in (".", "!", "?", ":", "\n", "")
        key = number_word(word.lower()) or stem(word)
        found.append(Word(word, key, is_first))
    return tuple(found)


@dataclass(frozen=True)
class Label:
    """What a thing is called, and the stems of its words in order."""

    text: str
    stems: tuple[str, ...]

    @cached_property
    def forms(self) -> frozenset[str]:
        """Its words without the ending of a plural."""
        return frozenset(_singular(word.text) for word in split_words(self.text))

    @cached_property
    def is_code(self) -> bool:
        """The name of an option, a setting or a path."""
        return _CODE.fullmatch(self.text) is not None

    @property
    def has_figure(self) -> bool:
        """A kind with a figure or a letter: "Route 12", "class K"."""
        return len(self.stems) > 1 and any(
            one.isdigit() or len(one) == 1 for one in self.stems
        )


def label_of(text: str, kind: str = "") -> Label | None:
    """A label without what stands in brackets or is said of it; None for a sentence or
    a value. `kind`: what the things are, said before a bare figure ("Zone 3")."""
    if len(text) > MOST_CHARACTERS:
        return None
    plain = BRACKETS.sub("", text).strip(" :.*`'\"“”‘’")
    plain = _REST.sub("", plain)
    if kind and (plain.isdigit() or (len(plain) == 1 and plain.isalpha())):
        plain = f"{kind} {plain}"
    found = [word for word in split_words(plain) if _tells(word)]
    is_value = _SIGN.fullmatch(plain) is not None or _is_bound(plain)
    if is_value or not 0 < len(found) <= LONGEST:
        return None
    return Label(plain, tuple(word.stem for word in found))


def _tells(word: Word) -> bool:
    """Whether a word of a label can tell it from others."""
    is_letter = len(word.text) == 1 and word.text.isupper() and word.text not in "AI"
    is_word = len(word.text) > 1 and word.text.lower() not in STOP
    return is_letter or is_word or word.text.isdigit()


def _is_bound(text: str) -> bool:
    """Whether a text is a figure, or a span of time, size or age."""
    parts = re.findall(r"\d[\d.,:/]*|[^\W\d]+|[%°€$£]+", text.casefold())
    return bool(parts) and all(
        part[0].isdigit()
        or part in _BOUND_WORDS
        or part.removesuffix("s") in _BOUND_WORDS
        or part in "€$£"
        for part in parts
    )


def _singular(word: str) -> str:
    return word.casefold().removesuffix("s")


class Peers:
    """Things side by side."""

    def __init__(
        self,
        labels: Sequence[Label],
        lists: Iterable[frozenset[tuple[str, ...]]] = (),
        names: Collection[Label] = (),
        shorter: Iterable[Label] = (),
    ) -> None:
        """`lists`: the stems of labels that stand side by side in one place, by default
        all. `names`: labels that running text writes as names. `shorter`: what they are
        called elsewhere on the pages, some of them: "lino" for "lino cut for
        beginners"."""
        self.labels = tuple(labels)
        own = {one.stems for one in self.labels}
        self._lists = tuple(lists) or (frozenset(own),)
        self._written_as_names = frozenset(names)
        self._shorter = [set(one.stems) for one in shorter]
        self._known: dict[str, tuple[tuple[Label, int], ...]] = {}

    def are_beside(self, one: Label, other: Label) -> bool:
        """Whether two labels stand side by side in one place, so that one is not the
        other, nor what the other is a part of."""
        return one != other and any(
            one.stems in found and other.stems in found for found in self._lists
        )

    @cached_property
    def _by_stem(self) -> dict[str, list[Label]]:
        found: dict[str, list[Label]] = {}
        for label in self.labels:
            for one in label.stems:
                found.setdefault(one, []).append(label)
        return found

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(one for label in self.labels for one in set(label.stems))

    def named_in(self, text: str, reach: int | None = None) -> frozenset[Label]:
        """The labels that a text names. "A Super Saver" is no "Saver"; part of a label
        names it if no other has it and it is written as a name. `reach`: the words from
        the first one on that are looked at."""
        return frozenset(
            label
            for label, start in self._places(text)
            if reach is None or start < reach
        )

    def named_at_start(self, text: str) -> frozenset[Label]:
        """The labels that a heading or a term, or one part of it, begins with, after
        "The": "Stage 2: Cellar" has two parts."""
        found = frozenset[Label]()
        for part in _PARTS.split(text):
            first = part.casefold().startswith("the ")
            found |= self.named_in(part, 2 if first else 1)
        return found

    def named_as_subject(self, text: str) -> frozenset[Label]:
        """The labels that a sentence is about: the names that it has, and ordinary
        words if it begins with them."""
        return frozenset(
            label
            for label, start in self._places(text)
            if start < SUBJECT or label in self._written_as_names
        )

    def _places(self, text: str) -> tuple[tuple[Label, int], ...]:
        """The labels that a text names, each with its first word."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            found = self._known[text] = tuple(self._look_for(split_words(text)))
        return found

    def _look_for(self, found: Sequence[Word]) -> Iterator[tuple[Label, int]]:
        said = dict.fromkeys(word.stem for word in found if word.stem in self._by_stem)
        possible = dict.fromkeys(label for one in said for label in self._by_stem[one])
        runs = [
            (start, end, label)
            for label in possible
            for start, end in _runs(found, label)
            if self._is_named(found, start, end, label)
        ]
        for start, end, label in runs:
            if not any(
                a <= start and end <= b and b - a > end - start for a, b, _ in runs
            ):
                yield label, start

    def _is_named(
        self, found: Sequence[Word], start: int, end: int, label: Label
    ) -> bool:
        said = found[start:end]
        own = {word.stem for word in said}
        places = [label.stems.index(word.stem) for word in said]
        is_counted = any(
            word.stem.isdigit() and _ORDINAL.search(word.text) is None for word in said
        )
        if is_counted and places != sorted(places):
            return False  # "four stages" are no "stage 4", "the fourth stage" is
        if own == set(label.stems):
            return True
        if any(own <= set(one.stems) for one in self.labels if one is not label):
            return False
        if all(word.is_short for word in said):
            # "routes 12 and 27", "classes K, M and S"
            return self._goes_on(found, start, label)
        if any(own >= short and short < set(label.stems) for short in self._shorter):
            return True
        # "recreate" of "--strategy recreate", "the meadow" of "meadow pitch"
        telling = {one for one in label.stems if self._counts[one] == 1}
        is_the = start > 0 and found[start - 1].text.casefold() == "the"
        return ((label.is_code or is_the) and own >= telling > set()) or any(
            _is_part_of_name(word, label) for word in said
        )

    def _goes_on(self, found: Sequence[Word], start: int, label: Label) -> bool:
        """Whether a figure or letter goes on a list after the kind's name."""
        for word in reversed(found[:start]):
            if word.stem in label.stems:
                return True
            if not word.is_short and word.stem not in ("and", "or", "to"):
                return False
        return False


def _is_part_of_name(word: Word, label: Label) -> bool:
    """Whether a word of a label is written as a name, in one of the label's forms."""
    has_digit = any(char.isdigit() for char in word.text)
    return (word.is_name or has_digit) and _singular(word.text) in label.forms


def _runs(found: Sequence[Word], label: Label) -> Iterator[tuple[int, int]]:
    """(first word, end) of each longest run of words of a label."""
    own = set(label.stems)
    for is_own, run in groupby(
        range(len(found)), lambda place: found[place].stem in own
    ):
        if is_own:
            places = list(run)
            yield places[0], places[-1] + 1
