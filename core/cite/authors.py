"""Who wrote a page: what `(Smith 2020)` may stand for.

Pages say it by their authors and date, or by author and year in title or id; a passage
of a case only by its own beginning. Read once a corpus, and only for an answer that
cites in this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimscope.core.models import Page
from claimscope.core.ports import Corpus
from claimscope.core.text.citations.dialects import has_work
from claimscope.core.text.citations.marker_content import PageNames

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
_READ: dict[tuple[str, str], PageNames] = {}


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
