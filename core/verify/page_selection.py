"""Which pages an answer speaks of, so that a claim is held against the right one.

"The fee is 40 marks" is true of many pages and meant of one. A claim is first held
against the pages its sentence cites, else those that most sentences of the answer are
nearest to. Where some of these are named, by the answer or else by its question, only
they are meant: of pages of one kind nearly all are near. A page that alone tells some
sentences is spoken of too. Only what cannot be settled there is held against all pages,
and their word counts only when the claim itself names what that page is about.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from claimscope.core.models import Claim, Evidence, Label, Verdict
from claimscope.core.ports import Corpus, Question, Verifier
from claimscope.core.text.citations.markers import attach_markers, find_markers
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.page_kinds import (
    PageKind,
    heading_above,
    kinds_of,
    page_asked_for,
    pages_meant,
    stems_of_one,
)
from claimscope.core.verify.peers.selection import (
    Meant,
    OfAnother,
    PagePeers,
    Surroundings,
    with_another,
)
from claimscope.core.verify.word_forms import content_words, stems, words

NEAREST = 3
"""Hits of a claim that vote for their pages."""
SHARE = 0.5
"""Of the best page's votes, what another page needs to be spoken of as well."""
NEARER = 0.15
"""Cosine by which a sentence of another page must be nearer to a claim than those of
its own pages."""
SPOKEN_OF = 0.7
"""Cosine, of MiniLM, from which a page speaks of what a claim says: each course has a
fee, and what another's is says nothing of this one's."""
BEFORE = 4
"""Sentences before a claim that may name what it leans on."""
NEAR_BY = 2_000
"""Characters before a claim in which these are looked for."""
SEVERAL = 4
"""Sentences of an answer that have to be told on another page alone before it is spoken
of: some may be borrowed from there."""


@dataclass(frozen=True)
class ClaimOnPages:
    """A claim with the pages it is meant of and its candidates."""

    claim: Claim
    pages: frozenset[str]
    near: tuple[Evidence, ...]
    """The best sentences of those pages."""
    wide: tuple[Evidence, ...]
    """The best sentences of all pages."""
    is_cited: bool = False
    """Its sentence cites its pages."""
    of_others: tuple[OfAnother, ...] = ()
    """Sentences among the best that are about a thing that it is not about."""

    def is_told_on(self, page_id: str) -> bool:
        """That page has a sentence clearly nearer than those of its own pages, which do
        not speak of it."""
        own = [one.similarity for one in self.near if one.similarity is not None]
        there = [
            one.similarity
            for one in self.wide
            if one.page_id == page_id and one.similarity is not None
        ]
        if not own or not there or max(own) >= SPOKEN_OF:
            return False
        return max(there) >= max(own) + NEARER


async def verify_in_focus(
    answer: str,
    claims: Sequence[Claim],
    corpus: Corpus,
    verifier: Verifier,
    k: int,
    question: str | None = None,
) -> list[Verdict]:
    """One verdict a claim, in order; what the question gives is given.

    Raises EmbeddingError, StoreError, ModelError.
    """
    asked = await asyncio.to_thread(
        gather_candidates, answer, claims, corpus, k, question
    )
    near = [(one.claim.text, one.near) for one in asked]
    first = await verifier.verify(
        await asyncio.to_thread(questions_about, near, question, corpus)
    )
    open_ = [
        number
        for number, verdict in enumerate(first)
        if verdict.label is not Label.SUPPORTED
        and set(asked[number].wide) - set(asked[number].near)
    ]
    wide = [(asked[number].claim.text, asked[number].wide) for number in open_]
    questions = await asyncio.to_thread(questions_about, wide, question, corpus)
    second = await verifier.verify(questions) if questions else ()
    by_number = dict(zip(open_, second, strict=True))
    settled = [
        settle_verdict(one, verdict, by_number.get(number), corpus)
        for number, (one, verdict) in enumerate(zip(asked, first, strict=True))
    ]
    return await _with_others(asked, settled, question, corpus, verifier)


async def _with_others(
    asked: Sequence[ClaimOnPages],
    settled: list[Verdict],
    question: str | None,
    corpus: Corpus,
    verifier: Verifier,
) -> list[Verdict]:
    """The verdicts; an open claim that the pages state of another thing says so."""
    numbers = [
        number
        for number, (one, verdict) in enumerate(zip(asked, settled, strict=True))
        if one.of_others and verdict.label is Label.NOT_ENOUGH_INFO
    ]
    pairs = [
        (asked[n].claim.text, tuple(x.evidence for x in asked[n].of_others))
        for n in numbers
    ]
    questions = await asyncio.to_thread(questions_about, pairs, question, corpus)
    found = await verifier.verify(questions) if questions else ()
    for number, verdict in zip(numbers, found, strict=True):
        if verdict.label is Label.SUPPORTED and verdict.evidence:
            settled[number] = with_another(
                settled[number], verdict.evidence[0], asked[number].of_others
            )
    return settled


def pages_turned_to(asked: Sequence[ClaimOnPages]) -> frozenset[str]:
    """Pages that are not the claims' own, but alone tell several sentences."""
    told: dict[str, set[int]] = {}
    for one in asked:
        if one.is_cited:
            continue
        for page_id in {hit.page_id for hit in one.wide} - one.pages:
            if one.is_told_on(page_id):
                told.setdefault(page_id, set()).add(one.claim.sentence_start)
    return frozenset(
        name for name, sentences in told.items() if len(sentences) >= SEVERAL
    )


def questions_about(
    pairs: Sequence[tuple[str, tuple[Evidence, ...]]],
    question: str | None,
    corpus: Corpus,
) -> list[Question]:
    """A question a claim, with the texts of the pages its candidates are from."""
    found = []
    for claim, evidence in pairs:
        pages = [corpus.page(page_id) for page_id in {one.page_id for one in evidence}]
        texts = sorted((page.page_id, page.text) for page in pages if page is not None)
        found.append(Question(claim, evidence, question, tuple(texts)))
    return found


def gather_candidates(
    answer: str,
    claims: Sequence[Claim],
    corpus: Corpus,
    k: int,
    question: str | None = None,
) -> list[ClaimOnPages]:
    """Pages and candidates of each claim."""
    wide = [corpus.search(claim.text, k=k).hits for claim in claims]
    cited = cited_pages(answer, corpus)
    nearest = nearest_pages(claims, wide)
    kinds = [
        (kind, page_asked_for(kind, answer, question))
        for kind in kinds_of(nearest, corpus)
    ]
    meant = meant_pages(nearest, answer, question, corpus)
    spoken = meant.union(*cited.values(), *(one for _, one in kinds))
    asked = []
    for claim, hits in zip(claims, wide, strict=True):
        pages = cited.get((claim.sentence_start, claim.sentence_end))
        own = spoken if pages is None else pages
        near = best_on_pages(claim.text, own, corpus, k) or hits
        asked.append(ClaimOnPages(claim, own, near, hits, is_cited=pages is not None))
    more = pages_turned_to(asked)
    if more:
        spoken |= more
        asked = [
            one
            if one.is_cited
            else replace(
                one,
                pages=spoken,
                near=best_on_pages(one.claim.text, spoken, corpus, k) or one.wide,
            )
            for one in asked
        ]
    asked = without_like_pages(asked, kinds, answer, corpus, k)
    return without_peers(asked, answer, question, corpus, k)


def without_peers(
    asked: Sequence[ClaimOnPages],
    answer: str,
    question: str | None,
    corpus: Corpus,
    k: int,
) -> list[ClaimOnPages]:
    """Each claim without the sentences on things that it is not about."""
    ids = {hit.page_id for one in asked for hit in (*one.near, *one.wide)}
    pages = [page for name in sorted(ids) if (page := corpus.page(name)) is not None]
    peers = PagePeers([(page.page_id, page.text) for page in pages])
    if not peers.groups:
        return list(asked)
    found = []
    for one in asked:
        meant = peers.meant(one.claim.text, _around(one.claim, answer, question))
        left_out = {
            hit: other
            for hit in dict.fromkeys((*one.near, *one.wide))
            if (other := peers.of_another(hit, meant)) is not None
        }
        if left_out:
            keeps = partial(_is_of_no_other, peers, meant)
            near = best_on_pages(one.claim.text, one.pages, corpus, k, keeps)
            if not near:
                # Rows of many things: the one that is meant is not among the best.
                said = " ".join(x.text for _, labels in meant for x in labels)
                asked_for = f"{said} {one.claim.text}"
                near = best_on_pages(asked_for, one.pages, corpus, k, keeps)
            if near:
                wide = tuple(hit for hit in one.wide if hit not in left_out)
                others = tuple(left_out.values())
                one = replace(one, near=near, wide=wide, of_others=others)
        found.append(one)
    return found


def _is_of_no_other(peers: PagePeers, meant: Meant, hit: Evidence) -> bool:
    return peers.of_another(hit, meant) is None


def _around(claim: Claim, answer: str, question: str | None) -> Surroundings:
    text = answer[: claim.sentence_start]
    heading = heading_above(answer, claim.start)
    section = text[text.rfind(heading) + len(heading) :] if heading else text
    near = section[-NEAR_BY:]
    before = [near[start:end] for start, end in split_sentences(near, "markdown")]
    return Surroundings(before[-BEFORE:], heading, question or "")


def without_like_pages(
    asked: Sequence[ClaimOnPages],
    kinds: Sequence[tuple[PageKind, frozenset[str]]],
    answer: str,
    corpus: Corpus,
    k: int,
) -> list[ClaimOnPages]:
    """Each claim without the pages of a kind that it is not about. `kinds`: each with
    the page that is asked for, or none."""
    found = []
    for one in asked:
        left_out: set[str] = set()
        heading = heading_above(answer, one.claim.start) if kinds else ""
        for kind, meant in kinds:
            left_out |= kind.pages - pages_meant(kind, one.claim.text, meant, heading)
        if left_out and not one.is_cited:
            pages = one.pages - left_out
            wide = tuple(hit for hit in one.wide if hit.page_id not in left_out)
            near = best_on_pages(one.claim.text, pages, corpus, k) or wide
            if near:
                one = replace(one, pages=pages, near=near, wide=wide)
        found.append(one)
    return found


def best_on_pages(
    claim: str,
    pages: frozenset[str],
    corpus: Corpus,
    k: int,
    keeps: Callable[[Evidence], bool] = lambda _: True,
) -> tuple[Evidence, ...]:
    """The k best sentences of some pages, of those that count."""
    if not pages:
        return ()
    hits = corpus.search(claim, k=4 * k, sources=sorted(pages)).hits
    return tuple(hit for hit in hits if hit.page_id in pages and keeps(hit))[:k]


def cited_pages(answer: str, corpus: Corpus) -> dict[tuple[int, int], frozenset[str]]:
    """Pages that exist, by the span of the answer sentence that cites them."""
    known = set(corpus.page_ids())
    spans = split_sentences(answer, "markdown")
    markers = find_markers(answer, corpus.page_ids())
    found: dict[tuple[int, int], frozenset[str]] = {}
    for marker, owner in zip(
        markers, attach_markers(answer, spans, markers), strict=True
    ):
        pages = {item.page_id for item in marker.items if item.page_id in known}
        if owner is not None and pages:
            named = frozenset(page for page in pages if page is not None)
            found[spans[owner]] = found.get(spans[owner], frozenset()) | named
    return found


def nearest_pages(
    claims: Sequence[Claim], wide: Sequence[Sequence[Evidence]]
) -> frozenset[str]:
    """The pages most sentences are nearest to; each sentence has one vote."""
    near: dict[int, set[str]] = {}
    for claim, hits in zip(claims, wide, strict=True):
        pages = near.setdefault(claim.sentence_start, set())
        pages |= {hit.page_id for hit in hits[:NEAREST]}
    votes = Counter(page_id for pages in near.values() for page_id in pages)
    most = max(votes.values(), default=0)
    return frozenset(page for page, count in votes.items() if count >= SHARE * most)


def meant_pages(
    near: frozenset[str], answer: str, question: str | None, corpus: Corpus
) -> frozenset[str]:
    """Those of the nearest pages that an answer names, or else its question, with
    those that tell of what is named and those that no word tells from the others; all,
    where none is named."""
    telling = telling_stems(near, corpus)
    for text in (answer, question or ""):
        names = {
            one: naming_stems(text, telling[one], near - {one}, corpus) for one in near
        }
        named = [said for said in names.values() if said]
        if named:
            return frozenset(
                one
                for one in near
                if names[one] or not telling[one] or _has_all_of_one(one, named, corpus)
            )
    return near


def names_page(corpus: Corpus, text: str, page_id: str, beside: frozenset[str]) -> bool:
    """Does a text use a word that tells the page's title from those beside it?"""
    telling = telling_stems(beside | {page_id}, corpus)[page_id]
    return bool(naming_stems(text, telling, beside - {page_id}, corpus))


def telling_stems(pages: frozenset[str], corpus: Corpus) -> dict[str, frozenset[str]]:
    """Of each page the stems that its title or name has, and that of no other."""
    titles = {}
    for name in pages:
        page = corpus.page(name)
        titles[name] = stems([page.title if page else None, name])
    return stems_of_one(titles)


def naming_stems(
    text: str, telling: frozenset[str], others: frozenset[str], corpus: Corpus
) -> frozenset[str]:
    """Those of a title's telling stems with which a text names its page. Unless it has
    a capital (also where a sentence begins, where `Word.is_name` sees no name), such a
    word is one that the other pages do not have: "in the evening" names no Torp Evening
    Line."""
    said = [x for x in content_words(words(text)) if x.stem in telling]
    texts = [_lowered(one, corpus) for one in others] if said else []
    return frozenset(
        word.stem
        for word in said
        if word.text[:1].isupper() or all(word.stem not in text for text in texts)
    )


def _has_all_of_one(
    page_id: str, named: Sequence[frozenset[str]], corpus: Corpus
) -> bool:
    """The page has all the words by which one of the others is named."""
    text = _lowered(page_id, corpus)
    return any(all(stem in text for stem in said) for said in named)


def _lowered(page_id: str, corpus: Corpus) -> str:
    page = corpus.page(page_id)
    return page.text.lower() if page else ""


def settle_verdict(
    one: ClaimOnPages, near: Verdict, wide: Verdict | None, corpus: Corpus
) -> Verdict:
    """The verdict of a claim from its own pages' word and that of all pages."""
    if wide is None or not wide.evidence:
        return near
    place = wide.evidence[0].page_id
    counts = wide.label is Label.SUPPORTED and (
        place in one.pages or names_page(corpus, one.claim.text, place, one.pages)
    )
    return wide if counts else near
