"""Tables as rows of cells into Markdown."""

from __future__ import annotations

from claimscope.stores.pages.markup.tables import TableRow, write_table

HEAD = TableRow(("Boat", "Seats"), is_head=True)
SKIFF = TableRow(("Skiff", "3"))


def section(text: str) -> TableRow:
    return TableRow((text, text), is_section=True)


def test_a_section_with_nothing_under_it_is_kept() -> None:
    rows = [HEAD, section("Rowing"), section("Small"), SKIFF, section("None in May")]
    assert write_table(rows) == [
        "Rowing",
        "Small\n| Boat | Seats |\n| --- | --- |\n| Skiff | 3 |",
        "None in May",
    ]


def test_heads_over_nothing_but_sections_are_kept() -> None:
    assert write_table([HEAD, section("Closed")]) == ["Boat", "Seats", "Closed"]
