"""Cases from pages: what a model writes is offered when it is traced, else dropped."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.errors import ReplyIncomplete, ServerDown
from claimscope.core.models import Case, Page, Usage
from claimscope.core.ports import ChatReply, ChatRequest, Corpus, Progress
from claimscope.core.services.suite_building.builder import (
    MIX,
    BuildRequest,
    DraftedCases,
    Tools,
    build,
    shares,
)
from claimscope.core.services.suite_building.candidates import case_of
from claimscope.core.services.suite_building.material import (
    Kind,
    Material,
    can_carry,
    materials,
)
from claimscope.core.services.suite_building.tracing import (
    DraftDropped,
    sentences_of,
    trace,
)
from claimscope.core.services.suite_building.writing import Draft, write
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles.fakes import FakeEmbedder
from tests.doubles.scripted import Answer, ScriptedChat

OST = "The Ost Town Library lends 9000 books. The reading room seats 40 readers."
DELL = "The Dell Town Library lends 2500 books. Its cellar was flooded in 1968."
BRIM = "The Brim Swimming Hall was opened in 1931. Its basin holds 450 cubic metres."
PAGES = (
    Page(page_id="ost", title="Ost Town Library", text=OST),
    Page(page_id="dell", title="Dell Town Library", text=DELL),
    Page(page_id="brim", title="Brim Swimming Hall", text=BRIM),
)
ASKED = {
    "lends 9000 books": "How many books does the Ost Town Library lend?",
    "lends 2500 books": "How many books does the Dell Town Library lend?",
    "seats 40 readers": "How many readers does the Ost reading room seat?",
    "flooded in 1968": "When was the cellar of the Dell Town Library flooded?",
    "opened in 1931": "When was the Brim Swimming Hall opened?",
    "450 cubic metres": "How many cubic metres does the Brim basin hold?",
}
EMBEDDER = FakeEmbedder(dimensions=512)
ONE: Mapping[Kind, float] = {"single": 1}


@pytest.fixture
def corpus() -> Corpus:
    return MemoryCorpus("towns", PAGES, EMBEDDER)


def reply(question: str, *facts: str) -> str:
    return json.dumps({"facts": list(facts), "question": question})


def sentences_in(request: ChatRequest) -> list[str]:
    """The sentences that the model was told to ask about."""
    text = request.messages[0][1].partition("Example")[0]
    compared = re.findall(r'On the page "[^"]+": (.+)', text)
    numbered = re.findall(r"^\d\. (The .+|Its .+)$", text, re.M)
    return compared or numbered or re.findall(r"^Sentence: (.+)$", text, re.M)


def honest(request: ChatRequest) -> Answer:
    """A model that copies its sentences and asks for them, and finds no answer where
    it is asked for one."""
    if request.max_tokens == 1:
        return ChatReply("No", None, "stop", (("No", -0.1), ("Yes", -2.5)), Usage())
    told = sentences_in(request)
    asked = [q for text in told for key, q in ASKED.items() if key in text]
    facts = [text.replace("Its cellar", "The cellar of Dell") for text in told]
    joined = ", and ".join(q[0].lower() + q[1:-1] for q in asked)
    return reply(f"{joined[0].upper()}{joined[1:]}?", *facts)


def built(
    corpus: Corpus,
    answer: Callable[[ChatRequest], Answer],
    cases: int,
    mix: Mapping[Kind, float] = ONE,
    on_progress: Callable[[Progress], None] | None = None,
) -> DraftedCases:
    chat = ScriptedChat(answer)
    tools = Tools(
        corpus, chat, EvidenceVerifier(EMBEDDER, shipped_model()), EMBEDDER, on_progress
    )
    return asyncio.run(build(BuildRequest(cases, 7, mix), tools))


def single(corpus: Corpus, key: str) -> Material:
    found = materials(corpus, "single", 7)
    return next(one for one in found if key in one.sources[0].text)


def traced(corpus: Corpus, key: str, question: str, *facts: str) -> list[str]:
    """Sentence ids behind the claims of a draft."""
    draft = Draft(question, facts)
    verifier = EvidenceVerifier(EMBEDDER, shipped_model())
    found = asyncio.run(trace(draft, single(corpus, key), corpus, verifier))
    return [e.sentence_id for one in found for e in one.evidence]


def test_a_single_fact_becomes_a_case_that_waits_for_a_person(corpus: Corpus) -> None:
    found = built(corpus, honest, 3)
    assert (found.offered("single"), found.dropped) == (3, {})
    made = [case_of(one, {"model": "m:1b", "seed": 7}) for one in found.candidates]
    for case in made:
        assert case.metadata["generated"] is True
        assert case.metadata["accepted"] is None
        assert (case.difficulty, case.category) == ("easy", "single fact")
        assert case.reference == case.claims[0].text
        where = case.citations[0]
        assert case.metadata["trace_1"] == f"{where.page_id}, S:{where.sentence}"
        assert where.sentence is not None
        text = corpus.sentences(where.page_id)[where.sentence].text
        assert case.citations[0].key_phrase == text
        assert text.split()[-3:] == case.reference.split()[-3:]
    assert {case.citations[0].page_id for case in made} == {"ost", "dell", "brim"}, (
        "each page has its turn before one has a second"
    )
    assert Case.model_validate_json(made[0].model_dump_json()) == made[0]


def test_the_same_pages_and_seed_make_the_same_cases(corpus: Corpus) -> None:
    assert built(corpus, honest, 4) == built(corpus, honest, 4)
    order = [one.sources for one in islice(materials(corpus, "single", 8), 6)]
    assert order != [one.sources for one in islice(materials(corpus, "single", 7), 6)]


def test_several_sentences_and_comparisons_need_all_they_were_made_of(
    corpus: Corpus,
) -> None:
    found = built(corpus, honest, 2, {"several": 1, "comparison": 1})
    kinds = {one.material.kind: one for one in found.candidates}
    assert len({e.sentence_id for e in kinds["several"].evidence}) == 2
    assert {e.page_id for e in kinds["comparison"].evidence} == {"ost", "dell"}

    def one_only(request: ChatRequest) -> Answer:
        told = sentences_in(request)[:1]
        return reply(next(q for k, q in ASKED.items() if k in told[0]), *told)

    lazy = built(corpus, one_only, 2, {"several": 1, "comparison": 1})
    assert not lazy.candidates
    assert "one sentence is enough for it" in lazy.dropped


def test_an_unanswerable_question_is_anothers_with_the_subject_exchanged() -> None:
    mill = Page(
        page_id="mill",
        title="Vorn Mill",
        text="The mill of Vorn was built in the old town.",
    )
    corpus = MemoryCorpus("towns", (*PAGES, mill), EMBEDDER)
    found = built(corpus, honest, 1, {"unanswerable": 1})
    (one,) = found.candidates
    case = case_of(one, {})
    assert not case.claims and not case.citations
    assert case.reference == "The pages do not answer this question."
    assert (one.material.page_ids, one.material.subject) == (("brim",), "mill")
    assert case.question == "When was the Vorn Mill opened?"

    def knows(request: ChatRequest) -> Answer:
        if request.max_tokens == 1:
            return ChatReply("Yes", None, "stop", (("Yes", -0.1),), Usage())
        return honest(request)

    assert not built(corpus, knows, 1, {"unanswerable": 1}).candidates


@pytest.mark.parametrize(
    ("question", "fact", "why"),
    [
        ("Name the seats.", "The reading room seats 40 readers.", "no question"),
        (
            "How many readers does the passage seat in the Ost room?",
            "The reading room seats 40 readers.",
            "points at what is not shown",
        ),
        (
            "How many readers does the reading room on the Ost page seat?",
            "The reading room seats 40 readers.",
            "points at what is not shown",
        ),
        (
            "How many readers does the Ost reading room of Mr. Vorn seat?",
            "The reading room seats 40 readers.",
            "names what is not on the pages",
        ),
        (
            "How many readers does the Ost reading room seat?",
            "The reading room seats 45 readers.",
            "number or name",
        ),
        (
            "How many readers does the Ost reading room seat?",
            "The reading room seats 40 readers on velvet chairs under painted domes.",
            "words of a claim",
        ),
        (
            "How many readers does the Ost reading room seat?",
            "It seats 40 readers.",
            "leaves open",
        ),
        (
            "Does the Ost reading room seat 40 readers?",
            "The reading room seats 40 readers.",
            "gives the answer away",
        ),
        (
            "How many tickets does the Ost summer exhibition sell on market days?",
            "The reading room seats 40 readers.",
            "do not speak of",
        ),
        (
            "How many readers does the Ost reading room seat?",
            "The sources do not say.",
            "answer nothing",
        ),
        (
            "How many readers does the Ost reading room seat?",
            "The reading room does not seat 40 readers.",
            "not supported",
        ),
    ],
)
def test_what_cannot_be_traced_is_dropped_with_its_reason(
    corpus: Corpus, question: str, fact: str, why: str
) -> None:
    with pytest.raises(DraftDropped, match=why):
        traced(corpus, "seats 40", question, fact)


def test_a_question_that_names_nothing_is_given_the_title(corpus: Corpus) -> None:
    answer = reply(
        "How many readers does the room seat?", "The reading room seats 40 readers."
    )
    material = single(corpus, "seats 40")
    draft = asyncio.run(write(ScriptedChat([answer]), material, corpus))
    assert draft.question == "Ost Town Library: How many readers does the room seat?"
    assert traced(corpus, "seats 40", draft.question, *draft.facts) == ["ost:S:1"]


def test_a_claim_is_traced_to_its_sentence_whatever_it_was_made_of(
    corpus: Corpus,
) -> None:
    question = "How many books does the Ost Town Library lend?"
    fact = "The Ost Town Library lends 9000 books."
    assert traced(corpus, "seats 40", question, fact) == ["ost:S:0"]


def test_whom_a_pronoun_means_is_traced_to_the_sentence_before() -> None:
    text = "Orla Venn is the director. The hall has a roof. Orla Venn came in 1990. "
    page = Page(page_id="p", title="People", text=text + "She surveyed coasts by air.")
    corpus = MemoryCorpus("people", (page,), EMBEDDER)
    claim = "Orla Venn surveyed coasts by air."
    found = sentences_of(claim, frozenset({"p"}), corpus)
    assert [one.index for one in found] == [3, 2]


def test_nonsense_is_counted_and_never_offered(corpus: Corpus) -> None:
    replies: list[Answer] = [
        "no JSON at all",
        reply("What colour is the moon?", "The moon is made of cheese."),
        ReplyIncomplete("cut"),
        reply("How many books does the Ost Town Library lend?", "It lends 7 books."),
    ]
    told: list[Progress] = []
    turn = iter(replies * 10)
    found = built(corpus, lambda request: next(turn), 2, on_progress=told.append)
    assert not found.candidates
    assert sum(found.dropped.values()) == found.drafts > 0
    assert "the model's reply could not be read" in found.dropped
    assert told[-1].note == f"{found.drafts} dropped" and told[-1].done == 0


def test_a_question_is_asked_once(corpus: Corpus) -> None:
    question = "How many books does the Ost Town Library lend?"
    fact = "The Ost Town Library lends 9000 books."
    found = built(corpus, lambda request: reply(question, fact), 3)
    texts = [one.draft.question for one in found.candidates]
    assert texts.count(question) <= 1 and len(texts) < 3


def test_a_server_that_is_gone_ends_the_building(corpus: Corpus) -> None:
    with pytest.raises(ServerDown):
        built(corpus, lambda request: ServerDown("gone"), 4, MIX)


@given(st.integers(1, 300))
def test_shares_of_kinds_add_up(count: int) -> None:
    found = shares(count, MIX)
    assert sum(found.values()) == count
    assert all(abs(found[kind] - count * share) < 1 for kind, share in MIX.items())


def test_only_whole_prose_carries_a_question() -> None:
    assert can_carry("The reading room seats 40 readers.")
    assert can_carry("図書館の閲覧室には四十席あります。")
    for text in (
        "# The reading room of the library",
        "| Monday | closed | all day long. |",
        "- Match a bank statement with the books.",
        "Is the reading room open on Mondays?",
        "We seat 40 readers in our reading room.",
        "It is open.",
    ):
        assert not can_carry(text), text
