"""Verdicts by a model: what it is asked, how its word is weighed, what vetoes it."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.errors import ModelError, ReplyUnreadable, ServerBusy
from claimscope.core.models import Evidence, Label, RuleFinding, Usage, Verdict
from claimscope.core.ports import ChatReply, ChatRequest, Question, Verifier
from claimscope.core.verify.hard_cases import hard_documents
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.core.verify.witnesses.fusion import Leaning, Weights, weights
from claimscope.core.verify.witnesses.language_model import (
    WORDINGS,
    ModelVerifier,
    ask,
    yes,
)
from claimscope.core.verify.witnesses.model_windows import (
    WORDS,
    place,
    reading_lists,
    window_of_best,
)
from claimscope.core.verify.witnesses.response_bias import Leanings, leaning_of
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, Reply, chose, contents, said
from tests.doubles.scripted import Fixed, ScriptedChat
from tests.material.ollama_pool import OllamaServer

EQUAL = Weights(0.5, 0.5, 0.0, (1.0, 0.0), 0.5, 0.3, 0.65)
YES, NO = {"Yes": -0.05, "No": -3.0}, {"No": -0.05, "Yes": -3.0}


def sentence(
    index: int, text: str, page: str = "harbour", **more: str | None
) -> Evidence:
    """A candidate."""
    return Evidence(
        page_id=page, index=index, text=text, start=0, end=len(text), **more
    )


DEPTH = sentence(
    3,
    "The basin is eleven metres deep.",
    before="The harbour has one basin.",
    after="It was dug by hand.",
    title="Harbour",
)
DUG = sentence(4, "It was dug by hand.", before="The basin is eleven metres deep.")
FEES = sentence(0, "Mooring costs four crowns.", page="fees")


def question(claim: str, *evidence: Evidence) -> Question:
    """A question."""
    return Question(claim, evidence)


def no_rules(claim: str, evidence: Sequence[Evidence]) -> Sequence[RuleFinding]:
    """Rules that see nothing."""
    return ()


def finding(**changes: object) -> RuleFinding:
    """A number that says otherwise."""
    values: dict[str, Any] = {
        "rule": "number",
        "outcome": "conflict",
        "claim_text": "40",
        "evidence_text": "eleven",
        "message": "The claim says 40, the page says eleven.",
        "veto": True,
    }
    return RuleFinding(**{**values, **changes})


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    with FakeOllama(answer=lambda body: chose(YES)) as fake:
        yield fake


async def judged(
    fake: FakeOllama,
    *questions: Question,
    rules: Callable[[str, Sequence[Evidence]], Sequence[RuleFinding]] = no_rules,
    base: Verifier | None = None,
) -> Sequence[Verdict]:
    """Verdicts on questions."""
    async with OllamaServer(fake.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b")
        verifier = ModelVerifier(chat, base, rules, ("verify",), EQUAL)
        return await verifier.verify(questions)


async def test_a_claim_is_asked_with_its_document_first(ollama: FakeOllama) -> None:
    (verdict,) = await judged(ollama, question("The basin is 11 m deep.", DEPTH))
    assert verdict.label is Label.SUPPORTED and verdict.band == "supported"
    assert verdict.support == pytest.approx(0.95, abs=0.01)
    assert verdict.evidence == (DEPTH,)
    assert (verdict.verifier, verdict.model) == ("ollama", "m:1b")
    (sent,) = ollama.chats
    text = sent["messages"][0]["content"]
    order = ["Harbour", "one basin", "eleven metres", "by hand", "11 m deep", "Yes or"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert sent["options"]["num_predict"] == 1
    assert "format" not in sent


async def test_questions_on_one_document_share_it(ollama: FakeOllama) -> None:
    ollama.answer = lambda body: chose(NO)
    claims = ["It is deep.", "It was dug.", "It is old."]
    await judged(ollama, *(question(claim, DEPTH, DUG) for claim in claims))
    texts = contents(ollama.chats)
    assert len(texts) == 3
    assert len({text.split("\n\nClaim:")[0] for text in texts}) == 1


async def test_every_window_is_tried_before_a_claim_is_not_supported(
    ollama: FakeOllama,
) -> None:
    ollama.answer = lambda body: chose(
        YES if "four crowns" in body["messages"][0]["content"] else NO
    )
    asked = question("Mooring costs 4 crowns.", DEPTH, FEES)
    (verdict,) = await judged(ollama, asked)
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence[0] == FEES, "the sentence that was read comes first"
    assert len(ollama.chats) == 2, "strong support ends the search"
    ollama.answer = lambda body: chose(NO)
    ollama.chats.clear()
    (verdict,) = await judged(ollama, asked)
    assert verdict.label is Label.NOT_ENOUGH_INFO and verdict.band == "not_supported"
    assert len(ollama.chats) == 3, "both pages, and the best sentences of both"


async def test_a_rule_forbids_supported(ollama: FakeOllama) -> None:
    (verdict,) = await judged(
        ollama,
        question("The basin is 40 m deep.", DEPTH),
        rules=lambda claim, evidence: [finding(outcome="missing", evidence_text=None)],
    )
    assert verdict.label is Label.NOT_ENOUGH_INFO and verdict.band == "review"
    assert "page says eleven" in verdict.reason


async def test_contradicted_needs_a_sentence_that_says_otherwise(
    ollama: FakeOllama,
) -> None:
    ollama.answer = lambda body: chose(NO)
    asked = question("The basin is 40 m deep.", DEPTH)
    (verdict,) = await judged(ollama, asked, rules=lambda c, e: [finding()])
    assert verdict.label is Label.CONTRADICTED
    (verdict,) = await judged(ollama, asked)
    assert verdict.label is Label.NOT_ENOUGH_INFO


async def test_the_verifier_without_a_model_is_weighed_in(ollama: FakeOllama) -> None:
    asked = question("The basin is 11 m deep.", DEPTH)
    doubts = Verdict(label=Label.NOT_ENOUGH_INFO, support=0.02, evidence=(DUG,))
    (verdict,) = await judged(ollama, asked, base=Fixed(doubts))
    assert verdict.support == pytest.approx(EQUAL.support(0.95, 0.02), abs=0.01)
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert verdict.evidence == (DUG,)
    says_no = Verdict(
        label=Label.CONTRADICTED,
        support=0.1,
        rules=(finding(),),
        reason="The page says eleven.",
    )
    (verdict,) = await judged(ollama, asked, base=Fixed(says_no))
    assert verdict.label is Label.CONTRADICTED
    assert verdict.reason == "The page says eleven."


async def test_pages_that_disagree_stay_unscored(ollama: FakeOllama) -> None:
    conflict = Verdict(
        label=Label.UNSCORED, conflicting=(DUG,), unscored_reason="sources conflict"
    )
    asked = question("It was dug by hand.", DEPTH)
    (verdict,) = await judged(ollama, asked, base=Fixed(conflict))
    assert verdict.label is Label.UNSCORED
    assert verdict.unscored_reason == "sources conflict"
    assert verdict.conflicting == (DUG,)


async def test_no_evidence_is_no_support_and_no_call(ollama: FakeOllama) -> None:
    (verdict,) = await judged(ollama, question("The moon is far."))
    assert (verdict.label, verdict.support) == (Label.NOT_ENOUGH_INFO, 0.0)
    assert ollama.chats == []


@pytest.mark.parametrize(
    "bad", [chose({"Maybe": -0.1, "The": -2.0}), fake_ollama.TOO_LONG, said("")]
)
async def test_a_call_that_fails_leaves_its_claim_unscored(
    ollama: FakeOllama, bad: Reply
) -> None:
    ollama.answer = lambda body: (
        bad if "old" in body["messages"][0]["content"] else chose(YES)
    )
    first, second = await judged(
        ollama, question("It is old.", DEPTH), question("It is deep.", DEPTH)
    )
    assert first.label is Label.UNSCORED and first.unscored_reason
    assert first.support is None
    assert second.label is Label.SUPPORTED


async def test_a_server_that_is_busy_ends_it(ollama: FakeOllama) -> None:
    ollama.answer = lambda body: fake_ollama.BUSY
    with pytest.raises(ServerBusy):
        await judged(ollama, question("It is old.", DEPTH))


def reply(content: str, *logprobs: tuple[str, float]) -> ChatReply:
    """A one-token reply."""
    return ChatReply(content, None, "length", logprobs, Usage())


def test_yes_is_known_in_any_spelling() -> None:
    found = yes(reply(" YES", (" YES", math.log(0.3)), ("yes", math.log(0.3)),
                      ("No", math.log(0.2)), ("The", math.log(0.2))))  # fmt: skip
    assert found == pytest.approx(0.75)
    assert yes(reply("No")) < 0.5 < yes(reply("Yes."))
    with pytest.raises(ReplyUnreadable):
        yes(reply("Well", ("Well", -0.01), ("Yes", -9.0)))
    with pytest.raises(ModelError):
        yes(reply("Perhaps"))


async def test_each_wording_is_asked_and_their_mean_counts(
    ollama: FakeOllama,
) -> None:
    ollama.answer = lambda body: chose(
        NO if "support the claim" in body["messages"][0]["content"] else YES
    )
    async with OllamaServer(ollama.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b")
        verifier = ModelVerifier(chat, find_rules=no_rules, weighing=EQUAL)
        (verdict,) = await verifier.verify([question("It is deep.", DEPTH)])
    assert len(ollama.chats) == len(WORDINGS) == 3
    expected = 1 / (1 + math.exp(-2.95 / 3))  # log-odds 2.95, 2.95, -2.95
    assert verdict.support == pytest.approx(expected, abs=0.01)


async def test_one_wording_without_an_answer_leaves_the_others(
    ollama: FakeOllama,
) -> None:
    ollama.answer = lambda body: (
        said("Perhaps so.") if "true" in body["messages"][0]["content"] else chose(YES)
    )
    async with OllamaServer(ollama.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b")
        verifier = ModelVerifier(chat, find_rules=no_rules, weighing=EQUAL)
        (verdict,) = await verifier.verify([question("It is deep.", DEPTH)])
    assert verdict.label is Label.SUPPORTED


def test_all_wordings_begin_with_the_document() -> None:
    texts = [ask("A deep basin.", "It is deep.", w).messages[0][1] for w in WORDINGS]
    assert len(set(texts)) == len(WORDINGS)
    assert all(text.startswith("Document:\nA deep basin.\n\n") for text in texts)


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 30), st.integers(1, 900)),
        min_size=1,
        max_size=12,
        unique_by=lambda item: item[:2],
    )
)
def test_windows_hold_every_candidate_and_keep_their_size(
    drawn: list[tuple[str, int, int]],
) -> None:
    evidence = [
        sentence(index, " ".join(["word"] * words), page=page)
        for page, index, words in drawn
    ]
    (mine,) = reading_lists([question("x", *evidence)])
    for window in mine:
        assert 0 < len(window.text.replace("[…]", "").split()) <= WORDS
    for one in evidence:
        assert any(place(one) in window.places for window in mine)
    assert place(evidence[0]) in mine[0].places
    assert len(window_of_best(evidence).text.replace("[…]", "").split()) <= WORDS


def test_a_short_page_is_read_whole_and_the_same_for_every_claim() -> None:
    text = "The harbour has one basin. The basin is eleven metres deep. It was dug."
    asked = [
        Question("It is deep.", (DEPTH,), None, (("harbour", text),)),
        Question("It was dug.", (DUG, FEES), None, (("harbour", text),)),
    ]
    first, second = reading_lists(asked)
    assert first[0].text == second[0].text == f"Harbour\n{text}"
    assert [window.text for window in second[1:]] == [
        FEES.text,
        f"{DUG.text} […] {FEES.text}",
    ]


def test_of_a_long_page_each_claim_reads_its_own_best_sentences_first() -> None:
    long = " ".join(["word"] * 5000)
    far = [sentence(10 * n, f"fact{n} " + "so " * 150) for n in range(6)]
    asked = [
        Question("a", (far[5], far[0], far[1]), None, (("harbour", long),)),
        Question("b", (far[2], far[3], far[4]), None, (("harbour", long),)),
    ]
    first, second = reading_lists(asked)
    assert first[0].text.index("fact0") < first[0].text.index("fact5")
    assert "fact1" in first[1].text and "fact1" not in first[0].text
    assert "fact2" in second[0].text and "fact5" not in second[0].text


async def test_several_claims_in_a_call_and_a_quotation_against_one(
    ollama: FakeOllama,
) -> None:
    entries = [
        {
            "claim": 1,
            "quote": "The basin is eleven metres deep.",
            "verdict": "supported",
        },
        {
            "claim": 2,
            "quote": "It was dug by hand.",
            "verdict": "contradicted",
        },
        {"claim": 3, "quote": "It never freezes over.", "verdict": "contradicted"},
    ]
    ollama.answer = lambda body: said(json.dumps({"verdicts": entries}))
    claims = ["The basin is deep.", "Machines dug it.", "The basin freezes."]
    asked = [question(claim, DEPTH, DUG) for claim in claims]
    async with OllamaServer(ollama.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b")
        verifier = ModelVerifier(
            chat, None, no_rules, weighing=EQUAL, claims_per_call=5
        )
        yes_, no, open_ = await verifier.verify(asked)
    assert len(ollama.chats) == 1
    assert [yes_.label, no.label] == [Label.SUPPORTED, Label.CONTRADICTED]
    assert no.evidence[0] == DUG and "dug by hand" in no.reason
    assert open_.label is Label.NOT_ENOUGH_INFO, "that quotation stands nowhere"


async def test_a_server_without_log_probabilities_is_asked_several_times(
    ollama: FakeOllama,
) -> None:
    words = iter(["Yes", "Yes", "No", "Yes", "Yes", "Yes"])
    ollama.answer = lambda body: said(next(words))
    async with OllamaServer(ollama.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b")
        verifier = ModelVerifier(
            chat, None, no_rules, ("verify",), weighing=EQUAL, votes=5
        )
        (verdict,) = await verifier.verify([question("It is deep.", DEPTH)])
    assert len(ollama.chats) == 6, "one that shows there are none, and five votes"
    assert len({chat["options"]["seed"] for chat in ollama.chats[1:]}) == 5
    assert verdict.support == pytest.approx(5 / 7), "4 of 5, each word once more"


def reading_planted(body: dict[str, Any]) -> Reply:
    """A model that knows which easy claim is true, and says Yes to the rest."""
    text = body["messages"][0]["content"]
    false = any(p.claim in text for p in CLAIMS if not p.is_true)
    return chose(NO if false else YES)


async def leaning_to(
    fake: FakeOllama, base: Verifier | None, notes: list[str], claim: str = "It is old."
) -> Verdict:
    """A verdict of a model that is measured first."""
    async with OllamaServer(fake.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b")
        verifier = ModelVerifier(
            chat, base, no_rules, ("verify",), leanings=Leanings(), on_note=notes.append
        )
        await verifier.verify([question(claim, DEPTH)])
        (verdict,) = await verifier.verify([question(claim, DEPTH)])
        return verdict


async def test_a_model_is_measured_once_before_it_is_asked(ollama: FakeOllama) -> None:
    ollama.answer = reading_planted
    notes: list[str] = []
    base = Fixed(Verdict(label=Label.SUPPORTED, support=0.6, verifier="evidence-1"))
    verdict = await leaning_to(ollama, base, notes)
    assert (verdict.label, verdict.verifier) == (Label.SUPPORTED, "ollama")
    # Of the hard claims those of the first document are enough: it says Yes to all.
    first = len(hard_documents()[0].claims)
    assert len(ollama.chats) == len(CLAIMS) + first + 2
    (note,) = notes
    assert "5 of 5 true" in note and "7 of 7 others" in note
    assert "only backs or doubts" in note


async def test_what_every_worker_asks_is_asked_at_once_and_said_to_be_so() -> None:
    known = {planted.claim: planted.is_true for planted in CLAIMS}
    measured, open_calls = asyncio.Event(), [0]

    class Slow(ScriptedChat):
        async def chat(self, request: ChatRequest) -> ChatReply:
            open_calls[0] += 1
            if open_calls[0] == len(CLAIMS):
                measured.set()
            await measured.wait()
            return await super().chat(request)

    def word(request: ChatRequest) -> ChatReply:
        text = request.messages[-1][1]
        false = any(claim in text for claim, true in known.items() if not true)
        chances = ((("No" if false else "Yes"), -0.05),)
        return ChatReply("", None, "stop", chances, Usage(calls=1), "k")

    chat = Slow(word)
    base = Fixed(Verdict(label=Label.SUPPORTED, support=0.6, verifier="evidence-1"))
    verifier = ModelVerifier(chat, base, no_rules, ("verify",), leanings=Leanings())
    async with asyncio.timeout(30):
        await verifier.verify([question("It is old.", DEPTH)])
    known |= {one.claim: True for one in hard_documents()[0].claims}
    planted = [any(c in r.messages[-1][1] for c in known) for r in chat.asked]
    assert planted == [True] * len(known) + [False]
    assert [request.is_everyones for request in chat.asked] == planted


@pytest.mark.parametrize("word", [YES, NO, {"Yes": -0.7, "No": -0.7}])
async def test_a_model_that_says_one_thing_of_all_claims_is_not_heard(
    ollama: FakeOllama, word: dict[str, float]
) -> None:
    ollama.answer = lambda body: chose(word)
    notes: list[str] = []
    said_without = Verdict(label=Label.SUPPORTED, support=0.8, verifier="evidence-1")
    verdict = await leaning_to(ollama, Fixed(said_without), notes)
    assert verdict == said_without
    assert len(ollama.chats) == len(CLAIMS)
    assert len(notes) == 1 and "cannot tell true claims from false" in notes[0]


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=9),
    st.lists(st.floats(0, 1), min_size=2, max_size=9),
)
def test_trust_is_a_share_and_none_is_given_the_wrong_way_round(
    true: list[float], false: list[float]
) -> None:
    leaning, turned = leaning_of(true, false), leaning_of(false, true)
    assert 0 <= leaning.trust <= 1
    assert min(leaning.trust, turned.trust) == 0
    assert leaning.gap == pytest.approx(-turned.gap)


def test_a_word_is_put_as_the_fitted_model_would_have_put_it() -> None:
    fitted = Leaning(center=-0.2, gap=2.4, spread=1.2)
    timid = Leaning(center=-1.0, gap=2.4, spread=2.4)
    assert timid.word(-1.0 + 0.8, fitted) == pytest.approx(-0.2 + 0.2)
    sure = Leaning(center=0.0, gap=6.0, spread=0.1)
    assert sure.word(0.3, fitted) == pytest.approx(-0.2 + 0.3 * (6 / 0.75**2) / (5 / 3))
    assert sure.word(6.0, fitted) == pytest.approx(6.907, abs=0.001)


def test_without_trust_the_evidence_stands_alone() -> None:
    shipped = weights()
    for alone in (0.1, 0.5, 0.9):
        found = shipped.support(0.01, alone, Leaning(0.0, 1.0, trust=0.0))
        assert found == pytest.approx(alone)
    both: tuple[float | None, ...] = (0.6, None)
    for evidence in both:
        as_fitted = shipped.support(0.3, evidence, shipped.planted)
        assert as_fitted == pytest.approx(shipped.support(0.3, evidence))
