"""What each marker of an answer names, and which claims it stands behind.

A marker belongs to the sentence before it, on either side of the full stop. A sentence
that repeats an earlier one has no claim of its own: its marker stands behind the claim
that it repeats. Who wrote a page, for `(Smith 2020)`, pages say by their authors and
date, or by author and year in title or id; a passage of a case only by its beginning.
Read once a corpus, and only for an answer that cites in this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from claimscope.core.models import ClaimResult, Page, Sentence
from claimscope.core.ports import Corpus
from claimscope.core.text.citations.dialects import has_work
from claimscope.core.text.citations.marker_content import MarkerItem, PageNames
from claimscope.core.text.citations.markers import (
    Marker,
    attach_markers,
    find_markers,
    strip_markers,
)
from claimscope.core.text.linguistics import main_subject, resolve_pronoun
from claimscope.core.text.sentences import Span, sentences_in, split_sentences
from claimscope.core.verify.token_alignment import PASSAGE, passage_number

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
Key = tuple[str, str]
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_SURNAME = re.compile(r"[^\W\d_][\w'’-]+")
_WRITTEN = re.compile(
    r"\b([A-ZÀ-Þ][\w'’-]{1,30})"
    r"(?:(?:,| and| &)?\s[A-ZÀ-Þ][\w.'’-]{0,30}|,?\s+et\s+al\.?){0,6}"
    r"[\s,_-]*\(?((?:1[5-9]|20)\d\d)[a-z]?\b"
)
_SLUG = re.compile(r"(?:^|[/_-])([a-z]{2,30})[_-]?((?:1[5-9]|20)\d\d)(?=$|[._-])")
OPENING = 200
"""Characters of a passage in which it may say whose it is."""
KEPT = 4
"""Corpora whose names are kept."""
_cached_sentences = lru_cache(maxsize=256)(sentences_in)
"""Of passages, asked for by each citation and each of its neighbours."""
_READ: dict[tuple[str, str], PageNames] = {}


@dataclass(frozen=True)
class ResolvedItem:
    """One item of a marker, resolved."""

    marker: Marker
    item: MarkerItem
    owner: int | None
    """Index of the answer sentence it belongs to."""
    claims: tuple[ClaimResult, ...]
    sentences: tuple[Sentence, ...] = ()
    """What it names: one sentence, or all of a page or passage."""
    problem: str | None = None
    """Why it names nothing."""
    broken: bool = True
    """False: it could not be looked up at all."""

    @property
    def exists(self) -> bool | None:
        """Is what it names in the evidence? None = it could not be looked up."""
        if self.problem is None:
            return True
        return False if self.broken else None

    @property
    def source(self) -> str | None:
        """Id of the page, or of the passage a position stands for, as in evidence."""
        return self.sentences[0].page_id if self.sentences else self.item.page_id


@dataclass(frozen=True)
class SourceLookup:
    """Where what a marker names is looked up: the pages, and the passages of a case."""

    corpus: Corpus | None
    contexts: Sequence[str] = ()

    def page(self, page_id: str | None) -> Page | None:
        """A page of the corpus."""
        return self.corpus.page(page_id) if self.corpus and page_id else None

    def read(self, page_id: str) -> tuple[Sequence[Sentence], str]:
        """Sentences and text of a page, or of a passage of the case."""
        number = passage_number(page_id)
        if number is not None and number < len(self.contexts):
            return passage_sentences(number, self.contexts), self.contexts[number]
        page = self.page(page_id)
        if self.corpus is None or page is None:
            return (), ""
        return self.corpus.sentences(page_id), page.text

    def find(self, item: MarkerItem) -> tuple[tuple[Sentence, ...], str | None, bool]:
        """(sentences, problem, is it broken) of an item."""
        if item.author is not None:
            return (), f"no page says that it is by {item.author}", False
        if item.position is not None:
            if item.position > 0 and not self.contexts:
                return (), "the case has no context list to count in", False
            if not 1 <= item.position <= len(self.contexts):
                problem = f"there is no passage {item.position} of {len(self.contexts)}"
                return (), problem, True
            passage = passage_sentences(item.position - 1, self.contexts)
            return (
                passage,
                None if passage else f"passage {item.position} is empty",
                True,
            )
        if self.corpus is None or item.page_id is None:
            return (), "there are no indexed pages to look it up in", False
        sentences = tuple(self.corpus.sentences(item.page_id))
        if not sentences:
            known = self.corpus.page(item.page_id) is not None
            what = (
                f"page {item.page_id} is empty" if known else f"no page {item.page_id}"
            )
            return (), what, True
        if item.sentence is None:
            return sentences, None, True
        if item.sentence >= len(sentences):
            last = len(sentences) - 1
            return (), f"{item.page_id} ends at S:{last}, no S:{item.sentence}", True
        return (sentences[item.sentence],), None, True


def known_names(
    text: str, corpus: Corpus | None, contexts: Sequence[str]
) -> Sequence[str]:
    """What a marker of `text` may name beside positions."""
    return passage_names(text, contexts, page_names(text, corpus))


def resolve(
    text: str, claims: Sequence[ClaimResult], lookup: SourceLookup
) -> list[ResolvedItem]:
    """Every item with its claims and what it names, in reading order."""
    spans = split_sentences(text, "markdown")
    markers = find_markers(text, known_names(text, lookup.corpus, lookup.contexts))
    owned = attach_markers(text, spans, markers)
    behind = {
        owner: claims_behind(text, spans, owner, claims)
        for owner in dict.fromkeys(owned)
        if owner is not None
    }
    found = []
    for marker, owner in zip(markers, owned, strict=True):
        own = behind.get(owner, ()) if owner is not None else ()
        for item in marker.items:
            found.append(ResolvedItem(marker, item, owner, own, *lookup.find(item)))
    return found


def claims_in(claims: Sequence[ClaimResult], span: Span) -> tuple[ClaimResult, ...]:
    """Claims taken from an answer sentence."""
    start, end = span
    return tuple(
        result
        for result in claims
        if result.claim.start < end and start < result.claim.end
    )


def claims_behind(
    text: str, spans: Sequence[Span], owner: int, claims: Sequence[ClaimResult]
) -> tuple[ClaimResult, ...]:
    """Claims of a sentence, its own and those that it says again."""
    own = claims_in(claims, spans[owner])
    sentence = strip_markers(text[slice(*spans[owner])]).strip(" *_#>-•\t\n")
    forms = [words_of(sentence)]
    if owner:
        spoken = main_subject(strip_markers(text[slice(*spans[owner - 1])]).strip())
        named = resolve_pronoun(sentence, spoken) if spoken is not None else None
        forms += [words_of(named)] if named else []
    said = [words_of(result.claim.text) for result in own]
    again = [
        result
        for result in claims
        if result not in own
        and (words := words_of(result.claim.text)).strip()
        and any(words in form for form in forms)
        and not any(words in one for one in said)
    ]
    return (*again, *own)


def words_of(text: str) -> str:
    """Words in lower case with a blank around each, so that runs of words compare."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def passage_sentences(number: int, contexts: Sequence[str]) -> tuple[Sentence, ...]:
    """Sentences of a passage of the case, numbered from 0, named as in evidence."""
    return _cached_sentences(f"{PASSAGE}{number}", contexts[number])


def page_names(text: str, corpus: Corpus | None) -> Sequence[str]:
    """The page ids of a corpus; with authors and years where `text` cites by them."""
    if corpus is None:
        return ()
    if not has_work(text):
        return corpus.page_ids()
    # Not remembered as a look into each page: only what it makes of the text matters.
    inner: Corpus = getattr(corpus, "observed", corpus)
    key = inner.name, inner.version
    if key not in _READ:
        if len(_READ) >= KEPT:
            _READ.clear()
        _READ[key] = _names(inner)
    return _READ[key]


def passage_names(
    text: str, contexts: Sequence[str], known: Sequence[str]
) -> Sequence[str]:
    """The same with the passages of a case, which are named by their positions."""
    if not contexts or not has_work(text):
        return known
    authors = dict(known.authors) if isinstance(known, PageNames) else {}
    for place, passage in enumerate(contexts, 1):
        for match in _WRITTEN.finditer(passage[:OPENING]):
            authors.setdefault((match.group(1).casefold(), match.group(2)), place)
    return PageNames(known, authors)


def _names(corpus: Corpus) -> PageNames:
    ids = corpus.page_ids()
    found: dict[Key, set[str]] = {}
    for page_id in ids:
        page = corpus.page(page_id)
        for key in keys_of(page) if page is not None else ():
            found.setdefault(key, set()).add(page_id)
    # Of two pages by Smith, of 2020, neither is meant for certain.
    single = {key: min(pages) for key, pages in found.items() if len(pages) == 1}
    return PageNames(ids, single)


def keys_of(page: Page) -> Iterator[Key]:
    """(surname, year) of a page, for each of its authors; then their other names."""
    year = _YEAR.search(page.published or "")
    if year is not None:
        for author in page.authors:
            words = [
                word
                for word in _SURNAME.findall(author)
                if len(word) > 1 and not word.isupper()
            ]
            if "," not in author:  # "Mary Jones", but "Jones, Mary"
                words.reverse()
            for word in words:
                yield word.casefold(), year.group()
    for written in (page.title or "", page.page_id):
        for match in _WRITTEN.finditer(written):
            yield match.group(1).casefold(), match.group(2)
    for match in _SLUG.finditer(page.page_id):
        yield match.group(1), match.group(2)
