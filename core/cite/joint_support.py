"""What the citations of each answer sentence carry together (METRICS C, ALCE).

After Gao et al. 2023, "Enabling Large Language Models to Generate Text with
Citations": a sentence is recalled when all it cites entails it together; a citation
of such a sentence is precise unless it entails nothing alone and the others entail
the sentence without it. Here a sentence is entailed when each of its claims is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace

from claimscope.core.cite.marker_resolution import (
    ResolvedItem,
    SourceLookup,
    claims_behind,
)
from claimscope.core.cite.status import AnswerCitations
from claimscope.core.cite.support import joint_key, joint_question, question_of
from claimscope.core.models import ClaimResult, Label
from claimscope.core.models.findings import CitedSentence
from claimscope.core.ports import Corpus, Embedder, Question, Verifier
from claimscope.core.text.sentences import split_sentences

Rest = dict[tuple[int, int], bool | None]
"""(number of the citation left out, claim index) -> do the others support it?"""


async def carried_sentences(
    text: str,
    claims: Sequence[ClaimResult],
    found: AnswerCitations,
    corpus: Corpus | None,
    verifier: Verifier,
    embedder: Embedder,
    question: str | None = None,
    contexts: Sequence[str] = (),
) -> tuple[CitedSentence, ...]:
    """One for each answer sentence that states a claim, in reading order."""
    lookup = SourceLookup(corpus, contexts)
    keys, questions = await asyncio.to_thread(leave_one_out, found, lookup, embedder)
    questions = [replace(asking, question=question) for asking in questions]
    verdicts = await verifier.verify(questions) if questions else ()
    rest: Rest = {
        key: None
        if verdict.label is Label.UNSCORED
        else verdict.label is Label.SUPPORTED
        for key, verdict in zip(keys, verdicts, strict=True)
    }
    spans = split_sentences(text, "markdown")
    return tuple(
        sentence(span, own, number, found, rest)
        for number, span in enumerate(spans)
        if (own := claims_behind(text, spans, number, claims))
    )


def leave_one_out(
    found: AnswerCitations, lookup: SourceLookup, embedder: Embedder
) -> tuple[list[tuple[int, int]], list[Question]]:
    """Questions that leave one of three or more citations out. Of two, the rest is the
    other, which was asked; and one that supports a claim alone needs no question."""
    keys: list[tuple[int, int]] = []
    questions: list[Question] = []
    for number, one in enumerate(found.cited):
        others = beside(number, found)
        if len(others) < 2 or not one.sentences:
            continue
        for result in one.claims:
            index = result.claim.index
            shown = any(found.support.get((other, index)) for other in others)
            if shown or found.support.get((number, index)):
                continue
            shares = [
                question_of(found.cited[other], result.claim.text, lookup, embedder)
                for other in others
            ]
            keys.append((number, index))
            questions.append(joint_question(shares))
    return keys, questions


def beside(number: int, found: AnswerCitations) -> list[int]:
    """The other citations of a citation's sentence that name something."""
    return [one for one in found.others_of(number) if found.cited[one].sentences]


def sentence(
    span: tuple[int, int],
    claims: Sequence[ClaimResult],
    number: int,
    found: AnswerCitations,
    rest: Rest,
) -> CitedSentence:
    """What the citations of one sentence carry."""
    own = [at for at, one in enumerate(found.cited) if one.owner == number]
    indexes = [result.claim.index for result in claims]
    carried = all_known([together(own, index, found) for index in indexes])
    return CitedSentence(
        start=span[0],
        end=span[1],
        carried=carried,
        citations=[is_precise(at, indexes, carried, found, rest) for at in own],
        texts=[found.cited[at].marker.text for at in own],
    )


def together(own: Sequence[int], index: int, found: AnswerCitations) -> bool | None:
    """Do all citations of a sentence support a claim? None = nobody could judge it."""
    if not own:
        return False
    one: ResolvedItem = found.cited[own[0]]
    said = [found.support.get((at, index), False) for at in own]
    said.append(found.support.get(joint_key(one, index), False))
    return any_known(said)


def is_precise(
    at: int,
    indexes: Sequence[int],
    carried: bool | None,
    found: AnswerCitations,
    rest: Rest,
) -> bool | None:
    """Is one citation of use? Of none where the sentence is not carried at all."""
    if not found.cited[at].sentences or carried is False:
        return False
    if carried is None:
        return None
    alone = [found.support.get((at, index), False) for index in indexes]
    texts = {r.claim.index: r.claim.text for r in found.cited[at].claims}
    if any(alone) or any(
        found.carries(at, index, texts[index]) for index in indexes if index in texts
    ):
        return True
    others = beside(at, found)
    without = all_known(
        [is_carried_without(at, others, index, found, rest) for index in indexes]
    )
    if without is None or None in alone:
        return None
    return not without


def is_carried_without(
    at: int, others: Sequence[int], index: int, found: AnswerCitations, rest: Rest
) -> bool | None:
    """Do the other citations support a claim without this one?"""
    said = [found.support.get((other, index), False) for other in others]
    said.append(rest.get((at, index), False))
    return any_known(said)


def any_known(said: Collection[bool | None]) -> bool | None:
    """One is true; None when none is and one could not be judged."""
    return True if any(said) else None if None in said else False


def all_known(said: Collection[bool | None]) -> bool | None:
    """All are true; False when one is false; else None when one could not be judged."""
    return False if False in said else None if None in said else True
