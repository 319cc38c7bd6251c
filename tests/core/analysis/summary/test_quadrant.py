"""Tiers that moved with their claims, faithful by complete, and sentences that would
make an answer complete. All figures by hand."""

from __future__ import annotations

import pytest

from claimscope.core.analysis.compare.comparison import RunData, compare
from claimscope.core.analysis.summary.claim_feedback import (
    completion_words,
    completions,
)
from claimscope.core.analysis.summary.quadrant import Quadrant, quadrant
from claimscope.core.models import (
    Failure,
    FailureKind,
    Grade,
    Label,
    RequiredClaimResult,
    SampleResult,
    Score,
)
from claimscope.core.report.renderers import plain
from claimscope.core.report.views.comparison import comparison_view
from claimscope.core.report.views.quadrant import quadrant_section
from claimscope.core.report.views.sample import sample_view
from tests.doubles import fakes

# --- tiers --------------------------------------------------------------------


def tiered(value: float, tier: str, label: Label, found: bool) -> SampleResult:
    sample = fakes.sample(
        "c1", claims=(fakes.claim_result("It holds two tonnes.", label),)
    )
    return sample.model_copy(
        update={
            "scores": (
                Score(metric="accuracy", value=value, scale=(0, 100), tier=tier),
            ),
            "required_claims": (
                RequiredClaimResult(
                    text="It opened in 1952.", importance="required", found=found
                ),
            ),
        }
    )


def run(*samples: SampleResult, name: str = "a") -> RunData:
    return RunData(name, fakes.header(name, total_samples=len(samples)), samples)


def test_a_tier_that_fell_is_told_with_the_claims_that_changed() -> None:
    before = tiered(86, "excellent", Label.SUPPORTED, True)
    after = tiered(64, "fair", Label.CONTRADICTED, False)
    found = compare(run(before), run(after, name="b"))
    (move,) = found.tier_moves
    assert (move.metric, move.before, move.after, move.rose) == (
        "accuracy",
        "excellent",
        "fair",
        False,
    )
    assert (move.before_value, move.after_value) == (86, 64)
    text = before.claims[0].claim.text
    assert move.claims == (
        f"supported -> contradicted: {text}",
        "required, found -> missing: It opened in 1952.",
    )
    lines = "\n".join(plain.lines(comparison_view(found)))
    assert "tiers that moved: 1, 1 of them down" in lines
    assert "accuracy excellent -> fair (86.0 -> 64.0)  c1/" in lines


def test_a_score_that_stays_in_its_tier_is_no_move() -> None:
    before = tiered(86, "excellent", Label.SUPPORTED, True)
    after = tiered(99, "excellent", Label.SUPPORTED, True)
    found = compare(run(before), run(after, name="b"))
    assert found.tier_moves == ()
    assert "tiers that moved" not in "\n".join(plain.lines(comparison_view(found)))


def test_a_rise_is_one_and_levels_count_too() -> None:
    before = tiered(0.5, "fair", Label.SUPPORTED, True)
    low = Score(metric="factual_correctness", value=0.5, level="moderate")
    high = Score(metric="factual_correctness", value=0.95, level="excellent")
    found = compare(
        run(before.model_copy(update={"scores": (low,)})),
        run(before.model_copy(update={"scores": (high,)}), name="b"),
    )
    (move,) = found.tier_moves
    assert move.rose and (move.before, move.after) == ("moderate", "excellent")


# --- faithful by complete -----------------------------------------------------


def graded(case: str, faithful: float | None, complete: float | None) -> SampleResult:
    sample = fakes.sample(case)
    grades = tuple(
        Grade(name=name, value=value)
        for name, value in (("faithfulness", faithful), ("completeness", complete))
    )
    bad = faithful is not None and faithful < 4
    failures = (Failure(kind=FailureKind.LOW_GRADE, message="low"),) if bad else ()
    return sample.model_copy(update={"grades": grades, "failures": failures})


def shares(found: Quadrant) -> dict[str, int]:
    return {quarter.name: len(quarter.samples) for quarter in found.quarters}


def test_samples_lie_in_four_quarters_by_their_grades() -> None:
    samples = [
        graded("a", 5, 5),
        graded("b", 4, 3),
        graded("c", 2, 4),
        graded("d", 1, 1),
        graded("e", 3, 5),
        graded("f", None, 5),
    ]
    found = quadrant(samples)
    assert shares(found) == {
        "faithful and complete": 1,
        "faithful, not complete": 1,
        "complete, not faithful": 2,
        "neither": 1,
    }
    assert (found.by, found.n, found.unplaced) == ("grades", 5, 1)
    assert found.quarters[2].failures == {"low_grade": 2}
    assert shares(quadrant(samples, (5, 3)))["faithful, not complete"] == 0
    lines = list(plain.lines(quadrant_section(found)))
    assert lines[0] == "Faithful and complete, by grades: 5 samples"
    row = next(line for line in lines if "complete, not faithful" in line)
    assert row.split()[3:] == "2 40% low grade 2 c/alpha/1, e/alpha/1".split()
    assert lines[-1] == "  not placed, as one of the two is not known: 1"


def claimed(case: str, label: Label, found: bool | None) -> SampleResult:
    required = (
        ()
        if found is None
        else (RequiredClaimResult(text="x", importance="required", found=found),)
    )
    sample = fakes.sample(
        case, claims=(fakes.claim_result("It holds two tonnes.", label),)
    )
    return sample.model_copy(update={"required_claims": required})


def test_without_grades_claims_decide() -> None:
    found = quadrant(
        [
            claimed("a", Label.SUPPORTED, True),
            claimed("b", Label.SUPPORTED, False),
            claimed("c", Label.CONTRADICTED, True),
            claimed("d", Label.NOT_ENOUGH_INFO, False),
            claimed("e", Label.UNSCORED, True),
            claimed("f", Label.SUPPORTED, None),
        ]
    )
    assert found.by == "claims" and list(shares(found).values()) == [1, 1, 1, 1]
    assert found.unplaced == 2


def test_a_run_of_which_nothing_is_known_has_no_lines() -> None:
    assert list(quadrant_section(quadrant([fakes.sample("a")]))) == []


# --- sentences that are missing -----------------------------------------------


def lacking(*claims: RequiredClaimResult) -> SampleResult:
    return fakes.sample("c").model_copy(update={"required_claims": claims})


def wanted(text: str, found: bool, **more: object) -> RequiredClaimResult:
    fields = {"importance": "required", **more}
    return RequiredClaimResult(text=text, found=found, **fields)


def test_each_missing_claim_has_a_sentence_and_what_it_would_bring() -> None:
    """One of four is found: 25; with one more 50, with all 100."""
    sample = lacking(
        wanted("it opened in 1952", False),
        wanted("It is green.", True),
        wanted("It is 40 m high.", False, conflicts_with="It is 30 m high."),
        wanted("It has two arms.", False),
        wanted("It is loud.", False, importance="optional"),
    )
    found = list(completions(sample))
    assert [(c.sentence, c.completeness) for c in found] == [
        ("It opened in 1952.", 50),
        ("It is 40 m high.", 50),
        ("It has two arms.", 50),
        ("It is loud.", 25),
    ]
    assert {c.completeness_with_all for c in found} == {100}
    assert found[1].replaces == "It is 30 m high."
    assert completion_words(found[1]) == (
        "in place of “It is 30 m high.” “It is 40 m high.”: completeness 50"
    )
    lines = "\n".join(plain.lines([sample_view(sample)]))
    assert "add “It opened in 1952.”: completeness 50" in lines


@pytest.mark.parametrize(
    "claims",
    [
        (),
        (wanted("x", False, importance="optional"),),
        (wanted("x", False), wanted("y", False, unscored_reason="no model")),
        (wanted("x", True),),
    ],
)
def test_nothing_is_proposed_where_completeness_has_no_value_or_is_whole(
    claims: tuple[RequiredClaimResult, ...],
) -> None:
    assert list(completions(lacking(*claims))) == []
