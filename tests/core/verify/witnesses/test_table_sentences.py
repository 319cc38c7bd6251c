"""Sentences about a cell of a table, held against the table."""

from __future__ import annotations

import pytest

from claimscope.core.ports import Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.witnesses.table_sentences import (
    settling_cell_of_sentence,
)
from tests.doubles.fakes import FakeEmbedder

EMBEDDER = FakeEmbedder()
BOATS = """\
Boats of the Tarn line:

| Boat | Seats | Built in | Top speed | Skipper |
|---|---|---|---|---|
| Heron | 48 | 1974 | 22 km/h | Ona Bell |
| Curlew | 12 | 1991 | 35 km/h | Idris Vane |
| Free | 30 | 2003 | 18 km/h | Mara Quill |
"""
PLANS = """\
| Plan | Requests per hour | Price |
|---|---|---|
| Pro | 60 | free |
| Pro Max | 300 | €19 |
"""
HOURS = """\
| Day | Café | Shop |
|---|---|---|
| Friday | 8:00-16:00 | 10:00-18:00 |
| Saturday | 9:00-17:00 | 11:00-15:00 |
"""


def settled(claim: str, page: str) -> tuple[str, str] | None:
    """(what it says, the reason) of the cell that settles a claim."""
    question = Question(
        claim,
        candidates_from_text(claim, [page], EMBEDDER),
        documents=(("page", page),),
    )
    found = settling_cell_of_sentence(question)
    return (found.says, found.testimony.reason) if found else None


@pytest.mark.parametrize(
    ("claim", "page", "mine", "theirs"),
    [
        ("The Curlew has 48 seats.", BOATS, "48", "Seats of Curlew is 12"),
        ("The Heron was built in 1991.", BOATS, "1991", "Built in of Heron is 1974"),
        ("The Curlew has about 48 seats.", BOATS, "48", "Seats of Curlew is 12"),
        (
            "The top speed of the Curlew is 22 km/h.",
            BOATS,
            "22 km/h",
            "Top speed of Curlew is 35 km/h",
        ),
        (
            "The skipper of the Heron is Idris Vane.",
            BOATS,
            "Idris Vane",
            "Skipper of Heron is Ona Bell",
        ),
        (
            "Pro Max allows 300 requests per day.",
            PLANS,
            "300 requests per day",
            "Requests per hour of Pro Max is 300",
        ),
        # The wrong column is the wrong row of the table on its side.
        (
            "On Saturday the shop opens at 9:00.",
            HOURS,
            "9:00",
            "Saturday of Shop is 11:00-15:00",
        ),
    ],
)
def test_the_value_of_another_row_or_column_contradicts(
    claim: str, page: str, mine: str, theirs: str
) -> None:
    found = settled(claim, page)
    assert found is not None
    says, reason = found
    assert says == "contradicts"
    assert f"The claim says {mine}" in reason and theirs in reason


def test_a_sentence_that_only_reads_the_cell_is_proved() -> None:
    found = settled("The Curlew was built in 1991.", BOATS)
    assert found is not None and found[0] == "entails"


@pytest.mark.parametrize(
    ("head", "own", "other", "claim"),
    [
        (
            "Top speed",
            "19 km/h",
            "18 km/h",
            "The top speed of the Curlew is about 18 km/h.",
        ),
        ("Load (kg)", "498", "500", "The load of the Curlew is about 500 kg."),
        ("Price (€)", "498", "500", "The price of the Curlew is about 500 euros."),
        ("Load", "19–20 kg", "21 kg", "The load of the Curlew is about 21 kg."),
    ],
)
def test_about_the_value_of_another_row_may_be_the_rows_own(
    head: str, own: str, other: str, claim: str
) -> None:
    rows = f"| Curlew | {own} |\n| Heron | {other} |\n| Teal | 7 |\n"
    assert settled(claim, f"| Boat | {head} |\n|---|---|\n{rows}") is None


@pytest.mark.parametrize(
    "claim",
    [
        # Two rows are named, or compared.
        "The Heron has 48 seats and the Curlew 12.",
        "The Curlew is 13 km/h faster than the Heron.",
        # Denied, bounded.
        "The Curlew does not have 48 seats.",
        "The Curlew has more than 48 seats.",
        # No row is named: "free" is not the boat "Free".
        "Travel on weekdays is free for 48 pupils.",
        "The boats have 48 seats.",
        # More is said than the cell says, of a column that is not named.
        "The Curlew collided with a buoy in 1974.",
        # A value that no row has.
        "The Curlew has 50 seats.",
    ],
)
def test_what_does_more_than_read_a_cell_is_left_to_others(claim: str) -> None:
    assert settled(claim, BOATS) is None


def test_the_second_of_three_seconds_is_no_row() -> None:
    page = "| Try | Pause |\n|---|---|\n| first | 3 s |\n| second | 800 ms |\n"
    assert settled("Connecting may take 3 seconds.", page) is None


LOANS = """\
Loans of the Osk reading room on weekdays:

| Item | Loan period | Fee per day |
|---|---|---|
| Map | 7 days | 0.50 |
| Game | 14 days | 0.80 |
"""


def test_the_days_of_a_figure_name_no_column() -> None:
    found = settled("The loan period of a map is 14 days.", LOANS)
    assert found is not None and found[0] == "contradicts"


def test_the_line_over_a_table_is_known() -> None:
    claim = "On weekdays the Osk reading room has a loan period of 7 days for a map."
    found = settled(claim, LOANS)
    assert found is not None and found[0] == "entails"
    assert settled(claim.replace("Osk", "Perl"), LOANS) is None


def test_a_claim_of_two_spans_of_a_table_is_left_to_others() -> None:
    page = """\
| Hall rent | Days 1–3 | Days 4–9 | Days 10–20 |
|---|---|---|---|
| Members | 40 % | 70 % | 80 % |
| Guests | 60 % | 90 % | 95 % |
"""
    claim = (
        "Members pay little for the first three days and 70 % for the six after that."
    )
    assert settled(claim, page) is None


BATHS = """\
| Bath | Opens | Price | Hours | Support | Until |
|---|---|---|---|---|---|
| Tower | 9:00 | €12 (€6 for children) | 9:00-17:00 | chat and e-mail | 3 May 2024 |
| Quay | 10:00 | €15 | 10:00-18:00 | e-mail | 9 June 2024 |
"""


@pytest.mark.parametrize(
    "claim",
    [
        # A part of the row's own value is not another row's.
        "Tower has support by e-mail.",
        # One end of a span, or one of two prices, is not the value.
        "The hours of Tower are at 17:00.",
        "Tower opens at 17:00 by its hours.",
        "The price of Tower is €6.",
        "Tower is open until 3 May 2025.",
        "Outside May the price of Tower is €15.",
    ],
)
def test_parts_of_values_settle_nothing(claim: str) -> None:
    assert settled(claim, BATHS) is None


FARES = """\
| Fare | Line 1 | Line 2 |
|---|---|---|
| Adult | 18.00 | 9.50 |
| Child 4 to 14 | 9.00 | 4.75 |
"""
SAILINGS = """\
| Line | Season | Sailings per day |
|---|---|---|
| 2 | all year | 14 |
| 7 | all year | 2 |
"""
SPEEDS = """\
| | Basic | Plus |
|---|---|---|
| Top speed | 25 Mbit/s | 100 Mbit/s |
| Price | 10 marks | 30 marks |
"""
TREES = """\
| Name | Fruit | Picked | Grafted |
|---|---|---|---|
| Flint Pear | pear | late October | yes |
| Ashby Plum | plum | early August | no |
"""
ROTORS = """\
| Rotor | Tubes | Top speed |
|---|---|---|
| S-4 | 4 x 100 ml | 4500 |
| S-9 | 8 x 50 ml | 6000 |
"""


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # A figure of a head names no column, nor a bare figure a row.
        ("In winter line 2 is reduced from 14 to 9 daily sailings.", FARES),
        ("A two-berth cabin on a night sailing costs 45.", SAILINGS),
        # What a plan is only compared with.
        ("Its top speed is 100 Mbit/s, four times that of Basic.", SPEEDS),
        # The name of a thing is none of its values.
        ("Picking: twist apples, but lift pears.", TREES),
        # "Note" is no "no".
        ("The Flint Pear is grafted, as a note says.", TREES),
        # The cell in other words, beside a figure of another column.
        ("S-4 takes four 100 ml tubes and runs at 4,500 rpm.", ROTORS),
    ],
)
def test_what_no_cell_rules_out(claim: str, page: str) -> None:
    found = settled(claim, page)
    assert found is None or found[0] != "contradicts"
