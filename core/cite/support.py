"""What the citations of an answer support, alone and together.

Each claim is held against each of its citations by itself, and, where there are
several, against all of them together: two that each carry half support it only so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from claimscope.core.cite.cited_sentence import own_words
from claimscope.core.cite.marker_resolution import ResolvedItem, SourceLookup
from claimscope.core.errors import EmbeddingError
from claimscope.core.models import ClaimResult, Evidence, Label, Page, Sentence, Verdict
from claimscope.core.ports import Corpus, Embedder, Question
from claimscope.core.verify.word_forms import content_words, words
from claimscope.core.verify.word_vectors import say_once, word_vectors

PAGE_SENTENCES = 4
"""Best sentences of a page that is cited as a whole."""
LEAST_SHARE = 0.5
"""Of a claim's words, those of the sentence that its verdict is believed to rest on."""
Key = tuple[int, int]
"""(number of the citation, claim index); -1 - owner for all of a sentence together."""
Said = dict[Key, bool | None]
"""Is it supported? None = it could not be judged."""


@dataclass(frozen=True)
class Support:
    """What was found out by asking."""

    said: Said
    likely: set[Key] = field(default_factory=set)
    """Supported, but by no proof and no two witnesses."""
    against: set[Key] = field(default_factory=set)
    """The citation says otherwise."""

    def get(self, key: Key, default: bool | None = None) -> bool | None:
        """As of `said`."""
        return self.said.get(key, default)


def support_questions(
    cited: Sequence[ResolvedItem], lookup: SourceLookup, embedder: Embedder
) -> tuple[list[Key], list[Question]]:
    """What the verifier is to be asked."""
    keys: list[Key] = []
    questions: list[Question] = []
    together: dict[Key, list[Question]] = {}
    for number, one in enumerate(cited):
        for result in one.claims if one.sentences else ():
            asked = question_of(one, result.claim.text, lookup, embedder)
            together.setdefault(joint_key(one, result.claim.index), []).append(asked)
            if not rests_on_page(one, result):
                keys.append((number, result.claim.index))
                questions.append(asked)
    for key, shares in together.items():
        asked = joint_question(shares)
        # Not for one citation, or for one cited twice: that was asked already.
        if len(asked.evidence) > max(len(share.evidence) for share in shares):
            keys.append(key)
            questions.append(asked)
    return keys, questions


def read_support(
    cited: Sequence[ResolvedItem],
    keys: Sequence[Key],
    questions: Sequence[Question],
    verdicts: Sequence[Verdict],
) -> Support:
    """The answers, with what needed not be asked."""
    said: Said = {}
    likely: set[Key] = set()
    against: set[Key] = set()
    alone: dict[Key, Question] = {}
    for key, asked, verdict in zip(keys, questions, verdicts, strict=True):
        is_open = verdict.label is Label.UNSCORED
        said[key] = None if is_open else verdict.label is Label.SUPPORTED
        alone[key] = asked
        if verdict.is_likely:
            likely.add(key)
        if verdict.label is Label.CONTRADICTED:
            against.add(key)
    for number, one in enumerate(cited):
        for result in one.claims:
            key = number, result.claim.index
            if result.verdict.label is not Label.SUPPORTED:
                # On all evidence nobody saw it supported: a person should look.
                likely |= {key, joint_key(one, result.claim.index)}
            if rests_on_page(one, result):
                said[key] = True
                if result.verdict.is_likely:
                    likely.add(key)
            elif said.get(key) is False and key not in against:
                if rests_on_sentence(one, result, alone[key]):
                    said[key] = True
                    likely.add(key)
    return Support(said, likely, against)


def joint_key(one: ResolvedItem, index: int) -> Key:
    """Key of a claim's support by all citations of its sentence together."""
    return -1 - (one.owner or 0), index


def joint_question(shares: Sequence[Question]) -> Question:
    """One question of the evidence of several."""
    evidence = {e.sentence_id: e for share in shares for e in share.evidence}
    documents = dict.fromkeys(d for share in shares for d in share.documents)
    return replace(
        shares[0], evidence=tuple(evidence.values()), documents=tuple(documents)
    )


def rests_on_page(one: ResolvedItem, result: ClaimResult) -> bool:
    """The claim's own verdict already rests on a page that is cited as a whole. Of a
    cited sentence it says too little: others may have had a part in it."""
    return (
        one.item.sentence is None
        and result.verdict.label is Label.SUPPORTED
        and any(e.page_id == one.source for e in result.verdict.evidence[:1])
    )


def rests_on_sentence(one: ResolvedItem, result: ClaimResult, asked: Question) -> bool:
    """The claim's own verdict names the cited sentence first, which has every figure
    and most words of the claim, and no other sentence has one that it lacks: read by
    itself it left the verifier unsure, on its page it did not. Likely, then."""
    verdict = result.verdict
    if verdict.label is not Label.SUPPORTED or len(one.sentences) != 1:
        return False
    first, *others = verdict.evidence or (None,)
    if first is None or first.sentence_id != one.sentences[0].sentence_id:
        return False
    own = {stem for e in asked.evidence for stem in stems(f"{e.title or ''} {e.text}")}
    wanted = stems(asked.claim)
    lacking = wanted - own
    figures = {word.stem for word in words(asked.claim) if word.is_number}
    if figures & lacking or len(lacking) > (1 - LEAST_SHARE) * len(wanted):
        return False
    return not any(lacking & stems(other.text) for other in others if other is not None)


def question_of(
    one: ResolvedItem, claim: str, lookup: SourceLookup, embedder: Embedder
) -> Question:
    """A claim against the cited sentence in its own words, or against the best of a
    page or passage that is cited as a whole."""
    text, page_sentences = whole_of(one, lookup)
    page = lookup.page(one.item.page_id)
    title, url = (page.title, page.url) if page else (None, None)
    if one.item.sentence is not None:
        (sentence,) = one.sentences
        return question_on(sentence, page_sentences, text, page, claim)
    chosen = nearest_sentences(one, claim, lookup.corpus, embedder)
    evidence = tuple(
        _evidence(sentence, sentence.text, title, url).model_copy(
            update={
                "before": neighbour(page_sentences, sentence.index - 1),
                "after": neighbour(page_sentences, sentence.index + 1),
            }
        )
        for sentence in chosen
    )
    return Question(claim, evidence, documents=((one.sentences[0].page_id, text),))


def question_on(
    sentence: Sentence,
    everything: Sequence[Sentence],
    text: str,
    page: Page | None,
    claim: str,
) -> Question:
    """A claim against a sentence in its own words, on `text`, its page."""
    said, heading = own_words(sentence, everything, text, claim)
    title, url = (page.title, page.url) if page else (None, None)
    named = " - ".join(filter(None, (title, heading))) or None
    return Question(claim, (_evidence(sentence, said, named, url),))


def whole_of(one: ResolvedItem, lookup: SourceLookup) -> tuple[str, Sequence[Sentence]]:
    """Text and sentences of the page or passage that a citation is of."""
    if one.item.position is not None:
        return lookup.contexts[one.item.position - 1], one.sentences
    corpus, page = lookup.corpus, lookup.page(one.item.page_id or "")
    everything = corpus.sentences(one.item.page_id or "") if corpus else one.sentences
    return page.text if page else "", everything


def nearest_sentences(
    one: ResolvedItem, claim: str, corpus: Corpus | None, embedder: Embedder
) -> Sequence[Sentence]:
    """The sentences of a page or passage that are nearest to a claim."""
    if len(one.sentences) <= PAGE_SENTENCES:
        return one.sentences
    texts = [sentence.text for sentence in one.sentences]
    try:
        if corpus is not None and one.item.page_id is not None:
            vectors = corpus.vectors(one.item.page_id)
        else:
            vectors = embedder.embed(texts)
        similarity = vectors @ embedder.embed([claim])[0]
    except EmbeddingError as error:
        say_once(error.message)
        *known, asked = word_vectors([*texts, claim])
        similarity = np.stack(known) @ asked
    order = similarity.argsort()[::-1][:PAGE_SENTENCES]
    return tuple(one.sentences[int(index)] for index in order)


def _evidence(
    sentence: Sentence, said: str, title: str | None, url: str | None
) -> Evidence:
    place = sentence.model_dump(include={"page_id", "index", "start", "end"})
    return Evidence(**place, text=said, title=title, url=url)


def neighbour(sentences: Sequence[Sentence], index: int) -> str | None:
    """Text of a sentence of the page, None beyond its ends."""
    return sentences[index].text if 0 <= index < len(sentences) else None


def alone_says(number: int, claim: str, cited: Sequence[ResolvedItem]) -> bool:
    """Whether a citation says something of a claim that no other of its sentence does:
    by words, since what is left open by the others is the part it is needed for."""
    wanted = stems(claim)
    own = _cited_stems(cited[number]) & wanted
    for other, one in enumerate(cited):
        if other != number and one.owner == cited[number].owner and one.sentences:
            if {s.sentence_id for s in one.sentences} == {
                s.sentence_id for s in cited[number].sentences
            }:
                continue
            own -= _cited_stems(one)
    return bool(own)


def stems(text: str) -> set[str]:
    """Words of content, by stem; numbers as they are."""
    return {word.stem for word in content_words(words(text))}


def _cited_stems(one: ResolvedItem) -> set[str]:
    return {stem for sentence in one.sentences for stem in stems(sentence.text)}
