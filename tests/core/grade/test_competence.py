"""A model that cannot tell true from false on planted claims gives no grades."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest

from claimscope.core.errors import ServerDown
from claimscope.core.grade.competence import FitGrader
from claimscope.core.grade.panel import PanelGrader
from claimscope.core.grade.probe import CLAIMS as KINDS
from claimscope.core.grade.probe import ProbeCase, reasons
from claimscope.core.models import Case, Grade, Usage
from claimscope.core.ports import ChatReply, ChatRequest
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.core.verify.witnesses.response_bias import Leanings
from tests.doubles.scripted import Answer, ScriptedChat

CASE = Case(id="c1", question="How deep is the harbour?")
TRUE = {one.claim: one.is_true for one in CLAIMS}


class Grading:
    """Gives 5 and 5; counts how often it is asked."""

    asked = 0

    async def __call__(
        self, case: Case, answer: str, context: Sequence[str]
    ) -> Sequence[Grade]:
        self.asked += 1
        return (
            Grade(name="faithfulness", value=5),
            Grade(name="completeness", value=5),
        )


def word(probability: float) -> ChatReply:
    """A reply with that probability of Yes."""
    both = (("Yes", math.log(probability)), ("No", math.log(1 - probability)))
    return ChatReply("Yes", None, "stop", both, Usage(calls=1), "key")


def model(probability: Callable[[bool], float | Exception | str]) -> ScriptedChat:
    """Answers the planted claims by whether they are true."""

    def answer(request: ChatRequest) -> Answer:
        text = request.messages[-1][1]
        (claim,) = (claim for claim in TRUE if f": {claim}\n" in text)
        said = probability(TRUE[claim])
        return word(said) if isinstance(said, float) else said

    return ScriptedChat(answer)


async def graded(
    chat: ScriptedChat, notes: list[str], times: int = 1
) -> tuple[Sequence[Grade], Grading]:
    """The last grades of an answer, and what was asked for them."""
    inner = Grading()
    grader = FitGrader(chat, inner, Leanings(), on_note=notes.append)
    found: Sequence[Grade] = ()
    for _ in range(times):
        found = await grader(CASE, "Eleven metres.", ["It is eleven metres deep."])
    return found, inner


async def test_a_fit_model_is_measured_once_and_grades() -> None:
    notes: list[str] = []
    chat = model(lambda is_true: 0.97 if is_true else 0.03)
    found, inner = await graded(chat, notes, times=3)
    assert [grade.value for grade in found] == [5, 5]
    assert inner.asked == 3 and notes == []
    texts = [request.messages[-1][1] for request in chat.asked]
    assert len(texts) == len(set(texts)), "no planted claim is asked again"


@pytest.mark.parametrize(
    "lean",
    [
        lambda is_true: 0.97,
        lambda is_true: 0.02,
        lambda is_true: 0.1 if is_true else 0.9,
        lambda is_true: "I would rather not say.",
    ],
)
async def test_an_unfit_one_gives_none_and_is_not_asked_for_any(
    lean: Callable[[bool], float | Exception | str],
) -> None:
    notes: list[str] = []
    found, inner = await graded(model(lean), notes, times=3)
    assert inner.asked == 0
    assert [(g.name, g.value, g.model) for g in found] == [
        ("faithfulness", None, "scripted:1b"),
        ("completeness", None, "scripted:1b"),
    ]
    for grade in found:
        assert "cannot tell true claims from false ones" in (
            grade.unscored_reason or ""
        )
    (note,) = notes
    assert "it gives no grades" in note and "claimscope models probe" in note


async def test_a_model_that_its_verifier_has_measured_is_not_asked_again() -> None:
    leanings = Leanings()
    first = model(lambda is_true: 0.97 if is_true else 0.03)
    await FitGrader(first, Grading(), leanings)(CASE, "Eleven metres.", [])
    second = model(lambda is_true: 0.5)
    await FitGrader(second, Grading(), leanings)(CASE, "Eleven metres.", [])
    assert first.asked and second.asked == []


async def test_of_a_panel_only_the_fit_are_heard() -> None:
    fit = model(lambda is_true: 0.97 if is_true else 0.03)
    unfit = model(lambda is_true: 0.97)
    unfit.name = "unfit:1b"
    panel = PanelGrader(
        {chat.name: FitGrader(chat, Grading(), Leanings()) for chat in (fit, unfit)}
    )
    found = await panel(CASE, "Eleven metres.", [])
    assert [grade.value for grade in found] == [5, 5]
    for grade in found:
        assert [vote.value for vote in grade.votes] == [5, None]
        assert "1 gave none" in grade.reason


async def test_a_server_that_is_down_is_no_word_about_the_model() -> None:
    with pytest.raises(ServerDown):
        await graded(model(lambda is_true: ServerDown("gone", "start it")), [])


def test_a_probe_says_that_such_a_model_is_unfit_for_grades_too() -> None:
    cases = [
        ProbeCase(
            kind=KINDS[0] if one.is_true else KINDS[1],
            text=one.claim,
            document=one.document,
            expected="",
            got="Yes 0.9",
            is_true=one.is_true,
            probability=0.9,
            right=one.is_true,
        )
        for one in CLAIMS
    ]
    found = [r for r in reasons(cases) if "no verdict and no grade" in r.text]
    assert [set(reason.concerns) for reason in found] == [{"verdicts", "grades"}]
