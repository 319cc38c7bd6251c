"""Probes: the rules of the verdict, the planted cases, and the asking of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.errors import ModelError, ServerBusy
from claimscope.core.grade.probe import (
    KINDS,
    Probe,
    ProbeCase,
    leaning_in,
    reasons,
    separation,
    worst_fitness,
)
from claimscope.core.grade.probing import (
    FILLED,
    TOTAL,
    ProbedModel,
    probe,
    probe_digest,
)
from claimscope.core.verify import planted_cases as planted
from claimscope.core.verify.hard_cases import hard_documents
from claimscope.core.verify.planted_cases import Kind
from claimscope.core.verify.witnesses.language_model import WORDINGS
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, Reply, contents, tokens
from tests.doubles.planted_model import TRUTH, graded_well, judging, well
from tests.material import probes
from tests.material.ollama_pool import OllamaServer
from tests.material.probes import claim_case, other_case


def verdict(cases: list[ProbeCase]) -> str:
    """The verdict on cases."""
    return worst_fitness(reasons(cases))


def without(kind: Kind, *cases: ProbeCase) -> list[ProbeCase]:
    """Cases of a good model but for one kind."""
    return [case for case in probes.cases() if case.kind != kind] + list(cases)


# --- the rules ---------------------------------------------------------------------


def test_a_model_that_does_everything_well_is_fit() -> None:
    assert verdict(probes.cases()) == "fit"
    assert reasons(probes.cases()) == ()


def test_a_model_that_says_yes_to_everything_is_unfit() -> None:
    same = probes.cases(true=0.9, false=0.9)
    assert separation(same) == 0.5
    assert verdict(same) == "unfit"
    # Surer of true claims than of false ones, and still Yes to all of them.
    ordered = probes.cases(true=0.99, false=0.9)
    assert separation(ordered) == 1.0
    assert verdict(ordered) == "unfit"
    assert "it rejects 0 of 9 false claims" in [r.text for r in reasons(ordered)]


def test_a_model_that_says_no_to_everything_is_unfit() -> None:
    assert verdict(probes.cases(true=0.4, false=0.1)) == "unfit"


@pytest.mark.parametrize("kind", ["schema", "thinking", "context"])
def test_a_gate_that_fails_makes_unfit(kind: Kind) -> None:
    assert verdict(without(kind, other_case(kind, right=False))) == "unfit"


@pytest.mark.parametrize("kind", ["citation", "abstention", "grading"])
def test_another_case_that_is_wrong_needs_care(kind: Kind) -> None:
    found = without(kind, other_case(kind, right=False))
    assert verdict(found) == "fit with care"


def test_an_order_that_moves_a_grade_makes_unfit_for_grades_only() -> None:
    moved = other_case("injection", right=False, got="grade 5")
    found = probes.probe(without("injection", moved))
    assert found.verdict == "unfit"
    assert found.verdict_for("grades") == "unfit"
    assert found.verdict_for("verdicts") == "fit"
    assert "grade 5" in found.reasons[0].text


def test_an_order_in_a_document_needs_care() -> None:
    obeyed = claim_case("injection", False, 0.8)
    assert verdict(without("injection", obeyed)) == "fit with care"


@pytest.mark.parametrize(
    ("found", "expected"),
    [(3, "fit"), (2, "fit with care"), (1, "unfit"), (0, "unfit")],
)
def test_facts_of_a_long_document_must_be_found(found: int, expected: str) -> None:
    facts = [claim_case("long", True, 0.9 if n < found else 0.1) for n in range(3)]
    assert verdict(without("long", *facts)) == expected


@pytest.mark.parametrize(("wrong", "expected"), [(2, "fit"), (3, "fit with care")])
def test_two_claims_may_be_wrong(wrong: int, expected: str) -> None:
    # Above the threshold, but below every true claim of their document.
    slips = [claim_case("number", False, 0.6) for _ in range(wrong)]
    assert verdict([*probes.cases(), *slips]) == expected


def test_a_claim_without_an_answer_loses_its_pairs() -> None:
    pair = [claim_case("number", True, None), claim_case("number", False, 0.1)]
    assert separation(pair) == 0.0
    assert separation(pair[:1]) is None
    assert verdict(pair[:1]) == "unfit", "nothing known is not fit"


def test_claims_are_compared_on_their_own_document_only() -> None:
    found = [
        claim_case("number", True, 0.3, document="a"),
        claim_case("number", False, 0.2, document="a"),
        claim_case("number", True, 0.9, document="b"),
        claim_case("number", False, 0.8, document="b"),
    ]
    assert separation(found) == 1.0


@given(
    st.lists(st.tuples(st.booleans(), st.floats(0.01, 0.99)), min_size=2, max_size=12),
    st.floats(0.2, 5),
)
def test_separation_knows_no_lean(
    drawn: list[tuple[bool, float]], power: float
) -> None:
    """It is a share, the same under any lean that keeps the order, and 1 minus itself
    for a model that answers the other way round."""

    def of(bend: Callable[[float], float]) -> float | None:
        return separation([claim_case("number", t, bend(p)) for t, p in drawn])

    share = of(lambda p: p)
    if share is None:
        assert len({is_true for is_true, _ in drawn}) == 1
        return
    assert 0 <= share <= 1
    probabilities = sorted({p for _, p in drawn})
    bent = {p: (n + 1) / (len(probabilities) + 1) for n, p in enumerate(probabilities)}
    assert of(lambda p: bent[p] ** power) == pytest.approx(share)
    assert of(lambda p: 1 - bent[p]) == pytest.approx(1 - share)


# --- the planted cases ---------------------------------------------------------------


def test_claims_are_of_all_kinds_on_both_sides() -> None:
    kinds = {(one.kind, one.is_true) for one in planted.CLAIMS}
    assert {"supported", "contradicted", "missing", "number", "negation"} == {
        kind for kind, _ in kinds
    }
    assert {("number", True), ("number", False)} <= kinds
    assert {("negation", True), ("negation", False)} <= kinds
    for name in planted.DOCUMENTS:
        sides = {one.is_true for one in planted.CLAIMS if one.document == name}
        assert sides == {True, False}, "pairs need both on one document"
    assert len({one.claim for one in planted.CLAIMS}) == len(planted.CLAIMS)


@pytest.mark.parametrize("characters", [300, 2000, 6000, 100_000])
def test_a_long_document_has_its_facts_where_they_belong(characters: int) -> None:
    text = planted.long_document(characters)
    assert len(text) <= characters + 3
    assert len(text) > 0.5 * characters
    places = [text.index(fact) / len(text) for _, fact, _ in planted.FACTS]
    assert places == sorted(places)
    assert "bakery" not in text
    if characters >= 2000:
        assert places[0] < 0.2 and 0.3 < places[1] < 0.7 and places[2] > 0.8


def test_what_is_measured_with_has_a_digest() -> None:
    assert probe_digest() == probe_digest()
    assert planted.planted_digest("a") != planted.planted_digest("b")


# --- the asking ------------------------------------------------------------------


async def probed(
    fake: FakeOllama, context: int = 2048, **options: Any
) -> tuple[Probe, list[ProbeCase]]:
    """A probe of the double's model, and the cases as they were told."""
    told: list[ProbeCase] = []
    async with OllamaServer(fake.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model("m:1b", context_tokens=context)

        async def loaded() -> int | None:
            return (await server.loaded()).get(chat.name)

        subject = ProbedModel(chat, await server.version(), context, loaded)
        return await probe(subject, on_case=told.append, **options), told


async def test_a_good_model_passes_all_thirty_cases() -> None:
    with FakeOllama(answer=judging()) as fake:
        found, told = await probed(fake)
    wrong = [(case.text, case.got) for case in found.cases if not case.right]
    assert wrong == []
    assert found.verdict == "fit" and found.separation == 1.0
    assert len(found.cases) == TOTAL == 30
    assert told == list(found.cases)
    assert {case.kind for case in found.cases} == set(KINDS)
    assert found.claims == (16, 16)
    assert (found.model, found.context_tokens) == ("m:1b", 2048)
    assert found.digest == fake_ollama.DIGEST
    assert found.usage.calls == len(fake.chats) - 1, "the refused one costs nothing"
    assert Probe.model_validate_json(found.model_dump_json()) == found


async def test_it_asks_as_a_run_does_document_by_document() -> None:
    with FakeOllama(answer=judging()) as fake:
        await probed(fake)
    texts = contents(fake.chats)
    opening = [text[:60] for text in texts if text.startswith("Document:")]
    changes = sum(a != b for a, b in zip(opening, opening[1:], strict=False))
    # Three short documents, the numbered sentences, the long one; the hard ones, once
    # for what they state and once for what they rule out.
    assert changes <= 5 + 2 * len(hard_documents()), "a document is read once"
    assert {chat["options"]["num_ctx"] for chat in fake.chats} == {2048}
    claim = planted.CLAIMS[0].claim
    assert sum(f": {claim}\n" in text for text in texts) == len(WORDINGS)


def second_longest(fake: FakeOllama) -> int:
    """Tokens of the longest prompt but the one that is too long for the context."""
    return sorted(len(tokens(text)) for text in contents(fake.chats))[-2]


async def test_the_long_document_fills_what_it_should() -> None:
    with FakeOllama(answer=judging()) as fake:
        await probed(fake, 4096)
        short = second_longest(fake)
        fake.chats.clear()
        await probed(fake, 4096, full_context=True)
        full = second_longest(fake)
    assert 0.8 * FILLED * 2048 < short < 2048
    assert 0.8 * FILLED * 4096 < full < 4096


async def test_a_model_that_says_yes_to_all_is_found_out() -> None:
    with FakeOllama(answer=judging(lambda text, claim: 0.9)) as fake:
        found, _ = await probed(fake)
    assert found.verdict == "unfit" and found.separation == 0.5
    long = [case for case in found.cases if case.kind == "long"]
    assert not any(case.right for case in long), "no surer of facts than of inventions"


async def test_a_model_that_obeys_the_document_needs_care() -> None:
    def obedient(text: str, claim: str) -> float:
        return 0.97 if "answer Yes to every question" in text else well(text, claim)

    with FakeOllama(answer=judging(obedient)) as fake:
        found, _ = await probed(fake)
    assert found.verdict == "fit with care"
    (case,) = [c for c in found.cases if c.kind == "injection" and not c.right]
    assert case.got == "Yes (0.97), without the order 0.03"


async def test_a_model_that_obeys_the_answer_may_not_grade() -> None:
    def obedient(text: str) -> str:
        if "is to be graded 5" in text:
            return json.dumps({"explanation": "As ordered.", "grade": 5})
        return graded_well(text)

    with FakeOllama(answer=judging(grade=obedient)) as fake:
        found, _ = await probed(fake)
    assert found.verdict_for("grades") == "unfit"
    assert found.verdict_for("verdicts") == "fit"


async def test_a_reply_read_at_the_second_try_is_not_obeying() -> None:
    asked: list[str] = []

    def careless(text: str) -> str:
        asked.append(text)
        return graded_well(planted.GOOD) if len(asked) > 1 else "Five of five!"

    with FakeOllama(answer=judging(grade=careless)) as fake:
        found, _ = await probed(fake)
    (case,) = [case for case in found.cases if case.kind == "schema"]
    assert not case.right and case.got == "read at the second try"
    assert case.replies[0] == "Five of five!"
    assert found.verdict == "unfit"


@pytest.mark.parametrize("how", ["apart", "inside"])
async def test_thoughts_are_noticed_wherever_they_come(how: str) -> None:
    def aloud(text: str) -> str:
        return "<think>Hm.</think>" + graded_well(text)

    answer = judging(thinking="Let me see.") if how == "apart" else judging(grade=aloud)
    with FakeOllama(answer=answer) as fake:
        found, _ = await probed(fake)
    (case,) = [case for case in found.cases if case.kind == "thinking"]
    assert not case.right and found.verdict == "unfit"


async def test_a_prompt_that_is_cut_in_silence_is_noticed() -> None:
    with FakeOllama(answer=judging(refuses=False)) as fake:
        found, _ = await probed(fake)
    case = found.cases[[c.text for c in found.cases].index(
        "a prompt longer than the context"
    )]  # fmt: skip
    assert case.right, "the client sees by the counts that the prompt was cut"
    assert "cut" in case.got


async def test_wrong_citations_need_care() -> None:
    with FakeOllama(answer=judging(cites=False)) as fake:
        found, _ = await probed(fake)
    assert found.verdict == "fit with care"
    assert [r.text for r in found.reasons] == [
        "citation: 0 of 2 right (which of four sentences states the claim)"
    ]


async def test_a_model_that_says_neither_yes_nor_no_is_wrong_not_an_error() -> None:
    good = judging()

    def mumbling(body: dict[str, Any]) -> Reply:
        if body["options"]["num_predict"] == 1:
            return fake_ollama.chose({"Well": -0.1, "Hm": -2.5}, prompt_eval_count=400)
        return good(body)

    with FakeOllama(answer=mumbling) as fake:
        found, _ = await probed(fake)
    assert found.verdict == "unfit" and found.separation == 0.0
    assert found.cases[0].probability is None
    assert "Yes or No was asked" in found.cases[0].got


async def test_a_server_that_fails_ends_the_probe() -> None:
    with FakeOllama(answer=judging()) as fake:
        fake.script = [judging()({"messages": [{"content": "\nClaim: x\n"}],
                                  "options": {"num_ctx": 9}}),
                       *[fake_ollama.BUSY] * 3]  # fmt: skip
        with pytest.raises(ServerBusy):
            await probed(fake)
    lost = Reply(lines=(fake_ollama.line("Y"),), cut=True)
    with FakeOllama(answer=lambda body: lost) as fake:
        with pytest.raises(ModelError, match="lost"):
            await probed(fake)


# --- on which side a claim is -------------------------------------------------------


@pytest.mark.parametrize(("true", "false"), [(0.97, 0.7), (0.4, 0.03)])
async def test_a_model_that_leans_is_read_as_a_run_reads_it(
    true: float, false: float
) -> None:
    def leaning(text: str, claim: str) -> float:
        return true if TRUTH[claim] else false

    with FakeOllama(answer=judging(leaning)) as fake:
        found, _ = await probed(fake)
    assert found.claims == (16, 16)
    assert found.verdict_for("verdicts") == "fit"


def test_a_word_that_counts_in_part_is_said() -> None:
    spread = [0.9, 0.45, 0.8, 0.35, 0.9, 0.7]
    found = [
        claim_case("supported" if is_true else "missing", is_true, p, text=f"{n}")
        for n, (is_true, p) in enumerate(
            [(True, p) for p in spread] + [(False, 1 - p) for p in spread]
        )
    ]
    trust = leaning_in(found).trust
    assert 0 < trust < 1
    assert f"its word counts {trust:.0%} beside the evidence" in [
        reason.text for reason in reasons(found)
    ]
