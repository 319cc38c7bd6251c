"""Figures of a run: what is unscored is counted beside a mean, never in it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.summary.summary import group, mean, rows_of, summarise
from claimscope.core.models import (
    Difficulty,
    Failure,
    FailureKind,
    Label,
    SampleResult,
    SampleRow,
    Score,
)
from claimscope.core.settings import Settings
from tests.doubles import fakes

SUPPORT = "claim_support"
# None: unscored; "aside": not applicable; "absent": ended before it was scored.
Outcome = float | str | None


def sample(
    number: int,
    outcome: Outcome,
    *,
    metric: str = SUPPORT,
    scale: tuple[float, float] = (0.0, 1.0),
) -> SampleResult:
    if outcome == "absent":
        scores: tuple[Score, ...] = ()
    elif outcome == "aside":
        scores = (Score(metric=metric, applicable=False, reason="abstains"),)
    elif isinstance(outcome, float):
        scores = (Score(metric=metric, value=outcome, scale=scale),)
    else:
        scores = (Score(metric=metric, reason="cut off"),)
    return fakes.sample(f"c{number}", scores=scores)


def samples(outcomes: Sequence[Outcome]) -> list[SampleRow]:
    return rows_of(sample(number, outcome) for number, outcome in enumerate(outcomes))


def test_a_mean_is_over_the_scored_samples_and_says_how_many_they_are() -> None:
    figures = mean(SUPPORT, samples([0.25, 1.0, 0.5, 0.25, None, "aside", "absent"]))
    assert figures.mean == pytest.approx(0.5)
    assert figures.median == pytest.approx(0.375)
    assert (figures.low, figures.high) == (0.25, 1.0)
    assert (figures.n, figures.total) == (4, 6)
    assert (figures.unscored, figures.not_applicable) == (2, 1)


def test_half_a_run_without_verdicts_keeps_its_mean_and_says_so() -> None:
    figures = mean(SUPPORT, samples([0.8] * 6 + [None] * 6))
    assert figures.mean == pytest.approx(0.8)
    assert (figures.n, figures.total, figures.unscored) == (6, 12, 6)


def test_nothing_scored_gives_no_mean_rather_than_0() -> None:
    figures = mean(SUPPORT, samples([None, "absent", "aside"]))
    assert figures.mean is None
    assert figures.median is None
    assert (figures.low, figures.high) == (None, None)
    assert (figures.n, figures.total) == (0, 2)


def test_a_scored_0_counts() -> None:
    assert mean(SUPPORT, samples([0.0, 1.0])).mean == pytest.approx(0.5)


def test_the_scale_is_that_of_the_metric_whatever_comes_first() -> None:
    grades = [
        sample(0, "aside"),
        sample(1, None),
        sample(2, 4.0, scale=(1.0, 5.0)),
    ]
    assert mean(SUPPORT, rows_of(grades)).scale == (1.0, 5.0)


OUTCOMES = st.lists(
    st.one_of(st.floats(0, 1), st.none(), st.sampled_from(["aside", "absent"])),
    max_size=15,
)


@given(OUTCOMES)
def test_every_sample_is_in_exactly_one_count(outcomes: list[Outcome]) -> None:
    figures = mean(SUPPORT, samples(outcomes))
    assert figures.n + figures.unscored + figures.not_applicable == len(outcomes)
    assert figures.n + figures.unscored == figures.total
    values = [outcome for outcome in outcomes if isinstance(outcome, float)]
    assert figures.n == len(values)
    if values:
        assert figures.mean == pytest.approx(sum(values) / len(values))
        assert figures.low is not None and figures.high is not None
        assert figures.low <= figures.high
    else:
        assert figures.mean is None


@given(OUTCOMES, st.integers(0, 10))
def test_unscored_samples_never_move_a_mean(outcomes: list[Outcome], more: int) -> None:
    before = mean(SUPPORT, samples(outcomes))
    after = mean(SUPPORT, samples(outcomes + [None] * more))
    assert after.mean == before.mean
    assert after.unscored == before.unscored + more


def test_a_group_counts_outcomes_claims_and_kinds_of_failure() -> None:
    twice = (
        Failure(kind=FailureKind.CONTRADICTED, message="a"),
        Failure(kind=FailureKind.CONTRADICTED, message="b"),
        Failure(kind=FailureKind.MISSING_CLAIM, message="c"),
    )
    members = [
        fakes.sample("c1"),
        fakes.sample("c2", label=Label.CONTRADICTED, failures=twice),
        fakes.sample("c3", label=Label.CONTRADICTED),
        fakes.sample("c4", label=Label.UNSCORED),
        fakes.sample("c5", claims=(), abstained=True),
    ]
    figures = group("all", rows_of(members))
    assert figures.samples == 5
    assert (figures.passed, figures.failed, figures.unscored) == (2, 2, 1)
    assert figures.abstained == 1
    assert figures.claims == {
        "supported": 1,
        "contradicted": 2,
        "not_enough_info": 0,
        "unscored": 1,
    }
    # A sample counts once for each kind it has.
    assert figures.failures == {"contradicted": 2, "missing_claim": 1, "unscored": 1}


def test_a_group_has_a_mean_for_every_metric_that_any_sample_has() -> None:
    members = [sample(0, "absent"), sample(1, 1.0), sample(2, 0.5, metric="other")]
    figures = group("all", rows_of(members))
    assert [m.metric for m in figures.means] == [SUPPORT, "other"]
    support = figures.mean_of(SUPPORT)
    assert support is not None
    assert (support.mean, support.n, support.unscored) == (1.0, 1, 2)
    assert figures.mean_of("unknown") is None


def test_a_summary_groups_and_sorts_and_leaves_out_what_has_no_value() -> None:
    def one(
        number: int, difficulty: Difficulty | None, domain: str | None
    ) -> SampleResult:
        case = fakes.case(f"c{number}", difficulty=difficulty, domain=domain)
        provider = "beta" if number == 1 else "alpha"
        return fakes.sample(f"c{number}", provider, case=case)

    members = [
        one(0, "hard", None),
        one(1, "easy", "tides.example"),
        one(2, "medium", "lamps.example"),
        one(3, None, "lamps.example"),
    ]
    summary = summarise(members)
    assert summary.overall.samples == 4
    assert [(g.name, g.samples) for g in summary.by_provider] == [
        ("alpha", 3),
        ("beta", 1),
    ]
    assert [g.name for g in summary.by_difficulty] == ["easy", "medium", "hard"]
    assert [(g.name, g.samples) for g in summary.by_domain] == [
        ("lamps.example", 2),
        ("tides.example", 1),
    ]
    assert [(g.name, g.samples) for g in summary.by_category] == [("figures", 4)]


def test_a_summary_of_nothing_has_no_means() -> None:
    summary = summarise([])
    assert summary.overall.samples == 0
    assert summary.overall.means == ()
    assert summary.by_provider == ()


def test_a_mean_has_its_tier_or_level_by_the_limits_of_the_run() -> None:
    """70 is good by 70, and (40 + 100) / 2 = 70; 0.7 of 1 likewise."""
    hundred = [
        fakes.sample(f"c{n}", scores=(Score(metric="a", value=v, tier="fair"),))
        for n, v in enumerate((40.0, 100.0))
    ]
    one = [
        fakes.sample(f"c{n}", scores=(Score(metric="b", value=v, level="poor"),))
        for n, v in enumerate((0.4, 1.0))
    ]
    strict = Settings(tier_excellent=90, tier_good=71, level_good=0.71)
    assert mean("a", rows_of(hundred), Settings()).tier == "good"
    assert mean("a", rows_of(hundred), strict).tier == "fair"
    assert mean("b", rows_of(one), Settings()).tier == "good"
    assert mean("b", rows_of(one), strict).tier == "moderate"
    assert mean("a", rows_of(hundred)).tier is None  # nobody said by which limits
    assert summarise([*hundred, *one], Settings()).overall.means[0].tier == "good"


def test_a_mean_of_a_metric_without_tiers_has_none() -> None:
    assert mean(SUPPORT, samples([0.4, 1.0]), Settings()).tier is None
    assert mean(SUPPORT, samples([None]), Settings()).tier is None
