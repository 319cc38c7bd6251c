"""The entries of a closing list of references: what of an answer names sources.

An entry states nothing of its own ("[1] Mill guide, 1999"), so it is no claim. A line
under such a heading that names no source and says a whole sentence is one all the same:
"Sources: - Coal gives 40 % of the power." is an answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

from claimscope.core.text.citations.marker_content import KnownPages, known_pages
from claimscope.core.text.citations.reference_list import (
    closing_list_start,
    is_heading,
    page_of_entry,
)
from claimscope.core.text.linguistics import has_clause
from claimscope.core.text.sentences import Span, strip_span

_LABEL = re.compile(
    r"[\s>]*(?:[-*+•‣◦▪·–]\s+|\d{1,3}[.)]\s+)?"
    r"(?:\\?[\[［【]\^?[^\[\]［］【】\n]{1,60}\\?[\]］】]|[⁰¹²³⁴-⁹]|<sup>)"
)
_NUMBERING = re.compile(r"[\s>]*(?:[-*+•‣◦▪·–]|\d{1,3}[.)])\s+")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,40}\]:\s*")
_NAMES_SOURCE = re.compile(
    r"(?i)https?://|\bwww\.|\b(?:pmid|pmc|doi|isbn|arxiv)\b|\bet\s+al\b|\bibid\b"
    r"|\b(?:1[5-9]|20)\d\d\s*;\s*\d"
    r"|\(\s*(?:1[5-9]|20)\d\d[a-z]?\s*\)|\.(?:md|html?|pdf|txt|csv|json)\b"
)


def split_closing_entries(
    text: str, spans: Sequence[Span], known_page_ids: Collection[str] = ()
) -> tuple[list[Span], frozenset[Span]]:
    """(spans, those that are entries): the sentences of `text` with each entry of its
    closing list, and each footnote, by itself. `spans`: as `split` gives them."""
    entries = list(_find_entries(text, known_pages(tuple(known_page_ids))))
    rest: list[Span | None] = []
    for start, end in spans if entries else ():
        near = max(0, bisect_right(entries, (start, start)) - 1)
        for first, last in entries[near:]:
            if first >= end:
                break
            if last > start:
                rest.append(strip_span(text, start, min(first, end)))
                start = max(start, last)
        rest.append(strip_span(text, start, end))
    found = sorted([*entries, *filter(None, rest)])
    return (found if entries else list(spans)), frozenset(entries)


def _find_entries(text: str, known: KnownPages) -> Iterator[Span]:
    """Places of the entries, in order."""
    begins = closing_list_start(text)
    if not text[:begins].strip():
        begins = len(text)  # the whole answer is a list
    place = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        start = place + len(line) - len(line.lstrip())
        note = _FOOTNOTE.match(bare)
        if place >= begins:
            said = _NUMBERING.sub("", bare, count=1)
            is_entry = not is_heading(bare) and (
                _LABEL.match(bare) is not None
                or page_of_entry(said, known) is not None
                or not _states_fact(said)
            )
        else:
            is_entry = note is not None and not _states_fact(bare[note.end() :])
        if bare and is_entry:
            yield start, start + len(bare)
        place += len(line)


def _states_fact(said: str) -> bool:
    """Whether it says a whole sentence and names no source."""
    said = said.rstrip("*_ ")
    is_whole = said.endswith((".", "!", "?")) and has_clause(said)
    return is_whole and _NAMES_SOURCE.search(said) is None
