"""What a classifier reads to judge a claim, measured by its own tokenizer.

A classifier cuts what is too long without a word, so windows are packed to fit beside
the claim, in the order of the page. Unlike a language model it keeps nothing of a
document it read, so each claim has windows of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimscope.core.models import Evidence
from claimscope.core.verify.witnesses.model_windows import (
    GAP,
    ModelWindow,
    Place,
    place,
)

Measure = Callable[[str], int]
"""Tokens of a text."""
TITLE_SHARE = 4
"""A title that takes more than this part of a window is left out."""


def windows_for(
    evidence: Sequence[Evidence], measure: Measure, room: int
) -> tuple[ModelWindow, ...]:
    """Windows of at most `room` tokens that hold all candidates with their neighbours,
    the one with the best candidate first; last, when there are several, one of the
    best candidates alone, whatever their places. `evidence` is best first."""
    pages: dict[str, list[Evidence]] = {}
    for one in evidence:
        pages.setdefault(one.page_id, []).append(one)
    packed = [
        window
        for found in pages.values()
        for window in _page_windows(found, measure, room)
    ]
    ordered: list[ModelWindow] = []
    for one in evidence:
        for window in packed:
            if place(one) in window.places and window not in ordered:
                ordered.append(window)
    if len(ordered) > 1:
        ordered.append(_scattered(evidence, measure, room))
    return tuple(ordered)


def pieces(text: str, measure: Measure, room: int) -> list[str]:
    """The text, or parts of it of at most `room` tokens, cut between words where
    there are any."""
    text = text.strip()
    if measure(text) <= room or len(text) < 2:
        return [text]
    middle = len(text) // 2
    blanks = [i for i, char in enumerate(text) if char.isspace()]
    cut = min(blanks, key=lambda i: abs(i - middle)) if blanks else middle
    halves = (text[:cut], text[cut:])
    return [part for half in halves for part in pieces(half, measure, room)]


def _page_windows(
    evidence: Sequence[Evidence], measure: Measure, room: int
) -> list[ModelWindow]:
    """Windows of one page's candidates and their neighbours."""
    sentences: dict[int, str] = {}
    for one in evidence:
        _, number, _ = place(one)
        sentences[number] = one.text
        if one.index >= 0:
            if one.before:
                sentences.setdefault(number - 1, one.before)
            if one.after:
                sentences.setdefault(number + 1, one.after)
    title = evidence[0].title
    head = f"{title}\n" if title and measure(title) * TITLE_SHARE <= room else ""
    page_id = evidence[0].page_id
    found: list[ModelWindow] = []
    text, places, last = "", set[Place](), 0
    space = room - measure(head)
    for number in sorted(sentences):
        for piece in pieces(sentences[number], measure, space):
            joint = " " if number - last <= 1 else GAP
            longer = f"{text}{joint}{piece}" if text else piece
            if text and measure(head + longer) > room:
                found.append(ModelWindow(head + text, frozenset(places)))
                longer, places = piece, set()
            text, last = longer, number
            places.add((page_id, number, 0))
    return [*found, ModelWindow(head + text, frozenset(places))]


def _scattered(
    evidence: Sequence[Evidence], measure: Measure, room: int
) -> ModelWindow:
    """The best candidates that fit, best first."""
    text, places = pieces(evidence[0].text, measure, room)[0], {place(evidence[0])}
    for one in evidence[1:]:
        longer = f"{text}{GAP}{one.text.strip()}"
        if measure(longer) <= room:
            text = longer
            places.add(place(one))
    return ModelWindow(text, frozenset(places))
