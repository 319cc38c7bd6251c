"""What a result rests on: every look into the pages, with a digest of what was found.

A result is a function of its answer, the models and these looks. When another version
of the pages answers each of them the same, judging again would find the same, so a
re-analysis may take the result over without a model being asked. Only order and texts
count, not the numbers of the word search: those move with every page that is added,
and no verdict reads them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from claimscope.core.cite.marker_resolution import page_names
from claimscope.core.models import Evidence, Page, Sentence, digest
from claimscope.core.ports import Corpus, Floats, SearchResult
from claimscope.core.run.corpus_view import CorpusView
from claimscope.core.text.citations.markers import find_markers

CorpusLook = tuple[str, ...]
"""Kind and arguments: ("page", id), ("sentences", id), ("search", query, k, least,
sources), ("marks", text), ("first", n)."""
SEEN = 16
"""Digits of a digest that are kept."""


class ObservedCorpus(CorpusView):
    """A corpus that remembers each look of one sample. Safe for threads."""

    def __init__(self, corpus: Corpus, texts: Sequence[str]) -> None:
        """`texts`: in which page ids are looked for, so that of all ids only those
        matter that are in them."""
        super().__init__(corpus)
        self._texts = tuple(text for text in texts if text)
        self._seen: dict[CorpusLook, str] = {}

    @property
    def observed(self) -> Corpus:
        """The corpus itself: looks into it are not remembered."""
        return self._corpus

    def page_ids(self) -> Sequence[str]:
        """Remembered as what the texts of the sample cite."""
        found = self._corpus.page_ids()
        for text in self._texts:
            if ("marks", text) not in self._seen:
                self._seen["marks", text] = _marks_digest(text, self._corpus)
        return found

    def page(self, page_id: str) -> Page | None:
        found = self._corpus.page(page_id)
        self._remember(("page", page_id), lambda: _page_digest(found))
        return found

    def sentences(self, page_id: str) -> Sequence[Sentence]:
        found = self._corpus.sentences(page_id)
        self._remember(("sentences", page_id), lambda: _sentences_digest(found))
        return found

    def vectors(self, page_id: str) -> Floats:
        """Remembered as the sentences they are made from."""
        self.sentences(page_id)
        return self._corpus.vectors(page_id)

    def _note_search(
        self,
        found: SearchResult,
        query: str,
        k: int,
        least: float | None,
        sources: Sequence[str],
    ) -> None:
        """Remembered with the texts of the hits, in their order."""
        shown = "" if least is None else repr(least)
        look = ("search", query, str(k), shown, *sources)
        self._remember(look, lambda: _hits_digest(found))

    def first_pages(self, count: int) -> None:
        """Remembers the first pages, on which a model's tokens are measured."""
        self._remember(
            ("first", str(count)), lambda: _first_pages_digest(self._corpus, count)
        )

    def _remember(self, look: CorpusLook, found: Callable[[], str]) -> None:
        if look not in self._seen:
            self._seen[look] = found()

    def grounds(self) -> str:
        """All looks with their digests, as JSON."""
        rows = [[*look, found] for look, found in sorted(self._seen.items())]
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def still_hold(grounds: str, corpus: Corpus) -> bool:
    """Whether these pages answer every look as those before did; ends at the first
    that they do not."""
    rows = json.loads(grounds)
    rows.sort(key=lambda row: row[0] == "search")
    return all(answer_of(tuple(row[:-1]), corpus) == row[-1] for row in rows)


def pages_seen(grounds: str) -> dict[str, str]:
    """Digest of each page that was looked at, by its id."""
    return {row[1]: row[-1] for row in json.loads(grounds) if row[0] == "page"}


def answer_of(look: CorpusLook, corpus: Corpus) -> str:
    """The digest of what a corpus answers. Raises ValueError for another kind."""
    kind, *rest = look
    if kind == "page":
        return _page_digest(corpus.page(rest[0]))
    if kind == "sentences":
        return _sentences_digest(corpus.sentences(rest[0]))
    if kind == "marks":
        return _marks_digest(rest[0], corpus)
    if kind == "first":
        return _first_pages_digest(corpus, int(rest[0]))
    if kind == "search":
        query, k, least, *sources = rest
        found = corpus.search(
            query,
            k=int(k),
            min_similarity=float(least) if least else None,
            sources=sources,
        )
        return _hits_digest(found)
    raise ValueError(f"{kind} is no look into pages")


def _page_digest(page: Page | None) -> str:
    return "none" if page is None else page.content_hash[:SEEN]


def _sentences_digest(found: Sequence[Sentence]) -> str:
    return digest(*(f"{one.start}:{one.text}" for one in found))[:SEEN]


def _hits_digest(found: SearchResult) -> str:
    shown = (_hit_text(hit) for hit in found.hits)
    return digest(str(found.fallback is None), *shown)[:SEEN]


def _hit_text(hit: Evidence) -> str:
    parts = (hit.sentence_id, hit.text, hit.before, hit.after, hit.title)
    return json.dumps(parts, ensure_ascii=False)


def _marks_digest(text: str, corpus: Corpus) -> str:
    page_ids = page_names(text, corpus)
    known = frozenset(page_ids)
    marks = (
        repr((marker.start, marker.end, item, item.page_id in known))
        for marker in find_markers(text, page_ids)
        for item in marker.items
    )
    return digest(*marks)[:SEEN]


def _first_pages_digest(corpus: Corpus, count: int) -> str:
    ids = sorted(corpus.page_ids())[:count]
    return digest(
        *(part for one in ids for part in (one, _page_digest(corpus.page(one))))
    )[:SEEN]
