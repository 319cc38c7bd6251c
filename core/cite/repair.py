"""How the citations of an answer could be made good: proposals for a person.

For each marker that is misattributed or broken, and for each true claim that no
citation of its sentence carries: the sentence that supports the claim by itself, else
two that support it together and not alone, both cited at once.
Nothing is taken away; a marker whose claim no sentence supports stays, and is told of
(`citations_without_repair`). A claim that is contradicted gets no citation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from claimscope.core.cite.alternative_evidence import question_at
from claimscope.core.cite.marker_edits import MarkerWriter, Named, Target, Written
from claimscope.core.cite.marker_resolution import (
    ResolvedItem,
    SourceLookup,
    claims_in,
    known_names,
)
from claimscope.core.cite.status import AnswerCitations
from claimscope.core.cite.support import joint_key, joint_question, stems
from claimscope.core.models import (
    CitationProposal,
    CitationResult,
    CitationState,
    ClaimResult,
    Label,
    SampleResult,
    Sentence,
)
from claimscope.core.ports import Corpus, Question, Verifier

MOST = 4
"""Sentences that are asked for one claim."""
WRONG = (CitationState.MISATTRIBUTED, CitationState.BROKEN)
"""States of citations that are replaced where a sentence is known."""
Key = tuple[int, int]
"""(owner, claim index)."""


@dataclass
class UncitedSentence:
    """A sentence of the answer with claims that no citation of it carries."""

    owner: int
    claims: list[ClaimResult]
    bad: list[int] = field(default_factory=list)
    """Numbers of its citations that carry nothing."""


@dataclass(frozen=True)
class SupportingSentences:
    """The sentence that supports a claim, or the two that do so together."""

    sentences: tuple[Sentence, ...]
    is_likely: bool

    @property
    def name(self) -> str:
        """Tells sources apart."""
        return " + ".join(one.sentence_id for one in self.sentences)

    @property
    def targets(self) -> tuple[Target, ...]:
        """What is cited."""
        return tuple(Target(one.page_id, one.index) for one in self.sentences)


Sources = Mapping[Key, SupportingSentences]
"""What supports each claim."""


async def propose(
    text: str,
    claims: Sequence[ClaimResult],
    found: AnswerCitations,
    corpus: Corpus | None,
    verifier: Verifier,
    contexts: Sequence[str] = (),
    question: str | None = None,
) -> tuple[CitationProposal, ...]:
    """Proposals in the order of the answer. `verifier` is asked once for each sentence
    that may support a claim; one without a language model is enough."""
    names = await asyncio.to_thread(known_names, text, corpus, contexts)
    writer = await asyncio.to_thread(MarkerWriter, text, names)
    places = list(open_places(writer, claims, found))
    asked = await asyncio.to_thread(
        _support_checks, places, found, SourceLookup(corpus, contexts)
    )
    asked = [replace(one, asked=replace(one.asked, question=question)) for one in asked]
    sources = await _sources(asked, verifier)
    pairs = [one for one in _sentence_pairs(asked) if one.key not in sources]
    sources |= await _sources(pairs, verifier)
    made = await asyncio.to_thread(_propose_changes, writer, places, sources, found)
    return tuple(sorted(made, key=lambda one: (one.start, one.end)))


@dataclass(frozen=True)
class SupportCheck:
    """Whether some sentences support a claim of an answer sentence."""

    owner: int
    result: ClaimResult
    sentences: tuple[Sentence, ...]
    asked: Question

    @property
    def key(self) -> Key:
        return self.owner, self.result.claim.index


async def _sources(
    asked: Sequence[SupportCheck], verifier: Verifier
) -> dict[Key, SupportingSentences]:
    verdicts = await verifier.verify([one.asked for one in asked]) if asked else ()
    sources: dict[Key, SupportingSentences] = {}
    for one, verdict in zip(asked, verdicts, strict=True):
        if verdict.label is Label.SUPPORTED:
            sure = one.result.verdict.label is Label.SUPPORTED and not (
                verdict.is_likely or one.result.verdict.is_likely
            )
            if one.key not in sources or (sure and sources[one.key].is_likely):
                sources[one.key] = SupportingSentences(one.sentences, not sure)
    return sources


def _sentence_pairs(asked: Sequence[SupportCheck]) -> Iterator[SupportCheck]:
    """Two sentences for one claim, of which each has a word of it that the other
    lacks. Only for claims that are supported by what they were held against."""
    for one, other in combinations(asked, 2):
        if one.key != other.key or one.result.verdict.label is not Label.SUPPORTED:
            continue
        wanted = stems(one.asked.claim)
        left, right = (
            {stem for e in each.asked.evidence for stem in stems(e.text)} & wanted
            for each in (one, other)
        )
        if left - right and right - left:
            both = {*one.sentences, *other.sentences}
            ordered = tuple(sorted(both, key=lambda s: (s.page_id, s.index)))
            asked_both = joint_question([one.asked, other.asked])
            yield replace(one, sentences=ordered, asked=asked_both)


def open_places(
    writer: MarkerWriter, claims: Sequence[ClaimResult], found: AnswerCitations
) -> Iterator[UncitedSentence]:
    """Sentences of the answer whose claims want a citation, in order. Where one of its
    citations could not be judged, a sentence is let be."""
    cited_by: dict[int, list[int]] = {}
    for number, one in enumerate(found.cited):
        if one.owner is not None:
            cited_by.setdefault(one.owner, []).append(number)
    for owner, span in enumerate(writer.spans):
        numbers = cited_by.get(owner, [])
        states = {found.checks[number].result.state for number in numbers}
        if CitationState.UNVERIFIABLE in states:
            continue
        own = found.cited[numbers[0]].claims if numbers else claims_in(claims, span)
        left = [result for result in own if _wants_citation(result, numbers, found)]
        bad = [n for n in numbers if found.checks[n].result.state in WRONG]
        if left:
            yield UncitedSentence(owner, left, bad)


def _wants_citation(
    result: ClaimResult, numbers: Sequence[int], found: AnswerCitations
) -> bool:
    """Whether a claim may be true and no citation of its sentence carries it."""
    index = result.claim.index
    if result.verdict.label not in (Label.SUPPORTED, Label.NOT_ENOUGH_INFO):
        return False
    if not numbers:
        return result.verdict.label is Label.SUPPORTED
    first = found.cited[numbers[0]]
    return not (
        any(found.support.get((number, index)) for number in numbers)
        or found.support.get(joint_key(first, index))
        or found.is_carried(numbers[0], index)
    )


def _support_checks(
    places: Sequence[UncitedSentence], found: AnswerCitations, lookup: SourceLookup
) -> list[SupportCheck]:
    """Each claim against each of its candidates."""
    questions: list[SupportCheck] = []
    for place in places:
        for result in place.claims:
            for page_id, index in _candidates(place, result, found):
                asked = question_at(page_id, index, result.claim.text, lookup)
                if asked is not None:
                    said = (lookup.read(page_id)[0][index],)
                    questions.append(SupportCheck(place.owner, result, said, asked))
    return questions


def _candidates(
    place: UncitedSentence, result: ClaimResult, found: AnswerCitations
) -> list[tuple[str, int]]:
    """(page id, sentence index): what supports it elsewhere, then its own evidence."""
    checks = [found.checks[number].result for number in place.bad]
    ids = [check.supported_by for check in checks if check.supported_by]
    parts = [one.rpartition(":S:") for one in ids]
    places = [(page, int(index)) for page, _, index in parts if index.isdecimal()]
    if result.verdict.label is Label.SUPPORTED:
        places += [(e.page_id, e.index) for e in result.verdict.evidence]
    return list(dict.fromkeys(places))[:MOST]


def _propose_changes(
    writer: MarkerWriter,
    places: Sequence[UncitedSentence],
    sources: Sources,
    found: AnswerCitations,
) -> Iterator[CitationProposal]:
    for place in places:
        wanted: dict[str, list[ClaimResult]] = {}
        known: dict[str, SupportingSentences] = {}
        for result in place.claims:
            source = sources.get((place.owner, result.claim.index))
            if source is not None:
                name = source.name
                wanted.setdefault(name, []).append(result)
                if name not in known or source.is_likely:
                    known[name] = source
        yield from _propose_replacements(writer, place, wanted, known, found)
        added = 0
        for name, results in wanted.items():
            targets = known[name].targets
            change = writer.add_marker(place.owner, targets, is_further=added > 0)
            if change is not None:
                added += 1
                yield _proposal(writer, "add", change, [known[name]], results)


def _propose_replacements(
    writer: MarkerWriter,
    place: UncitedSentence,
    wanted: dict[str, list[ClaimResult]],
    known: Mapping[str, SupportingSentences],
    found: AnswerCitations,
) -> Iterator[CitationProposal]:
    """A proposal for each marker with bad citations; takes from `wanted`."""
    for marker_start in dict.fromkeys(found.cited[n].marker.start for n in place.bad):
        numbers = [
            n for n, one in enumerate(found.cited) if one.marker.start == marker_start
        ]
        taken: dict[int, str] = {}
        for number in numbers:
            name = _choice(found.checks[number].result, wanted, set(taken.values()))
            if number in place.bad and name is not None:
                taken[number] = name
        if not taken:
            continue
        items = [
            item
            for n in numbers
            for item in _items_named(found.cited[n], known.get(taken.get(n, "")))
        ]
        change = writer.replace_items(found.cited[numbers[0]].marker, items)
        if change is not None:
            results = [result for name in taken.values() for result in wanted.pop(name)]
            sources = [known[name] for name in taken.values()]
            yield _proposal(writer, "replace", change, sources, results)


def _choice(
    result: CitationResult, wanted: Mapping[str, object], taken: set[str]
) -> str | None:
    """Which of the sentences a citation is replaced by."""
    left = [name for name in wanted if name not in taken]
    if result.supported_by in left:
        return result.supported_by
    return left[0] if left else None


def _items_named(
    one: ResolvedItem, source: SupportingSentences | None
) -> Sequence[Named]:
    return (one.item,) if source is None else source.targets


def _proposal(
    writer: MarkerWriter,
    kind: str,
    change: Written,
    sources: Sequence[SupportingSentences],
    results: Sequence[ClaimResult],
) -> CitationProposal:
    shown = [one for source in sources for one in source.sentences]
    return CitationProposal(
        kind="replace" if kind == "replace" else "add",
        start=change.start,
        end=change.end,
        text=writer.text[change.start : change.end],
        by=change.by,
        entry=change.entry,
        sources=tuple(one.sentence_id for one in shown),
        quotes=tuple(one.text for one in shown),
        claim_indexes=tuple(dict.fromkeys(r.claim.index for r in results)),
        is_likely=any(source.is_likely for source in sources),
    )


def citations_without_repair(sample: SampleResult) -> list[CitationResult]:
    """Citations that do not support their claim and that nothing is proposed for."""
    replaced = {one.start for one in sample.proposals if one.kind == "replace"}
    return [
        one
        for one in sample.citations
        if one.state in (*WRONG, CitationState.UNSUPPORTED)
        and one.start not in replaced
    ]
