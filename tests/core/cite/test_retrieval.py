"""Expected citations that are missing: not retrieved, not cited, or cited wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.cite.retrieval import Retrieval, retrieval_of, wrongly_cited
from claimscope.core.metrics.base import Findings, missing_need
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import (
    Answer,
    Case,
    CitationResult,
    CitationState,
    ExpectedCitation,
    Page,
    RetrievedText,
    SampleKey,
    Score,
)
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

PAGES = (
    Page(
        page_id="mill:1",
        text="The mill grinds oats. The mill has two wheels. Geese live by the pond.",
    ),
    Page(page_id="mill:2", text="The pond is nine metres deep. Carp live in it."),
)
OATS = ExpectedCitation(page_id="mill:1", sentence=0)
WHEELS = ExpectedCitation(page_id="mill:1", sentence=1, key_phrase="two wheels")
DEEP = ExpectedCitation(page_id="mill:2", key_phrase="nine metres")
POND = ExpectedCitation(page_id="mill:2")


def corpus() -> MemoryCorpus:
    return MemoryCorpus("mill", PAGES, fakes.FakeEmbedder())


def case(*expected: ExpectedCitation, contexts: Sequence[str] = ()) -> Case:
    return Case(
        id="mill",
        question="What does the mill grind?",
        citations=expected,
        contexts=tuple(contexts),
    )


def answer(
    text: str = "x", retrieved: Sequence[str | RetrievedText] | None = None
) -> Answer:
    given = None if retrieved is None else tuple(retrieved)
    return Answer(case_id="mill", provider="a", text=text, retrieved=given)


def ranks(found: Retrieval | None, *expected: ExpectedCitation) -> list[int | None]:
    assert found is not None
    return [found.rank(one) for one in expected]


def test_what_the_answer_says_counts_first() -> None:
    told: list[str | RetrievedText] = [
        "mill:1:S:2",
        "mill:1:S:0",
        RetrievedText(text="It has two wheels, I read."),
        "mill:2",
    ]
    asked = case(OATS, WHEELS, DEEP, POND, contexts=["Nothing."])
    found = retrieval_of(asked, answer(retrieved=told), corpus())
    assert found is not None and found.by == "answer"
    assert ranks(found, OATS, WHEELS, DEEP, POND) == [2, 3, 4, 4]


def test_contexts_are_compared_by_their_texts() -> None:
    contexts = ["The pond is 9 feet deep.", "It says: the mill grinds oats. Yes."]
    asked = case(OATS, WHEELS, DEEP, contexts=contexts)
    found = retrieval_of(asked, answer(), corpus())
    assert found is not None and found.by == "contexts"
    assert ranks(found, OATS, WHEELS, DEEP) == [2, None, None]


def test_passages_that_are_expected_by_place_are_known_by_place() -> None:
    expected = ExpectedCitation(page_id="passage:1")
    found = retrieval_of(case(expected, contexts=["a", "b"]), answer(), None)
    assert ranks(found, expected) == [2]


def test_else_the_search_of_the_product_is_asked() -> None:
    found = retrieval_of(case(OATS), answer(), corpus())
    assert found is not None and found.by == "search"
    assert None not in ranks(found, OATS)


def test_nothing_is_made_up_where_nothing_is_known() -> None:
    assert retrieval_of(case(OATS), answer(), None) is None
    found = retrieval_of(case(OATS, contexts=["The mill grinds oats."]), answer(), None)
    assert found is not None and not found.knows(OATS)  # no words to look for
    got = score("recall_at_5", case(OATS, contexts=["a"]), found)
    assert (got.value, got.applicable) == (None, False)
    assert "no key phrase" in got.reason
    got = score("recall_at_5", case(OATS), None)
    assert "nothing says what was retrieved" in got.reason
    metric = discover()["recall_at_5"]
    assert missing_need(metric, case(), judge=False) is not None


def score(metric: str, asked: Case, found: Retrieval | None) -> Score:
    findings = Findings(case=asked, answer=answer(), retrieval=found)
    return discover()[metric].score(findings)


@pytest.mark.parametrize(("k", "value"), [(1, 0), (3, 1 / 3), (5, 2 / 3), (10, 2 / 3)])
def test_recall_at_k(k: int, value: float) -> None:
    told = ["mill:1:S:2", "mill:3", "mill:1:S:1", "mill:4", "mill:1:S:0"]
    asked = case(OATS, WHEELS, DEEP)
    found = retrieval_of(asked, answer(retrieved=told), corpus())
    got = score(f"recall_at_{k}", asked, found)
    assert got.value == pytest.approx(value)
    assert got.details["by"] == "as the answer says"


async def fates(
    text: str, retrieved: Sequence[str] | None
) -> dict[str, tuple[str, str]]:
    embedder = fakes.FakeEmbedder(dimensions=256)
    services = Services(
        embedder,
        EvidenceVerifier(embedder, shipped_model()),
        Settings(),
        corpus=MemoryCorpus("mill", PAGES, embedder),
        metrics=("citation_recall",),
    )
    key = SampleKey(case_id="mill", provider="a")
    task = SampleTask(key, case(OATS, WHEELS, DEEP), answer(text, retrieved))
    (found,) = (await evaluate(task, services)).scores
    return {one.source or "": (one.kind, one.note) for one in found.evidence}


async def test_each_missing_citation_says_where_it_was_lost() -> None:
    found = await fates(
        "The mill grinds oats [mill:1, S:0]. The mill has two wheels [mill:1, S:2].",
        ["mill:1:S:0", "mill:1:S:1"],
    )
    assert found["mill:1:S:0"] == ("cited", "place 1, as the answer says")
    kind, note = found["mill:1:S:1"]
    assert kind == "cited wrongly"
    assert note == "as [mill:1, S:2]; retrieved: place 2, as the answer says"
    assert found["mill:2"] == ("not retrieved", "as the answer says")


async def test_what_was_retrieved_and_not_cited_is_told_from_what_was_not() -> None:
    found = await fates("The mill grinds oats [mill:1, S:0].", ["mill:1:S:1"])
    assert found["mill:1:S:1"][0] == "retrieved, not cited"
    assert found["mill:2"][0] == "not retrieved"


def test_a_misattributed_citation_names_the_expected_one() -> None:
    wrong = CitationResult(
        text="[mill:2]",
        start=0,
        end=8,
        state=CitationState.MISATTRIBUTED,
        supported_by="mill:1:S:1",
    )
    assert wrongly_cited(WHEELS, [wrong], ()) is wrong
    assert wrongly_cited(OATS, [wrong], ()) is None
    assert wrongly_cited(ExpectedCitation(page_id="mill:1"), [wrong], ()) is wrong
