"""Several judges: what they come to together, and that each word is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import InputError, ServerDown
from claimscope.core.grade.panel import (
    PanelGrader,
    check_judges,
    combine_grades,
    grader_of,
    most_frequent,
)
from claimscope.core.models import Case, Evidence, Grade, Label, RuleFinding, Verdict
from claimscope.core.ports import Question
from claimscope.core.settings import Verdicts
from claimscope.core.verify.panel import PanelVerifier, verifier_of
from claimscope.core.verify.witnesses.fusion import Weights

SCALE = Weights(0.5, 0.5, 0.0, (1.0, 0.0), 0.5, 0.3, 0.65)
YES, NO = Label.SUPPORTED, Label.NOT_ENOUGH_INFO
CONTRA, NONE = Label.CONTRADICTED, Label.UNSCORED
SENTENCE = Evidence(page_id="p", index=0, text="It is eleven.", start=0, end=13)
VETO = RuleFinding(
    rule="number",
    outcome="missing",
    claim_text="12",
    message="12 is missing",
    veto=True,
)


def said(label: Label, support: float | None = None, **more: Any) -> Verdict:
    """What one judge says; a contradiction has its sentence."""
    known: dict[str, Any] = {"label": label, "support": support, "reason": f"{label}!"}
    if label is NONE:
        known["unscored_reason"] = "the reply was cut"
    if label is CONTRA:
        known["evidence"] = (SENTENCE,)
    return Verdict(**{**known, **more})


@dataclass
class Judge:
    """Says what it is told to, and notes when it was asked."""

    says: Sequence[Verdict]
    asked: list[str] = field(default_factory=list)
    mark: str = ""

    @property
    def name(self) -> str:
        return "judge"

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """In order of the questions."""
        for question in questions:
            self.asked.append(f"{self.mark}:{question.claim}")
            await asyncio.sleep(0)
        return self.says[: len(questions)]


async def panel(how: Verdicts, *verdicts: Verdict) -> Verdict:
    """The verdict of a panel in which each judge says one of these."""
    judges = {name: Judge([v]) for name, v in zip("abcd", verdicts, strict=False)}
    found = await PanelVerifier(judges, how, SCALE).verify([Question("q", ())])
    return found[0]


# --- verdicts -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "label"),
    [
        ((said(YES), said(YES), said(NO)), YES),
        ((said(NO, 0.9), said(NO, 0.9), said(YES, 0.9)), NO),
        ((said(CONTRA), said(CONTRA), said(YES)), CONTRA),
        ((said(YES, 0.9), said(NO, 0.4)), YES),  # a tie: the mean support decides
        ((said(YES, 0.5), said(NO, 0.1)), NO),
        ((said(YES, 0.9), said(NO, None)), NONE),  # … or nothing does
        ((said(YES, 0.9), said(CONTRA, 0.1)), NONE),
        ((said(NO, 0.3), said(CONTRA, 0.1)), NO),
        ((said(YES, 0.9), said(NO, 0.4), said(CONTRA, 0.1)), NONE),
        ((said(NONE), said(YES, 0.9)), YES),
        ((said(NONE), said(NONE)), NONE),
    ],
)
async def test_the_majority_makes_the_verdict(
    verdicts: Sequence[Verdict], label: Label
) -> None:
    assert (await panel("majority", *verdicts)).label is label


@pytest.mark.parametrize(
    ("verdicts", "label"),
    [
        ((said(YES, 0.6), said(NO, 0.3), said(NO, 0.3)), NO),
        ((said(YES, 1.0), said(NO, 0.3), said(NO, 0.3)), YES),
        ((said(CONTRA, 0.1), said(CONTRA, 0.1), said(YES, 0.7)), CONTRA),
        ((said(CONTRA, 0.1), said(YES, 0.7)), NO),
        ((said(NONE), said(YES, 0.9)), YES),
        ((said(YES), said(YES), said(NO)), YES),  # no supports: by majority
    ],
)
async def test_the_mean_support_makes_the_verdict(
    verdicts: Sequence[Verdict], label: Label
) -> None:
    assert (await panel("mean", *verdicts)).label is label


@pytest.mark.parametrize("how", ["majority", "mean"])
async def test_contradicted_takes_a_judge_who_quotes(how: Verdicts) -> None:
    bare = said(CONTRA, 0.1, evidence=())
    assert (await panel(how, bare, bare)).label is NO
    quoted = await panel(how, bare, said(CONTRA, 0.1))
    assert quoted.label is CONTRA
    assert quoted.evidence == (SENTENCE,)


@pytest.mark.parametrize("how", ["majority", "mean"])
async def test_a_veto_forbids_supported_whoever_saw_it(how: Verdicts) -> None:
    verdict = await panel(how, said(YES, 0.9), said(YES, 0.9, rules=(VETO,)))
    assert verdict.label is NO
    assert verdict.rules == (VETO,)
    assert "forbids" in verdict.reason


async def test_each_word_is_kept_with_its_calls_and_the_verdict_says_how() -> None:
    verdict = await panel(
        "majority",
        said(YES, 0.9, call_keys=("k1", "k2")),
        said(NO, 0.4, call_keys=("k3",)),
        said(NONE, call_keys=("k4",)),
    )
    assert [(v.judge, v.label, v.support) for v in verdict.votes] == [
        ("a", YES, 0.9),
        ("b", NO, 0.4),
        ("c", NONE, None),
    ]
    assert verdict.votes[2].unscored_reason == "the reply was cut"
    assert verdict.votes[0].call_keys == ("k1", "k2")
    assert verdict.call_keys == ("k1", "k2", "k3", "k4")
    assert (verdict.verifier, verdict.model) == ("panel-majority", "a, b, c")
    assert verdict.is_disputed
    assert verdict.support == pytest.approx(0.65)
    assert verdict.reason == (
        "Judges: 1 supported, 1 not enough info; their mean support, 0.65, decides; "
        "1 left it unscored. a: supported!"
    )


async def test_what_nobody_judged_is_unscored_with_each_reason() -> None:
    other = said(NONE, unscored_reason="no answer")
    verdict = await panel("mean", said(NONE), other)
    assert verdict.label is NONE
    assert verdict.unscored_reason == "a: the reply was cut; b: no answer"
    assert len(verdict.votes) == 2
    same = said(NONE, unscored_reason="sources conflict", conflicting=(SENTENCE,))
    verdict = await panel("mean", same, same)
    assert verdict.unscored_reason == "sources conflict"
    assert verdict.conflicting == (SENTENCE,)
    assert not verdict.is_disputed


async def test_opposite_judges_leave_a_claim_unscored_and_say_so() -> None:
    verdict = await panel("majority", said(YES, 0.9), said(CONTRA, 0.1))
    assert verdict.unscored_reason == ("judges disagree: 1 supported, 1 contradicted")
    assert verdict.band == "review"


async def test_judges_are_asked_one_after_the_other_all_questions_each() -> None:
    order: list[str] = []
    judges = {name: Judge([said(YES)] * 3, order, mark=name) for name in ("a", "b")}
    questions = [Question(claim, ()) for claim in ("x", "y", "z")]
    found = await PanelVerifier(judges, scale=SCALE).verify(questions)
    assert order == ["a:x", "a:y", "a:z", "b:x", "b:y", "b:z"]
    assert [len(verdict.votes) for verdict in found] == [2, 2, 2]


async def test_a_judge_that_cannot_be_asked_ends_the_verification() -> None:
    class Gone(Judge):
        async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
            raise ServerDown("it is gone", "start it")

    with pytest.raises(ServerDown):
        judges = {"a": Judge([said(YES)]), "b": Gone([])}
        await PanelVerifier(judges, scale=SCALE).verify([Question("q", ())])


LABELS = st.sampled_from([YES, NO, CONTRA, NONE])
VERDICTS = st.builds(
    lambda label, support: said(label, None if label is NONE else support),
    LABELS,
    st.one_of(st.none(), st.floats(0, 1)),
)


@given(
    st.lists(VERDICTS, min_size=2, max_size=4), st.sampled_from(["majority", "mean"])
)
def test_a_panel_says_nothing_that_no_judge_could_have_said(
    verdicts: list[Verdict], how: Literal["majority", "mean"]
) -> None:
    verdict = asyncio.run(panel(how, *verdicts))
    heard = {v.label for v in verdicts if v.label is not NONE}
    assert (verdict.label is NONE) == (verdict.unscored_reason is not None)
    if len(heard) == 1 and how == "majority":
        assert verdict.label in heard
    if verdict.label is CONTRA:
        assert CONTRA in heard and verdict.evidence
    if not heard:
        assert verdict.label is NONE
    backwards = asyncio.run(panel(how, *reversed(verdicts)))
    assert backwards.label is verdict.label  # no judge's place gives it weight


# --- grades -------------------------------------------------------------------


def graded(value: float | None, reason: str = "") -> Grade:
    """A grade of one judge."""
    why = None if value is not None else "unreadable"
    raw = None if value is not None else "no JSON"
    return Grade(
        name="faithfulness",
        value=value,
        reason=reason,
        unscored_reason=why,
        raw_reply=raw,
        call_key="k",
    )


@pytest.mark.parametrize(
    ("values", "majority", "mean"),
    [
        ((5, 5, 1), 5, 11 / 3),
        ((5, 4), 4.5, 4.5),
        ((5, 4, 1), 4, 10 / 3),
        ((2, 2, 4, 4), 3, 3),
        ((3, None), 3, 3),
    ],
)
def test_grades_become_one(
    values: Sequence[int | None], majority: float, mean: float
) -> None:
    pairs = [(name, graded(v)) for name, v in zip("abcd", values, strict=False)]
    assert combine_grades(pairs, "majority").value == majority
    assert combine_grades(pairs, "mean").value == pytest.approx(mean)


def test_each_grade_is_kept_and_the_nearest_judge_gives_the_reason() -> None:
    pairs = [
        ("a", graded(5, "all of it is there")),
        ("b", graded(2, "a figure is wrong")),
        ("c", graded(2, "a year is wrong")),
        ("d", graded(None)),
    ]
    grade = combine_grades(pairs, "majority")
    assert [(v.judge, v.value) for v in grade.votes] == [
        ("a", 5),
        ("b", 2),
        ("c", 2),
        ("d", None),
    ]
    assert grade.votes[3].unscored_reason == "unreadable"
    assert grade.votes[0].call_key == "k"
    assert grade.reason == "Judges: 5, 2, 2; 1 gave none. b: a figure is wrong"


def test_without_any_grade_it_is_unscored_with_the_raw_replies() -> None:
    grade = combine_grades([("a", graded(None)), ("b", graded(None))], "mean")
    assert grade.value is None
    assert grade.unscored_reason == "a: unreadable; b: unreadable"
    assert grade.raw_reply == "a:\nno JSON\n\nb:\nno JSON"


async def test_a_panel_gives_both_grades_and_one_judge_needs_no_panel() -> None:
    async def kind(case: Case, answer: str, context: Sequence[str]) -> list[Grade]:
        return [
            Grade(name="faithfulness", value=5),
            Grade(name="completeness", value=4),
        ]

    async def strict(case: Case, answer: str, context: Sequence[str]) -> list[Grade]:
        return [
            Grade(name="faithfulness", value=2),
            Grade(name="completeness", value=4),
        ]

    grades = await PanelGrader({"a": kind, "b": strict}, "mean")(
        Case(id="c", question="?"), "answer", ()
    )
    assert [(g.name, g.value) for g in grades] == [
        ("faithfulness", 3.5),
        ("completeness", 4),
    ]
    assert grader_of({"a": kind}, "mean") is kind
    alone = Judge([])
    assert verifier_of({"a": alone}, "mean") is alone


@given(st.lists(st.integers(1, 5).map(float), min_size=1, max_size=7))
def test_the_most_frequent_grade_is_as_frequent_as_any_or_the_median(
    values: list[float],
) -> None:
    found = most_frequent(values)
    rivals = [v for v in set(values) if v != found]
    is_ahead = all(values.count(found) > values.count(v) for v in rivals)
    assert is_ahead or found == median(values)


# --- who may judge ------------------------------------------------------------


@dataclass(frozen=True)
class Named:
    """A model by name and digest."""

    name: str
    digest: str | None
    context_tokens: int = 4096

    async def chat(self, request: Any) -> Any:
        """Nobody asks it."""
        raise NotImplementedError


def test_a_model_does_not_judge_beside_itself_under_any_name() -> None:
    small, large = Named("small:1b", "aa"), Named("large:9b", "bb")
    check_judges([small, large])
    with pytest.raises(InputError) as caught:
        check_judges([small, large, Named("copy:latest", "aa")])
    assert "copy:latest is the same model as small:1b" in caught.value.message
    assert "--judges" in caught.value.hint
