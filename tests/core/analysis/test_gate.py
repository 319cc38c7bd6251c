"""The gate: what it demands, on how much, and what it calls worse."""

from __future__ import annotations

import itertools
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.compare.comparison import RunData
from claimscope.core.analysis.gate import Demand, Gate, gate, no_baseline, regressions
from claimscope.core.analysis.statistics.paired_tests import randomisation_test
from claimscope.core.models import Label, RunStatus, SampleResult, Score, Usage
from claimscope.core.report.renderers import plain
from claimscope.core.report.view import SIGNS
from claimscope.core.report.views.gate import demands, gate_end
from tests.doubles import fakes

OUTCOME = {
    True: Label.SUPPORTED,
    False: Label.CONTRADICTED,
    None: Label.UNSCORED,
}


def samples(*outcomes: bool | None, metric: str = "accuracy") -> list[SampleResult]:
    """One sample a case; the metric is 80 where it passed, else 40, or unscored."""
    values = {True: 80.0, False: 40.0, None: None}
    return [
        fakes.sample(
            f"c{n}",
            label=OUTCOME[passed],
            scores=(Score(metric=metric, value=values[passed], scale=(0, 100)),),
        )
        for n, passed in enumerate(outcomes)
    ]


def status(total: int) -> RunStatus:
    return RunStatus(
        header=fakes.header(total_samples=total),
        state="finished",
        completed=total,
        passed=0,
        failed=0,
        unscored=0,
        usage=Usage(),
    )


def held(
    found: list[SampleResult], *demands: Demand, total: int = 0, least: float = 0.9
) -> Gate:
    return gate(status(total or len(found)), found, demands, min_coverage=least)


def test_a_bound_that_is_just_reached_passes() -> None:
    found = held(
        samples(*[True] * 4, False),
        Demand(metric="pass_rate", bound=0.8),
        Demand(metric="accuracy", bound=72),
    )
    assert [check.state for check in found.checks] == ["passed"] * 3
    assert found.exit_code == 0


def test_a_figure_below_its_bound_fails_and_says_how_far() -> None:
    found = held(samples(True, False), Demand(metric="pass_rate", bound=0.8))
    assert (found.exit_code, found.checks[1].n) == (1, 2)
    assert found.checks[1].reason == "0.5 is below 0.8"
    lines = list(plain.lines([demands(found), gate_end(found)], signs=SIGNS))
    assert "✗ FAILED  pass_rate  >= 0.8        0.5  2 of 2  0.5 is below 0.8" in lines
    assert lines[-1] == "✗ gate failed"


def test_too_few_verdicts_are_not_a_pass_however_good_they_are() -> None:
    demand = Demand(metric="pass_rate", bound=0.5)
    found = held(samples(*[True] * 4, *[None] * 4), demand)
    assert found.exit_code == 3
    assert found.checks[1].reason == "only 4 of 8 judged (50%, demanded 90%)"
    assert held(samples(*[True] * 4, *[None] * 4), demand, least=0.5).exit_code == 0


def test_samples_the_run_never_came_to_count_against_coverage() -> None:
    demand = Demand(metric="accuracy", bound=1)
    found = held(samples(True, True), demand, total=10)
    assert [c.state for c in found.checks] == ["not_judged", "not_judged"]
    assert (found.checks[1].n, found.checks[1].total) == (2, 10)


def test_a_failure_outweighs_what_could_not_be_judged() -> None:
    found = held(
        samples(True, False),
        Demand(metric="pass_rate", bound=0.9),
        Demand(metric="attribution", bound=50),
    )
    assert [c.state for c in found.checks] == ["passed", "failed", "not_judged"]
    assert found.checks[2].reason == "the run has no such figure"
    assert found.exit_code == 1


def test_where_low_is_good_the_bound_is_a_ceiling() -> None:
    found = samples(True, True, metric="hallucination_rate")
    demand = Demand(metric="hallucination_rate", bound=10, at_most=True)
    check = held(found, demand).checks[1]
    assert (check.state, check.demanded) == ("failed", "<= 10")
    assert check.reason == "80 is above 10"


def test_a_bound_outside_the_scale_is_named_as_such() -> None:
    check = held(samples(True), Demand(metric="accuracy", bound=120)).checks[1]
    assert check.reason == "80 is below 120, and accuracy goes from 0 to 100"


def test_no_sample_at_all_is_not_judged() -> None:
    assert held([], Demand(metric="pass_rate", bound=0), least=0).exit_code == 3
    assert no_baseline(3).state == "not_judged"


def run_data(found: list[SampleResult], name: str = "before") -> RunData:
    return RunData(name, fakes.header(), found)


def test_many_answers_that_turned_bad_are_a_regression() -> None:
    before, now = samples(*[True] * 12), samples(*[False] * 8, *[True] * 4)
    found = list(regressions(run_data(before), run_data(now), 0.9))
    names = [check.name for check in found]
    assert names == ["regression: pass_rate", "regression: accuracy"]
    assert {check.state for check in found} == {"failed"}
    assert found[0].reached == pytest.approx(-8 / 12)
    back = list(regressions(run_data(now), run_data(before), 0.9))
    assert [check.state for check in back] == ["passed"]


def test_a_rate_of_errors_that_rose_is_a_regression() -> None:
    low = samples(*[False] * 12, metric="hallucination_rate")
    high = samples(*[True] * 12, metric="hallucination_rate")
    found = {c.name: c.state for c in regressions(run_data(low), run_data(high), 0.9)}
    assert found == {
        "regression: pass_rate": "passed",
        "regression: hallucination_rate": "failed",
    }


def test_two_flips_are_noise_and_strangers_are_not_judged() -> None:
    before, now = samples(*[True] * 12), samples(*[False] * 2, *[True] * 10)
    (check,) = regressions(run_data(before), run_data(now), 0.9)
    assert (check.state, check.n) == ("passed", 12)
    others = [fakes.sample("other")]
    (check,) = regressions(run_data(before), run_data(others), 0.9)
    assert check.state == "not_judged"
    assert "no finished sample in common" in check.reason
    (check,) = regressions(run_data(before[:3]), run_data(now), 0.9)
    assert check.reason == "only 3 of 12 samples have a verdict in both runs"


@given(st.lists(st.integers(-3, 3), max_size=8))
def test_p_is_the_part_of_all_signs_that_lie_as_far(values: list[int]) -> None:
    known = [value for value in values if value]
    sums = [
        abs(sum(s * v for s, v in zip(signs, known, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(known))
    ]
    expected = sum(s >= abs(sum(known)) for s in sums) / len(sums)
    assert randomisation_test(values) == pytest.approx(expected)


def test_the_estimated_p_is_near_the_exact_one() -> None:
    values = [-1.0] * 20 + [1.0] * 8
    exact = 2 * sum(comb(28, k) for k in range(9)) / 2**28  # McNemar, two-sided
    assert randomisation_test(values) == pytest.approx(exact, abs=0.01)
