"""Krippendorff's alpha against a published example and another implementation."""

from __future__ import annotations

import math
from itertools import pairwise

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.analysis.statistics.alpha import (
    Agreement,
    Level,
    Ratings,
    agreement,
    alpha,
)
from claimscope.core.models import (
    Grade,
    GradeVote,
    Label,
    SampleResult,
    Vote,
)
from tests.doubles.fakes import claim_result, sample

# Krippendorff (2011), example C: four observers, twelve units, values missing.
EXAMPLE = {
    "A": "123321412...",
    "B": "1233224125.3",
    "C": ".3332342251.",
    "D": "12332441251.",
}


def units(observers: dict[str, str]) -> list[Ratings]:
    """Ratings by unit; a full stop is a missing value."""
    count = len(next(iter(observers.values())))
    return [
        {name: float(row[n]) for name, row in observers.items() if row[n] != "."}
        for n in range(count)
    ]


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815)])
def test_alpha_of_the_published_example(level: Level, value: float) -> None:
    found = alpha(units(EXAMPLE), level)
    assert found.value == pytest.approx(value, abs=0.0005)
    assert found.units == 11  # the twelfth was seen by one observer alone
    assert found.low is not None and found.high is not None
    assert found.low < value < found.high <= 1


RATING = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]), st.integers(1, 5), max_size=4
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(RATING, min_size=1, max_size=12), st.sampled_from(["nominal", "ordinal"])
)
def test_alpha_is_that_of_another_implementation(
    rows: list[dict[str, int]], level: Level
) -> None:
    found = alpha([{j: float(v) for j, v in row.items()} for row in rows], level)
    said = {value for row in rows if len(row) > 1 for value in row.values()}
    if len(said) < 2:
        assert found.value is None and found.reason
        return
    table = np.array([[row.get(j, math.nan) for row in rows] for j in "abcd"], float)
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert found.value == pytest.approx(theirs, abs=1e-9)


def test_full_agreement_is_one_and_opposition_is_worse_than_chance() -> None:
    same = [{"a": float(n % 3), "b": float(n % 3)} for n in range(9)]
    assert alpha(same, "nominal").value == pytest.approx(1)
    against = [{"a": float(n % 2), "b": float((n + 1) % 2)} for n in range(10)]
    value = alpha(against, "nominal").value
    assert value is not None and value < -0.5


def test_the_interval_is_the_same_each_time_and_narrows_with_more_units() -> None:
    few = units(EXAMPLE)
    widths = []
    for rows in (few, few * 4, few * 16):
        found = alpha(rows, "ordinal")
        assert found == alpha(rows, "ordinal")
        assert found.low is not None and found.high is not None
        widths.append(found.high - found.low)
    assert all(after < before * 0.7 for before, after in pairwise(widths))


def test_a_handful_of_units_has_an_alpha_without_an_interval() -> None:
    found = alpha(units(EXAMPLE)[:9], "nominal")
    assert found.value is not None and found.units == 9
    assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no two judges"),
        ([{"a": 1.0}, {"b": 2.0}], "no two judges"),
        ([{"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 1.0}], "the same of everything"),
    ],
)
def test_without_a_pair_or_variation_there_is_no_alpha(
    rows: list[Ratings], reason: str
) -> None:
    found = alpha(rows, "nominal")
    assert (found.value, found.low, found.high) == (None, None, None)
    assert reason in found.reason


# --- from samples -------------------------------------------------------------


def voted(
    case_id: str, *labels: Label, grades: tuple[int | None, ...] = ()
) -> SampleResult:
    """A sample of one claim with a vote of each judge."""
    result = claim_result("It is so.", labels[0])
    votes = tuple(
        Vote(
            judge=judge,
            label=label,
            unscored_reason="cut" if label is Label.UNSCORED else None,
        )
        for judge, label in zip("xyz", labels, strict=False)
    )
    verdict = result.verdict.model_copy(update={"votes": votes})
    given = tuple(
        GradeVote(judge=judge, value=value)
        for judge, value in zip("xyz", grades, strict=False)
    )
    grade = Grade(name="faithfulness", value=3, votes=given)
    return sample(
        case_id,
        claims=(result.model_copy(update={"verdict": verdict}),),
        grades=(grade,) if grades else (),
    )


YES, NO, NONE = Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.UNSCORED


def of(*samples: SampleResult) -> Agreement:
    found = agreement(samples)
    assert found is not None
    return found


def test_a_run_with_one_judge_has_no_agreement() -> None:
    assert agreement([sample("c1"), sample("c2")]) is None
    assert agreement([]) is None


def test_disputes_and_pairs_are_counted_and_the_unscored_left_out() -> None:
    found = of(
        voted("c1", YES, YES, YES),
        voted("c2", YES, NO, NO),
        voted("c3", NO, NO, NONE),
        voted("c4", YES, NONE, NONE),
    )
    assert found.judges == ("x", "y", "z")
    assert (found.claims, found.disputed) == (4, 1)
    assert found.labels.units == 3
    pairs = {(p.first, p.second): (p.same, p.claims) for p in found.pairs}
    assert pairs == {("x", "y"): (2, 3), ("x", "z"): (1, 2), ("y", "z"): (2, 2)}


def test_grades_are_ordinal_and_disputed_from_two_apart() -> None:
    found = of(
        voted("c1", YES, YES, grades=(5, 4)),
        voted("c2", YES, YES, grades=(2, 4)),
        voted("c3", YES, YES, grades=(1, None)),
    )
    assert found.disputed_grades == {"faithfulness": 1}
    assert found.grades["faithfulness"].units == 2
    expected = alpha([{"x": 5, "y": 4}, {"x": 2, "y": 4}], "ordinal").value
    assert found.grades["faithfulness"].value == expected
