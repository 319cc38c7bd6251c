"""What a model reads to judge a claim: windows of a page's own sentences.

A model is slow to read a document and quick to answer a second question on it, so
claims share windows: the evidence of all claims that are asked at once is laid
together page by page, in the order of the page, and cut at a few hundred words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claimscope.core.models import Evidence
from claimscope.core.ports import Question

WORDS = 400
"""Longest window. Small models lose facts in longer ones."""
GAP = " […] "
"""Stands where sentences of the page were left out."""

Place = tuple[str, int, int]
"""Page, sentence index (or start offset for a passage), number of the piece."""


@dataclass(frozen=True)
class Window:
    """A document for one call."""

    text: str
    places: frozenset[Place]
    """The candidate sentences it holds."""


def place(evidence: Evidence) -> Place:
    """Where a candidate stands."""
    number = evidence.index if evidence.index >= 0 else evidence.start
    return (evidence.page_id, number, 0)


def windows(evidence: Iterable[Evidence], size: int = WORDS) -> tuple[Window, ...]:
    """All candidates with their neighbours, page by page, in windows of at most `size`
    words."""
    pages: dict[str, dict[int, str]] = {}
    titles: dict[str, str] = {}
    for one in evidence:
        page = pages.setdefault(one.page_id, {})
        _, number, _ = place(one)
        page[number] = one.text
        if one.index >= 0:
            if one.before:
                page.setdefault(number - 1, one.before)
            if one.after:
                page.setdefault(number + 1, one.after)
        if one.title:
            titles[one.page_id] = one.title
    return tuple(
        window
        for page_id, sentences in pages.items()
        for window in _windows_of_page(page_id, sentences, titles.get(page_id), size)
    )


def scattered(evidence: Sequence[Evidence], size: int = WORDS) -> Window:
    """One window of the best candidates whatever their pages, best first."""
    chosen: list[Evidence] = []
    left = size
    for one in evidence:
        left -= len(one.text.split())
        if left < 0 and chosen:
            break
        chosen.append(one)
    text = GAP.join(_pieces(one.text, size)[0] for one in chosen)
    return Window(text, frozenset(place(one) for one in chosen))


def _windows_of_page(
    page_id: str, sentences: dict[int, str], title: str | None, size: int
) -> list[Window]:
    head = f"{title}\n" if title else ""
    found: list[Window] = []
    text, places, room, last = head, set[Place](), size, None
    for number in sorted(sentences):
        for piece_number, piece in enumerate(_pieces(sentences[number], size)):
            words = len(piece.split())
            if words > room and places:
                found.append(Window(text.strip(), frozenset(places)))
                text, places, room, last = head, set(), size, None
            joint = "" if last is None else " " if number - last <= 1 else GAP
            text += joint + piece
            places |= {(page_id, number, piece_number), (page_id, number, 0)}
            room, last = room - words, number
    return [*found, Window(text.strip(), frozenset(places))]


def _pieces(sentence: str, size: int) -> list[str]:
    """A sentence, or the pieces of one that is longer than a window."""
    words = sentence.split()
    if len(words) <= size:
        return [sentence.strip()]
    return [" ".join(words[i : i + size]) for i in range(0, len(words), size)]


def ordered(
    question: Question, shared: Sequence[Window], size: int = WORDS
) -> tuple[Window, ...]:
    """The windows that hold a question's candidates: the one with the best candidate
    first; last, when they are in several windows, one of the best scattered ones."""
    found: list[Window] = []
    for one in question.evidence:
        for window in shared:
            if place(one) in window.places and window not in found:
                found.append(window)
    if len(found) > 1:
        found.append(scattered(question.evidence, size))
    return tuple(found)
