"""Which sentence does support a claim whose citation does not.

The verdict of a claim says on which sentences it rests, but not which of them carries
it by itself; the commonest slip is one sentence beside the right one; and what the
cited page leaves open another page may say. So these are asked one by one. What is
contradicted is looked for nowhere else: the fee of another course would be found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimscope.core.cite.cited_sentence import states_something
from claimscope.core.cite.marker_resolution import ResolvedItem, passage_sentences
from claimscope.core.cite.support import Key, question_on
from claimscope.core.models import (
    ClaimResult,
    Evidence,
    Label,
    Sentence,
    Verdict,
)
from claimscope.core.ports import Corpus, Question
from claimscope.core.verify.token_alignment import passage_number

BESIDE = 2
"""Sentences on either side of the cited one."""
MOST = 6
"""Sentences that are asked for one claim."""
NEAREST = 3
"""Sentences of all pages that are asked where those it cites leave a claim open."""


def ask_elsewhere(
    open_: Sequence[tuple[int, ClaimResult]],
    cited: Sequence[ResolvedItem],
    corpus: Corpus | None,
    contexts: Sequence[str],
) -> tuple[list[tuple[Key, str]], list[Question]]:
    """((citation, claim), sentence id) of each question. `open_`: citations with the
    claims that they do not carry."""
    keys: list[tuple[Key, str]] = []
    questions: list[Question] = []
    for number, result in open_:
        claim = result.claim
        near = likely_sentences(cited[number], result, corpus, contexts)
        for one in near[:MOST]:
            asked = question_at(one.page_id, one.index, claim.text, corpus, contexts)
            if asked is not None:
                keys.append(((number, claim.index), one.sentence_id))
                questions.append(asked)
    return keys, questions


def found_elsewhere(
    keys: Sequence[tuple[Key, str]], verdicts: Sequence[Verdict]
) -> Mapping[Key, str]:
    """(citation, claim) → the first sentence that supports it by itself."""
    found: dict[Key, str] = {}
    for (key, place), verdict in zip(keys, verdicts, strict=True):
        if verdict.label is Label.SUPPORTED:
            found.setdefault(key, place)
    return found


def likely_sentences(
    one: ResolvedItem,
    result: ClaimResult,
    corpus: Corpus | None,
    contexts: Sequence[str],
) -> list[Sentence]:
    """What may say it, then what stands beside the cited sentence; nothing where the
    verdict rests on one other sentence alone, which is then known."""
    named = {sentence.sentence_id for sentence in one.sentences}
    likely = candidates_for(result, corpus, contexts)
    is_true = result.verdict.label is Label.SUPPORTED
    if is_true and len(likely) == 1 and likely[0].sentence_id not in named:
        return []
    found: dict[str, Sentence] = {}
    for evidence in likely:
        everything, _ = page_of(evidence.page_id, corpus, contexts)
        if 0 <= evidence.index < len(everything):
            found[evidence.sentence_id] = everything[evidence.index]
    if one.item.sentence is not None and one.item.page_id is not None:
        everything, _ = page_of(one.item.page_id, corpus, contexts)
        for step in range(1, BESIDE + 1):
            for place in (one.item.sentence - step, one.item.sentence + step):
                if 0 <= place < len(everything):
                    found.setdefault(everything[place].sentence_id, everything[place])
    return [sentence for place, sentence in found.items() if place not in named]


def candidates_for(
    result: ClaimResult, corpus: Corpus | None, contexts: Sequence[str]
) -> Sequence[Evidence]:
    """What the verdict rests on. A claim that its own pages leave open was held against
    the pages it cites: the nearest sentences of all pages."""
    if result.verdict.label is Label.SUPPORTED or corpus is None or contexts:
        return result.verdict.evidence
    return corpus.search(result.claim.text, k=NEAREST).hits


def question_at(
    page_id: str,
    index: int,
    claim: str,
    corpus: Corpus | None,
    contexts: Sequence[str],
) -> Question | None:
    """A claim against one sentence of a page or passage; None where there is no such
    sentence or it states nothing."""
    everything, text = page_of(page_id, corpus, contexts)
    if not 0 <= index < len(everything):
        return None
    if not states_something(everything[index], text):
        return None
    page = corpus.page(page_id) if corpus else None
    return question_on(everything[index], everything, text, page, claim)


def page_of(
    page_id: str, corpus: Corpus | None, contexts: Sequence[str]
) -> tuple[Sequence[Sentence], str]:
    """Sentences and text of a page, or of a passage of the case."""
    number = passage_number(page_id)
    if number is not None and number < len(contexts):
        return passage_sentences(number, contexts), contexts[number]
    page = corpus.page(page_id) if corpus is not None else None
    if corpus is None or page is None:
        return (), ""
    return corpus.sentences(page_id), page.text
