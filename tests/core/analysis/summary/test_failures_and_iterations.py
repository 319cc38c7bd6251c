"""Grades, iterations, failure analysis and cost, with the examples of seed 001."""

from __future__ import annotations

import random
from hashlib import sha256
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.statistics.intervals import wilson
from claimscope.core.analysis.summary.cost import Prices, cost
from claimscope.core.analysis.summary.failures import analyse_failures
from claimscope.core.analysis.summary.iterations import (
    grade_summary,
    over_iterations,
    previous_run,
    spread,
    trend,
)
from claimscope.core.analysis.summary.summary import summarise
from claimscope.core.models import (
    Grade,
    Label,
    RunStatus,
    SampleResult,
    Score,
    Usage,
)
from claimscope.core.report.progress import progress_document
from claimscope.core.report.result_files import result_files
from tests.doubles import fakes

Marks = tuple[float | None, float | None]


def graded(number: int, marks: Marks, **fields: Any) -> SampleResult:
    names = ("faithfulness", "completeness")
    grades = tuple(
        Grade(name=name, value=value, unscored_reason=None if value else "cut off")
        for name, value in zip(names, marks, strict=True)
    )
    return fakes.sample(f"c{number}", grades=grades, **fields)


def test_the_verdict_of_the_seed_passes_with_an_overall_of_four_and_a_half() -> None:
    # Seed 001: faithfulness 5, completeness 4, passed true.
    found = grade_summary([graded(1, (5, 4))])
    assert found.overall.average == 4.5
    assert found.overall.pass_rate == 1.0


def test_a_three_on_either_side_fails_the_sample_but_not_the_other_grade() -> None:
    found = grade_summary([graded(1, (5, 3)), graded(2, (3, 5)), graded(3, (4, 4))])
    assert found.faithfulness.average == pytest.approx(4.0)
    assert found.faithfulness.passed == found.completeness.passed == 2
    assert (found.overall.passed, found.overall.n) == (1, 3)
    assert found.overall.pass_rate == pytest.approx(1 / 3)


def test_each_grade_is_held_to_its_own_bound() -> None:
    found = grade_summary([graded(1, (5, 3)), graded(2, (4, 5))], (5, 3))
    assert (found.faithfulness.passed, found.completeness.passed) == (1, 2)
    assert (found.overall.passed, found.overall.n) == (1, 2)


def test_no_grade_is_unscored_never_a_zero() -> None:
    found = grade_summary([graded(1, (5, None)), graded(2, (None, None))])
    assert (found.faithfulness.average, found.faithfulness.unscored) == (5, 1)
    assert (found.overall.average, found.overall.pass_rate) == (None, None)
    assert found.overall.unscored == 2


marks = st.tuples(*[st.one_of(st.none(), st.integers(1, 5).map(float))] * 2)


@given(st.lists(marks, max_size=20), st.randoms())
def test_the_order_of_samples_does_not_matter(
    rows: list[Marks], shuffle: random.Random
) -> None:
    samples = [graded(n, row) for n, row in enumerate(rows)]
    mixed = samples.copy()
    shuffle.shuffle(mixed)
    one, two = grade_summary(samples), grade_summary(mixed)
    assert one.overall.average == pytest.approx(two.overall.average)
    assert one.faithfulness.n + one.faithfulness.unscored == len(rows)
    first, second = analyse_failures(samples), analyse_failures(mixed)
    assert first.patterns == second.patterns
    assert first.recommendations == second.recommendations


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=9))
def test_a_spread_is_over_what_is_known(values: list[float | None]) -> None:
    known = [value for value in values if value is not None]
    found = spread("x", values)
    assert (found.n, found.mean is None) == (len(known), not known)
    if len(known) > 1:
        assert found.sd == pytest.approx(stdev(known))
    else:
        assert found.sd is None


def test_a_case_that_passes_once_and_fails_once_is_unstable() -> None:
    words = {
        "steady": [Label.SUPPORTED, Label.SUPPORTED],
        "flips": [Label.SUPPORTED, Label.CONTRADICTED],
        "half": [Label.SUPPORTED, Label.UNSCORED],
    }
    samples = [
        fakes.sample(case, label=label, iteration=number)
        for case, labels in words.items()
        for number, label in enumerate(labels, start=1)
    ]
    found = over_iterations(samples)
    assert [(u.case_id, u.passed) for u in found.unstable] == [("flips", (True, False))]
    assert found.compared == 2
    rate = next(f for f in found.figures if f.name == "pass_rate")
    assert rate.per_iteration == (1.0, 0.5)
    assert rate.mean == pytest.approx(0.75)


def test_failures_are_sorted_into_the_four_kinds_of_the_seed() -> None:
    rows: list[Marks] = [(1, 5), (2, 5), (3, 2), (4, 4), (None, 3)]
    found = analyse_failures([graded(n, row) for n, row in enumerate(rows)])
    assert {c.name: (len(c.samples), c.n) for c in found.categories} == {
        "completely false": (1, 4),
        "mostly false": (1, 4),
        "mixed": (1, 4),
        "completeness failure": (2, 5),
    }
    texts = [advice.evidence for advice in found.recommendations]
    assert "completely false: 1 of 4 graded samples" in texts


def provided(provider: str, fails: int, passes: int) -> list[SampleResult]:
    labels = [Label.CONTRADICTED] * fails + [Label.SUPPORTED] * passes
    return [
        fakes.sample(f"{provider}{n}", provider, label=label)
        for n, label in enumerate(labels)
    ]


def test_a_provider_that_fails_more_than_the_rest_is_a_pattern() -> None:
    found = analyse_failures(provided("bad", 9, 1) + provided("good", 1, 29))
    pattern = next(p for p in found.patterns if p.by == "provider")
    assert (pattern.value, pattern.failed, pattern.n) == ("bad", 9, 10)
    assert pattern.base_rate == pytest.approx(0.25)
    assert pattern.lift == pytest.approx(3.6)
    assert pattern.low > pattern.base_rate
    assert all(p.value != "good" for p in found.patterns)


def test_two_samples_are_no_pattern() -> None:
    found = analyse_failures(provided("bad", 2, 0) + provided("good", 0, 30))
    assert found.patterns == ()
    assert found.failed == 2


def test_wilson_is_as_published() -> None:
    # Newcombe (1998), table I, method 3: 81 of 263.
    some, none = wilson(81, 263), wilson(0, 20)
    assert some is not None and none is not None
    assert (round(some.low, 4), round(some.high, 4)) == (0.2553, 0.3662)
    assert (none.low, round(none.high, 4)) == (0, 0.1611)
    assert wilson(0, 0) is None


def test_unscored_samples_cost_as_well() -> None:
    used = Usage(calls=2, prompt_tokens=1_500_000, completion_tokens=100_000)
    samples = [
        fakes.sample("c1", usage=used),
        fakes.sample("c2", label=Label.UNSCORED, usage=used),
    ]
    found = cost("run", samples, Prices(prompt=0.5, completion=2.0, currency="EUR"))
    assert found.amount == pytest.approx(3 * 0.5 + 0.2 * 2.0)
    assert (found.usage.calls, found.total_tokens) == (4, 3_200_000)
    assert (found.unscored, found.currency) == (1, "EUR")
    assert cost("run", samples, Prices()).amount == 0


def test_the_progress_of_the_seed_is_47_percent() -> None:
    samples = [graded(n, (5, 4)) for n in range(47)]
    header = fakes.header(total_samples=300, iterations=3, providers=("alpha",))
    found: Any = progress_document(header, 1, samples)
    assert found["statistics"] == {
        "totalQuestions": 100,
        "completedQuestions": 47,
        "pendingQuestions": 53,
        "completionPercentage": 47.0,
    }
    entry = found["entries"][0]
    assert entry["hash"] == sha256(b"c0").hexdigest()
    assert entry["result"] == {
        "faithfulnessScore": 5,
        "completenessScore": 4,
        "passed": True,
    }
    named = ("testSetName", "iterationNumber", "lastUpdated", "statistics", "entries")
    assert tuple(found) == named
    assert list(entry) == [
        "hash", "queryLogId", "provider", "question", "completedAt", "result",
    ]  # fmt: skip


def test_entries_of_several_providers_have_hashes_of_their_own() -> None:
    samples = [fakes.sample("c1", provider=name) for name in ("alpha", "beta")]
    header = fakes.header(total_samples=2, providers=("alpha", "beta"))
    found: Any = progress_document(header, 1, samples)
    assert [entry["hash"] for entry in found["entries"]] == [
        sha256(b"c1/alpha").hexdigest(),
        sha256(b"c1/beta").hexdigest(),
    ]


def test_the_files_are_laid_out_as_in_the_seed() -> None:
    samples = [fakes.sample("c1", iteration=n) for n in (1, 2)]
    found = result_files(fakes.header(iterations=2, total_samples=2), samples, Prices())
    each = [
        (f"iteration-{n}/.progress.json", f"records/records-iteration-{n}.json")
        + (f"metrics/metrics-iteration-{n}.json", f"cost/cost-iteration-{n}.json")
        + (f"low-faithfulness/low-faithfulness-iteration-{n}.json",)
        for n in (1, 2)
    ]
    final = {"final-metrics/final-metrics-2.json", "final-cost/final-cost-2.json"}
    assert set(found) == {*each[0], *each[1], *final}


def status(run_id: str, suite: str, state: str, created: str) -> RunStatus:
    header = fakes.header(run_id, suite_id=suite, created=created)
    return RunStatus(
        header=header, state=state, completed=0, passed=0, failed=0, unscored=0,
        usage=Usage(),
    )  # fmt: skip


def test_a_trend_is_held_against_the_last_finished_run_of_the_suite() -> None:
    here = status("r5", "a", "finished", "2026-05")
    runs = [
        here,
        status("r4", "b", "finished", "2026-04"),
        status("r3", "a", "cancelled", "2026-03"),
        status("r2", "a", "finished", "2026-02"),
        status("r1", "a", "finished", "2026-01"),
        status("r6", "a", "finished", "2026-06"),
    ]
    before = previous_run(runs, here)
    assert before is not None
    assert before.header.run_id == "r2"
    assert previous_run(runs, runs[4]) is None


def test_a_delta_says_how_many_samples_each_mean_is_over() -> None:
    def scored(*values: float | None) -> list[SampleResult]:
        return [
            fakes.sample(f"c{n}", scores=(Score(metric="m", value=v, reason="x"),))
            for n, v in enumerate(values)
        ]

    (delta,) = trend(summarise(scored(0.5, 1.0)), summarise(scored(0.5, None)))
    assert (delta.delta, delta.n_now, delta.n_before) == (0.25, 2, 1)
    assert trend(summarise(scored(None)), summarise(scored(1.0))) == ()
