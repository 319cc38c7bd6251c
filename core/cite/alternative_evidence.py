"""Which sentence does support a claim whose citation does not.

The verdict of a claim says on which sentences it rests, but not which of them carries
it by itself; the commonest slip is one sentence beside the right one; and what the
cited page leaves open another page may say. So these are asked one by one. What is
contradicted is looked for nowhere else: the fee of another course would be found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimscope.core.cite.cited_sentence import states_something
from claimscope.core.cite.marker_resolution import ResolvedItem, SourceLookup
from claimscope.core.cite.support import Key, question_on
from claimscope.core.models import ClaimResult, Evidence, Label, Sentence, Verdict
from claimscope.core.ports import Question

BESIDE = 2
"""Sentences on either side of the cited one."""
MOST = 6
"""Sentences that are asked for one claim."""
NEAREST = 3
"""Sentences of all pages that are asked where those it cites leave a claim open."""


def ask_elsewhere(
    open_: Sequence[tuple[int, ClaimResult]],
    cited: Sequence[ResolvedItem],
    lookup: SourceLookup,
) -> tuple[list[tuple[Key, str]], list[Question]]:
    """((citation, claim), sentence id) of each question on claims left `open_`."""
    keys: list[tuple[Key, str]] = []
    questions: list[Question] = []
    for number, result in open_:
        claim = result.claim
        near = likely_sentences(cited[number], result, lookup)
        for one in near[:MOST]:
            asked = question_at(one.page_id, one.index, claim.text, lookup)
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
    one: ResolvedItem, result: ClaimResult, lookup: SourceLookup
) -> list[Sentence]:
    """What may say it, then what stands beside the cited sentence; nothing where the
    verdict rests on one other sentence alone, which is then known."""
    named = {sentence.sentence_id for sentence in one.sentences}
    likely = candidates_for(result, lookup)
    is_true = result.verdict.label is Label.SUPPORTED
    if is_true and len(likely) == 1 and likely[0].sentence_id not in named:
        return []
    found: dict[str, Sentence] = {}
    for evidence in likely:
        everything, _ = lookup.read(evidence.page_id)
        if 0 <= evidence.index < len(everything):
            found[evidence.sentence_id] = everything[evidence.index]
    if one.item.sentence is not None and one.item.page_id is not None:
        everything, _ = lookup.read(one.item.page_id)
        for step in range(1, BESIDE + 1):
            for place in (one.item.sentence - step, one.item.sentence + step):
                if 0 <= place < len(everything):
                    found.setdefault(everything[place].sentence_id, everything[place])
    return [sentence for place, sentence in found.items() if place not in named]


def candidates_for(result: ClaimResult, lookup: SourceLookup) -> Sequence[Evidence]:
    """What the verdict rests on. A claim that its own pages leave open was held against
    the pages it cites: the nearest sentences of all pages."""
    corpus = lookup.corpus
    if result.verdict.label is Label.SUPPORTED or corpus is None or lookup.contexts:
        return result.verdict.evidence
    return corpus.search(result.claim.text, k=NEAREST).hits


def question_at(
    page_id: str, index: int, claim: str, lookup: SourceLookup
) -> Question | None:
    """A claim against one sentence; None where it is not there or states nothing."""
    everything, text = lookup.read(page_id)
    if not 0 <= index < len(everything):
        return None
    if not states_something(everything[index], text):
        return None
    page = lookup.page(page_id)
    return question_on(everything[index], everything, text, page, claim)
