"""Rows in any order, filtered and searched: the same as doing it the slow way."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.models import FailureKind, Label, RowScore, SampleRow
from claimscope.tui.review.answer_search import AnswerSearch, FoundRows
from claimscope.tui.review.items import UNSTABLE, Wanted, row_kinds
from claimscope.tui.screens.results.arrangements import Arrangement
from claimscope.tui.screens.results.listing import Listing, Superseded
from tests.tui.sample_run import failed_sample


def never() -> bool:
    return False


def row(
    case: int,
    provider: str,
    iteration: int,
    passed: bool | None,
    value: float | None,
    failures: tuple[FailureKind, ...],
    category: str | None,
) -> SampleRow:
    """A row with what is sorted and filtered by."""
    labels = {Label.UNSCORED: 1} if FailureKind.UNSCORED in failures else {}
    return SampleRow(
        case_id=f"case-{case}",
        provider=provider,
        iteration=iteration,
        category=category,
        difficulty=None,
        domain=None,
        question=f"What is {case}?",
        passed=passed,
        abstained=False,
        error=None,
        labels=MappingProxyType(labels),
        failures=failures,
        is_disputed=False,
        metrics=("support",),
        values=(RowScore(value, (0.0, 1.0), True),),
        prompt_tokens=0,
        completion_tokens=0,
        seconds=0.0,
        finished=None,
    )


rows = st.lists(
    st.builds(
        row,
        st.integers(0, 20),
        st.sampled_from(["Alder", "birch"]),
        st.integers(1, 3),
        st.sampled_from([True, False, None]),
        st.none() | st.sampled_from([0.0, 0.25, 1.0]),
        st.lists(st.sampled_from(list(FailureKind)), max_size=3).map(tuple),
        st.none() | st.sampled_from(["dates", "figures"]),
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(
    rows,
    st.sampled_from(["", "c", "case-1", "case-12", "ALD", "is 3", "zzz"]),
    st.none() | st.sampled_from([UNSTABLE, *FailureKind]),
    st.booleans(),
)
def test_what_is_chosen_is_what_fits_in_its_order(
    found: list[SampleRow], text: str, kind: Wanted | None, failures_only: bool
) -> None:
    listing = Listing(found)
    wanted = Arrangement(text=text, kind=kind, failures_only=failures_only)

    def is_kind(one: SampleRow) -> bool:
        if kind == UNSTABLE:
            place = (one.case_id, one.provider)
            mine = (r.passed for r in found if (r.case_id, r.provider) == place)
            return {True, False} <= set(mine)
        return kind is None or kind in row_kinds(one)

    def fits(one: SampleRow) -> bool:
        texts = (one.case_id, one.provider, one.category or "", one.question)
        return (
            not (failures_only and one.passed is True)
            and is_kind(one)
            and any(text.casefold() in part.casefold() for part in texts)
        )

    by_case = sorted(
        range(len(found)),
        key=lambda n: (found[n].case_id, found[n].provider, found[n].iteration),
    )
    expected = [n for n in by_case if fits(found[n])]
    assert listing.chosen(wanted, never).tolist() == expected

    def lowest_first(number: int) -> tuple[bool, float]:
        value = found[number].values[0].value
        return value is None, value or 0.0

    by_support = wanted.model_copy(update={"sort": "support, lowest first"})
    assert listing.chosen(by_support, never).tolist() == sorted(
        expected, key=lowest_first
    )


@settings(max_examples=40, deadline=None)
@given(rows, st.lists(st.sampled_from(["c", "ca", "case-1", "1", "12", "", "a"])))
def test_a_search_that_goes_on_finds_what_a_new_one_finds(
    found: list[SampleRow], needles: list[str]
) -> None:
    listing = Listing(found)
    for needle in needles:
        again = Listing(found).search(needle, never)
        assert listing.search(needle, never) == again
        assert list(map(bool, again)) == [
            any(
                needle in part.casefold()
                for part in (
                    one.case_id,
                    one.provider,
                    one.category or "",
                    one.question,
                )
            )
            for one in found
        ]


def test_an_order_that_is_unknown_is_that_of_cases() -> None:
    found = [row(n, "alder", 1, True, None, (), None) for n in (3, 1, 2)]
    listing = Listing(found)
    old = Arrangement(sort="metric_that_was_dropped, lowest first")
    assert listing.chosen(old, never).tolist() == [1, 2, 0]


def test_a_search_ends_when_another_one_was_asked_for() -> None:
    found = [row(n, "alder", 1, True, None, (), None) for n in range(10)]
    with pytest.raises(Superseded):
        Listing(found).search("x", lambda: True)


def test_answers_are_read_once_and_told_of_bit_by_bit() -> None:
    sample = failed_sample()
    found = [row(n, "alder", 1, True, None, (), None) for n in range(3)]
    read: list[str] = []
    ticks = iter(range(100))

    def reading(key: object) -> object:
        read.append(str(key))
        return sample if len(read) != 2 else None

    search = AnswerSearch(found, reading, clock=lambda: float(next(ticks)))  # type: ignore[arg-type]
    said = list(search.search("keeper", [0, 1, 2], never))
    assert said[0] == FoundRows(frozenset({0}), 1, 3)
    assert said[-1] == FoundRows(frozenset({0, 2}), 3, 3)
    assert list(search.search("orla", [2, 1, 0], never))[-1].rows == {0, 2}
    assert len(read) == 3
    assert list(search.search("keeper", [0], lambda: True)) == []
