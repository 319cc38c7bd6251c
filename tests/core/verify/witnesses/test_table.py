"""The table witness: a cell of an answer against the cells of the pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import Evidence
from claimscope.core.ports import Question
from claimscope.core.verify.witnesses.table import (
    Settled,
    cell_claim_of,
    cells,
    settling_cell,
    with_cell,
)

MOORINGS = """# Moorings at Tarn Lough

## Summer 2031

| Berth | Length | Fee per month | Water | Gate |
|---|---|---|---|---|
| Inner | up to 8 m | 120 marks | ✓ | north |
| Outer (tidal) | up to 14 m | 95 marks | ✗ | north |
| Dry dock | no limit | free | ✗ | south |

## Winter 2031

| Berth | Fee per month |
|---|---|
| Inner | 60 marks |
| Outer (tidal) | 45 marks |

## Boats for hire

| | Skua | Petrel |
|---|---|---|
| Seats | 4 | 6 |
| Top speed | 9 knots | 14 knots |
| With a skipper | on request | always |

### SK-2 Rope work

- **Teacher:** Wren Talbot. Speaks Danish.
- **Length:** 90 minutes

### SK-3 Knots

- **Teacher:** Ivo Marsh
- **Length:** two hours
"""


def said(claim: str, page: str = MOORINGS) -> str | None:
    found = settling_cell(Question(claim, (), documents=(("moorings.md", page),)))
    return found.says if found else None


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        # rows: the value of the row, of another row, of no row
        ("Summer 2031: Berth: Inner; Monthly fee: 120 marks", "entails"),
        ("Summer 2031: Berth: Inner; Monthly fee: 95 marks", "contradicts"),
        ("Summer 2031: Berth: Inner; Monthly fee: 130 marks", "contradicts"),
        ("Berth: Outer; Gate: north", "entails"),
        ("Berth: Outer; Gate: south", "contradicts"),
        ("Berth: Outer; Water: no", "entails"),
        ("Berth: Outer; Water: yes", "contradicts"),
        ("Berth: Dry dock; Length: unlimited", "entails"),
        ("Berth: Dry dock; Length: up to 8 m", "contradicts"),
        ("Summer: Berth: Dry dock; Fee: none", "entails"),
        ("Summer: Berth: Dry dock; Fee: 10 marks", "contradicts"),
        # two tables: the heading says which
        ("Winter 2031: Berth: Inner; Fee: 60 marks", "entails"),
        ("Winter 2031: Berth: Inner; Fee: 120 marks", "contradicts"),
        ("Berth: Inner; Fee: 60 marks", None),
        ("Summer 2032: Berth: Inner; Fee: 120 marks", None),
        # a table on its side
        ("Boat: Petrel; Seats: six", "entails"),
        ("Boat: Petrel; Seats: four", "contradicts"),
        ("Boat: Skua; Speed: 9 knots", "entails"),
        ("Boat: Skua; Speed: 14 knots", "contradicts"),
        # terms under a heading
        ("Course: SK-2; Teacher: Talbot", "entails"),
        ("Course: SK-2; Teacher: Ivo Marsh", "contradicts"),
        ("Course: SK-3; Length: 120 min", "entails"),
        ("Course: SK-3; Length: 90 min", "contradicts"),
        # no such row, column, or no cell at all
        ("Berth: Middle; Gate: north", None),
        ("Berth: Inner; Owner: the town", None),
        ("Inner berths cost 95 marks a month.", None),
        ("Water: yes", None),
    ],
)
def test_a_cell_is_settled_by_its_own_row_and_column(
    claim: str, wanted: str | None
) -> None:
    assert said(claim) == wanted


def cell_of(question: Question) -> Settled:
    found = settling_cell(question)
    assert found is not None
    return found


ROOMS = """| Room | Breakfast | Price |
|---|---|---|
| Double, with balcony | included | 140 |
| Double, without balcony | extra | 110 |
| Aged under 6 | – | free |
| Aged 6 to 12 | – | 20 |
"""


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Room: Double with a balcony; Price: 140", "entails"),
        ("Room: Double, no balcony; Price: 110", "entails"),
        ("Room: Double, no balcony; Price: 140", "contradicts"),
        ("Room: Children from 6 to 12; Price: 20", "entails"),
        ("Room: Children under 6; Price: 20", None),
        ("Room: Double; Price: 140", None),
    ],
)
def test_without_is_another_row(claim: str, wanted: str | None) -> None:
    assert said(claim, ROOMS) == wanted


LIGHTS = """| Light | Colour | Meaning |
|---|---|---|
| Pump | red | Dry |
| Pump | green | Running |
| Lid | red | Open |
"""


def test_rows_with_one_head_are_told_apart_by_what_else_stands_in_them() -> None:
    assert said("Light: Pump, green; Meaning: running", LIGHTS) == "entails"
    assert said("Light: Pump, green; Meaning: dry", LIGHTS) == "contradicts"
    assert said("Light: Pump; Meaning: running", LIGHTS) is None


def test_a_list_is_not_one_of_its_items() -> None:
    page = "| Trip | Approved by |\n|---|---|\n| Abroad | Line manager and board |\n"
    assert said("Trip: Abroad; Approved by: line manager", page) is None


def test_the_cell_is_shown_with_row_and_column() -> None:
    claim = "Summer 2031: Berth: Inner; Fee: 95 marks"
    one = cell_of(Question(claim, (), documents=(("moorings.md", MOORINGS),))).testimony
    assert one.reason == (
        f"The claim says 95 marks, by {one.place} Fee per month of Inner is 120 marks."
    )


def test_the_row_becomes_a_candidate_once() -> None:
    near = Evidence(page_id="moorings.md", index=0, text="# Moorings", start=0, end=10)
    question = Question(
        "Boat: Petrel; Seats: 6", (near,), documents=(("moorings.md", MOORINGS),)
    )
    found = with_cell(question, cell_of(question))
    assert "| Seats | 4 | 6 |" in found.evidence[0].text
    assert found.evidence[1:] == (near,)
    again = cell_of(found)
    assert with_cell(found, again) == found
    assert again.testimony.place == found.evidence[0].sentence_id


def test_what_is_no_cell_changes_nothing() -> None:
    question = Question("Boats float.", (), documents=(("moorings.md", MOORINGS),))
    assert settling_cell(question) is None
    assert with_cell(question, None) is question
    assert cell_claim_of("Note: see below; it is long") is None


@given(st.text(alphabet="|-:; \nab1€", max_size=80), st.text(max_size=40))
def test_scraps_are_no_error(page: str, claim: str) -> None:
    cells(page)
    settling_cell(Question(f"a: {claim}; b: {claim}", (), documents=(("p", page),)))
