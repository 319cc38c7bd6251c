"""Pass, fail or unscored, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.metrics.base import Findings
from claimscope.core.models import (
    Answer,
    Case,
    CaseClaim,
    CitationResult,
    CitationState,
    Claim,
    ClaimResult,
    ExpectedCitation,
    Failure,
    FailureKind,
    Grade,
    Label,
    RequiredClaimResult,
    Verdict,
)
from claimscope.core.run.outcome import expects_abstention, failures_of, passed
from claimscope.core.settings import Settings

KNOWN = Case(
    id="beacon",
    question="When was the Sella beacon lit?",
    reference="The Sella beacon was lit in 1902.",
)
UNKNOWN = KNOWN.model_copy(
    update={"reference": "The pages do not say when the beacon was lit."}
)
OPEN = KNOWN.model_copy(update={"reference": None})
TEXT = "The beacon was lit in 1902. It is green."


def claim(label: Label, start: int = 0, index: int = 0) -> ClaimResult:
    return ClaimResult(
        claim=Claim(
            index=index,
            text="The beacon was lit in 1902.",
            start=start,
            end=start + 10,
            sentence_start=start,
            sentence_end=start + 10,
        ),
        verdict=Verdict(label=label, reason=f"found {label.value}"),
    )


def findings(*labels: Label, case: Case = KNOWN, **others: Any) -> Findings:
    return Findings(
        case=case,
        answer=Answer(case_id=case.id, text=TEXT),
        claims=[claim(label, n * 20, n) for n, label in enumerate(labels)],
        **others,
    )


def outcome(
    found: Findings,
    planted: Sequence[tuple[int, int]] = (),
    **settings: Any,
) -> tuple[bool | None, list[str], tuple[Failure, ...]]:
    failures = failures_of(found, planted, Settings.model_validate(settings))
    return passed(found, failures), [f.kind.value for f in failures], failures


def test_supported_claims_pass() -> None:
    assert outcome(findings(Label.SUPPORTED, Label.SUPPORTED)) == (True, [], ())


def test_a_contradicted_claim_fails_the_sample_and_is_located() -> None:
    result, kinds, (failure,) = outcome(findings(Label.SUPPORTED, Label.CONTRADICTED))
    assert (result, kinds) == (False, ["contradicted"])
    assert (failure.claim_index, failure.start, failure.end) == (1, 20, 30)
    assert failure.message == "found contradicted"


def test_an_unsupported_claim_fails_unless_the_setting_lets_it_be() -> None:
    found = findings(Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
    assert outcome(found)[:2] == (False, ["not_supported"])
    assert outcome(found, unsupported_fails=False)[:2] == (True, [])


def test_an_unscored_claim_leaves_the_sample_unscored() -> None:
    found = findings(Label.SUPPORTED, Label.UNSCORED)
    assert outcome(found)[:2] == (None, ["unscored"])


def test_what_failed_stays_failed_beside_something_unscored() -> None:
    found = findings(Label.UNSCORED, Label.CONTRADICTED)
    assert outcome(found)[:2] == (False, ["unscored", "contradicted"])


def test_an_empty_answer_fails_with_that_reason_alone() -> None:
    required = [RequiredClaimResult(text="a", importance="required", found=False)]
    result, kinds, (failure,) = outcome(findings(empty=True, required=required))
    assert (result, kinds) == (False, ["empty"])
    assert "empty" in failure.message


def test_an_answer_from_which_nothing_was_taken_is_unscored_never_perfect() -> None:
    result, kinds, (failure,) = outcome(findings())
    assert (result, kinds) == (None, ["unscored"])
    assert failure.message == "No claim was found in the answer."


# --- abstention -------------------------------------------------------------


def test_the_reference_says_whether_an_abstention_is_right() -> None:
    assert expects_abstention(UNKNOWN)
    assert not expects_abstention(KNOWN)
    assert not expects_abstention(OPEN)


def test_a_correct_abstention_passes() -> None:
    assert outcome(findings(case=UNKNOWN, abstained=True)) == (True, [], ())


def test_facts_where_the_pages_do_not_tell_fail() -> None:
    result, kinds, _ = outcome(findings(Label.SUPPORTED, case=UNKNOWN))
    assert (result, kinds) == (False, ["wrong_abstention"])


def test_facts_beside_a_right_abstention_are_judged_as_facts() -> None:
    found = findings(Label.SUPPORTED, case=UNKNOWN, partly_abstained=True)
    assert outcome(found)[:2] == (True, [])


@pytest.mark.parametrize(
    "case",
    [
        KNOWN,
        OPEN.model_copy(update={"claims": (CaseClaim(text="Lit in 1902."),)}),
        OPEN.model_copy(update={"citations": (ExpectedCitation(page_id="log"),)}),
    ],
)
def test_an_abstention_where_the_pages_tell_fails(case: Case) -> None:
    result, kinds, _ = outcome(findings(case=case, abstained=True))
    assert (result, kinds) == (False, ["wrong_abstention"])


def test_an_abstention_that_nothing_calls_right_or_wrong_is_unscored() -> None:
    result, kinds, (failure,) = outcome(findings(case=OPEN, abstained=True))
    assert (result, kinds) == (None, ["unscored"])
    assert "does not say" in failure.message


def test_required_claims_are_not_missed_twice_in_an_abstention() -> None:
    required = [RequiredClaimResult(text="a", importance="required", found=False)]
    found = findings(case=KNOWN, abstained=True, required=required)
    assert outcome(found)[1] == ["wrong_abstention"]


# --- required claims, citations, grades -------------------------------------


def test_a_missing_required_claim_fails_unless_the_setting_lets_it_be() -> None:
    required = [
        RequiredClaimResult(text="Lit in 1902.", importance="required", found=False),
        RequiredClaimResult(text="It is green.", importance="expected", found=False),
    ]
    found = findings(Label.SUPPORTED, required=required)
    result, kinds, (failure,) = outcome(found)
    assert (result, kinds) == (False, ["missing_claim"])
    assert "Lit in 1902." in failure.message
    assert outcome(found, require_all_required=False)[:2] == (True, [])


def test_a_claim_said_differently_is_shown_where_it_stands() -> None:
    required = [
        RequiredClaimResult(
            text="Lit in 1902.",
            importance="required",
            found=False,
            start=4,
            end=26,
            conflicts_with="1920",
        )
    ]
    (failure,) = outcome(findings(Label.SUPPORTED, required=required))[2]
    assert "the answer says “1920”" in failure.message
    assert (failure.start, failure.end) == (4, 26)


@pytest.mark.parametrize("state", list(CitationState))
def test_broken_and_misattributed_citations_fail(state: CitationState) -> None:
    citations = [
        CitationResult(text="[1]", start=0, end=3, state=CitationState.VALID),
        CitationResult(text="[2]", start=30, end=33, state=state, reason="because"),
    ]
    result, kinds, failures = outcome(findings(Label.SUPPORTED, citations=citations))
    expected = {
        CitationState.BROKEN: ["broken_citation"],
        CitationState.MISATTRIBUTED: ["misattributed"],
    }.get(state, [])
    assert kinds == expected
    assert result is not bool(expected)
    for failure in failures:
        assert (failure.citation_index, failure.start, failure.end) == (1, 30, 33)
        assert failure.message == "because"


def test_both_grades_must_reach_the_threshold() -> None:
    def graded(faithfulness: int, completeness: int, **settings: Any) -> Any:
        grades = [
            Grade(name="faithfulness", value=faithfulness, reason="invented"),
            Grade(name="completeness", value=completeness, reason="thin"),
        ]
        return outcome(findings(Label.SUPPORTED, grades=grades), **settings)

    assert graded(4, 4)[:2] == (True, [])
    assert graded(5, 3)[:2] == (False, ["low_grade"])
    assert graded(3, 3)[1] == ["low_grade", "low_grade"]
    assert graded(3, 3, pass_grade=3)[:2] == (True, [])
    (failure,) = graded(2, 5)[2]
    assert "2 of 5 for faithfulness: invented" in failure.message


def test_a_grade_that_could_not_be_read_leaves_the_sample_unscored() -> None:
    grades = [Grade(name="faithfulness", unscored_reason="the reply was cut off")]
    result, kinds, (failure,) = outcome(findings(Label.SUPPORTED, grades=grades))
    assert (result, kinds) == (None, ["unscored"])
    assert "the reply was cut off" in failure.message


def test_a_planted_grade_fails_the_sample_and_is_quoted() -> None:
    result, kinds, (failure,) = outcome(
        findings(Label.SUPPORTED), [(28, 40)], unsupported_fails=False
    )
    assert (result, kinds) == (False, ["planted_grade"])
    assert f"“{TEXT[28:40]}”" in failure.message
    assert (failure.start, failure.end) == (28, 40)


def test_failures_come_in_reading_order_and_those_without_a_place_last() -> None:
    found = findings(
        Label.CONTRADICTED,
        Label.NOT_ENOUGH_INFO,
        required=[RequiredClaimResult(text="a", importance="required", found=False)],
        citations=[
            CitationResult(text="[2]", start=12, end=15, state=CitationState.BROKEN)
        ],
    )
    assert outcome(found, [(5, 9)])[1] == [
        "contradicted",
        "planted_grade",
        "broken_citation",
        "not_supported",
        "missing_claim",
    ]


@given(st.lists(st.sampled_from(list(Label)), max_size=8))
def test_a_sample_passes_only_when_every_claim_is_supported(
    labels: list[Label],
) -> None:
    result, kinds, _ = outcome(findings(*labels))
    wrong = {Label.CONTRADICTED, Label.NOT_ENOUGH_INFO}
    if wrong & set(labels):
        assert result is False
    elif Label.UNSCORED in labels or not labels:
        assert result is None
    else:
        assert result is True
    assert kinds.count(FailureKind.CONTRADICTED) == labels.count(Label.CONTRADICTED)


def test_a_required_claim_that_abstains_expects_an_abstention() -> None:
    text = "The pages do not name the builder of the beacon."
    case = OPEN.model_copy(update={"claims": (CaseClaim(text=text),)})
    assert expects_abstention(case)
    assert not expects_abstention(OPEN)


def graded(faithfulness: int, completeness: int) -> tuple[Grade, ...]:
    return (
        Grade(name="faithfulness", value=faithfulness),
        Grade(name="completeness", value=completeness),
    )


@pytest.mark.parametrize(
    ("grades", "label", "by_rule"),
    [
        # (by both, by grades, by claims)
        ((5, 4), Label.SUPPORTED, (True, True, True)),
        ((4, 4), Label.CONTRADICTED, (False, True, False)),
        ((5, 4), Label.NOT_ENOUGH_INFO, (False, True, False)),
        ((3, 5), Label.SUPPORTED, (False, False, True)),
        ((5, 4), Label.UNSCORED, (None, True, None)),
    ],
)
def test_the_rule_decides_what_a_pass_is(
    grades: tuple[int, int], label: Label, by_rule: tuple[bool | None, ...]
) -> None:
    found = findings(label, grades=graded(*grades))
    for rule, expected in zip(("both", "grades", "claims"), by_rule, strict=True):
        settings = Settings.model_validate({"pass_rule": rule})
        failures = failures_of(found, [], settings)
        assert passed(found, failures, settings.pass_rule) is expected, rule


def test_by_grades_alone_a_sample_without_grades_is_unscored() -> None:
    settings = Settings(pass_rule="grades")
    found = findings(Label.SUPPORTED)
    assert passed(found, failures_of(found, [], settings), "grades") is None
    open_ = Grade(name="faithfulness", unscored_reason="cut off")
    found = findings(Label.SUPPORTED, grades=(open_, graded(5, 4)[1]))
    assert passed(found, failures_of(found, [], settings), "grades") is None
    empty = findings(Label.SUPPORTED, empty=True)
    assert passed(empty, failures_of(empty, [], settings), "grades") is False


def test_each_grade_may_have_a_bound_of_its_own() -> None:
    settings = Settings(pass_faithfulness=5, pass_completeness=3, pass_rule="grades")
    for grades, expected in (((5, 3), True), ((4, 5), False), ((5, 2), False)):
        found = findings(Label.SUPPORTED, grades=graded(*grades))
        failures = failures_of(found, [], settings)
        assert passed(found, failures, settings.pass_rule) is expected, grades
    assert Settings(pass_faithfulness=5).pass_grades == (5, 4)
