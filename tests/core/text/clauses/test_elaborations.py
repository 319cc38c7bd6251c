"""What a sentence adds to a fact: the fact alone, and the fact with each addition."""

from __future__ import annotations

import pytest

from claimscope.core.text.clauses.facts import split_facts


def said_in(text: str) -> tuple[str, ...]:
    return tuple(fact.text for fact in split_facts(text))


@pytest.mark.parametrize(
    ("fact", "addition"),
    [
        ("The mill is quiet", " because the road is closed."),
        ("The mill is popular", " because of its view."),
        ("The co-op sells cheese", ", including two soft kinds."),
        ("The looms are easy to mend", " since every part is oak."),
        ("The archive closed in May", " due to flood damage."),
        ("The visitors love the meadow", ", as they prefer sunny places."),
        ("Tarn Bakery runs a delivery service", ", bringing bread to the villages."),
        ("The court held that the law was valid", ", finding that it was clear."),
        ("The engine burns wood gas", ", thereby making it popular with farmers."),
        ("The grade is given as a ratio", ", with higher figures showing more sugar."),
        ("The pump runs at night", ", which means that the tank is full by 6."),
        ("The guild manages the harbour", ", including the cranes."),
        ("The line serves 16 towns", ", including Osk."),
        ("Slow drying is a method", " where the oil is kept at 40 °C."),
    ],
)
def test_a_fact_stands_alone_and_with_what_is_added(fact: str, addition: str) -> None:
    assert said_in(fact + addition) == (fact + ".", fact + addition)


def test_each_of_several_additions_has_a_statement() -> None:
    assert said_in(
        "Since the seal is old, the new pump is slower, making it cheaper to run."
    ) == (
        "The new pump is slower.",
        "Since the seal is old, the new pump is slower.",
        "The new pump is slower, making it cheaper to run.",
    )


def test_what_a_reason_names_is_named_where_the_reason_is_left_out() -> None:
    assert said_in("Because the kiln is old, its glaze turns green.") == (
        "The kiln's glaze turns green.",
        "Because the kiln is old, its glaze turns green.",
    )
    # either may own it
    text = "Because the potter has a kiln, its glaze turns green."
    assert said_in(text) == (text,)


def test_examples_are_told_one_by_one_beside_the_fact() -> None:
    assert said_in("Osk reads open formats, such as CSV, ODS and XML.") == (
        "Osk reads open formats.",
        "Osk reads open formats, such as CSV.",
        "Osk reads open formats, such as ODS.",
        "Osk reads open formats, such as XML.",
    )


def test_things_that_a_participle_lists_are_told_one_by_one() -> None:
    assert said_in("The council rebuilt the pier, adding a stage and a shop.") == (
        "The council rebuilt the pier.",
        "The council rebuilt the pier, adding a stage.",
        "The council rebuilt the pier, adding a shop.",
    )
    road = "The road opened in 1990, linking Tarn and Osk."
    assert said_in(road) == ("The road opened in 1990.", road)


def test_a_list_in_the_fact_stays_whole_where_something_is_added_to_all() -> None:
    assert said_in("The shop sells oats and rye, making it popular.") == (
        "The shop sells oats.",
        "The shop sells rye.",
        "The shop sells oats and rye, making it popular.",
    )


@pytest.mark.parametrize(
    "text",
    [
        # what is denied or limited may be the reason
        "The shop does not close because it rains.",
        "Tarn is not a town where many people live.",
        "No mill closed because of the flood.",
        "The gate is only open because the guard is ill.",
        # a time, a limit, an exception
        "The fee has been 5 marks since the mill opened.",
        "The lamp glows as the pump starts.",
        "The bus runs daily, depending on the weather.",
        "The bus runs daily, excluding Sundays.",
        "The bus runs daily, with Sundays being the exception.",
        # what a thing is like that is not set off
        "The insurance covers delays due to rain.",
        # a figure that follows from those of the reason
        "Four come in free, because one does for every eight pupils.",
        "The price is 90 marks, including tax.",
        # what was perceived
        "Ana overheard her brother, Bo, saying that the mill is sold.",
        # nothing is said without it
        "This is because the road is closed.",
        "It is because the road is closed.",
        # words of another
        'The guide says: "It is quiet because the road is closed."',
        "Is the mill quiet because the road is closed?",
    ],
)
def test_what_the_fact_may_depend_on_stays_with_it(text: str) -> None:
    assert said_in(text) == (text,)
