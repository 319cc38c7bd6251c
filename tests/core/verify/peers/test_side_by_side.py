"""What stands side by side on a page, and what of it are things."""

from __future__ import annotations

import pytest

from claimscope.core.verify.peers.side_by_side import lead_of, peers_on, row_label
from claimscope.core.verify.statements import statements

ROWS = """# Fees

| Card | New card | Arrives |
|---|---|---|
| Blue | £8 | 5 days |
| Grey | £4 | 7 days |
"""
COLUMNS = """# Plans

| | Pebble | Boulder |
|---|---|---|
| Price | £8 | £9 |
| Support | yes | no |
| Space | 10 GB | 20 GB |
"""
SECTIONS = """# Workshop

## Band saw

- Fee: £4
- Slot: 1 hour

## Lathe

- Fee: £5
- Slot: 3 hours

## House rules

Glasses are worn.
"""
BOLD = """# Houses

The **Cooper's House** stands at the harbour. It has nine rooms.

The **Chapel House** is on the hill. It has two rooms.

Book at the Cooper's House or at the Chapel House.
"""
FAMILY = """# Pitches

## River pitch

By the water.

## Orchard pitch

Under trees.

## Terrace pitch

On the slope.
"""
NAMED = """# Kiln

| No. | Programme | Top |
|---|---|---|
| 1 | Dry | 110 °C |
| 2 | Biscuit slow | 980 °C |
"""
TOPICS = """# Shop

## Delivery

It takes two days.

## Returns

They are free. Delivery is not.
"""
BOTH = """# Growing

## Celeriac

Sow indoors.

## Parsnip

Sow outdoors.

## Neighbours

| Crop | Good |
|---|---|
| Celeriac | leek |
| Parsnip | onion |
"""


@pytest.mark.parametrize(
    ("page", "labels"),
    [
        (ROWS, {"Blue", "Grey"}),
        (COLUMNS, {"Pebble", "Boulder"}),
        (SECTIONS, {"Band saw", "Lathe"}),
        (BOLD, {"Cooper's House", "Chapel House"}),
        (FAMILY, {"River pitch", "Orchard pitch", "Terrace pitch"}),
        (NAMED, {"Dry", "Biscuit slow"}),
        (BOTH, {"Celeriac", "Parsnip"}),
    ],
)
def test_things_side_by_side(page: str, labels: set[str]) -> None:
    found = [{label.text for label in group.labels} for group in peers_on([page])]
    assert labels in found


@pytest.mark.parametrize("page", [TOPICS, "", "Plain words.", "# Title"])
def test_topics_are_no_things(page: str) -> None:
    assert peers_on([page]) == ()


def test_two_pages_on_the_same_things_make_one_group() -> None:
    other = (
        "# Lost\n\n| Card | Block by |\n|---|---|\n| Blue | app |\n| Grey | phone |\n"
    )
    groups = peers_on([ROWS, other])
    assert [{label.text for label in group.labels} for group in groups] == [
        {"Blue", "Grey"}
    ]


def test_a_row_is_of_its_name_and_a_paragraph_of_its_bold_words() -> None:
    rows = [one for one in statements(NAMED) if one.row]
    assert [row_label(one) for one in rows] == ["Dry", "Biscuit slow"]
    leads = [lead_of(BOLD, one) for one in statements(BOLD) if not one.is_head]
    assert [lead for lead in leads if lead] == ["Cooper's House", "Chapel House"]
