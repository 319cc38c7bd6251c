"""The eight properties of sentences and citations, each for any input (METRICS C)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.cite.status import attribute
from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import (
    Answer,
    Case,
    CitationResult,
    CitationState,
    Claim,
    ClaimResult,
    ExpectedCitation,
    Label,
    Page,
    Verdict,
)
from claimscope.core.ports import Question
from claimscope.core.text.sentences import split_sentences
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

PARTS = st.sampled_from(
    [
        "The kiln burns at 1,150 °C. ",
        "Dr. Aven fired it twice! ",
        "Is it old?\n\n",
        "- clay, e.g. from Orm\n",
        "It cost 3.5 marks (cf. p. 4). ",
        "no stop at all ",
        "«Ja.» ",
        "\u00a0",
    ]
)
TEXTS = st.lists(PARTS, min_size=1, max_size=8).map("".join) | st.text(max_size=120)
STATES = list(CitationState)


def corpus_of(text: str) -> MemoryCorpus:
    page = Page(page_id="kiln:1", text=text, source="museum")
    return MemoryCorpus("kilns", [page], fakes.FakeEmbedder())


class Always:
    """Supports whatever it is asked."""

    name = "always"

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        return [Verdict(label=Label.SUPPORTED) for _ in questions]


@given(TEXTS)
@settings(max_examples=60, deadline=None)
def test_1_every_sentence_has_page_index_and_source(text: str) -> None:
    corpus = corpus_of(text)
    for place, sentence in enumerate(corpus.sentences("kiln:1")):
        assert sentence.index == place
        page = corpus.page(sentence.page_id)
        assert page is not None
        assert page.source == "museum"
        assert page.text[sentence.start : sentence.end] == sentence.text


@given(TEXTS)
@settings(deadline=None)
def test_2_joined_sentences_give_the_page_but_for_white_space(text: str) -> None:
    joined = "".join(text[start:end] for start, end in split_sentences(text))
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", text)


@given(
    st.sampled_from(["kiln:1", "kiln:2"]),
    st.none() | st.integers(0, 12),
    st.lists(PARTS, min_size=1, max_size=4).map("".join),
)
@settings(max_examples=60, deadline=None)
async def test_3_a_citation_is_valid_iff_page_and_sentence_are_there(
    page_id: str, index: int | None, text: str
) -> None:
    corpus = corpus_of(text)
    marker = f"[{page_id}]" if index is None else f"[{page_id}, S:{index}]"
    answer = f"It is so {marker}."
    span = {"start": 0, "end": len(answer)}
    claim = Claim(
        index=0,
        text="It is so.",
        sentence_start=0,
        sentence_end=len(answer),
        **span,
    )
    claims = [ClaimResult(claim=claim, verdict=Verdict(label=Label.NOT_ENOUGH_INFO))]
    embedder = fakes.FakeEmbedder()
    found = await attribute(answer, claims, corpus, Always(), embedder)
    (check,) = found.checks
    count = len(corpus.sentences(page_id))
    there = count > 0 if index is None else index < count
    wanted = CitationState.VALID if there else CitationState.BROKEN
    assert check.result.state is wanted
    assert check.result.exists is there


@given(st.lists(st.sampled_from(STATES), max_size=12))
def test_4_precision_is_valid_of_all_and_existence_is_existing_of_all(
    states: list[CitationState],
) -> None:
    findings = found(states)
    open_ = states.count(CitationState.UNVERIFIABLE)
    existing = len(states) - open_ - states.count(CitationState.BROKEN)
    valid = states.count(CitationState.VALID)
    for metric, good in (
        ("citation_precision", valid),
        ("citation_existence", existing),
    ):
        score = discover()[metric].score(findings)
        if open_ == len(states):
            assert score.value is None
            assert score.reason
        else:
            assert score.value == good / len(states)
            assert score.details["unverifiable"] == open_


@given(st.sets(st.integers(0, 9), min_size=1), st.lists(st.integers(0, 9)))
def test_5_recall_is_key_evidence_cited_of_all_key_evidence(
    key: set[int], cited: list[int]
) -> None:
    states = [CitationState.VALID] * len(cited)
    findings = found(
        states, cited, [ExpectedCitation(page_id="p", sentence=n) for n in key]
    )
    score = discover()["citation_recall"].score(findings)
    assert score.value == len(key & set(cited)) / len(key)


def found(
    states: Sequence[CitationState],
    sentences: Sequence[int] = (),
    expected: Sequence[ExpectedCitation] = (),
) -> Findings:
    places = sentences or [0] * len(states)
    return Findings(
        case=Case(id="c", question="What?", citations=tuple(expected)),
        answer=Answer(case_id="c", text="x"),
        citations=[
            CitationResult(
                text="[p]", start=0, end=1, page_id="p", sentence=place, state=state
            )
            for state, place in zip(states, places, strict=True)
        ],
    )


@given(st.lists(PARTS, min_size=1, max_size=6).map("".join), st.sampled_from("kfc"))
@settings(max_examples=40, deadline=None)
def test_6_context_is_the_true_neighbour(text: str, query: str) -> None:
    corpus = corpus_of(text)
    known = [sentence.text for sentence in corpus.sentences("kiln:1")]
    for hit in corpus.search(query, k=5).hits:
        if hit.index < 0:
            continue
        assert hit.text == known[hit.index]
        assert hit.before == (known[hit.index - 1] if hit.index else None)
        last = hit.index + 1 == len(known)
        assert hit.after == (None if last else known[hit.index + 1])


@given(TEXTS)
@settings(max_examples=60, deadline=None)
def test_7_no_two_sentences_of_a_page_share_an_index(text: str) -> None:
    indexes = [sentence.index for sentence in corpus_of(text).sentences("kiln:1")]
    assert len(indexes) == len(set(indexes))


@given(st.lists(PARTS, min_size=1, max_size=6).map("".join))
@settings(max_examples=40, deadline=None)
def test_8_where_sentence_search_fails_page_search_answers(text: str) -> None:
    corpus = corpus_of("The kiln stands. " + text)

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("segment reader: nothing found")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("claimscope.stores.index.corpus.rank", fails)
        result = corpus.search("The kiln stands.", k=3)
    assert result.hits
    assert result.fallback is not None and "nothing found" in result.fallback
    assert {hit.page_id for hit in result.hits} == {"kiln:1"}
