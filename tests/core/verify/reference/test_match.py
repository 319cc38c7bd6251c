"""Answer and reference held against one another, with a verifier that is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Answer, Case, Label, SampleKey, SampleResult, Verdict
from claimscope.core.models.findings import Directions
from claimscope.core.ports import Question
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.decomposition import Decomposition, decompose
from claimscope.core.verify.reference.match import both_directions
from claimscope.core.verify.reference.short_answers import is_bare, same_answer
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes

ANSWER = (
    "The Orla crane lifts 40 tonnes. It stands on the east quay. It was painted red. "
    "It needs two drivers."
)
REFERENCE = (
    "The Orla crane lifts 40 tonnes. The Orla crane was painted red. "
    "The Orla crane was built by Teel."
)
QUESTION = "What is known of the Orla crane?"


class Told:
    """Supports what the texts name; remembers what it was asked."""

    name = "told"

    def __init__(self, supported: Mapping[str, bool]) -> None:
        self.supported = supported
        self.asked: list[Question] = []

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.asked += questions
        return [
            Verdict(
                label=Label.SUPPORTED
                if self.supported.get(one.claim)
                else Label.NOT_ENOUGH_INFO
            )
            for one in questions
        ]


async def take(text: str) -> Decomposition:
    return decompose(text)


async def found(
    answer: str, reference: str, told: Told, question: str = QUESTION
) -> Directions:
    return await both_directions(
        question,
        answer,
        decompose(answer),
        reference,
        take,
        told,
        fakes.FakeEmbedder(),
    )


def labels(directions: Directions) -> tuple[list[str], list[str]]:
    return (
        [r.verdict.label.value for r in directions.answer_claims],
        [r.verdict.label.value for r in directions.reference_claims],
    )


async def test_each_side_is_held_against_the_other_text_and_nothing_else() -> None:
    told = Told({})
    got = await found(ANSWER, REFERENCE, told)
    assert len(got.answer_claims) == 4
    assert len(got.reference_claims) == 3
    for asked in told.asked[:4]:
        assert {e.text for e in asked.evidence} <= set(REFERENCE.split(". ")) | {
            f"{part.rstrip('.')}." for part in REFERENCE.split(". ")
        }
        assert asked.documents == (("passage:0", REFERENCE),)
    assert all(asked.documents[0][1] == ANSWER for asked in told.asked[4:])
    assert {asked.question for asked in told.asked} == {QUESTION}


async def test_counts_of_one_direction_are_never_used_for_the_other() -> None:
    """Four claims, three of them supported, against three, two of them supported."""
    mine = [c.text for c in decompose(ANSWER).claims]
    theirs = [c.text for c in decompose(REFERENCE).claims]
    told = Told(dict.fromkeys([*mine[:3], *theirs[:2]], True))
    result = await sample(ANSWER, REFERENCE, told)
    factual = next(s for s in result.scores if s.metric == "factual_correctness")
    # The claim both texts share word for word is one string, so it counts in both.
    assert factual.details["precision"] == 0.75
    assert factual.details["recall"] == pytest.approx(2 / 3)
    assert factual.value == pytest.approx(0.7058823)


@pytest.mark.parametrize(
    ("answer", "is_asked"),
    [
        ("The Teel lock was designed by Ona Bell.", False),
        # A year that neither the question nor the bare answer has is not said by it.
        ("The Teel lock was designed by Ona Bell in 1873.", True),
        ("The Teel lock was designed by Ona Bell on 3 April.", True),
    ],
)
async def test_a_sentence_round_a_bare_reference_says_no_more_than_that(
    answer: str, is_asked: bool
) -> None:
    told = Told({})
    got = await found(answer, "Ona Bell", told, "Who designed the Teel lock?")
    assert (got.answer_claims[0].verdict.label is Label.SUPPORTED) is not is_asked
    assert (answer in {one.claim for one in told.asked}) is is_asked


@pytest.mark.parametrize(
    ("answer", "bare", "is_supported"),
    [
        ("The lock was opened in July 1969.", "July 1969", True),
        ("The lock was opened on 21 July 1969.", "July 1969", False),
        ("The lock has 300 visitors.", "300", True),
        ("The lock has over 300 visitors.", "300", False),
    ],
)
async def test_a_sentence_is_no_more_exact_than_the_bare_reference(
    answer: str, bare: str, is_supported: bool
) -> None:
    asked = "When was the lock with visitors opened?"
    got = await found(answer, bare, Told({}), asked)
    label = got.answer_claims[0].verdict.label
    assert (label is Label.SUPPORTED) is is_supported


async def test_two_texts_of_the_same_claim_give_1() -> None:
    text = "The Orla crane lifts 40 tonnes."
    result = await sample(text, text, Told({text: True}))
    for metric in ("factual_correctness", "answer_correctness"):
        score = next(s for s in result.scores if s.metric == metric)
        assert score.value == pytest.approx(1.0)
        assert score.level == "excellent"


async def test_nobody_is_asked_when_no_metric_needs_it_or_there_is_no_reference() -> (
    None
):
    for reference, metrics in ((REFERENCE, ("claim_support",)), (None, ())):
        told = Told({})
        await sample("The Orla crane lifts 40 tonnes.", reference, told, metrics)
        assert len(told.asked) == 1  # the answer's claim against the pages


async def sample(
    answer: str,
    reference: str | None,
    told: Told,
    metrics: tuple[str, ...] = ("factual_correctness", "answer_correctness"),
) -> SampleResult:
    case = Case(
        id="crane", question=QUESTION, reference=reference, contexts=("The sea.",)
    )
    task = SampleTask(
        SampleKey(case_id="crane", provider="a"),
        case,
        Answer(case_id="crane", provider="a", text=answer),
    )
    services = Services(
        embedder=fakes.FakeEmbedder(),
        verifier=told,
        settings=Settings(),
        metrics=metrics,
    )
    return await evaluate(task, services)


# --- abstentions and what states nothing --------------------------------------------


async def test_where_one_side_abstains_no_claim_is_verified() -> None:
    told = Told({})
    got = await found("It was launched in 1987.", "The pages do not say.", told)
    assert got.reference_abstains
    assert told.asked == []
    again = await found("The sources do not say when.", "It opened in 1987.", told)
    assert not again.reference_abstains
    assert not again.answer_failed
    assert told.asked == []


async def test_a_correct_abstention_is_in_no_mean_and_the_opposite_fails() -> None:
    reference = "The pages do not give the launch year."
    right = await sample("The sources do not say when it was.", reference, Told({}))
    assert right.passed is True
    assert [s.applicable for s in right.scores] == [False, False]
    wrong = await sample("It was launched in 1987.", reference, Told({}))
    assert wrong.passed is False
    assert [s.value for s in wrong.scores] == [0.0, 0.0]


async def test_a_text_with_facts_of_which_nothing_is_taken_is_a_failure() -> None:
    async def nothing(text: str) -> Decomposition:
        return Decomposition((), (), False)

    got = await both_directions(
        QUESTION,
        ANSWER,
        Decomposition((), (), False),
        REFERENCE,
        nothing,
        Told({}),
        fakes.FakeEmbedder(),
    )
    assert got.answer_failed
    assert got.reference_failed


async def test_a_greeting_states_nothing_and_is_no_failure() -> None:
    got = await found("Hello! How can I help you?", REFERENCE, Told({}))
    assert not got.answer_failed
    assert got.answer_claims == ()
    assert len(got.reference_claims) == 3


# --- bare answers ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "reference", "label"),
    [
        ("1,200", "twelve hundred", "supported"),
        ("22 June 1942", "June 22, 1942", "supported"),
        ("Odo Marr.", "Captain Odo Marr", "supported"),
        ("yes", "Yes.", "supported"),
        ("No", "Yes", "contradicted"),
        ("579 steps", "2,579 steps", "contradicted"),
        ("4 March 1911", "5 March 1911", "contradicted"),
    ],
)
async def test_two_bare_answers_are_compared_by_value_without_asking(
    answer: str, reference: str, label: str
) -> None:
    told = Told({})
    got = await found(answer, reference, told)
    assert labels(got) == ([label], [label])
    assert told.asked == []
    text = f"The answer to “{QUESTION}” is {answer.rstrip('.')}."
    assert got.answer_claims[0].claim.text == text


async def test_a_bare_reference_is_found_in_an_answer_that_writes_it_out() -> None:
    told = Told({})
    question = "When was the Sella beacon lit?"
    got = await found("The Sella beacon was lit in 1902.", "1902", told, question)
    assert labels(got) == (["supported"], ["supported"])
    assert told.asked == []


async def test_what_an_answer_says_beyond_a_bare_reference_is_asked() -> None:
    told = Told({})
    question = "When was the Sella beacon lit?"
    answer = "The Sella beacon was lit in 1902 by Odo Marr."
    got = await found(answer, "1902", told, question)
    assert labels(got) == (["not_enough_info"], ["supported"])
    (asked,) = told.asked
    assert asked.evidence[0].text == f"The answer to “{question}” is 1902."


async def test_names_without_a_word_in_common_are_asked_as_sentences() -> None:
    told = Told({})
    await found("Odo Marr", "The lamp keeper", told)
    assert [one.claim for one in told.asked] == [
        f"The answer to “{QUESTION}” is Odo Marr.",
        f"The answer to “{QUESTION}” is The lamp keeper.",
    ]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Paris", True),
        ("100 °C", True),
        ("Yes", True),
        ("It was lit in 1912.", False),
        ("The sources do not say.", False),
        ("", False),
        ("What is it?", False),
        ("Here you go:", False),
    ],
)
def test_what_is_a_bare_answer(text: str, bare: bool) -> None:
    assert is_bare(text) is bare


def test_a_negated_name_is_not_the_name() -> None:
    assert same_answer("not copper", "copper") is False


async def test_without_a_model_names_without_a_word_in_common_are_not_stated() -> None:
    reader = EvidenceVerifier(fakes.FakeEmbedder(), shipped_model())
    directions = await both_directions(
        "Who built the crane?",
        "the Marr yard",
        await take("the Marr yard"),
        "Teel",
        take,
        reader,
        fakes.FakeEmbedder(),
    )
    for claims in (directions.answer_claims, directions.reference_claims):
        verdict = claims[0].verdict
        assert (verdict.label, verdict.support) == (Label.NOT_ENOUGH_INFO, 0.0)
        assert "few words in common" in str(verdict.reason)
