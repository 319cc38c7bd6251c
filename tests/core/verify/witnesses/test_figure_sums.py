"""What the figures of a passage come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.witnesses.figure_sums import (
    MOST_LINES,
    figure_sums,
    with_sums,
)


def lines(claim: str, passage: str) -> tuple[str, ...]:
    return figure_sums(canonical(claim), canonical(passage)).lines


@pytest.mark.parametrize(
    ("claim", "passage", "wanted"),
    [
        (
            "Soaking and boiling the lentils takes 55 minutes.",
            "Soak for 30 minutes, boil for 25 minutes and rest for 4 minutes.",
            "55 minutes = 30 minutes + 25 minutes",
        ),
        (
            "Nine of the cows are kept indoors.",
            "Of the 31 cows, 22 graze outdoors.",
            "9 = 31 - 22",
        ),
        (
            "The cook earns €96 in a shift.",
            "A shift lasts 8 hours. The cook earns €12 per hour.",
            "€96 = €12 x 8 hours",
        ),
        (
            "Six crates hold 84 jars.",
            "A crate holds 14 jars.",
            "84 = 14 x 6",
        ),
        (
            "The night boat needs seven and a half hours.",
            "The night boat leaves at 22:40 and lands at 06:10.",
            "7.5 hours = 06:10 - 22:40",
        ),
        (
            "The lock was 64 years old when it was filled in.",
            "The lock was dug in 1873 and filled in in 1937.",
            "64 years = 1937 - 1873",
        ),
        (
            "A fifth of the tickets were given away.",
            "Of 450 tickets 90 were given away.",
            "A fifth = 90 of 450",
        ),
        (
            "The last third of the prize, 30%, goes to Orla.",
            "Bram gets 70% of the prize, Orla the rest.",
            "30% = 100% - 70%",
        ),
        (
            "The rest, 11 kg, is sand.",
            "The sack weighs 40 kg: 20 kg of lime, 9 kg of clay, the rest is sand.",
            "11 kg = 40 kg - 20 kg - 9 kg",
        ),
        (
            "At reduced price the lamp costs £45.",
            "The lamp costs £60. Members get 25% off.",
            "£45 = £60 - 25%",
        ),
        (
            "Three pears and two figs come to €7.",
            "A pear is €1 and a fig is €2.",
            "€7 = 3 x €1 + 2 x €2",
        ),
        (
            "Work on the dam ended in 1908.",
            "Work on the dam began in 1901 and took seven years.",
            "1908 = 1901 + 7 years",
        ),
        (
            "The gate shuts at 18:30.",
            "The gate opens at 17:45 and shuts 45 minutes later.",
            "18:30 = 17:45 + 45 minutes",
        ),
        (
            "Turnout rose by 12 percentage points.",
            "Turnout rose from 44% to 56%.",
            "12 percentage points = 56% - 44%",
        ),
    ],
)
def test_a_figure_that_comes_out_of_others(
    claim: str, passage: str, wanted: str
) -> None:
    assert wanted in lines(claim, passage)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The mast is 38 m tall.", "The mast is 38 m tall, the pole 9 m."),
        ("The mast is painted red.", "The mast is 38 m tall, the pole 9 m."),
        ("One of the masts is red.", "There are 3 masts, 2 of them blue."),
        ("The mast is the taller one.", "The mast is taller than the pole."),
        # The half of the day is not said.
        ("It ends at 7:30.", "It starts at 7 pm."),
        ("The trip takes 10 to 20 minutes.", "The trip takes 15 minutes."),
        # Somebody who teaches compares nothing.
        ("The teacher met a customer.", "Room 1 is blue, room 2 is red."),
    ],
)
def test_nothing_is_said_where_nothing_is_to_work_out(claim: str, passage: str) -> None:
    assert lines(claim, passage) == ()
    assert with_sums(claim, passage) == claim


@pytest.mark.parametrize(
    ("claim", "passage", "wrong"),
    [
        # What only the claim has follows from nothing.
        ("The 30 men and 12 women make 42.", "The club is large.", "42 = 30 + 12"),
        ("He was six when it ended.", "It ran from 3 May 2001 to 1 May 2007.", "6 = "),
        # Degrees do not add up, and one fact said twice is one.
        ("By noon it was 25 °C.", "It was 10 °C at dawn, 15 °C on the hill.", "25"),
        ("It costs 50 euros.", "It costs €25. The price of 25 euros is low.", "50"),
        ("It takes 60 minutes.", "It takes up to 70, at least 50 minutes.", "60"),
    ],
)
def test_no_working_is_made_up(claim: str, passage: str, wrong: str) -> None:
    assert not any(
        line.startswith(f"{wrong}") and " = " in line for line in lines(claim, passage)
    )


def test_rough_figures_come_out_of_workings_roughly() -> None:
    found = figure_sums("It costs about 100 euros.", "Oil: €48, pump: €50.")
    assert found.lines == ("about 100 euros = €48 + €50",)
    assert found.worked == ("100 euros",)


def test_what_comes_out_of_another_missing_figure_is_not_worked() -> None:
    found = figure_sums("It costs €240 for 4 nights.", "A night costs €60.")
    assert "€240 = 4 x €60" in found.lines
    assert found.worked == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It lies at 25 m.", "The hall lies at -20 m."),
        ("It was built in 50 BC.", "The wall is of 44 BC, the gate of 14 AD."),
    ],
)
def test_figures_below_nought_are_left(claim: str, passage: str) -> None:
    assert lines(claim, passage) == ()


def test_the_claim_is_read_with_its_lines() -> None:
    claim, passage = "Nine cows stay in.", "Of the 31 cows, 22 graze."
    found = figure_sums(canonical(claim), canonical(passage))
    assert found.worked == ("9",)
    assert found.behind("9 cows stay in.") == "9 cows stay in. (9 = 31 - 22.)"


figures = st.lists(
    st.sampled_from(
        ["12 kg", "3", "40%", "€7", "1987", "09:15", "2 hours", "half", "0", "5 m"]
    ),
    max_size=8,
)


@given(figures, figures)
def test_any_figures_give_few_lines(mine: list[str], theirs: list[str]) -> None:
    claim = f"The total is more than {' and '.join(mine)}."
    passage = f"There are {', '.join(theirs)} in all."
    assert len(lines(claim, passage)) <= MOST_LINES
