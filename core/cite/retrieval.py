"""What was retrieved for an answer, and what became of the evidence it should cite.

Retrieved is, the first that is known: what the answer says of itself (`retrieved`, best
first: sentence ids, page ids, texts, or objects with `page_id`, `sentence`, `text`);
the contexts of the case, in their order; what Claimscope's own
search finds for the question. An expected citation that is missing was not retrieved,
or retrieved and not cited, or its evidence was used and cited as something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from claimscope.core.models import (
    Answer,
    Case,
    CitationResult,
    CitationState,
    ClaimResult,
    ExpectedCitation,
    Label,
    RetrievedText,
)
from claimscope.core.ports import Corpus
from claimscope.core.text.phrase_match import contains_phrase
from claimscope.core.verify.token_alignment import PASSAGE

DEPTH = 10
"""Sentences that the product's own search is asked for."""
Source = Literal["answer", "contexts", "search"]
Fate = Literal[
    "cited", "cited wrongly", "retrieved, not cited", "not retrieved", "missing"
]
"""Of an expected citation; `missing`: nobody can tell whether it was retrieved."""
BY: Mapping[Source, str] = {
    "answer": "as the answer says",
    "contexts": "in the contexts",
    "search": "by Claimscope's own search",
}


@dataclass(frozen=True)
class Retrieval:
    """What was retrieved, best first, and how that is known."""

    by: Source
    found: Sequence[RetrievedText]
    texts: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """Texts of the sentences that the case expects to be cited."""

    def rank(self, expected: ExpectedCitation) -> int | None:
        """Place of the first that holds the expected evidence, from 1."""
        for place, one in enumerate(self.found, 1):
            if self._has_evidence(one, expected):
                return place
        return None

    def knows(self, expected: ExpectedCitation) -> bool:
        """Whether it could be told if the evidence was among it: texts without an id
        are compared with the expected sentence or its key phrase."""
        place = expected.page_id, expected.sentence or 0
        has_words = bool(expected.key_phrase) or (
            expected.sentence is not None and place in self.texts
        )
        return has_words or any(one.page_id is not None for one in self.found)

    def _has_evidence(self, one: RetrievedText, expected: ExpectedCitation) -> bool:
        if one.page_id is not None:
            if one.page_id != expected.page_id:
                return False
            if expected.sentence is None and expected.key_phrase is None:
                return True
            if expected.sentence is not None and one.sentence == expected.sentence:
                return True
        if one.text is None:
            return one.page_id is not None and one.sentence is None
        phrases = [expected.key_phrase]
        if expected.sentence is not None:
            phrases.append(self.texts.get((expected.page_id, expected.sentence)))
        return any(contains_phrase(one.text, phrase) for phrase in phrases if phrase)


def retrieval_of(case: Case, answer: Answer, corpus: Corpus | None) -> Retrieval | None:
    """What was retrieved; None when nothing says so."""
    texts = dict(_expected_texts(case, corpus))
    if answer.retrieved is not None:
        return Retrieval(
            "answer", [*_retrieved_by_answer(answer.retrieved, corpus)], texts
        )
    if case.contexts:
        found = [
            RetrievedText(page_id=_passage(case, place), text=text)
            for place, text in enumerate(case.contexts)
        ]
        return Retrieval("contexts", found, texts)
    if corpus is None:
        return None
    hits = corpus.search(case.question, k=DEPTH).hits
    return Retrieval(
        "search",
        [
            RetrievedText(
                page_id=hit.page_id, sentence=max(hit.index, 0), text=hit.text
            )
            for hit in hits
        ],
        texts,
    )


def _passage(case: Case, place: int) -> str | None:
    """The id of a passage where the case expects passages, which may be of any page."""
    own = f"passage:{place}"
    by_place = any(one.page_id.startswith(PASSAGE) for one in case.citations)
    return own if by_place else None


def _expected_texts(
    case: Case, corpus: Corpus | None
) -> Iterator[tuple[tuple[str, int], str]]:
    if corpus is None:
        return
    for one in case.citations:
        sentences = corpus.sentences(one.page_id)
        if one.sentence is not None and one.sentence < len(sentences):
            yield (one.page_id, one.sentence), sentences[one.sentence].text


def _retrieved_by_answer(
    told: Sequence[str | RetrievedText], corpus: Corpus | None
) -> Iterator[RetrievedText]:
    known = frozenset(corpus.page_ids()) if corpus is not None else frozenset()
    for one in told:
        if isinstance(one, RetrievedText):
            yield one
            continue
        page_id, mark, number = one.rpartition(":S:")
        if mark and number.isdecimal():
            yield RetrievedText(page_id=page_id, sentence=int(number))
        elif one in known or (not known and " " not in one.strip()):
            yield RetrievedText(page_id=one)
        else:
            yield RetrievedText(text=one)


def wrongly_cited(
    expected: ExpectedCitation,
    citations: Sequence[CitationResult],
    claims: Sequence[ClaimResult],
) -> CitationResult | None:
    """The citation that stands where the expected one should, behind its claim."""
    for citation in citations:
        place = citation.supported_by
        if citation.state is CitationState.MISATTRIBUTED and place is not None:
            if is_place(expected, place):
                return citation
    resting = {
        result.claim.index
        for result in claims
        if result.verdict.label is Label.SUPPORTED
        and any(is_place(expected, e.sentence_id) for e in result.verdict.evidence[:1])
    }
    wrong = (c for c in citations if resting.intersection(c.claim_indexes))
    return next((c for c in wrong if c.state is not CitationState.VALID), None)


def is_place(expected: ExpectedCitation, sentence_id: str) -> bool:
    """Whether a sentence is the expected one, or of the expected page."""
    if expected.sentence is None:
        return sentence_id.rpartition(":S:")[0] == expected.page_id
    return sentence_id == f"{expected.page_id}:S:{expected.sentence}"
