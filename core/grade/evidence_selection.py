"""What a judge reads beside the answer: evidence, as much as its context holds.

A grade on half a prompt would be a guess, so the evidence is packed to fit: what the
verdicts rest on first, then what the question finds.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.calls.context_planning import Needs
from claimscope.core.models import Case, ClaimResult
from claimscope.core.ports import Corpus
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.token_alignment import passage_number

QUESTION_HITS = 6
PROMPT_CHARACTERS = 2600
"""Of the prompt without evidence, question and answer: instructions and a rubric."""
REPLY_TOKENS = 800
"""A reply that was cut is asked for again with twice its usual room."""
ENOUGH = 8000
"""Characters of evidence beyond which a small model is helped no more."""
WINDOW_CHARACTERS = 3200
"""Of the longest window a claim is held against, in long words."""
CLAIM_CHARACTERS = 1000
"""Of a long claim and the question about it."""
WISHED = 5000
"""Characters of evidence a context is planned to hold for a grade."""


def needs_of(judge: bool, asked: Sequence[str] = ()) -> Needs:
    """The longest call of a run; `asked`: each question with its answer, for grades."""
    if not judge:
        return Needs(WINDOW_CHARACTERS, CLAIM_CHARACTERS, reply_tokens=1)
    longest = max(map(len, asked), default=CLAIM_CHARACTERS)
    return Needs(WISHED, PROMPT_CHARACTERS + longest, REPLY_TOKENS)


def select_evidence(
    case: Case, claims: Sequence[ClaimResult], corpus: Corpus | None, characters: int
) -> tuple[str, ...]:
    """Passages of at most so many characters: the case's own contexts, else the pages.

    At least one sentence, however little room there is: a judge without any evidence
    would grade at random, and a prompt that does not fit is refused by the server.
    """
    if case.contexts:
        return from_contexts(case.contexts, claims, characters)
    return from_pages(case.question, claims, corpus, min(characters, ENOUGH))


def from_pages(
    question: str, claims: Sequence[ClaimResult], corpus: Corpus | None, characters: int
) -> tuple[str, ...]:
    """What was found for the claims, then for the question; each page's sentences
    with their neighbours, once and in page order."""
    if corpus is None:
        return ()
    found: dict[str, set[int]] = {}
    hits = corpus.search(question, k=QUESTION_HITS).hits
    for evidence in [e for r in claims for e in r.verdict.evidence] + list(hits):
        around = range(max(0, evidence.index - 1), evidence.index + 2)
        characters -= len(evidence.text) + len(evidence.before or "")
        characters -= len(evidence.after or "")
        if characters < 0 and found:
            break
        found.setdefault(evidence.page_id, set()).update(around)
    return tuple(page_passage(corpus, page_id, own) for page_id, own in found.items())


def page_passage(corpus: Corpus, page_id: str, indexes: set[int]) -> str:
    """Sentences of a page under its title; gaps are shown."""
    page = corpus.page(page_id)
    texts = {one.index: one.text for one in corpus.sentences(page_id)}
    title = f"[{(page and page.title) or page_id}]"
    return f"{title} {_join_sentences(texts, indexes)}"


def from_contexts(
    contexts: Sequence[str], claims: Sequence[ClaimResult], characters: int
) -> tuple[str, ...]:
    """The contexts as they are when they fit; else of each, in order, the sentences
    the verdicts rest on with their neighbours, then its first ones."""
    if sum(map(len, contexts)) <= characters:
        return tuple(contexts)
    texts = [
        {n: text[start:end] for n, (start, end) in enumerate(split_sentences(text))}
        for text in contexts
    ]
    wanted = [
        (place, index)
        for result in claims
        for evidence in result.verdict.evidence
        if (place := passage_number(evidence.page_id)) is not None
        and place < len(contexts)
        for index in (evidence.index, evidence.index - 1, evidence.index + 1)
    ]
    first = max(map(len, texts), default=0)
    wanted += [(place, index) for index in range(first) for place in range(len(texts))]
    chosen: dict[int, set[int]] = {}
    for place, index in wanted:
        if index not in texts[place] or index in chosen.get(place, ()):
            continue
        characters -= len(texts[place][index]) + 1
        if characters < 0 and chosen:
            break
        chosen.setdefault(place, set()).add(index)
    return tuple(
        _join_sentences(texts[place], chosen[place]) for place in sorted(chosen)
    )


def _join_sentences(texts: dict[int, str], indexes: set[int]) -> str:
    parts: list[str] = []
    last = -1
    for index in sorted(indexes & set(texts)):
        if parts and index > last + 1:
            parts.append("…")
        parts.append(texts[index])
        last = index
    return " ".join(parts)
