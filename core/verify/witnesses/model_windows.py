"""What a model reads to judge a claim: windows of a page's own sentences.

A model is slow to read a document and quick to answer a second question on it, so
claims share windows. A short page is read whole, the same text for every claim of
every answer. Of a long one the candidates of all claims are laid together in the order
of the page; when that is more than a window, each claim gets a window of its own best
sentences, and then the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from claimscope.core.models import Evidence
from claimscope.core.ports import Question

WORDS = 450
"""Longest window. Small models lose facts in longer ones."""
PAGES = 2
"""Pages of a question that are read by themselves, those of its best candidates; the
candidates of others are read together."""
GAP = " […] "
"""Stands where sentences of the page were left out."""

Place = tuple[str, int, int]
"""Page, sentence index (or start offset for a passage), number of the piece."""


@dataclass(frozen=True)
class ModelWindow:
    """A document for one call."""

    text: str
    places: frozenset[Place]
    """The candidate sentences it holds."""
    is_whole: bool = False
    """It is all of its page."""


def place(evidence: Evidence) -> Place:
    """Where a candidate stands."""
    number = evidence.index if evidence.index >= 0 else evidence.start
    return (evidence.page_id, number, 0)


def reading_lists(
    questions: Sequence[Question], size: int = WORDS
) -> list[tuple[ModelWindow, ...]]:
    """For each question the windows to be read, best first, of at most `size` words.

    The window with the best candidate comes first; every candidate is in one of them;
    when there are several pages, one is of the best sentences whatever their page.
    """
    shared = shared_windows(questions, size)
    return [_windows_of(question, shared, size) for question in questions]


def shared_windows(questions: Sequence[Question], size: int) -> dict[str, ModelWindow]:
    """By page id, the one window of a page that is short, or of which all questions
    together need little."""
    texts = {page_id: text for q in questions for page_id, text in q.documents if text}
    titles: dict[str, str] = {}
    pages: dict[str, list[Evidence]] = {}
    for one in (one for q in questions for one in q.evidence):
        pages.setdefault(one.page_id, []).append(one)
        if one.title:
            titles[one.page_id] = one.title
    found: dict[str, ModelWindow] = {}
    for page_id, evidence in pages.items():
        text = texts.get(page_id)
        is_whole = text is not None and _words(text) <= size
        if text is None or not is_whole:
            text = _laid_out(_with_neighbours(evidence))
        if _words(text) <= size:
            head = f"{titles[page_id]}\n" if page_id in titles else ""
            places = frozenset(place(one) for one in evidence)
            found[page_id] = ModelWindow((head + text).strip(), places, is_whole)
    return found


def _windows_of(
    question: Question, shared: Mapping[str, ModelWindow], size: int
) -> tuple[ModelWindow, ...]:
    pages = list(dict.fromkeys(one.page_id for one in question.evidence))
    found: list[ModelWindow] = []
    for page_id in pages[:PAGES]:
        if page_id in shared:
            found.append(shared[page_id])
        else:
            found += _packed(_of_page(question.evidence, page_id), size)
    if len(pages) > 1:
        mixed = window_of_best(question.evidence, size)
        found.append(mixed)
        for page_id in pages[PAGES:]:
            left = _of_page(question.evidence, page_id)
            left = [one for one in left if place(one) not in mixed.places]
            found += _packed(left, size) if left else []
    return tuple(found)


def _of_page(evidence: Sequence[Evidence], page_id: str) -> list[Evidence]:
    return [one for one in evidence if one.page_id == page_id]


def _packed(evidence: Sequence[Evidence], size: int) -> list[ModelWindow]:
    """Windows of a page's candidates: the best that fit into one, then the others."""
    found: list[ModelWindow] = []
    chosen: list[Evidence] = []
    for one in evidence:
        if chosen and _words(_laid_out(_with_neighbours([*chosen, one]))) > size:
            found += _window(chosen, size)
            chosen = []
        chosen.append(one)
    return [*found, *_window(chosen, size)]


def _window(evidence: Sequence[Evidence], size: int) -> list[ModelWindow]:
    """One window; several when a single sentence is longer than one."""
    text = _laid_out(_with_neighbours(evidence))
    if _words(text) > size:  # one candidate with its neighbours: these go first
        text = _laid_out({place(one)[1]: one.text for one in evidence})
    head = next((f"{one.title}\n" for one in evidence if one.title), "")
    places = frozenset(place(one) for one in evidence)
    return [
        ModelWindow((head + piece).strip(), places)
        for piece in _pieces(text.strip(), size)
    ]


def window_of_best(evidence: Sequence[Evidence], size: int = WORDS) -> ModelWindow:
    """One window of the best candidates whatever their pages, best first."""
    chosen: list[Evidence] = []
    left = size
    for one in evidence:
        left -= _words(one.text)
        if left < 0 and chosen:
            break
        chosen.append(one)
    text = GAP.join(_pieces(one.text, size)[0] for one in chosen)
    return ModelWindow(text, frozenset(place(one) for one in chosen))


def _with_neighbours(evidence: Iterable[Evidence]) -> dict[int, str]:
    """Sentences by their number on the page, their neighbours among them."""
    found: dict[int, str] = {}
    for one in evidence:
        _, number, _ = place(one)
        found[number] = one.text
        if one.index >= 0:
            if one.before:
                found.setdefault(number - 1, one.before)
            if one.after:
                found.setdefault(number + 1, one.after)
    return found


def _laid_out(sentences: Mapping[int, str]) -> str:
    """In the order of the page; gaps are shown."""
    text, last = "", None
    for number in sorted(sentences):
        joint = "" if last is None else " " if number - last <= 1 else GAP
        text += joint + sentences[number].strip()
        last = number
    return text


def _words(text: str) -> int:
    return len(text.replace(GAP.strip(), " ").split())


def _pieces(sentence: str, size: int) -> list[str]:
    """A sentence, or the pieces of one that is longer than a window."""
    words = sentence.split()
    if len(words) <= size:
        return [sentence.strip()]
    return [" ".join(words[i : i + size]) for i in range(0, len(words), size)]
