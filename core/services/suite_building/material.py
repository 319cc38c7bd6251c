"""Which sentences a case is made of: chosen by code and a seed, not by a model.

A small model that may choose writes about what it finds easy, and again about that. So
pages take turns, in an order of the seed, and each turn gives the model the sentences
it has to ask for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from claimscope.core.models import Difficulty, Page, Sentence
from claimscope.core.ports import Corpus
from claimscope.core.text.sentences import sentences
from claimscope.core.verify.word_forms import stems, words

Kind = Literal["single", "several", "comparison", "unanswerable"]
KINDS: dict[Kind, str] = {
    "single": "single fact",
    "several": "several sentences",
    "comparison": "comparison",
    "unanswerable": "unanswerable",
}
"""Kinds of questions, in words."""
DIFFICULTY: dict[Kind, Difficulty] = {
    "single": "easy",
    "several": "medium",
    "comparison": "hard",
    "unanswerable": "hard",
}
ALIKE = (0.5, 0.97)
"""Cosine of two sentences that are worth a comparison: of the same thing said of two
subjects, and not the same sentence twice."""
FOREIGN = (0.4, 0.6)
"""Cosine of a sentence and the nearest one of a page that is of the same field and yet
says nothing like it."""
NEIGHBOURS = 12
"""Hits that are looked through for a sentence of another page."""
FEWEST, MOST = 25, 320
"""Characters of a sentence that can carry a question."""
FEWEST_DENSE = 10
"""The same for text of scripts whose characters are words."""
FEWEST_NAME = 5
"""Characters of a part of a title that is a name."""
AROUND = 2
"""Sentences shown on each side."""
SPEAKER = re.compile(r"\b(?:[Ww]e|[Oo]urs?|us|[Mm]y|[Mm]ine|I)\b")
"""Who is meant is not in the sentence."""
_ENDS = re.compile(r"[.!。！．][\"”’)\]」』]*\s*$")
_OPENS = re.compile(r"[\"“‘(「『]?\w")
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")
_TITLE_PARTS = re.compile(r"\s*[:|–—()]\s*|\s-\s")
_HEADING = re.compile(r"#+\s*(\S.*)")
_CLOSING = re.compile(r"(?<=\s)#+$")


@dataclass(frozen=True)
class Material:
    """What one question is to be about."""

    kind: Kind
    sources: tuple[Sentence, ...]
    """Sentences that answer it; of an unanswerable one, the sentence of another page
    whose subject is exchanged."""
    subject: str | None = None
    """Of an unanswerable question: the page that does not answer it."""

    @property
    def page_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(source.page_id for source in self.sources))


def materials(corpus: Corpus, kind: Kind, seed: int) -> Iterator[Material]:
    """Material of a kind without end of pages in sight: all pages have one turn, then
    each a second one, until no page has more. The same for the same pages and seed.

    Raises StoreError, EmbeddingError while it is iterated.
    """
    chance = random.Random(f"{seed}/{kind}")
    pages = sorted(corpus.page_ids())
    chance.shuffle(pages)
    salt = chance.random()
    for turn in count():
        left = []
        for page_id in pages:
            runs = _runs(corpus, page_id, 2 if kind == "several" else 1)
            random.Random(f"{salt}/{page_id}").shuffle(runs)
            if turn >= len(runs):
                continue
            left.append(page_id)
            material = _material_of(kind, runs[turn], corpus)
            if material is not None:
                yield material
        if not left:
            return
        pages = left


def _runs(corpus: Corpus, page_id: str, length: int) -> list[Sequence[Sentence]]:
    """Runs of so many sentences that follow each other and can carry a question."""
    found = corpus.sentences(page_id)
    return [
        found[start : start + length]
        for start in range(len(found) - length + 1)
        if all(can_carry(one.text) for one in found[start : start + length])
    ]


def can_carry(text: str) -> bool:
    """Whether a sentence is whole prose of a usual length: no heading, no row of a
    table, no item of a list, no question, and nobody who says "we"."""
    plain = text.strip()
    fewest = FEWEST_DENSE if _DENSE.search(plain) else FEWEST
    return (
        fewest <= len(plain) <= MOST
        and _ENDS.search(plain) is not None
        and _OPENS.match(plain) is not None
        and SPEAKER.search(plain) is None
        and "|" not in plain
        and "://" not in plain
    )


def _material_of(
    kind: Kind, run: Sequence[Sentence], corpus: Corpus
) -> Material | None:
    if kind == "comparison":
        return _compare_pages(corpus, run)
    if kind == "unanswerable":
        return _exchange_subject(corpus, run)
    return Material(kind, tuple(run))


def _compare_pages(corpus: Corpus, run: Sequence[Sentence]) -> Material | None:
    """A sentence beside the nearest one of another page."""
    low, high = ALIKE
    for hit in corpus.search(run[0].text, k=NEIGHBOURS).hits:
        if (
            hit.page_id != run[0].page_id
            and hit.similarity is not None
            and low <= hit.similarity <= high
            and can_carry(hit.text)
        ):
            other = corpus.sentences(hit.page_id)[hit.index]
            return Material("comparison", (run[0], other))
    return None


def _exchange_subject(corpus: Corpus, run: Sequence[Sentence]) -> Material | None:
    """A sentence that names its page's subject, and a page near it that says nothing
    like it."""
    source = run[0]
    page = corpus.page(source.page_id)
    if page is None or name_of(page).search(source.text) is None:
        return None  # what is not named cannot be exchanged
    vector = corpus.vectors(source.page_id)[source.index]
    hits = corpus.search(source.text, k=NEIGHBOURS).hits
    for page_id in dict.fromkeys(hit.page_id for hit in hits):
        other = corpus.page(page_id)
        if other is None or name_of(page).search(f"{title_of(other)} {page_id}"):
            continue  # the page itself, or one that is called the same
        nearest = float((corpus.vectors(page_id) @ vector).max())
        if FOREIGN[0] <= nearest < FOREIGN[1]:
            return Material("unanswerable", (source,), page_id)
    return None


def title_of(page: Page) -> str:
    """What a page is about: its title, else its first heading, else its id."""
    if page.title:
        return page.title
    for sentence in sentences(page)[:1]:
        heading = _HEADING.match(sentence.text.strip())
        if heading is not None:
            return _CLOSING.sub("", heading[1]).rstrip()
    return page.page_id


def name_of(page: Page) -> re.Pattern[str]:
    """Finds what a page is called by in a text: its title, a part of it, or a code in
    its id (BUS-101); longer ones first."""
    title = title_of(page)
    parts = [part for part in _TITLE_PARTS.split(title) if len(part) >= FEWEST_NAME]
    codes = [word.text for word in words(page.page_id) if word.is_name]
    known = sorted({title, *parts, *codes}, key=lambda name: (-len(name), name))
    either = "|".join(re.escape(name) for name in known)
    return re.compile(rf"(?i)(?<!\w)(?:{either})(?!\w)")


def title_stems(page: Page) -> frozenset[str]:
    """Stems of the words by which a page is called: those of its title, and names and
    codes in its id (the rest of an id, "course/" or "https", many pages share)."""
    codes = [word.stem for word in words(page.page_id) if word.is_name]
    return stems([title_of(page)]) | frozenset(codes)


def passage_of(corpus: Corpus, source: Sequence[Sentence]) -> str:
    """The sentences of one page with some around them, as the page has them."""
    page = corpus.page(source[0].page_id)
    found = corpus.sentences(source[0].page_id)
    if page is None or not found:
        return "\n".join(one.text for one in source)
    first = max(0, source[0].index - AROUND)
    last = min(len(found) - 1, source[-1].index + AROUND)
    return page.text[found[first].start : found[last].end]
