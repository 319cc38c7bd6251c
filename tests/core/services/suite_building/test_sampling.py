"""Samples of logged questions: shares of categories, repetitions, seeds."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import Case
from claimscope.core.services.suite_building.sampling import (
    allocate,
    question_key,
    sample,
)
from tests.doubles.fakes import FakeEmbedder

TOPICS = ("fees", "hours", "rooms", "trips", "prizes")


def log(count: int, *, category: str | None = "a", topic: str = "fee") -> list[Case]:
    return [
        Case(
            id=f"{category}-{n}",
            question=f"{topic}{n} asked{n * 7} thing{n * 13} of{n * 31}?",
            category=category,
        )
        for n in range(count)
    ]


@given(
    st.dictionaries(
        st.sampled_from([*TOPICS, None]), st.integers(1, 60), min_size=1, max_size=6
    ),
    st.integers(1, 120),
)
def test_places_are_shared_out_in_proportion(
    sizes: dict[str | None, int], count: int
) -> None:
    found = allocate(count, sizes)
    total = sum(sizes.values())
    assert sum(found.values()) == min(count, total)
    assert all(0 <= found[name] <= size for name, size in sizes.items())
    if count >= len(sizes):
        assert all(found.values()), "no category is left out while there is a place"
    # Whoever has more questions has not fewer places.
    ranked = sorted(sizes, key=lambda name: sizes[name])
    for less, more in zip(ranked, ranked[1:], strict=False):
        assert found[less] <= found[more] + 1


def test_each_category_has_its_share_and_the_rest_is_told() -> None:
    cases = [*log(60, category="fees"), *log(30, category=None, topic="x")]
    drawn = sample(cases, 12, 7, FakeEmbedder())
    assert Counter(case.category for case in drawn.cases) == {"fees": 8, None: 4}
    assert drawn.by_category == {"fees": (8, 60), None: (4, 30)}
    ids = [case.id for case in cases]
    places = [ids.index(case.id) for case in drawn.cases]
    assert places == sorted(places), "they stand in the order of the log"


def test_the_seed_decides_and_nothing_else() -> None:
    cases = log(80)
    one = sample(cases, 10, 7, FakeEmbedder())
    assert sample(cases, 10, 7, FakeEmbedder()) == one
    assert sample(cases, 10, 8, FakeEmbedder()).cases != one.cases


def test_a_question_in_other_letters_or_words_is_taken_once() -> None:
    said = (
        "What is the fee of the pottery course?",
        "what is the FEE of the pottery course",
        "What, is the fee of the pottery course?",
        "The fee of the pottery course is what?",
        "When does the ferry leave?",
    )
    cases = [Case(id=f"q{n}", question=text) for n, text in enumerate(said)]
    drawn = sample(cases, 5, 7, FakeEmbedder())
    assert (len(drawn.cases), drawn.read, drawn.equal, drawn.near) == (2, 5, 2, 1)
    asked = {question_key(c): c.metadata["asked"] for c in drawn.cases}
    assert asked.pop("when does the ferry leave") == 1
    assert asked in ({question_key(cases[0]): 3}, {question_key(cases[3]): 1})


def test_places_that_repetitions_leave_go_to_other_categories() -> None:
    same = [
        Case(id=f"s{n}", question=f"the fee of pottery is what {'?' * n}", category="a")
        for n in range(1, 4)
    ]
    turned = [
        Case(id="t1", question="what is the fee of pottery", category="a"),
        Case(id="t2", question="the fee is what of pottery", category="a"),
    ]
    drawn = sample([*same, *turned, *log(9, category="b")], 6, 7, FakeEmbedder())
    assert Counter(case.category for case in drawn.cases) == {"a": 1, "b": 5}


def test_only_what_is_drawn_is_embedded() -> None:
    embedder = FakeEmbedder()
    sample(log(5000), 20, 7, embedder)
    assert len(embedder.texts) < 100
