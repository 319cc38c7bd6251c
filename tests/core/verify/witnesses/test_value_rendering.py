"""Values of a claim as the passage writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.witnesses.value_rendering import (
    render_values,
    strip_connectives,
)


def rendered(claim: str, passage: str) -> str:
    return render_values(canonical(claim), canonical(passage)).text


@pytest.mark.parametrize(
    ("claim", "passage", "wanted"),
    [
        (
            "The path is 1,400 metres long.",
            "The path: 1.4 km",
            "The path is 1.4 km long.",
        ),
        ("It holds 2,600 litres.", "It holds 2.6 m³.", "It holds 2.6 m3."),
        ("The hall has 30 square metres.", "Hall: 30 m2", "The hall has 30 m2."),
        (
            "25 per cent of the boats leak.",
            "A quarter of the boats leak.",
            "A quarter of the boats leak.",
        ),
        ("It leaves at 8:40 p.m.", "It leaves at 20:40.", "It leaves at 20:40"),
        ("It leaves at ten to midnight.", "Last boat 23:50", "It leaves at 23:50."),
        ("It opens at nine.", "Opens: 9:00", "It opens at 9:00."),
        ("It shuts at seven.", "Shuts: 19:00", "It shuts at 19:00."),
        (
            "It works from two to five.",
            "02:00 to 05:00",
            "It works from 02:00 to 05:00.",
        ),
        ("It weighs 6,100 kg.", "It weighs 6.1 × 10³ kg.", "It weighs 6100 kg."),
        ("It waits three minutes.", "It waits 180 s.", "It waits 180 s."),
    ],
)
def test_one_value_is_written_one_way(claim: str, passage: str, wanted: str) -> None:
    assert rendered(claim, passage) == wanted


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The path is 1,500 metres long.", "The path: 1.4 km"),
        ("The path is 1.4 kg long.", "The path: 1.4 km"),
        ("It leaves at 8:40 a.m.", "It leaves at 20:40."),
        ("It opens at nine.", "Opens: 10:00"),
        ("It opens at nine.", "Opens: 9:00, shuts: 21:00"),
        ("It holds nine boats.", "Opens: 9:00"),
        ("It leaves at ten to midnight.", "Last boat 0:10"),
        ("Room M2 is free.", "It has 2 m2."),
        ("Nothing is said.", "No figures here."),
    ],
)
def test_another_value_is_left_as_it_is(claim: str, passage: str) -> None:
    assert rendered(claim, passage) == canonical(claim)


def test_a_value_that_the_passage_writes_so_is_left() -> None:
    passage = "It runs for 60 minutes, an hour in all."
    assert rendered("It runs for an hour.", passage) == "It runs for an hour."


@given(st.text(max_size=60), st.text(alphabet="0123456789:.,kmh ap", max_size=40))
def test_scraps_are_no_error(claim: str, passage: str) -> None:
    render_values(claim, passage)
    render_values(passage, claim)


@given(st.text(alphabet="0123456789:.,kmh apm", max_size=40))
def test_a_text_is_itself(text: str) -> None:
    assert render_values(text, text).text == text


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Dogs are not let in, either.", "Dogs are not let in."),
        ("The hall also has a stage.", "The hall has a stage."),
        ("It is therefore closed.", "It is closed."),
        ("The hall has a stage too", "The hall has a stage"),
        ("Either door is open.", "Either door is open."),
        ("It is too late.", "It is too late."),
        ("Also ran.", "Also ran."),
    ],
)
def test_what_ties_a_claim_to_others_is_left_out(claim: str, wanted: str) -> None:
    assert strip_connectives(claim) == wanted


@pytest.mark.parametrize(
    ("claim", "passage", "wanted"),
    [
        ("It was dug in the 1920s.", "It was dug in 1926.", "It was dug in 1926."),
        (
            "The mill was built in the 19th century.",
            "The mill, built in 1843, is shut.",
            "The mill was built in 1843.",
        ),
        (
            "The pact was signed in May 1788.",
            "It was signed on 12 May 1788.",
            "The pact was signed on 12 May 1788.",
        ),
        ("About 40 boats came.", "There came 38 boats.", "38 boats came."),
        ("Over 60 boats came.", "There came 64 boats.", "64 boats came."),
    ],
)
def test_a_value_that_is_implied_is_read_as_the_page_has_it(
    claim: str, passage: str, wanted: str
) -> None:
    found = render_values(canonical(claim), canonical(passage))
    assert (found.text, found.looser) == (wanted, ())
    assert len(found.known) == 1


@pytest.mark.parametrize(
    ("claim", "passage", "wanted", "looser"),
    [
        (
            "It was dug in 1926.",
            "It was dug in the 1920s.",
            "It was dug in 1920s.",
            "1920s",
        ),
        (
            "The pact was signed on 12 May 1788.",
            "It was signed in May 1788.",
            "The pact was signed in May 1788.",
            "in May 1788",
        ),
        (
            "The bus seats exactly 50 people.",
            "It seats up to 50 people.",
            "The bus seats up to 50 people.",
            "up to 50",
        ),
        (
            "It was lit in June 1934.",
            "It was lit in 1934.",
            "It was lit in 1934.",
            "in 1934",
        ),
    ],
)
def test_what_the_page_says_less_exactly_is_named(
    claim: str, passage: str, wanted: str, looser: str
) -> None:
    found = render_values(canonical(claim), canonical(passage))
    assert (found.text, found.looser) == (wanted, (looser,))


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It was dug in the 1930s.", "It was dug in 1926."),
        ("Over 60 boats came.", "There came 58 boats."),
        ("Over 60 boats came.", "The harbour has 64 lamps."),
        ("About 40 boats came.", "There came 55 boats."),
    ],
)
def test_what_is_not_implied_is_left_as_it_is(claim: str, passage: str) -> None:
    assert render_values(canonical(claim), canonical(passage)).text == canonical(claim)
