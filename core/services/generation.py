"""Answers written by a local model from retrieved sentences, citations validated.

The model is shown sentences with the marks it has to cite them by. A citation counts
only when it was among them (METRICS C, property 3), and what it says is judged at once
as in a run: an answer comes with the state of each of its citations.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimscope.core.calls.context_planning import ContextRoom
from claimscope.core.models import (
    Answer,
    Case,
    CitationResult,
    CitationState,
    JsonValue,
    SampleKey,
    digest,
)
from claimscope.core.ports import ChatModel, ChatRequest, Corpus
from claimscope.core.prompts.fencing import fence_mark
from claimscope.core.prompts.templates import prompt
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.text.citations.markers import find_markers

REPLY_TOKENS = 400
MOST_CHARACTERS = 5000
"""Of evidence: more helps a small model no more."""
ABSTENTION = "sources do not say"
REMINDER = (
    "Write the same answer again, and end each sentence with the mark, in square "
    "brackets, of the sentence above that it rests on."
)
GOOD = (CitationState.VALID, CitationState.UNNEEDED)


@dataclass(frozen=True)
class ShownEvidence:
    """Evidence as the model is shown it."""

    lines: tuple[str, ...]
    marks: frozenset[tuple[str | None, int | None]]
    """(page id, sentence), or (None, position), of each line."""
    retrieved: tuple[str, ...] = ()
    """Ids of the sentences that are shown, those that were found first; empty where the
    case's own contexts are shown."""


@dataclass(frozen=True)
class GeneratedAnswer:
    """An answer and what became of its citations."""

    answer: Answer
    citations: tuple[CitationResult, ...] = ()
    problems: tuple[str, ...] = ()
    """One line for each citation that is not valid, and for an answer without any."""


def evidence_for(
    case: Case, corpus: Corpus | None, k: int, characters: int
) -> ShownEvidence:
    """The k best sentences of the corpus with their neighbours, pages by their best
    hit and sentences in page order; or the case's own contexts by position."""
    if case.contexts or corpus is None:
        return evidence_of_contexts(case.contexts, characters)
    found: dict[str, set[int]] = {}
    hits = corpus.search(case.question, k=k).hits
    for hit in hits:
        around = [(hit.index, hit.text), (hit.index - 1, hit.before)]
        around.append((hit.index + 1, hit.after))
        for index, text in around:
            if text is None or index in found.get(hit.page_id, ()):
                continue
            characters -= len(text) + len(hit.page_id) + 9
            if characters < 0 and found:
                break
            found.setdefault(hit.page_id, set()).add(index)
    lines: list[str] = []
    marks: set[tuple[str, int]] = set()
    for page_id, indexes in found.items():
        texts = {one.index: one.text for one in corpus.sentences(page_id)}
        for index in sorted(indexes & set(texts)):
            lines.append(f"[{page_id}, S:{index}] {' '.join(texts[index].split())}")
            marks.add((page_id, index))
    hit_first = [(hit.page_id, hit.index) for hit in hits]
    shown = dict.fromkeys(place for place in hit_first if place in marks)
    shown |= dict.fromkeys(sorted(marks))  # neighbours of the hits were shown as well
    retrieved = tuple(f"{page_id}:S:{index}" for page_id, index in shown)
    return ShownEvidence(tuple(lines), frozenset(marks), retrieved)


def evidence_of_contexts(contexts: Sequence[str], characters: int) -> ShownEvidence:
    """Passages by their positions, as many as there is room for; one at least."""
    lines: list[str] = []
    for number, text in enumerate(contexts, 1):
        characters -= len(text) + 6
        if characters < 0 and lines:
            break
        lines.append(f"[{number}] {' '.join(text.split())}")
    return ShownEvidence(
        tuple(lines), frozenset((None, number + 1) for number in range(len(lines)))
    )


def answer_request(case: Case, shown: ShownEvidence) -> ChatRequest:
    template = prompt("answer")
    evidence = "\n".join(shown.lines) or "(nothing was found)"
    example = shown.lines[0].partition("]")[0] + "]" if shown.lines else "[page, S:0]"
    text = template.fill(
        evidence=evidence,
        evidence_mark=fence_mark(evidence),
        example=example,
        question=case.question,
    )
    return ChatRequest(
        purpose="answer",
        messages=(("user", text),),
        prompt_digest=template.digest,
        max_tokens=REPLY_TOKENS,
    )


def generation_digest(
    chat: ChatModel, corpus: Corpus | None, services: Services
) -> str:
    """Digest of what decides answers: model, prompt, pages, settings. Answers of
    different ones are not mixed in one file."""
    settings = services.settings
    return digest(
        chat.digest or chat.name,
        prompt("answer").digest,
        corpus.version if corpus else "",
        f"{settings.evidence_sentences} {settings.seed} {chat.context_tokens}",
    )[:16]


async def generate(
    case: Case,
    chat: ChatModel,
    services: Services,
    *,
    provider: str,
    created: str,
    room: ContextRoom | None = None,
) -> GeneratedAnswer:
    """One answer. Raises ModelError, EmbeddingError, StoreError."""
    corpus = services.corpus
    room = room or ContextRoom(chat)
    beside = len(case.question) + len(prompt("answer").text)
    characters = min(await room.characters(beside, REPLY_TOKENS), MOST_CHARACTERS)
    k = services.settings.evidence_sentences
    shown = await asyncio.to_thread(evidence_for, case, corpus, k, characters)
    text = await cited_answer(chat, answer_request(case, shown), corpus)
    answer = Answer(
        case_id=case.id,
        provider=provider,
        model=chat.name,
        text=text,
        created=created,
        retrieved=shown.retrieved or None,
    )
    return await with_validated_citations(
        case, answer, shown, services, generation_digest(chat, corpus, services)
    )


async def cited_answer(
    chat: ChatModel, request: ChatRequest, corpus: Corpus | None
) -> str:
    """The model's answer; one without a citation is asked for once more, and the
    second counts only when it has some. Raises ModelError."""
    text = (await chat.chat(request)).content.strip()
    known = corpus.page_ids() if corpus else ()
    if find_markers(text, known) or ABSTENTION in text.casefold():
        return text
    again = (("assistant", text), ("user", REMINDER))
    second = replace(request, messages=(*request.messages, *again))
    cited = (await chat.chat(second)).content.strip()
    return cited if find_markers(cited, known) else text


async def with_validated_citations(
    case: Case, answer: Answer, shown: ShownEvidence, services: Services, made: str
) -> GeneratedAnswer:
    """The answer with the states of its citations."""
    stages = replace(
        services,
        stages=frozenset({"decompose", "claims", "citations"}),
        metrics=("citation_precision",),
        grader=None,
    )
    key = SampleKey(case_id=case.id, provider=answer.provider)
    result = await evaluate(SampleTask(key, case, answer), stages)
    problems = [
        f"{one.state.value}: {one.reason or one.text}"
        for one in result.citations
        if one.state not in GOOD
    ]
    strange = not_shown(answer.text, shown, services.corpus)
    problems += [f"not among the sentences it was given: {text}" for text in strange]
    if not result.citations and not result.abstained:
        problems.append("the answer cites nothing")
    metadata: dict[str, JsonValue] = {
        "made_with": made,
        "citations": len(result.citations),
        "valid_citations": sum(one.state in GOOD for one in result.citations),
        "not_given": len(strange),
        "abstained": result.abstained,
    }
    answer = answer.model_copy(update={"metadata": metadata})
    return GeneratedAnswer(answer, result.citations, tuple(dict.fromkeys(problems)))


def not_shown(text: str, shown: ShownEvidence, corpus: Corpus | None) -> list[str]:
    """Markers that name a sentence the model was not shown."""
    pages = {page_id for page_id, _ in shown.marks}
    strange = []
    for marker in find_markers(text, corpus.page_ids() if corpus else ()):
        for item in marker.items:
            if item.position is not None:
                is_shown = (None, item.position) in shown.marks
            elif item.sentence is None:
                is_shown = item.page_id in pages
            else:
                is_shown = (item.page_id, item.sentence) in shown.marks
            if not is_shown:
                strange.append(marker.text)
    return list(dict.fromkeys(strange))
