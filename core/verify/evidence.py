"""Candidate evidence of a claim in passages at hand: the sentences that could carry it,
by the measures of a corpus' own search, cosine and words in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import Evidence
from claimscope.core.ports import Embedder, Floats, Question
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.word_forms import content_words, rarity, words
from claimscope.core.verify.word_vectors import say_once, word_vectors

PER_UNIT = 4
"""Sentences looked up for each sentence of a claim that has several."""


@dataclass(frozen=True)
class PassageSentence:
    """A sentence of a passage, not yet scored."""

    page_id: str
    index: int
    text: str
    start: int
    end: int
    before: str | None
    after: str | None


def candidates_from_text(
    claim: str, passages: Sequence[str], embedder: Embedder, k: int = 8
) -> tuple[Evidence, ...]:
    """The k sentences of some passages nearest to the claim, best first.

    `page_id` is `passage:<n>` from 0; offsets and index count in that passage.
    """
    pieces = sentences_of(passages)
    texts = list(dict.fromkeys([*units_of(claim), *(piece.text for piece in pieces)]))
    try:
        found = embedder.embed(texts)
    except EmbeddingError as error:
        say_once(error.message)
        found = word_vectors(texts)
    return _rank_sentences(claim, pieces, dict(zip(texts, found, strict=True)), k)


def candidates_from_rows(
    rows: Sequence[tuple[str, str]], embedder: Embedder, k: int = 8
) -> list[tuple[Evidence, ...]]:
    """Candidates of many (claim, evidence text) rows; all texts embedded together,
    equal ones once.

    `page_id` is `passage:<n>`, where n counts the different texts: rows on one text
    share it, and no two texts are taken for one page.
    """
    pieces = {
        text: sentences_of([text], first=number)
        for number, text in enumerate(dict.fromkeys(text for _, text in rows))
    }
    texts = list(
        dict.fromkeys(
            [unit for claim, _ in rows for unit in units_of(claim)]
            + [piece.text for found in pieces.values() for piece in found]
        )
    )
    vectors = dict(zip(texts, embedder.embed(texts), strict=True)) if texts else {}
    return [_rank_sentences(claim, pieces[text], vectors, k) for claim, text in rows]


def documents_of(passages: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(page id, text) of passages, as their candidates name them."""
    return tuple((f"passage:{n}", text) for n, text in enumerate(passages))


def questions_of_rows(
    rows: Sequence[tuple[str, str, str | None]], embedder: Embedder
) -> list[Question]:
    """Questions for rows of (claim, evidence text, question)."""
    found = candidates_from_rows([(claim, text) for claim, text, _ in rows], embedder)
    return [
        Question(claim, some, question, tuple({(one.page_id, text) for one in some}))
        for (claim, text, question), some in zip(rows, found, strict=True)
    ]


def units_of(claim: str) -> list[str]:
    """The sentences of a claim that state something; itself when it is one."""
    found = [claim[start:end] for start, end in split_sentences(claim)]
    stating = [
        unit
        for unit in found
        if len(words(unit)) > 2 and not unit.rstrip().endswith(":")
    ]
    return stating or [claim]


def sentences_of(passages: Sequence[str], first: int = 0) -> list[PassageSentence]:
    """The sentences of passages with their neighbours; passages count from `first`."""
    found = []
    for number, passage in enumerate(passages, first):
        spans = split_sentences(passage)
        texts = [passage[start:end] for start, end in spans]
        for index, (start, end) in enumerate(spans):
            found.append(
                PassageSentence(
                    f"passage:{number}",
                    index,
                    texts[index],
                    start,
                    end,
                    texts[index - 1] if index else None,
                    texts[index + 1] if index + 1 < len(texts) else None,
                )
            )
    return found


def _rank_sentences(
    claim: str, pieces: Sequence[PassageSentence], vectors: dict[str, Floats], k: int
) -> tuple[Evidence, ...]:
    """The best pieces of each sentence of the claim, the whole claim's first."""
    if not pieces:
        return ()
    matrix = np.array([vectors[piece.text] for piece in pieces])
    units = units_of(claim)
    share = k if len(units) == 1 else PER_UNIT
    chosen: dict[int, Evidence] = {}
    for unit in units:
        similarity = matrix @ vectors[unit]
        overlap = _overlap(unit, pieces)
        # The sum of both, not of their ranks: ranks depend on how long the text is.
        order = np.argsort(-(similarity + overlap), kind="stable")[:share]
        for i in order:
            score = float(similarity[i] + overlap[i])
            known = chosen.get(int(i))
            if known is None or score > (known.score or 0.0):
                chosen[int(i)] = Evidence(
                    **vars(pieces[i]),
                    similarity=max(-1.0, min(1.0, float(similarity[i]))),
                    lexical=float(overlap[i]),
                    score=score,
                )
    return tuple(sorted(chosen.values(), key=lambda one: -(one.score or 0.0)))


def _overlap(claim: str, pieces: Sequence[PassageSentence]) -> Floats:
    """Share of the claim's words, by rarity, that each sentence has, [0, 1]."""
    weights = {word.stem: rarity(word.stem) for word in content_words(words(claim))}
    total = sum(weights.values()) or 1.0
    shares = [
        sum(weights.get(stem, 0.0) for stem in {word.stem for word in words(p.text)})
        for p in pieces
    ]
    return np.array(shares, dtype=np.float32) / np.float32(total)
