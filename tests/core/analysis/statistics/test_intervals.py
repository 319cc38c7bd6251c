"""Intervals and paired tests, beside scipy and published examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from claimscope.core.analysis.statistics.intervals import (
    MANY_CASES,
    expanded_tail,
    mean_interval,
    rate_interval,
    student95,
    wilson,
    wilson_share,
)
from claimscope.core.analysis.statistics.paired_tests import (
    cohen_dz,
    cohen_h,
    holm,
    mcnemar,
)


@pytest.mark.parametrize("freedom", [4, 5, 9, 30, 500])
def test_students_t_is_that_of_scipy(freedom: int) -> None:
    assert student95(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=0.002)


def test_the_tail_of_hesterberg_widens_to_students_t() -> None:
    # An interval of a normal bootstrap, whose sd is sqrt((n - 1) / n) s / sqrt(n).
    n = 10
    z = -stats.norm.ppf(expanded_tail(n))
    assert z * np.sqrt((n - 1) / n) == pytest.approx(stats.t.ppf(0.975, n - 1), 1e-4)


def test_the_interval_of_a_mean_is_near_that_of_scipy() -> None:
    values = np.random.default_rng(3).normal(0.6, 0.2, 60)
    found = mean_interval({str(n): [float(v)] for n, v in enumerate(values)})
    low, high = stats.t.interval(0.95, 59, values.mean(), stats.sem(values))
    assert found is not None
    assert found.low == pytest.approx(low, abs=0.006)
    assert found.high == pytest.approx(high, abs=0.006)


def test_answers_to_one_case_do_not_count_as_many_cases() -> None:
    values = np.random.default_rng(4).normal(0.5, 0.2, 30)
    one = mean_interval({str(n): [float(v)] for n, v in enumerate(values)})
    ten = mean_interval({str(n): [float(v)] * 10 for n, v in enumerate(values)})
    loose = mean_interval({f"{n}": [float(v)] for n, v in enumerate(values.repeat(10))})
    assert one is not None and ten is not None and loose is not None
    assert (ten.low, ten.high) == pytest.approx((one.low, one.high))
    assert loose.high - loose.low < (ten.high - ten.low) / 2


def test_from_many_cases_on_the_normal_interval_continues_the_bootstrap() -> None:
    values = np.random.default_rng(5).uniform(size=MANY_CASES)
    clusters = {str(n): [float(v)] for n, v in enumerate(values)}
    normal = mean_interval(clusters)
    drawn = mean_interval(dict(list(clusters.items())[:-1]))
    assert normal is not None and drawn is not None
    assert normal.low == pytest.approx(drawn.low, abs=0.002)
    assert normal.high == pytest.approx(drawn.high, abs=0.002)


@pytest.mark.parametrize("clusters", [{}, {"a": [0.1], "b": [0.9]}])
def test_few_cases_have_no_interval(clusters: dict[str, list[float]]) -> None:
    assert mean_interval(clusters) is None


def test_values_that_are_all_alike_have_no_interval() -> None:
    assert mean_interval({str(n): [1.0] for n in range(40)}) is None


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_share_is_wilsons(counts: tuple[int, int]) -> None:
    passed, n = counts
    found = wilson_share(passed / n, n)
    scipys = stats.binomtest(passed, n).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((scipys.low, scipys.high), abs=1e-9)
    clusters = {str(i): [i < passed] for i in range(n)}
    assert rate_interval(clusters) == found
    assert wilson(passed, n) == found


def test_a_rate_over_samples_that_stand_and_fall_by_case_is_that_of_the_cases() -> None:
    ones = rate_interval({str(i): [i < 12] for i in range(20)})
    fours = rate_interval({str(i): [i < 12] * 4 for i in range(20)})
    assert ones is not None and fours is not None
    assert (fours.low, fours.high) == pytest.approx((ones.low, ones.high), abs=0.01)
    all_passed = rate_interval({str(i): [True] * 4 for i in range(20)})
    assert all_passed == rate_interval({str(i): [True] for i in range(20)})
    assert rate_interval({}) is None


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test_of_scipy(lost: int, gained: int) -> None:
    p = stats.binomtest(lost, lost + gained).pvalue if lost + gained else 1.0
    assert mcnemar(lost, gained) == pytest.approx(p)


def test_mcnemar_of_a_published_example() -> None:
    # Fagerland, Lydersen & Laake 2013, table 1 (airway hyper-responsiveness before and
    # after stem cell transplantation): 1 and 7 discordant pairs, exact p = 0.070.
    assert mcnemar(1, 7) == pytest.approx(0.0703, abs=5e-5)


def test_holm_steps_down_as_in_a_worked_example() -> None:
    # Four p values, 5 %: 0.005 x 4, 0.01 x 3, 0.03 x 2, then never less.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_makes_a_p_smaller(values: list[float]) -> None:
    for before, after in zip(values, holm(values), strict=True):
        assert before <= after <= 1


def test_effects_are_those_of_cohens_tables() -> None:
    # Cohen 1988, table 6.2.2: phi(0.40) = 1.369, phi(0.25) = 1.047.
    assert cohen_h(0.25, 0.40) == pytest.approx(1.369 - 1.047, abs=0.001)
    values = [1.0, 2.0, 4.0, 5.0]
    t = stats.ttest_1samp(values, 0).statistic
    assert cohen_dz(values) == pytest.approx(t / 2)  # d_z = t / sqrt(n)
    assert cohen_dz([0.5, 0.5]) is None
