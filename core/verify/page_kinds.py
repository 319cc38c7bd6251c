"""Pages of one kind, and which of them a claim is about.

The rules of two years, the manuals of two models, the documentation of two releases say
the same things with other values, under the same headings. A sentence about one of them
has as near a sentence on the other, so an answer about one that tells what holds of the
other would be supported. The question says which is meant, else the answer where it
names only one; a claim is held against that page and those that it, or the heading that
it stands under, names. What was before is looked for on all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from claimscope.core.ports import Corpus
from claimscope.core.verify.statements import statements
from claimscope.core.verify.word_forms import STOP, stem

SHARED = 2
"""Labels that pages of one kind have in common, at least."""
SHARE = 0.4
"""Of the labels of the page that has fewer of them, at least. Of 24 pairs of editions
and models all but two have it, of 60 pairs of a manual's pages none."""
NEIGHBOURS = 2
"""Words between a figure of a title and another word of it: "the 2023 season"."""
_TOKEN = re.compile(r"[^\W_]+(?:[./-][^\W_]+)*")
_TELLING = re.compile(r"(?=.*[a-z])(?=.*\d).+|\d{4}|\d+[./]\d[\d./]*", re.S)
"""A year, a release, a model: it names its page wherever it stands."""
_SHORT = re.compile(
    r"\d{1,3}|[ivx]{1,4}|first|second|third|fourth|fifth|sixth|seventh|eighth"
)
_BEFORE = re.compile(
    r"(?i)\b(?:used to|until|previous(?:ly)?|earlier|former(?:ly)?|before|old(?:er)?"
    r"|than|unlike|whereas|instead|replac\w+|both|either|neither|all|same|different|differ\w*"
    r"|compared|change[sd]?|predecessor|other|others)\b"
)
"""Words of a claim that may be about the other page as well."""
_SINCE = frozenset("since from until till by founded built".split())
"""Words before a year that make it no name of an edition."""
LISTED = 5
"""Words between two names that stand in one list: "the City and the Sea Museum"."""
_HEAD = re.compile(r"(?m)^(?:#{1,6}\s.*|(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?[ \t]*$)")
_CHANGE = re.compile(r"(?i)\b(?:differ\w*|chang\w*|new|before|previous\w*|instead)\b")
_SIDE_BY_SIDE = re.compile(
    r"(?i)\b(?:compar\w+|distinguish\w*|versus|vs|between|both|better|rather|which of"
    r"|choose|or)\b"
)
"""A question about several things at once."""


@lru_cache(maxsize=1024)
def labels(page: str) -> frozenset[str]:
    """Headings of a page, what its list items are about, first cells of its tables."""
    found = {part for one in statements(page) for part in one.lead.split(" - ")}
    found |= {one.term for one in statements(page)}
    found |= {one.row[0][1] for one in statements(page) if one.row}
    return frozenset(label.casefold() for label in found if label)


def are_of_one_kind(page: str, other: str) -> bool:
    """Whether two texts have the same headings, terms or rows, as far as they do."""
    mine, theirs = labels(page), labels(other)
    return len(mine & theirs) >= max(SHARED, SHARE * min(len(mine), len(theirs)))


@dataclass(frozen=True)
class PageKind:
    """Pages of one kind with what their titles tell them apart by."""

    pages: frozenset[str]
    titles: dict[str, frozenset[str]]
    """Of each page the stems of its title."""
    telling: dict[str, frozenset[str]]
    """Of each page the stems that its title alone has."""
    shared: frozenset[str]
    """Figures of a title that stand on several of the pages."""

    def named_in(self, text: str, *, by_year: bool = True) -> frozenset[str]:
        """The pages that a text names. `by_year`: a year that stands on another page
        too names its page where no other word of the title is near."""
        return frozenset(self.places_in(text, by_year=by_year))

    def places_in(self, text: str, *, by_year: bool = True) -> dict[str, int]:
        """Of each page that a text names, at which word it does first."""
        said = [(word, stem(word)) for word in _TOKEN.findall(text)]
        places = {
            page: self._place(page, said, by_year=by_year)
            for page in sorted(self.pages)
        }
        return {page: place for page, place in places.items() if place is not None}

    def _place(
        self, page: str, said: list[tuple[str, str]], *, by_year: bool
    ) -> int | None:
        for at, (word, own) in enumerate(said):
            if own not in self.telling[page] or own in STOP:
                continue
            is_since = own.isdigit() and at and said[at - 1][0].lower() in _SINCE
            if is_since:
                continue
            is_free = by_year or not own.isdigit() or own not in self.shared
            if _TELLING.fullmatch(own) and is_free:
                return at
            around = [
                other
                for _, other in said[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
                if other != own
            ]
            if not self.titles[page].isdisjoint(set(around) - STOP):
                return at
            # "at work" is no name of "German for Care Workers".
            is_plain = _SHORT.fullmatch(own) is None
            if is_plain and at and word[0].isupper():
                return at
        return None


def kinds_of(pages: Collection[str], corpus: Corpus) -> tuple[PageKind, ...]:
    """The kinds that have two pages or more."""
    found = {name: corpus.page(name) for name in sorted(pages)}
    texts = {name: page.text for name, page in found.items() if page is not None}
    groups: list[set[str]] = []
    for name, text in texts.items():
        joined = [
            group
            for group in groups
            if any(are_of_one_kind(text, texts[other]) for other in group)
        ]
        groups = [group for group in groups if group not in joined]
        groups.append({name}.union(*joined))
    kinds = []
    for group in (one for one in groups if len(one) > 1):
        titles = {}
        for name in group:
            page = found[name]
            title = page.title if page is not None and page.title else name
            titles[name] = _stems(title)
        telling = stems_of_one(titles)
        # Whole pages are not taken apart for it: a run holds many of them.
        years = {one for title in telling.values() for one in title if one.isdigit()}
        shared = frozenset(
            one for one in years if sum(one in texts[name] for name in group) > 1
        )
        kinds.append(PageKind(frozenset(group), titles, telling, shared))
    return tuple(kinds)


def stems_of_one(titles: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Of each title the stems that no other has."""
    counts = Counter(one for title in titles.values() for one in title)
    return {
        name: frozenset(one for one in title if counts[one] == 1)
        for name, title in titles.items()
    }


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _TOKEN.findall(text))


def page_asked_for(kind: PageKind, answer: str, question: str | None) -> frozenset[str]:
    """The one page of a kind that the question is about: the only one that it names, or
    the first, where it asks what differs from the others. Without such a question, the
    one that the answer names, if it names no other."""
    places = kind.places_in(question) if question is not None else {}
    if question is not None and len(places) > 1:
        if _sets_side_by_side(question, places.values()):
            return frozenset()
        return frozenset({min(places, key=lambda page: places[page])})
    named = frozenset(places) or kind.named_in(answer, by_year=False)
    return named if len(named) == 1 else frozenset()


def _sets_side_by_side(question: str, places: Collection[int]) -> bool:
    """Whether it asks about several pages alike, and not what differs from one.
    `places`: where it names each."""
    is_listed = any(b - a <= LISTED for a, b in pairwise(sorted(places)))
    is_change = _CHANGE.search(question) is not None
    return is_listed or not is_change or _SIDE_BY_SIDE.search(question) is not None


def pages_meant(
    kind: PageKind, claim: str, asked: frozenset[str], heading: str = ""
) -> frozenset[str]:
    """The pages of a kind that a claim is held against. `heading`: what it stands under
    in its answer, which may name another page."""
    if not asked or _BEFORE.search(claim):
        return kind.pages
    return asked | kind.named_in(claim) | kind.named_in(heading)


def heading_above(answer: str, start: int) -> str:
    """The heading, or line in bold, that a place of an answer stands under; "" for
    none."""
    lines = [match[0] for match in _HEAD.finditer(answer, 0, start)]
    return lines[-1] if lines else ""
