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
        "The Heron has 12 seats and the Curlew 48.",
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


RENTAL = """\
| Van | Seats | Price (€) | Fuel | Support |
|---|---|---|---|---|
| Wren 2 | 5 | 60 | diesel | chat and e-mail |
| Wren 3 | 7 | 75 | petrol | e-mail |
| Wren 4 | 9 | 95 | petrol | chat |
"""
BATHS = """\
| Bath | Opens | Price adult | Price child | Hours |
|---|---|---|---|---|
| Tower | 9:00 | €12 | €6 | 9:00-17:00 |
| Quay | 10:00 | €15 | €8 | 10:00-18:00 |
"""
YEARS = """\
| Year | Members | Income |
|---|---|---|
| 2019 | 300 | €4,000 |
| 2020 | 340 | €5,000 |
| 2021 | 400 | €6,000 |
"""


@pytest.mark.parametrize(
    ("claim", "page", "says"),
    [
        ("The Wren 3 has seven seats and its price is €75.", RENTAL, "entails"),
        ("- **Wren 3:** 7 seats, price €75, fuel petrol", RENTAL, "entails"),
        ("The Wren 2 has five seats and its fuel is petrol.", RENTAL, "contradicts"),
        (
            "Up to 7 seats has the Wren 3, and its price is €60.",
            RENTAL,
            "contradicts",
        ),
        ("The Heron has 48 seats and the Curlew 12.", BOATS, "entails"),
        ("The price of Tower is €12 per adult, €6 per child.", BATHS, None),
        ("The price of Tower is €12 for an adult, €6 for a child.", BATHS, "entails"),
    ],
)
def test_claims_that_read_several_cells(
    claim: str, page: str, says: str | None
) -> None:
    found = settled(claim, page)
    assert (found[0] if found else None) == says


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # More is said than the cells say.
        ("The Wren 3 has 7 seats, a price of €75 and a roof box.", RENTAL),
        ("The Wren 3 has 7 seats, and its price falls by €60.", RENTAL),
        ("The Wren 3 has 7 seats, and its price is €60 per day.", RENTAL),
        ("By 2020, with 340 members, income had grown from €4,000.", YEARS),
        ("In 2020 the 340 members missed the income goal of €6,000.", YEARS),
        # The figure is rounded, or a part of the row's own value.
        ("The Wren 4 has about 9 seats, and its price is about €90.", RENTAL),
        ("The Wren 2 has 5 seats and support by e-mail.", RENTAL),
        # Who names two rows compares.
        ("The Wren 2 has 5 seats, the Wren 3 has 7.", RENTAL),
        # A column that is not named: what the value is of nobody has said.
        ("Tower closes at 9:00, and its adult price is €12.", BATHS),
        ("Tower opens at 17:00, and its adult price is €12.", BATHS),
        # The values are exchanged.
        ("The price of Tower is €6 for an adult, €12 for a child.", BATHS),
        # Dollars are no euros, and 2025 is not 2024.
        ("The Wren 3 has 7 seats, and its price is $75.", RENTAL),
        (
            "Pottery ends on 3 May 2025 and its fee is €40.",
            "| Course | Ends | Fee |\n|---|---|---|\n| Pottery | 3 May 2024 | €40 |\n"
            "| Weaving | 9 June 2024 | €55 |\n",
        ),
        # Two tables have the row.
        (
            "Billed annually, Guild has a price of €100 and 50 users.",
            "## Monthly\n\n| Plan | Price | Users | Store |\n|---|---|---|---|\n"
            "| Guild | €10 | 50 | 5 GB |\n| Max | €100 | 200 | 9 GB |\n\n"
            "## Annual\n\n| Plan | Price | Users |\n|---|---|---|\n"
            "| Guild | €100 | 50 |\n| Max | €1,000 | 200 |\n",
        ),
    ],
)
def test_claims_that_do_more_than_read_cells_are_left(claim: str, page: str) -> None:
    assert settled(claim, page) is None


def test_a_bare_cell_has_the_unit_of_its_column() -> None:
    found = settled("The price of the Wren 3 is 60 euros.", RENTAL)
    assert found is not None and found[0] == "contradicts"
    assert (
        found[1] == "The claim says 60 euros, by page:S:2 Price (€) of Wren 3 is 75 €."
    )
    assert settled("The price of the Wren 3 is 75 dollars.", RENTAL) is None


def test_one_end_of_the_opening_hours_does_not_prove_when_it_opens() -> None:
    assert settled("The hours of Tower are at 17:00.", BATHS) is None
