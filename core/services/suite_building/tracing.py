"""A draft held against the pages: each of its claims by its sentences, or not at all.

Small models write nonsense that reads well. So nothing of a draft is offered to a
person unless every claim of its reference has sentences that hold its words, numbers
and names, the verifier calls it supported by those sentences alone, and the question
finds them. What fails is dropped with its reason.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from claimscope.core.models import Evidence, Label, Verdict
from claimscope.core.ports import Corpus, Verifier
from claimscope.core.services.suite_building.material import (
    SPEAKER,
    Material,
    title_of,
    title_stems,
)
from claimscope.core.services.suite_building.writing import (
    Draft,
    names,
    names_in,
    parts_of,
    title_in,
)
from claimscope.core.text.clauses.facts import added_words
from claimscope.core.text.non_factual import is_abstention
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.page_selection import best_on_pages, questions_about
from claimscope.core.verify.restatement import PRONOUN
from claimscope.core.verify.word_forms import Word, content_words, rarity, stems, words

CANDIDATES = 12
"""Sentences of the pages among which those of a claim are looked for."""
MOST_SENTENCES = 3
"""That a claim may rest on."""
COVERED = 0.8
"""Least share of a claim's words, by rarity, that its sentences must hold."""
STRANGE = 0.5
"""Most that a question may have of words, by rarity, that neither its sentences nor
their titles hold: "how many", "percentage" and the like."""
FOUND = 10
"""Hits of the question among which a sentence of the answer must be."""
FEWEST_WORDS, MOST_WORDS = 4, 45
"""Of a question."""
_WHERE_IT_STANDS = re.compile(
    r"(?i)\b(?:the|this|these|that|both|each|given|above)\s+(?:above\s+)?(?:two\s+)?"
    r"(?:sentences?|passages?|texts?|pages?|documents?|statements?|extracts?|paragraphs?)"
    r"\b|\b(?:web)?pages?\b|\baccording to (?:the|this)\b|\bmentioned\b|\bfacts?\b"
)
_QUESTION_END = re.compile(r"[?？]\s*$")


class DraftDropped(Exception):
    """A draft that is not offered; the message is the reason, in words to count by."""


@dataclass(frozen=True)
class TracedClaim:
    """A claim with the sentences it rests on, and the verifier's word on those."""

    claim: str
    evidence: tuple[Evidence, ...]
    verdict: Verdict


async def trace(
    draft: Draft, material: Material, corpus: Corpus, verifier: Verifier
) -> tuple[TracedClaim, ...]:
    """The claims of a draft, each traced and verified. Raises Dropped, and
    EmbeddingError, StoreError, ModelError when it could not be looked at."""
    check_question(draft.question, corpus, material.page_ids)
    check_named(draft.question, material, corpus)
    claims = claims_of(draft)
    check_given_away(draft)
    found = []
    for claim in claims:
        evidence = await asyncio.to_thread(
            sentences_of, claim, frozenset(material.page_ids), corpus
        )
        found.append((claim, evidence))
    resting_on = [one for _, some in found for one in some]
    check_sources(material, resting_on)
    check_asked(draft.question, resting_on, corpus)
    asked = questions_about(found, draft.question, corpus)
    # Nothing is read but the sentences themselves.
    verdicts = await verifier.verify([replace(one, documents=()) for one in asked])
    for verdict in verdicts:
        if verdict.label is not Label.SUPPORTED:
            raise DraftDropped("a claim is not supported by its sentences")
    traced = tuple(
        TracedClaim(claim, some, verdict)
        for (claim, some), verdict in zip(found, verdicts, strict=True)
    )
    await asyncio.to_thread(check_found, draft.question, traced, corpus)
    return traced


def known_text(corpus: Corpus, page_ids: Iterable[str]) -> str:
    """Titles, ids and texts of some pages."""
    pages = [page for one in page_ids if (page := corpus.page(one)) is not None]
    return "\n".join(f"{title_of(p)}\n{p.page_id}\n{p.text}" for p in pages)


def check_question(question: str, corpus: Corpus, page_ids: Sequence[str]) -> None:
    """Raises Dropped for what no stranger to the pages could be asked. A title may say
    what it likes ("Volunteer with us")."""
    beside = question
    for page_id in page_ids:
        beside = beside.replace(title_in(corpus, page_id), "")
    if not _QUESTION_END.search(question):
        raise DraftDropped("it is no question")
    count = len(words(question))
    if not FEWEST_WORDS <= count <= MOST_WORDS and question.isascii():
        raise DraftDropped("the question is too short or too long")
    if _WHERE_IT_STANDS.search(beside) or SPEAKER.search(beside):
        raise DraftDropped("the question points at what is not shown with it")
    source = known_text(corpus, page_ids)
    if any(added_words(part, source) for part in parts_of(question)):
        raise DraftDropped("the question names what is not on the pages")


def check_named(question: str, material: Material, corpus: Corpus) -> None:
    """Raises Dropped unless the question names the subject of each page."""
    if not all(names(question, page_id, corpus) for page_id in material.page_ids):
        raise DraftDropped("the question does not name its subject")


def check_asked(question: str, evidence: Sequence[Evidence], corpus: Corpus) -> None:
    """Raises Dropped when too much of the question, or a name, stands in no title and
    no sentence of the answer: it asks of something else, then."""
    asked = {word.stem: word for word in content_words(words(question))}
    titles = names_of({one.page_id for one in evidence}, corpus)
    held = stems([one.text for one in evidence]) | titles
    strange = [word for stem, word in asked.items() if stem not in held]
    total = sum(map(rarity, asked)) or 1.0
    names_asked = names_in(question)
    if (
        any(w.is_number or w.stem in names_asked for w in strange)
        or sum(rarity(word.stem) for word in strange) / total > STRANGE
    ):
        raise DraftDropped("the question asks of what its sentences do not speak of")


def claims_of(draft: Draft) -> list[str]:
    """The claims of the reference, one fact each. Raises Dropped when it states none,
    or leaves open of what."""
    if is_abstention(draft.reference) or "?" in draft.reference:
        raise DraftDropped("the facts answer nothing")
    found = decompose(draft.reference)
    if not found.claims or found.skipped:
        raise DraftDropped("the facts answer nothing")
    texts = [claim.text for claim in found.claims]
    if any(PRONOUN.match(text) or SPEAKER.search(text) for text in texts):
        raise DraftDropped("a claim leaves open what it speaks of")
    return texts


def check_given_away(draft: Draft) -> None:
    """Raises Dropped when the question holds the whole answer."""
    asked = stems([draft.question])
    if all(word.stem in asked for word in content_words(words(draft.reference))):
        raise DraftDropped("the question gives the answer away")


def sentences_of(
    claim: str, page_ids: frozenset[str], corpus: Corpus
) -> tuple[Evidence, ...]:
    """The fewest sentences of the pages that hold a claim's words; the subject's name
    may stand in the title instead. Raises Dropped when no three of them do."""
    candidates = best_on_pages(claim, page_ids, corpus, CANDIDATES)
    titles = names_of(page_ids, corpus)
    wanted = {
        word.stem: word
        for word in content_words(words(claim))
        if word.is_number or word.stem not in titles
    }
    if not wanted:
        raise DraftDropped("a claim only repeats a title")
    left, chosen = dict(wanted), list[Evidence]()
    while left and len(chosen) < MOST_SENTENCES:
        best = max(
            candidates,
            key=lambda one: (
                _held_rarity(left, one.text),
                -_sentences_between(one, chosen),
            ),
            default=None,
        )
        if best is None or _held_rarity(left, best.text) <= 0:
            break
        chosen.append(best)
        held = stems([best.text])
        left = {stem: word for stem, word in left.items() if stem not in held}
    if any(word.is_number or word.is_name for word in left.values()):
        raise DraftDropped("a number or name of a claim is not in its sentences")
    total = sum(rarity(stem) for stem in wanted) or 1.0
    if sum(rarity(stem) for stem in left) / total > 1 - COVERED:
        raise DraftDropped("words of a claim are not in its sentences")
    return tuple(chosen)


def _held_rarity(wanted: dict[str, Word], text: str) -> float:
    """What a sentence holds of the words, by rarity."""
    held = stems([text])
    return sum(rarity(stem) for stem in wanted if stem in held)


def _sentences_between(one: Evidence, chosen: Sequence[Evidence]) -> int:
    """Sentences between this one and the nearest chosen one: whom "she" means is said
    just before, not in a table at the top of the page."""
    places = [e.index for e in chosen if e.page_id == one.page_id]
    return min((abs(one.index - place) for place in places), default=0)


def names_of(page_ids: Iterable[str], corpus: Corpus) -> frozenset[str]:
    """Stems of the words by which pages are called."""
    pages = [page for one in page_ids if (page := corpus.page(one)) is not None]
    return frozenset[str]().union(*map(title_stems, pages))


def check_sources(material: Material, evidence: Sequence[Evidence]) -> None:
    """Raises Dropped when fewer sentences or pages are needed than were meant."""
    if material.kind == "several" and len({one.sentence_id for one in evidence}) < 2:
        raise DraftDropped("one sentence is enough for it")
    if material.kind == "comparison" and len({one.page_id for one in evidence}) < 2:
        raise DraftDropped("one page is enough for it")


def check_found(question: str, traced: Sequence[TracedClaim], corpus: Corpus) -> None:
    """Raises Dropped when a search for the question does not lead to a sentence of
    the answer: then it fits other sentences as well (round-trip consistency, Alberti
    et al. 2019, by retrieval)."""
    hits = corpus.search(question, k=FOUND).hits
    places = {(hit.page_id, hit.index) for hit in hits}
    if not any((e.page_id, e.index) in places for one in traced for e in one.evidence):
        raise DraftDropped("the question does not lead to its sentences")
