"""Questions that the pages do not answer, and how it is made sure that they do not.

A model that is asked for a question without an answer writes one that has one. So the
question is one that another page answers, with the subject exchanged for one whose page
says nothing like it; and two have to agree that nothing answers it: the words of the
nearest sentences, and the model that is shown them.
"""

from __future__ import annotations

import asyncio

from claimscope.core.models import Evidence
from claimscope.core.ports import ChatModel, ChatRequest, Corpus
from claimscope.core.prompts.templates import prompt
from claimscope.core.services.suite_building.material import Material, title_of
from claimscope.core.services.suite_building.tracing import (
    DraftDropped,
    check_question,
    names_of,
)
from claimscope.core.services.suite_building.writing import Draft
from claimscope.core.verify.page_selection import best_on_pages
from claimscope.core.verify.witnesses.model_question import yes
from claimscope.core.verify.word_forms import content_words, rarity, stems, words

SHOWN = 8
"""Sentences of the subject's page that the model is shown."""
ANSWERED = 0.5
"""Probability of Yes from which the model says that they answer it. Small models say
Yes too readily: what they deny is denied."""


HELD = 0.6
"""Share of a question's words, by rarity, with which a sentence may well answer it."""


async def check_unanswered(
    draft: Draft, material: Material, corpus: Corpus, chat: ChatModel
) -> float:
    """The probability that the page answers the question all the same, by the model.
    Raises Dropped when it may, or asks of another subject; ModelError."""
    assert material.subject is not None  # of this kind it has one
    if not draft.question:
        raise DraftDropped("the question does not name its subject")
    source = material.sources[0].page_id
    check_question(draft.question, corpus, (material.subject, source))
    check_subject(draft.question, material.subject, source, corpus)
    near = await asyncio.to_thread(
        best_on_pages, draft.question, frozenset({material.subject}), corpus, SHOWN
    )
    if any(
        _has_most_of(one.text, draft.question, material.subject, corpus) for one in near
    ):
        raise DraftDropped("a sentence may answer it after all")
    probability = yes(await chat.chat(_request(draft.question, near)))
    if probability >= ANSWERED:
        raise DraftDropped("the model finds an answer to it")
    return probability


def check_subject(question: str, subject: str, other: str, corpus: Corpus) -> None:
    """Raises Dropped unless the question names its subject, and not the other page's;
    words that both have tell nothing."""
    own, foreign = (
        _telling_words(subject, other, corpus),
        _telling_words(other, subject, corpus),
    )
    asked = {word.stem for word in content_words(words(question))}
    if not own & asked:
        raise DraftDropped("the question does not name its subject")
    if foreign & asked:
        raise DraftDropped("the question asks of another page's subject")


def _has_most_of(sentence: str, question: str, subject: str, corpus: Corpus) -> bool:
    """Whether a sentence has most of what is asked, the subject's name aside."""
    asked = {w.stem for w in content_words(words(question))} - names_of(
        [subject], corpus
    )
    total = sum(map(rarity, asked))
    held = sum(map(rarity, asked & stems([sentence])))
    return not total or held / total >= HELD


def _telling_words(page_id: str, other: str, corpus: Corpus) -> frozenset[str]:
    """Words of a page's title that the other page's lacks."""
    page, beside = corpus.page(page_id), corpus.page(other)
    titles = [title_of(one) if one is not None else "" for one in (page, beside)]
    own = {word.stem for word in content_words(words(titles[0])) if not word.is_number}
    return frozenset(own - stems(titles[1:]))


def _request(question: str, near: tuple[Evidence, ...]) -> ChatRequest:
    template = prompt("build_answered")
    document = "\n".join(
        " ".join(one.text.split()) for one in sorted(near, key=lambda one: one.index)
    )
    text = template.fill(document=document or "(nothing)", question=question)
    return ChatRequest(
        purpose="build",
        messages=(("user", text),),
        prompt_digest=template.digest,
        max_tokens=1,
        top_logprobs=10,
    )
